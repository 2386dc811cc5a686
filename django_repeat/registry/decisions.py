"""What an operator decided, written if what it is about is still as it was seen."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django_repeat.answer import Answer
from django_repeat.keys import raw, text
from django_repeat.registry.store import Store

AGAIN = "again"


@dataclass(frozen=True, kw_only=True)
class Decision:
    """What changes in one record: ``fields`` with new values ("" for none), and run log ``lines``, oldest first.

    ``rev`` is the revision that was seen, "" where it does not matter. With ``moves`` the pending nominal time becomes
    ``nominal`` (None: there is none), which falls due ``lag`` ms later. One decision has one ``token``: written twice,
    it counts once.
    """

    name: str
    rev: str = ""
    fields: Mapping[str, str | int] = field(default_factory=dict)
    lines: Sequence[str] = ()
    moves: bool = False
    nominal: int | None = None
    lag: int = 0
    skipped: int = 0
    letters: str = ""
    token: str = field(default_factory=lambda: secrets.token_hex(8))


class Decisions:
    """Write decisions of one queue."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def amend(self, one: Decision) -> str:
        """Write it; ``ok``, ``again`` (the record changed meanwhile), or ``absent``, ``foreign``, ``broken``."""
        keys = self._store.keys
        nominal: str | int = "-" if not one.moves else "" if one.nominal is None else one.nominal
        lines = one.lines[-self._store.history :] if self._store.history else ()
        args: list[Any] = [self._store.history, one.token, one.rev, nominal, one.lag, one.skipped, one.letters]
        args += [len(lines), *map(raw, lines), *_flat(one.fields)]
        places = [keys.record(one.name), *([keys.runs(one.name)] if lines else [])]
        return text(self._store.call("amend", places, args))

    def switch(self, rev: str, fields: Mapping[str, str | int], line: str, token: str) -> str:
        """Write the switch of the queue; ``ok`` or ``again``."""
        keys = self._store.keys
        args = [self._store.history, token, rev, raw(line), *_flat(fields)]
        return text(self._store.scripts.call("switch", [keys.switch, keys.log], args))


def refusal(answer: str) -> Answer | None:
    """Answer what an ``amend`` was refused for, None for none."""
    return None if answer in ("ok", AGAIN) else Answer(answer)


def _flat(fields: Mapping[str, str | int]) -> list[bytes]:
    return [raw(str(part)) for pair in fields.items() for part in pair]
