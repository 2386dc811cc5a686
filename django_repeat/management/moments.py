"""Instants as people type them."""

from __future__ import annotations

import re
from argparse import ArgumentTypeError
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import to_ms

FORM = "ISO-8601; one without offset is in Django's current time zone"
# Of what `durations.parse` reads, only what cannot be meant for an instant.
_DURATION = re.compile(r"[0-9]{1,18}(ms|[smhdw])")


def moment(text: str) -> datetime:
    """Answer the instant of ISO text in UTC; one without an offset is a wall time in Django's current time zone.

    ArgumentTypeError for anything else, and with the offsets to choose from for a wall time that clocks leave out or
    show twice.
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"an instant such as 2030-01-31T06:00 is needed, not {text[:40]!r}") from error
    try:
        found = (read if read.tzinfo else _unique(read)).astimezone(UTC)
    except OverflowError as error:
        raise ArgumentTypeError(f"{text!r} lies beyond the calendar") from error
    if to_ms(found) < 0:
        raise ArgumentTypeError(f"{text!r} lies before 1970")
    return found


def moment_or_span(text: str) -> datetime | timedelta:
    """Answer an instant as ``moment`` reads it, or a duration such as ``2h``."""
    if not _DURATION.fullmatch(text):
        try:
            return moment(text)
        except ArgumentTypeError as error:
            raise ArgumentTypeError(f"{error}; a duration such as 2h (units ms, s, m, h, d, w) will do too") from error
    try:
        return timedelta(milliseconds=durations.parse(text))
    except InvalidSchedule as error:
        raise ArgumentTypeError(str(error)) from error


def _unique(wall: datetime) -> datetime:
    zone = timezone.get_current_timezone()
    early, late = (wall.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    if early.utcoffset() == late.utcoffset():
        return early
    # PEP 495: in a gap the two offsets come in the other order, and neither leads back to the wall time.
    missing = early.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != wall
    what = "is left out by the clocks" if missing else "comes twice"
    # With an explicit offset, because a ZoneInfo would show the same text again.
    choices = " or ".join(_fixed(one).isoformat() for one in (early, late))
    raise ArgumentTypeError(f"{wall.isoformat()} {what} in {zone}; give its offset: {choices}")


def _fixed(local: datetime) -> datetime:
    offset = local.utcoffset()
    assert offset is not None
    return local.replace(tzinfo=None, fold=0).replace(tzinfo=timezone.get_fixed_timezone(offset))
