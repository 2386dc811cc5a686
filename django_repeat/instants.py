"""Instants as whole milliseconds since the epoch, the only form in which the registry keeps them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def to_ms(moment: datetime) -> int:
    """Answer the whole milliseconds from the epoch to ``moment``, rounded down; ValueError if it is naive.

    Rounding down keeps the order against nominal times, which are whole milliseconds themselves.
    """
    if not isinstance(moment, datetime):
        raise TypeError(f"expected an aware datetime, not {type(moment).__name__}")
    if moment.utcoffset() is None:
        raise ValueError("expected an aware datetime, not a naive one: which instant it means is unknown")
    return (moment - EPOCH) // MILLISECOND


def from_ms(ms: int) -> datetime:
    """Answer the aware UTC datetime of ``ms`` milliseconds after the epoch, exactly (no floats)."""
    return EPOCH + timedelta(milliseconds=ms)


def local(moment: datetime, zone: tzinfo) -> datetime:
    """Answer ``moment`` on the clock of ``zone``, or in UTC where that lies beyond the ends of the calendar."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment.astimezone(UTC)


def wall(moment: datetime, zone: tzinfo) -> str:
    """Answer an instant on the clock of ``zone`` with its short name; with milliseconds where there are some."""
    shown = local(moment, zone)
    fraction = f".{shown.microsecond // 1000:03d}" if shown.microsecond else ""
    return f"{shown:%Y-%m-%d %H:%M:%S}{fraction} {shown.tzname()}"


def iso(ms: int) -> str:
    """Answer ISO-8601 text with ``Z``, with milliseconds only where there are some."""
    moment = from_ms(ms)
    return moment.strftime("%Y-%m-%dT%H:%M:%S") + (f".{ms % 1000:03d}" if ms % 1000 else "") + "Z"
