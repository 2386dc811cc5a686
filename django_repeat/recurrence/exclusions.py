"""What a schedule leaves out: dates, ranges of dates and cron texts, read strictly."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import crontext
from django_repeat.recurrence.walltimes import wall_times
from django_repeat.showing import shown

LONGEST: Final = 1000
MOST_RULES: Final = 100
_EPOCH: Final = date(1970, 1, 1).toordinal()
_DAY: Final = r"\d{4}-\d{2}-\d{2}"
_DAYS: Final = re.compile(rf"\s*({_DAY})(?:\s*\.\.\s*({_DAY}))?\s*", re.ASCII)
_LIKE_DAYS: Final = re.compile(r"\s*[1-9]\d{3}|.*\.\.", re.ASCII | re.DOTALL)
_ADVICE: Final = "write a date '2026-12-24', a range '2026-12-24..2027-01-06' or a cron text '* 0-6 * * *'"


@dataclass(frozen=True, slots=True, init=False)
class Exclusions:
    """Minutes of the wall clock that are left out, as a list names them; in which zone is said elsewhere.

    An item is a date or ``"2026-12-24"``; a range, ``"2026-12-24..2027-01-06"`` or a pair of dates, with both its
    ends; or a cron text, which names minutes: ``"* 0-6 * * *"`` is seven hours of each day, ``"0 6 * * *"`` one minute.
    Raises InvalidSchedule, naming the item and the fix. The order of the list is kept and matters only to equality;
    what says the same is written the same, and once.
    """

    items: tuple[str, ...]
    days: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)
    """Days since 1970, as ranges without their end, in order, none touching the next."""
    rules: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __init__(self, items: Iterable[object] = ()) -> None:
        if not isinstance(items, (list, tuple)):
            raise InvalidSchedule(f"{shown(items)} is no list; {_ADVICE}, in a list")
        if len(items) > LONGEST:
            raise InvalidSchedule(f"{LONGEST} exclusions at most, not {len(items)}; join dates in a row to a range")
        found = dict(_item(place, item) for place, item in enumerate(items, start=1))
        rules = tuple(text for text, days in found.items() if days is None)
        if len(rules) > MOST_RULES:
            raise InvalidSchedule(f"{MOST_RULES} cron texts at most, not {len(rules)}; lists and ranges join them")
        _set(self, "items", tuple(found))
        _set(self, "days", _merged(sorted(days for days in found.values() if days)))
        _set(self, "rules", rules)

    @classmethod
    def read(cls, items: Any) -> Exclusions:
        """Answer the exclusions of a list as users give it or as :meth:`stored` answered it."""
        return items if isinstance(items, cls) else cls(items)

    def stored(self) -> list[str]:
        """Answer the items as texts, for JSON; to read them gives an equal value."""
        return list(self.items)

    def __bool__(self) -> bool:
        return bool(self.items)

    def __str__(self) -> str:
        return ", ".join(self.items)

    def __reduce__(self) -> tuple[type[Exclusions], tuple[tuple[str, ...]]]:
        return type(self), (self.items,)


_set = object.__setattr__
_Item = tuple[str, tuple[int, int] | None]


def _item(place: int, item: object) -> _Item:
    """Answer the text of an item and its days, None for a cron text."""
    try:
        if isinstance(item, str):
            return _text(str.__str__(item))
        if isinstance(item, (list, tuple)):
            if len(item) != 2:
                raise InvalidSchedule(f"a range has two dates, not {len(item)}")
            return _range(_date(item[0]), _date(item[1]))
        return _range(day := _date(item), day)
    except InvalidSchedule as error:
        raise InvalidSchedule(f"exclusion {place} ({shown(item)}): {error}") from error


@lru_cache(maxsize=4096)
def _text(text: str) -> _Item:
    if days := _DAYS.fullmatch(text):
        return _range(_date(days[1]), _date(days[2] or days[1]))
    if _LIKE_DAYS.match(text) or not (text.lstrip().startswith("@") or len(text.split()) > 1):
        raise InvalidSchedule(f"neither dates nor a cron text; {_ADVICE}")
    normal = crontext.normalise(text)
    wall_times(normal)
    return normal, None


def _date(value: object) -> date:
    if isinstance(value, datetime):
        raise InvalidSchedule("an instant is no date; give its date(), or a cron text for a part of the day")
    if isinstance(value, date):
        return value
    if not isinstance(value, str) or not re.fullmatch(_DAY, value, re.ASCII):
        raise InvalidSchedule(f"{shown(value, 40)} is no date; {_ADVICE}")
    try:
        return date.fromisoformat(value)
    except ValueError as error:
        raise InvalidSchedule(f"the calendar has no {value}; correct the date") from error


def _range(first: date, last: date) -> _Item:
    if last < first:
        raise InvalidSchedule(f"the range ends before it starts; write '{last.isoformat()}..{first.isoformat()}'")
    text = first.isoformat() if first == last else f"{first.isoformat()}..{last.isoformat()}"
    return text, (first.toordinal() - _EPOCH, last.toordinal() - _EPOCH + 1)


def _merged(ranges: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    merged: list[tuple[int, int]] = []
    for start, end in ranges:
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)
