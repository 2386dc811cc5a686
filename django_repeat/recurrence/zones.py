"""A zone's offsets from UTC as short tables, found by asking the zone itself.

``zoneinfo`` tells the offset at an instant but not when it changes, so each table is probed once a day and the change
bisected to the second. The closest two changes in the IANA data lie four days apart (Freetown, 1939).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from difflib import get_close_matches
from functools import lru_cache
from importlib import resources
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import shown

_DAY: Final = 86_400
_STRIDE: Final = timedelta(days=1)
SPAN: Final = 189 * _DAY
"""Seconds that one table covers: 27 weeks, the 773rd part of the calendar's 400 years."""
MARGIN: Final = 3 * _DAY
"""Seconds that a table shows on either side: more than any two offsets differ, and an earlier overlap with them."""
_PER_CYCLE: Final = 773
_CALM: Final = -329
"""The table of 1799: the first change in the IANA data is of 1844."""
_PERIODIC: Final = 444
"""The table of 2199: from here on every zone follows its last rule, which repeats with the calendar."""
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}")
_LONGEST_NAME: Final = 100
_NOT_A_PLACE: Final = re.compile(r"localtime|posixrules|Factory|(posix|right)/.*")


class Offsets(NamedTuple):
    """The stretches of constant offset in a span, with a margin on both sides, in seconds since 1970."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    offsets: tuple[int, ...]
    reached: tuple[int, ...]
    """The latest wall-clock reading before each stretch; what is smaller in it is a repeat."""


def zone_key(value: object) -> str:
    """Answer the key of a zone that this machine has data for; InvalidSchedule if there is none.

    Names for whatever the machine is set to (``localtime``) and the leap-second copies of zones are refused.
    """
    key = value.key if isinstance(value, ZoneInfo) else value
    if not isinstance(key, str):
        given = "a ZoneInfo without key" if isinstance(value, ZoneInfo) else shown(value)
        raise InvalidSchedule(f"{given} is no time zone; give a name such as 'Europe/Berlin', or a zoneinfo.ZoneInfo")
    key = "".join(key)
    if len(key) > _LONGEST_NAME or not _NAME.fullmatch(key) or _NOT_A_PLACE.fullmatch(key):
        raise InvalidSchedule(f"{shown(key)} is no name of a time zone; use one such as 'Europe/Berlin' or 'UTC'")
    zone(key)
    return key


@lru_cache(maxsize=1024)
def zone(key: str) -> ZoneInfo:
    """Answer the zone of that name; InvalidSchedule if this machine has no data for it."""
    try:
        return ZoneInfo(key)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        # Of the other names, many are short like "EST", which is near to anything short and mostly not what is meant.
        places = [name for name in _names() if name != key and ("/" in name or name == "UTC")]
        near = get_close_matches(key, places, n=1)
        advice = f"did you mean {near[0]!r}?" if near else "install the tzdata package if the name is right"
        if places and not near:
            advice = "use one such as 'Europe/Berlin' or 'UTC', or install a newer tzdata package if the name is right"
        raise InvalidSchedule(f"unknown time zone {key!r}; {advice}") from error


@lru_cache(maxsize=2048)
def offsets(key: str, index: int) -> Offsets:
    """Answer the offsets of a zone from ``index`` x SPAN on."""
    if index < _CALM:
        begin, first = index * SPAN - MARGIN, _probed(key, _CALM).offsets[0]
        return Offsets((begin,), (begin + SPAN + 2 * MARGIN,), (first,), (begin + first,))
    if index < _PERIODIC:
        return _probed(key, index)
    base = _PERIODIC + (index - _PERIODIC) % _PER_CYCLE
    shift, table = (index - base) * SPAN, _probed(key, base)
    starts, ends, reached = (tuple(value + shift for value in row) for row in (table.starts, table.ends, table.reached))
    return Offsets(starts, ends, table.offsets, reached)


@lru_cache(maxsize=2048)
def _probed(key: str, index: int) -> Offsets:
    begin, end = index * SPAN - MARGIN, (index + 1) * SPAN + MARGIN
    epoch = datetime(1970, 1, 1, tzinfo=zone(key))
    offset = _seconds(_offset(epoch + timedelta(seconds=begin)))
    starts, found, reached = [begin], [offset], [begin + offset]
    for moment, later in _changes(epoch, begin, end):
        reached.append(max(reached[-1], moment + found[-1]))
        starts.append(moment)
        found.append(later)
    return Offsets(tuple(starts), (*starts[1:], end), tuple(found), tuple(reached))


def _offset(moment: datetime) -> timedelta:
    """Answer the offset at the instant that the fields of ``moment`` say in UTC."""
    assert moment.tzinfo is not None
    # a difference within one zone is that of the fields
    return moment.tzinfo.fromutc(moment) - moment


def _changes(epoch: datetime, begin: int, end: int) -> Iterator[tuple[int, int]]:
    moment = epoch + timedelta(seconds=begin)
    offset = _offset(moment)
    for last in range(begin + _DAY, end + 1, _DAY):
        moment += _STRIDE
        later = _offset(moment)
        while offset != later:
            begin = _bisect(epoch, max(begin, last - _DAY), last)
            offset = _offset(epoch + timedelta(seconds=begin))
            yield begin, _seconds(offset)


def _bisect(epoch: datetime, low: int, high: int) -> int:
    """Answer the first second in (low, high] whose offset is not that at ``low``."""
    before = _offset(epoch + timedelta(seconds=low))
    while high - low > 1:
        middle = (low + high) // 2
        if _offset(epoch + timedelta(seconds=middle)) == before:
            low = middle
        else:
            high = middle
    return high


def _seconds(offset: timedelta) -> int:
    return offset.days * _DAY + offset.seconds


@lru_cache(maxsize=1)
def _names() -> tuple[str, ...]:
    # zoneinfo.available_timezones() opens 600 files, too slow for an error message
    try:
        return tuple((resources.files("tzdata") / "zones").read_text(encoding="ascii").split())
    except (ImportError, OSError):
        return ()
