"""Durations as people write them, in whole milliseconds."""

from __future__ import annotations

import math
import re
from datetime import timedelta
from fractions import Fraction
from typing import Final

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import shown

_ACCEPTED: Final = "a timedelta, a number of seconds, or text like '90s' or '15m' (units ms, s, m, h, d, w)"

LONGEST_MS: Final = 253_402_300_799_999
"""From 1970 to the end of year 9999: whatever is longer has no next instant that a datetime can hold."""

_UNITS: Final = {"w": 604_800_000, "d": 86_400_000, "h": 3_600_000, "m": 60_000, "s": 1_000, "ms": 1}
_TEXT: Final = re.compile(r"([0-9]{1,18})(ms|[smhdw])")

Duration = timedelta | int | float | str
"""What :func:`parse` accepts."""


def parse(value: Duration) -> int:
    """Answer a duration in whole milliseconds, zero included.

    A number counts seconds; a float is read by its decimal text, so ``1.001`` is 1001 ms. Text is a whole number
    and one unit, nothing else. Raises InvalidSchedule for anything else, for what is negative, for a fraction of a
    millisecond and for more than :data:`LONGEST_MS`.
    """
    exact = _exact(value)
    if exact < 0:
        raise InvalidSchedule(f"{shown(value)} is negative; give {_ACCEPTED}")
    if exact > LONGEST_MS:
        raise InvalidSchedule("the duration reaches beyond year 9999; give a shorter one")
    if exact.denominator != 1:
        raise InvalidSchedule(f"{shown(value)} has a fraction below a millisecond; round it to whole milliseconds")
    return exact.numerator


def describe(ms: int) -> str:
    """Answer the shortest text that :func:`parse` reads as ``ms``: ``15m``, ``90s``, ``1500ms``."""
    if not ms:
        return "0s"
    texts = [f"{ms // size}{unit}" for unit, size in _UNITS.items() if not ms % size]
    return min(texts, key=len)


def span(ms: int) -> str:
    """Answer a duration as people read it, all its units but weeks, the largest first: ``1d 1h 30m``."""
    parts = []
    for unit, size in _UNITS.items():
        if unit != "w" and ms >= size:
            count, ms = divmod(ms, size)
            parts.append(f"{count}{unit}")
    return " ".join(parts) or "0s"


def _exact(value: object) -> Fraction:
    if isinstance(value, timedelta):
        return Fraction(value // timedelta(microseconds=1), 1000)
    if isinstance(value, str):
        return Fraction(_from_text(value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidSchedule(f"{shown(value)} is no duration; give {_ACCEPTED}")
    if isinstance(value, int):
        return Fraction(value) * 1000
    if not math.isfinite(value):
        raise InvalidSchedule(f"{shown(value)} is no duration; give {_ACCEPTED}")
    return Fraction(float.__repr__(value)) * 1000


def _from_text(text: str) -> int:
    match = _TEXT.fullmatch(text)
    if match is None:
        raise InvalidSchedule(f"{shown(text, 40)} is no duration; give {_ACCEPTED}")
    return int(match[1]) * _UNITS[match[2]]
