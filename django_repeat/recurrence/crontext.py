"""Cron text, read strictly: five fields, names, lists, ranges, steps and nicknames.

The grammar is Vixie cron's (crontab(5) of Debian and cronie) with these decisions where implementations differ:

* the first character of a field decides: a leading star makes a wildcard rule (minute, hour) or an AND of the two day
  fields, also when it is a stepped star (``*/2``) or leads a list (``*/20,5``); a star further on does not;
* a stepped star may stand in a list, a bare star may not: it would make the rest of the list meaningless;
* a step wider than its field is refused, since ``*/90`` cannot mean every 90 minutes;
* ``SUN`` at the end of a range is day 7, so ``FRI-SUN`` is a weekend; ``5-0`` stays a reversed range;
* nicknames and names may be written in any letter case.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, NoReturn

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import shown

LONGEST_TEXT: Final = 1000
NICKNAMES: Final = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
}
_MONTHS: Final = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS: Final = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_DIGITS: Final = frozenset("0123456789")
_QUARTZ: Final = {"L": "the last one", "W": "the nearest working day", "#": "the n-th weekday", "?": "no value"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CronFields:
    """The values that each field of a rule allows; weekday 0 is Sunday."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    wildcard: bool
    """Minute or hour starts with a star: the rule follows real time."""
    either_day: bool
    """Neither day field starts with a star: a day need match only one of them."""


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    low: int
    high: int
    names: tuple[str, ...] = ()
    first_name: int = 0
    highest: int = 0
    """The largest number that may be written, where it is more than ``high``."""

    @property
    def takes(self) -> str:
        names = f" or {self.names[0]}-{self.names[-1]}" if self.names else ""
        return f"the {self.name} field takes {self.low}-{self.highest or self.high}{names}"


_FIELDS: Final = (
    _Field("minute", 0, 59),
    _Field("hour", 0, 23),
    _Field("day-of-month", 1, 31),
    _Field("month", 1, 12, _MONTHS, 1),
    _Field("weekday", 0, 6, _WEEKDAYS, 0, 7),
)


def normalise(text: object) -> str:
    """Answer the text with single blanks between its fields and none around them."""
    if not isinstance(text, str):
        raise InvalidSchedule(f"{shown(text)} is no cron rule; give text such as '0 6 * * *'")
    if len(text) > LONGEST_TEXT:
        raise InvalidSchedule(f"the cron rule has {len(text)} characters; give {LONGEST_TEXT} at most")
    for character in text:
        if character.isspace() and character not in " \t":
            raise InvalidSchedule(f"cron rule {text!r}: {character!a} separates nothing; use blanks between the fields")
    return " ".join(re.findall(r"[^ \t]+", text))


def parse(text: str) -> CronFields:
    """Read a normalised text; InvalidSchedule names the field, the offending part and what to write instead."""
    parts = _five(text)
    minutes, hours, days, months, weekdays = (_values(*pair, text) for pair in zip(_FIELDS, parts, strict=True))
    return CronFields(
        minutes=minutes,
        hours=hours,
        days=days,
        months=months,
        weekdays=frozenset(day % 7 for day in weekdays),
        wildcard=parts[0].startswith("*") or parts[1].startswith("*"),
        either_day=not (parts[2].startswith("*") or parts[4].startswith("*")),
    )


def _five(text: str) -> list[str]:
    if text.startswith("@"):
        return _nickname(text).split()
    parts = text.split()
    if len(parts) == 6:
        seconds, year = " ".join(parts[1:]), " ".join(parts[:5])
        raise InvalidSchedule(
            f"cron rule {text!r} has six fields; with seconds first it would be {seconds!r}, with a year last "
            f"{year!r}: write the five fields that you mean"
        )
    if len(parts) != 5:
        fields = "1 field" if len(parts) == 1 else f"{len(parts) or 'no'} fields"
        raise InvalidSchedule(f"cron rule {text!r} has {fields}; write five: minute hour day-of-month month weekday")
    return parts


def _nickname(text: str) -> str:
    known = NICKNAMES.get(text.lower() if text.isascii() else text)
    if known is not None:
        return known
    if text.lower() == "@reboot":
        raise InvalidSchedule("'@reboot' has no meaning for a schedule that many machines share; write five fields")
    raise InvalidSchedule(f"{text!r} is no nickname; use {', '.join(NICKNAMES)}, or five fields")


def _values(field: _Field, part: str, text: str) -> frozenset[int]:
    members = part.split(",")
    if "" in members:
        _refuse(field, part, text, "',' has nothing on one side; drop it")
    if len(members) > 1 and "*" in members:
        _refuse(field, part, text, f"'*' is every {field.name} already; write '*' alone or drop it from the list")
    return frozenset(value for member in members for value in _member(field, member, text))


def _member(field: _Field, member: str, text: str) -> range:
    body, slash, step = member.partition("/")
    every = _step(field, step, member, text) if slash else 1
    if body == "*":
        return range(field.low, field.high + 1, every)
    first, dash, last = body.partition("-")
    if not first or (dash and not last):
        _refuse(field, member, text, f"'{dash or slash}' needs a number on both sides; {field.takes}")
    low = high = _number(field, first, member, text)
    if dash:
        high = _number(field, last, member, text)
        high = 7 if last.upper() == "SUN" and low else high
    elif slash:
        _refuse(field, member, text, f"a step needs '*' or a range before it, such as '{first}-{field.high}/{step}'")
    if high < low:
        _refuse(field, member, text, f"the range is reversed; write '{last}-{first}', or a list")
    return range(low, high + 1, every)


def _step(field: _Field, step: str, member: str, text: str) -> int:
    if not step or not _DIGITS.issuperset(step):
        _offend(field, step, member, text, "a step is a whole number from 1 on")
    size = field.high - field.low + 1
    if not 1 <= int(step) <= size:
        advice = "a step starts again with each wrap of its field; a longer rhythm is an interval (every=...)"
        _refuse(field, member, text, f"the step must be from 1 to {size}; {advice}")
    return int(step)


def _number(field: _Field, token: str, member: str, text: str) -> int:
    if token.isascii() and token.upper() in field.names:
        return field.names.index(token.upper()) + field.first_name
    if not token or not _DIGITS.issuperset(token):
        _offend(field, token, member, text, field.takes)
    value = int(token)
    if not field.low <= value <= (field.highest or field.high):
        _refuse(field, member, text, f"{token} is out of range; {field.takes}")
    return value


def _offend(field: _Field, token: str, member: str, text: str, advice: str) -> NoReturn:
    if not token:
        _refuse(field, member, text, f"a number is missing; {advice}")
    if field.names and len(token) > 2 and token.isascii() and token.isalpha():
        _refuse(field, member, text, f"{token!r} is no name; write one of {', '.join(field.names)}")
    odd = [character for character in token if not (character.isascii() and character.isalnum())]
    character = (odd or [character for character in token if character not in _DIGITS])[0]
    if character.upper() in _QUARTZ:
        meaning = f" ({_QUARTZ[character.upper()]}) is Quartz notation, not five-field cron"
    else:
        meaning = " is not allowed" if character.isascii() else f" ({_named(character)}) is not allowed"
    _refuse(field, member, text, f"{character!r}{meaning}; {advice}")


def _named(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):04X}")


def _refuse(field: _Field, part: str, text: str, reason: str) -> NoReturn:
    raise InvalidSchedule(f"cron rule {text!r}, {field.name} field {part!r}: {reason}")
