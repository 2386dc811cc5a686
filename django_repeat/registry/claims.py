"""The ticker's verbs: due, claim, settle, release."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django_repeat.keys import raw, text
from django_repeat.plan import WHOLE, Holes
from django_repeat.registry.store import Store
from django_repeat.registry.written import Outcome, Progress, Release, Settlement, or_dash, or_empty

W = TypeVar("W", bound=Progress)

_DEFINITION = ("every_ms", "phase_ms", "cron", "tz", "first_in_ms", "enabled", "policies", "template", "source")


@dataclass(frozen=True, kw_only=True)
class Due:
    """What is due at ``now``: names with the score seen, and the next score after, None if there is none."""

    now: int
    names: Sequence[tuple[str, str]]
    next: int | None


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One entry won until the lease ends: its definition as stored, and the instant to plan as of.

    ``nominal`` is the pending nominal time, None where only ``waiting``, one that waits for a run to end, is left.
    ``runs`` are what an engine may be asked about, as "<ms handed over> <result id>".
    """

    name: str
    token: str
    as_of: int
    now: int
    nominal: int | None
    failures: int
    fired_count: int
    digest: str
    definition: tuple[Any, ...]
    holes: Holes = WHOLE
    waiting: int | None = None
    runs: tuple[str, ...] = ()

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
        now, names, upcoming = self._store.call("due", [self._store.keys.switch], [offset, limit])
        pairs = [(text(names[i]), text(names[i + 1])) for i in range(0, len(names), 2)]
        later = float(upcoming) if upcoming is not None else float("inf")
        return Due(now=int(now), names=pairs, next=None if later == float("inf") else int(later))

    def claim(self, token: str, lease: int, due: Sequence[tuple[str, str]]) -> list[Claim | Refusal]:
        """Win what is still as it was seen. Asked again with the same token (a lost reply), it answers the same."""
        keys = [self._store.keys.switch, *(self._store.keys.record(name) for name, _ in due)]
        now, holes, *replies = self._store.call("claim", keys, [token, lease, *(score for _, score in due)])
        call = (token, int(now), text(holes or b""))
        return [_answer(name, *call, one) for (name, _), one in zip(due, replies, strict=True)]

    def settle(self, settlements: Sequence[Settlement]) -> list[Outcome]:
        """Record what fired and was missed, and move each entry to its next nominal time, if its fence is held."""
        return self._write("settle", settlements, _of_settlement)

    def release(self, releases: Sequence[Release]) -> list[Outcome]:
        """Give claims back, at once or with a back-off, with what came of them."""
        return self._write("release", releases, _of_release)

    def _write(self, verb: str, ones: Sequence[W], own: Callable[[W], list[Any]]) -> list[Outcome]:
        keys: list[bytes] = []
        args: list[Any] = [self._store.history]
        for one in ones:
            keys.append(self._store.keys.record(one.name))
            if one.kept(self._store.history):
                keys.append(self._store.keys.runs(one.name))
            args += own(one)
            args += one.args(self._store.history)
        return [Outcome(text(answer)) for answer in self._store.call(verb, keys, args)]


def _of_settlement(one: Settlement) -> list[Any]:
    if one.next is None:
        return [f"{one.token} {or_dash(one.nominal)}  0 {one.digest} {or_empty(one.beyond)}"]
    return [f"{one.token} {or_dash(one.nominal)} {one.next} {one.lag}  "]


def _of_release(one: Release) -> list[Any]:
    head = f"{one.token} {or_dash(one.nominal)} {or_empty(one.rest)} {or_empty(one.backoff)} "
    return [f"{head}{int(one.forget)} {one.left.count}", raw(one.error), raw(one.broken), one.left.line]


def _answer(name: str, token: str, now: int, holes: str, reply: Sequence[Any]) -> Claim | Refusal:
    why = text(reply[0])
    if why != "won":
        return Refusal(name=name, why=why, reason=text(reply[1]) if len(reply) > 1 else "")
    _, as_of, nominal, failures, fired_count, digest, *definition, more = reply
    return Claim(
        name=name,
        token=token,
        as_of=int(as_of),
        now=now,
        nominal=int(nominal) if nominal is not None else None,
        failures=int(failures or 0),
        fired_count=int(fired_count or 0),
        digest=text(digest or b""),
        definition=tuple(definition),
        **(_more(holes, more) if more or holes else {}),
    )


def _more(switch: str, more: Sequence[Any] | None) -> dict[str, Any]:
    """Answer what few records hold: nominal times taken out, also for the whole queue, and runs on their way."""
    own, paused, until, wait, run, manual = ("" if one is None else text(one) for one in more or [None] * 6)
    pause = f"p{paused}-{until}" if paused else ""
    return {
        "holes": Holes.read(f"{switch} {own} {pause}"),
        "waiting": int(wait) if wait else None,
        "runs": tuple(filter(None, (run, manual))),
    }
