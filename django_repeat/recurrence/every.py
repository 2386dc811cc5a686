"""Intervals: elapsed time, for which zones and DST do not exist."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import timedelta

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence.moments import MAX_MS, MIN_MS, Moments


@dataclass(frozen=True, slots=True, init=False)
class Every(Moments):
    """Recur at a fixed period.

    With ``phase`` the nominal times are 1970-01-01T00:00Z + phase + n x period, the same grid everywhere and for
    ever; without, they are ``anchor`` + n x period (n of either sign), and a verb without anchor raises ValueError.
    Both take what ``durations.parse`` takes. Raises InvalidSchedule unless 0 < period and 0 <= phase < period.
    """

    period: timedelta
    phase: timedelta | None
    period_ms: int = field(init=False, repr=False, compare=False)
    phase_ms: int | None = field(init=False, repr=False, compare=False)

    def __init__(self, period: durations.Duration, phase: durations.Duration | None = None) -> None:
        period_ms = durations.parse(period)
        if not period_ms:
            raise InvalidSchedule("the period of an interval must be longer than zero; give a longer one")
        phase_ms = None if phase is None else durations.parse(phase)
        if phase_ms is not None and phase_ms >= period_ms:
            raise InvalidSchedule(
                f"the phase ({durations.describe(phase_ms)}) must be shorter than the period "
                f"({durations.describe(period_ms)}); give a shorter one"
            )
        _set(self, "period", timedelta(milliseconds=period_ms))
        _set(self, "phase", None if phase_ms is None else timedelta(milliseconds=phase_ms))
        _set(self, "period_ms", period_ms)
        _set(self, "phase_ms", phase_ms)

    def __str__(self) -> str:
        text = f"every {durations.describe(self.period_ms)}"
        return text if self.phase_ms is None else f"{text} +{durations.describe(self.phase_ms)}"

    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        ms = max(ms, MIN_MS - 1)
        found = ms + self.period_ms - (ms - self.origin_ms(anchor)) % self.period_ms
        return found if found <= MAX_MS else None

    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        ms = min(ms, MAX_MS)
        found = ms - (ms - self.origin_ms(anchor)) % self.period_ms
        return found if found >= MIN_MS else None

    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        origin, period = self.origin_ms(anchor), self.period_ms
        passed = (max(start, MIN_MS - 1) - origin) // period
        return max(0, (min(end, MAX_MS) - origin) // period - passed)

    def origin_ms(self, anchor: int | None) -> int:
        """Answer one nominal time; ValueError if that takes an anchor and there is none."""
        if self.phase_ms is not None:
            return self.phase_ms
        if anchor is None:
            raise ValueError("an interval without phase needs anchor=, its last nominal time")
        return anchor


_set = object.__setattr__
