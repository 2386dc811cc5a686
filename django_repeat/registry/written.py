"""What a ticker writes about its claims, and what that comes to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django_repeat.keys import raw
from django_repeat.registry.endings import Ended


class Outcome(StrEnum):
    """What a settle or a release came to."""

    OK = "ok"
    SETTLED = "settled"
    SUPERSEDED = "superseded"
    LOST = "lost"
    GONE = "gone"


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What came of a claim: counts, the nominal time fired last, when, and its result, run log lines, oldest first.

    ``letters`` are those of `codec.LETTERS`, one for each thing that happened, newest first; ``ranges`` what was missed
    as "first-last-count", newest first; ``fields`` what else changes in the record, "" for nothing any more.
    """

    name: str
    token: str
    nominal: int | None
    fired: int = 0
    missed: int = 0
    skipped: int = 0
    fired_nominal: int | None = None
    fired_at: int | None = None
    result: str = ""
    lines: Sequence[str] = ()
    letters: str = ""
    ranges: Sequence[str] = ()
    fields: Sequence[tuple[str, str | int]] = ()

    def args(self, history: int) -> list[Any]:
        """Answer the part of a script's arguments that settle and release share."""
        lines = self.kept(history)
        # One text costs client and server less than nine arguments.
        counts = (
            f"{self.fired} {self.missed} {self.skipped} {or_empty(self.fired_nominal)} {or_empty(self.fired_at)} "
            f"{self.letters} {len(lines)} {len(self.fields)} {' '.join(self.ranges)}"
        )
        return [counts, raw(self.result), *map(raw, lines), *(raw(str(part)) for pair in self.fields for part in pair)]

    def kept(self, history: int) -> Sequence[str]:
        """Answer the lines that a run log of that length would keep."""
        return self.lines[-history:] if history else ()


@dataclass(frozen=True, kw_only=True)
class Settlement(Progress):
    """A claim that is done with. ``next`` is None when nothing comes after, and falls due ``lag`` ms later.

    ``beyond`` is the nominal time after the last of the definition with that ``digest``: another one may go on.
    """

    next: int | None
    lag: int = 0
    digest: str = ""
    beyond: int | None = None


@dataclass(frozen=True, kw_only=True)
class Release(Progress):
    """A claim given back. With ``backoff`` (ms) it failed: ``error`` stays on the entry, ``broken`` marks it.

    ``rest`` is the nominal time to go on with where something came of it, and ``left`` what ends there if the
    recurrence was changed meanwhile. ``forget`` if nothing can have been enqueued for what is given back.
    """

    rest: int | None = None
    left: Ended = field(default_factory=Ended)
    backoff: int | None = None
    error: str = ""
    broken: str = ""
    forget: bool = False


def or_empty(value: int | None) -> str | int:
    """Answer a number as an argument of a script, which has no None."""
    return "" if value is None else value


def or_dash(value: int | None) -> str | int:
    """Answer a number as a part of an argument that must not be empty."""
    return "-" if value is None else value
