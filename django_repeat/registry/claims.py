"""The ticker's verbs: due, claim, settle, release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django_repeat.keys import raw, text
from django_repeat.registry.store import Store

_DEFINITION = ("every_ms", "phase_ms", "cron", "tz", "first_in_ms", "enabled", "template", "source")


class Outcome(StrEnum):
    """What a settle or a release came to."""

    OK = "ok"
    SETTLED = "settled"
    SUPERSEDED = "superseded"
    LOST = "lost"
    GONE = "gone"


@dataclass(frozen=True, kw_only=True)
class Due:
    """What is due at ``now``: names with the score seen, and the next score after, None if there is none."""

    now: int
    names: Sequence[tuple[str, str]]
    next: int | None


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One entry won until the lease ends: its definition as stored, and the instant to plan as of."""

    name: str
    token: str
    as_of: int
    now: int
    nominal: int
    failures: int
    last_nominal: int | None
    digest: str
    definition: tuple[Any, ...]

    @property
    def fields(self) -> dict[str, str]:
        """Answer the definition as a record's fields. ``definition``, as it came, tells cheaply whether it changed."""
        pairs = zip(_DEFINITION, self.definition, strict=True)
        return {field: text(value) for field, value in pairs if value is not None}

    @property
    def first(self) -> bool:
        """Answer whether nobody claimed this nominal time before, so that nothing can have been enqueued for it."""
        return self.as_of == self.now


@dataclass(frozen=True, kw_only=True)
class Refusal:
    """One entry that was not won: ``lost``, ``foreign`` or ``broken``, with the reason."""

    name: str
    why: str
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """What became of a claim. ``next`` is None when nothing comes after; ``lines`` are run log lines, oldest first."""

    name: str
    token: str
    nominal: int
    next: int | None
    fired: int
    missed: int
    fired_nominal: int | None = None
    result: str = ""
    lines: Sequence[str] = ()


@dataclass(frozen=True, kw_only=True)
class Release:
    """A claim given back. With ``backoff`` (ms) it failed: ``error`` stays on the entry, ``broken`` marks it."""

    name: str
    token: str
    nominal: int
    backoff: int | None = None
    error: str = ""
    broken: str = ""
    forget: bool = False
    line: str = ""


class Claims:
    """Name, claim, settle and release due entries of one queue."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def logged(self) -> bool:
        """Answer whether run log lines are kept."""
        return self._store.history > 0

    def due(self, offset: int, limit: int) -> Due:
        """Answer at most ``limit`` due names by score, from the ``offset``-th on."""
        now, names, upcoming = self._store.call("due", [], [offset, limit])
        pairs = [(text(names[i]), text(names[i + 1])) for i in range(0, len(names), 2)]
        later = float(upcoming) if upcoming is not None else float("inf")
        return Due(now=int(now), names=pairs, next=None if later == float("inf") else int(later))

    def claim(self, token: str, lease: int, due: Sequence[tuple[str, str]]) -> list[Claim | Refusal]:
        """Win what is still as it was seen. Asked again with the same token (a lost reply), it answers the same."""
        keys = [self._store.keys.record(name) for name, _ in due]
        args: list[Any] = [token, lease]
        for name, score in due:
            args += (raw(name), score)
        reply = self._store.call("claim", keys, args)
        now = int(reply[0])
        return [_answer(name, token, now, one) for (name, _), one in zip(due, reply[1:], strict=True)]

    def settle(self, settlements: Sequence[Settlement]) -> list[Outcome]:
        """Record what fired and was missed, and move each entry to its next nominal time, if its fence is held."""
        keys: list[bytes] = []
        args: list[Any] = [self._store.history]
        for one in settlements:
            keys.append(self._store.keys.record(one.name))
            if self._store.history:
                keys.append(self._store.keys.runs(one.name))
            args += [
                raw(one.name), one.token, one.nominal, _or_empty(one.next), one.fired, one.missed,
                _or_empty(one.fired_nominal), raw(one.result), len(one.lines), *map(raw, one.lines),
            ]  # fmt: skip
        return [Outcome(text(answer)) for answer in self._store.call("settle", keys, args)]

    def release(self, releases: Sequence[Release]) -> list[Outcome]:
        """Give claims back, at once or with a back-off."""
        keys: list[bytes] = []
        args: list[Any] = [self._store.history]
        for one in releases:
            keys.append(self._store.keys.record(one.name))
            written = one.line if self._store.history else ""
            if written:
                keys.append(self._store.keys.runs(one.name))
            args += [
                raw(one.name), one.token, one.nominal, _or_empty(one.backoff), raw(one.error), raw(one.broken),
                int(one.forget), raw(written),
            ]  # fmt: skip
        return [Outcome(text(answer)) for answer in self._store.call("release", keys, args)]


def _or_empty(value: int | None) -> str | int:
    return "" if value is None else value


def _answer(name: str, token: str, now: int, reply: Sequence[Any]) -> Claim | Refusal:
    why = text(reply[0])
    if why != "won":
        return Refusal(name=name, why=why, reason=text(reply[1]) if len(reply) > 1 else "")
    _, as_of, nominal, failures, last_nominal, digest, *definition = reply
    return Claim(
        name=name,
        token=token,
        as_of=int(as_of),
        now=now,
        nominal=int(nominal),
        failures=int(failures or 0),
        last_nominal=None if last_nominal is None else int(last_nominal),
        digest=text(digest or b""),
        definition=tuple(definition),
    )
