"""The three verbs of a recurrence, over aware datetimes and over integer milliseconds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime
from typing import Final

from django_repeat.instants import from_ms, to_ms

MIN_MS: Final = -62_135_596_800_000
"""0001-01-01T00:00:00Z, the first instant a datetime can hold."""

MAX_MS: Final = 253_402_300_799_999
"""The last millisecond of year 9999."""


class Moments(ABC):
    """Nominal times as a pure function: no state, no clock.

    A moment is any aware datetime; its offset and its microseconds count. ``anchor`` is the last nominal time, which
    only an interval without phase needs. A naive datetime raises ValueError, anything else TypeError. The ``_ms``
    twins take and answer milliseconds since 1970 and check nothing.
    """

    __slots__ = ()

    def after(self, moment: datetime, *, anchor: datetime | None = None) -> datetime | None:
        """Answer the first nominal time strictly later, in UTC; None if year 9999 ends before it."""
        return _datetime(self.after_ms(to_ms(moment), _anchor_ms(anchor)))

    def before(self, moment: datetime, *, anchor: datetime | None = None) -> datetime | None:
        """Answer the latest nominal time that is not later, in UTC; None if it would lie before year 1."""
        return _datetime(self.before_ms(to_ms(moment), _anchor_ms(anchor)))

    def count(self, start: datetime, end: datetime, *, anchor: datetime | None = None) -> int:
        """Answer how many nominal times lie later than ``start`` and not later than ``end``."""
        return self.count_ms(to_ms(start), to_ms(end), _anchor_ms(anchor))

    def left_out_ms(self, ms: int) -> int | None:
        """Answer the wall time that the clocks leave out and for which the nominal time ``ms`` comes; None for its own.

        It is the first of several, in milliseconds of the wall clock, as if that were UTC.
        """
        return None

    @abstractmethod
    def after_ms(self, ms: int, anchor: int | None = None) -> int | None:
        """Answer as :meth:`after` does, in milliseconds."""

    @abstractmethod
    def before_ms(self, ms: int, anchor: int | None = None) -> int | None:
        """Answer as :meth:`before` does, in milliseconds."""

    @abstractmethod
    def count_ms(self, start: int, end: int, anchor: int | None = None) -> int:
        """Answer as :meth:`count` does, in milliseconds."""


def _anchor_ms(anchor: datetime | None) -> int | None:
    return None if anchor is None else to_ms(anchor)


def _datetime(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)
