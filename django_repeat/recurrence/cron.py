"""Calendar rules in a time zone."""

from __future__ import annotations

from dataclasses import dataclass, field
from zoneinfo import ZoneInfo

from django_repeat.recurrence import crontext
from django_repeat.recurrence.mapping import FixedTime, InZone, RealTime
from django_repeat.recurrence.moments import Moments
from django_repeat.recurrence.walltimes import wall_times
from django_repeat.recurrence.zones import zone_key


@dataclass(frozen=True, slots=True, init=False)
class Cron(Moments):
    """Recur at wall-clock times: five cron fields or a nickname, in a zone.

    ``text`` is kept with its blanks normalised, ``timezone`` as the zone's key; two rules are equal if both are.
    A rule whose minute or hour starts with a star follows real time through DST; any other fires once for a
    time that is missing (at the end of the gap) and once for one that comes twice (the first). Shifts of any size
    count as gaps and repeats, also the whole days that Apia and Kwajalein left out. Raises InvalidSchedule, naming
    the field and the fix, also for a rule that can never match and for a zone without data.
    """

    text: str
    timezone: str
    _mapping: InZone = field(init=False, repr=False, compare=False)

    def __init__(self, text: str, timezone: str | ZoneInfo) -> None:
        normal = crontext.normalise(text)
        times, wildcard = wall_times(normal)
        key = zone_key(timezone)
        _set(self, "text", normal)
        _set(self, "timezone", key)
        _set(self, "_mapping", RealTime(times, key) if wildcard else FixedTime(times, key))

    def __str__(self) -> str:
        return f"{self.text} {self.timezone}"

    def __reduce__(self) -> tuple[type[Cron], tuple[str, str]]:
        return type(self), (self.text, self.timezone)

    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        return self._mapping.after_ms(ms)

    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        return self._mapping.before_ms(ms)

    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        return self._mapping.count_ms(start, end)

    def left_out_ms(self, ms: int) -> int | None:
        return self._mapping.left_out_ms(ms)


_set = object.__setattr__
