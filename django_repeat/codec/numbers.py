"""Numbers in a record, which a stranger may have written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import from_ms

FURTHEST_MS = 253_402_300_799_999
"""The last millisecond of year 9999."""

# The fields that scripts calculate with, and what they take for a number: as common.lua has it.
NUMBERS = (
    "nominal", "at", "asof", "lease", "retry", "failures", "last_nominal", "fired_count", "missed_count",
    "skipped_count", "superseded_count", "rev", "paused", "paused_until", "wait", "poll",
)  # fmt: skip
_PLAIN = re.compile(r"0|[1-9][0-9]{0,14}")


def damage(fields: Mapping[str, str]) -> str:
    """Answer what is wrong with the numbers that scripts calculate with, "" if nothing is.

    Every verb leaves a record alone of which this says something, so no ticker fires it.
    """
    for field in NUMBERS:
        if field in fields and not _PLAIN.fullmatch(fields[field]):
            return f"{field} is no number"
    return ""


def number(fields: Mapping[str, str], field: str) -> int | None:
    """Answer a field of milliseconds, None where it is absent; InvalidSchedule if it is no such number."""
    text = fields.get(field)
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 15) or int(text) > FURTHEST_MS:
        raise InvalidSchedule(f"{field}: {text[:40]!r} is no number of milliseconds")
    return int(text)


def count(fields: Mapping[str, str], field: str) -> int:
    """Answer a field that counts; 0 where it is absent or no number."""
    text = fields.get(field, "")
    return int(text[:18]) if text.isascii() and text.isdigit() else 0


def milliseconds(text: str | None) -> int | None:
    """Answer a score or a field as milliseconds; None where it is absent, infinite or no number."""
    try:
        ms = int(float(text or "inf"))
    except (ValueError, OverflowError):
        return None
    return ms if 0 <= ms <= FURTHEST_MS else None


def instant(text: str | None) -> datetime | None:
    """Answer a score or a field as an aware UTC datetime, None as `milliseconds` does."""
    ms = milliseconds(text)
    return None if ms is None else from_ms(ms)
