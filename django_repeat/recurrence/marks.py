"""What changes of the clocks do to nominal times."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from django_repeat import durations
from django_repeat.instants import from_ms, local, to_ms
from django_repeat.recurrence.moments import Moments

Side = Literal["", "first", "second"]
_MILLISECOND = timedelta(milliseconds=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Mark:
    """What the clocks do at one nominal time.

    ``shift_ms`` is by how much they moved since the time before, ``side`` which one this is of a wall time that comes
    twice, ``left_out`` the wall time (naive) that they leave out, so that this one came in its place.
    """

    shift_ms: int = 0
    side: Side = ""
    left_out: datetime | None = None

    def __bool__(self) -> bool:
        return bool(self.shift_ms or self.side or self.left_out)

    def __str__(self) -> str:
        parts = [shift_text(self.shift_ms)] if self.shift_ms else []
        if self.left_out is not None:
            parts.append(f"for {self.left_out:%H:%M}, which is left out")
        if self.side:
            parts.append(f"{self.side} of two")
        return ", ".join(parts)


def marks(grid: Moments, times: Iterable[datetime], zone: tzinfo, *, before: datetime | None = None) -> list[Mark]:
    """Answer a mark for each of these nominal times of ``grid``, in order, on the clock of ``zone``.

    ``before`` is the time before the first of them, None if there is none. What has nothing to say is false.
    """
    found = []
    for moment in times:
        shift = 0 if before is None else (_offset(moment, zone) - _offset(before, zone)) // _MILLISECOND
        found.append(Mark(shift_ms=shift, side=side(moment, zone), left_out=left_out(grid, moment)))
        before = moment
    return found


def side(moment: datetime, zone: tzinfo) -> Side:
    """Answer which one ``moment`` is of a wall time that comes twice in ``zone``, "" if it comes once."""
    there = local(moment, zone)
    if there.fold:
        return "second"
    return "first" if there.replace(fold=1).utcoffset() != there.utcoffset() else ""


def left_out(grid: Moments, moment: datetime) -> datetime | None:
    """Answer the wall time (naive) that the clocks leave out and for which a nominal time comes; None for its own."""
    found = grid.left_out_ms(to_ms(moment))
    return None if found is None else from_ms(found).replace(tzinfo=None)


def shift_text(ms: int) -> str:
    """Answer a move of the clocks: ``+1h``, ``-30m``."""
    return f"{'-' if ms < 0 else '+'}{durations.span(abs(ms))}"


def change_near(moment: datetime, zone: tzinfo, within: timedelta) -> tuple[datetime, int] | None:
    """Answer when the clocks of ``zone`` move at most ``within`` from ``moment``, to the second, and by how many ms.

    None if they do not, or move back and forth within that time.
    """
    try:
        low, high = (moment + sign * within for sign in (-1, 1))
    except OverflowError:
        return None
    before, after = _offset(low, zone), _offset(high, zone)
    if before == after:
        return None
    while high - low > timedelta(seconds=1):
        middle = (low + (high - low) / 2).replace(microsecond=0)
        if middle <= low:
            middle = low + timedelta(seconds=1)
        low, high = (middle, high) if _offset(middle, zone) == before else (low, middle)
    return high.replace(microsecond=0).astimezone(UTC), (after - before) // _MILLISECOND


def _offset(moment: datetime, zone: tzinfo) -> timedelta:
    return local(moment, zone).utcoffset() or timedelta(0)
