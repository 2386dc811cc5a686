"""A recurrence without the nominal times that exclusions name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence.cron import Cron
from django_repeat.recurrence.elapsed import ElapsedTime
from django_repeat.recurrence.every import Every
from django_repeat.recurrence.exclusions import Exclusions
from django_repeat.recurrence.kept import KeptTime
from django_repeat.recurrence.mapping import RealTime
from django_repeat.recurrence.moments import Moments
from django_repeat.recurrence.remaining import Remaining, open_minutes
from django_repeat.recurrence.walltimes import wall_times
from django_repeat.recurrence.zones import zone_key

_YEAR_2000: Final = 946_684_800_000
"""2000-01-01T00:00:00Z. Clocks of early years were set to the second, which lets odd points of a grid through."""


@dataclass(frozen=True, slots=True, init=False)
class Excluding(Moments):
    """Recur as ``recurrence`` does, except where the wall clock shows an excluded minute.

    What counts is the minute that the clock of ``timezone`` shows at the nominal time: all of its seconds are
    excluded, in a repeated hour both times, in a missing one never. A fixed time that a gap moves is excluded by either
    of its minutes, the one that its rule names and the one at which it would run. The zone of a cron rule is its own
    and need not be given; an interval takes one here, and keeps its grid.

    Missed years are counted by arithmetic: the days of equal times by their number, or, for a period that no day is
    a multiple of, day by day in about two microseconds each. ``after`` and ``before`` answer None also after a search
    through 3,000 days (a row of closed ones counts as one, days without a point of the interval do not count), or
    through 100 gaps in a row that took a time away.

    Raises InvalidSchedule if the exclusions leave nothing from the year 2000 on. What they leave of an interval
    without phase depends on its anchor: they are refused only if they leave no minute of the clock.
    """

    recurrence: Every | Cron
    exclusions: Exclusions
    timezone: str
    _kept: _Kept = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        recurrence: Every | Cron,
        exclusions: Exclusions | Iterable[object],
        timezone: str | ZoneInfo | None = None,
    ) -> None:
        key = _zone(recurrence, timezone)
        read = Exclusions.read(exclusions)
        _set(self, "recurrence", recurrence)
        _set(self, "exclusions", read)
        _set(self, "timezone", key)
        _set(self, "_kept", _kept(recurrence, read, key))

    def __str__(self) -> str:
        where = f" {self.timezone}" if isinstance(self.recurrence, Every) else ""
        return f"{self.recurrence}{where} except {self.exclusions or 'nothing'}"

    def __reduce__(self) -> tuple[type[Excluding], tuple[Every | Cron, Exclusions, str]]:
        return type(self), (self.recurrence, self.exclusions, self.timezone)

    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        return self._kept.after_ms(ms, anchor)

    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        return self._kept.before_ms(ms, anchor)

    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        return self._kept.count_ms(start, end, anchor)

    def left_out_ms(self, ms: int) -> int | None:
        return self._kept.left_out_ms(ms)


class _Kept(Protocol):
    def after_ms(self, ms: int, anchor: int | None = None, /) -> int | None: ...
    def before_ms(self, ms: int, anchor: int | None = None, /) -> int | None: ...
    def count_ms(self, start: int, end: int, anchor: int | None = None, /) -> int: ...
    def left_out_ms(self, ms: int, /) -> int | None: ...


_set = object.__setattr__


def _zone(recurrence: Any, timezone: Any) -> str:
    if isinstance(recurrence, Every):
        if timezone is None:
            raise InvalidSchedule("an interval has no time zone of its own; give the one that its exclusions mean")
        return zone_key(timezone)
    if not isinstance(recurrence, Cron):
        raise InvalidSchedule(f"what exclusions apply to is an Every or a Cron, not {type(recurrence).__name__}")
    if timezone is not None and zone_key(timezone) != recurrence.timezone:
        raise InvalidSchedule(
            f"exclusions apply in the zone of the cron rule, {recurrence.timezone!r}, not in {zone_key(timezone)!r}; "
            "leave the zone out"
        )
    return recurrence.timezone


@lru_cache(maxsize=256)
def _kept(recurrence: Every | Cron, exclusions: Exclusions, key: str) -> _Kept:
    kept = (
        _kept_rule(recurrence, exclusions) if isinstance(recurrence, Cron) else _kept_grid(recurrence, exclusions, key)
    )
    if kept is None:
        shown = f"{exclusions!s:.200}"
        raise InvalidSchedule(f"{recurrence} never comes with these exclusions: {shown}; narrow or drop one of them")
    return kept


def _kept_rule(cron: Cron, exclusions: Exclusions) -> _Kept | None:
    times, wildcard = wall_times(cron.text)
    remaining = Remaining(times, exclusions)
    if remaining.empty:
        return None
    if wildcard:
        return RealTime(remaining, cron.timezone)
    return KeptTime(remaining, cron.timezone, open_minutes(exclusions))


def _kept_grid(every: Every, exclusions: Exclusions, key: str) -> _Kept | None:
    opened = open_minutes(exclusions)
    if opened.empty:
        return None
    kept = ElapsedTime(every, opened, key)
    if every.phase is not None and kept.after_ms(_YEAR_2000) is None:
        return None
    return kept
