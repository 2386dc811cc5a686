"""Arguments as JSON: normalised once, when a schedule is declared, so that no engine is surprised later."""

from __future__ import annotations

import json
import math
from typing import Any, NoReturn

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import is_a, kind, shown

DEEPEST = 64
# Python itself refuses to read or write more than 4,300 digits, others stop at what a float can hold.
MOST_DIGITS = 300
_BOUND = 10**MOST_DIGITS


def canonical(value: Any) -> str:
    """Answer ``value`` as JSON that is the same for equal values: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class FrozenDict(dict[str, Any]):
    """A dict that refuses to be changed at its top level, and in all else is one: JSON, ``**``, copies, pickles."""

    def _refuse(self, *args: object, **kwargs: object) -> NoReturn:
        raise TypeError("a schedule cannot be changed; make another one with dataclasses.replace")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        return type(self), (dict(self),)


def copied(value: Any) -> Any:
    """Answer a JSON value that shares no list and no dict with ``value``."""
    if isinstance(value, dict):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, list) else value


def normalise(value: Any, where: str, depth: int = 0) -> Any:
    """Answer ``value`` built from None, bool, int, float, str, list and dict only; tuples become lists.

    InvalidSchedule, naming ``where`` ("args[0]", "kwargs['since']"), for everything that JSON cannot carry
    there and back: dates, decimals, UUIDs, sets, bytes, model instances, NaN, keys that are no text.
    """
    if depth > DEEPEST:
        raise InvalidSchedule(
            f"{where[:80]}…: nested more than {DEEPEST} deep, or it contains itself; keep it flatter."
        )
    try:
        return _plain(value, where, depth)
    except InvalidSchedule:
        raise
    except Exception as error:
        # A list of somebody's own, say, that raises when it is read.
        raise InvalidSchedule(f"{where}: {kind(value)} cannot be read ({kind(error)}); {_ADVICE}.") from error


_ADVICE = "pass text, numbers, booleans, None, lists or dicts (a date as ISO text, a model instance as its primary key)"


def _plain(value: Any, where: str, depth: int) -> Any:
    if value is None or value is True or value is False:
        return value
    # What only calls itself text or a number, as a lazy object does, is none when it is stored. The methods of the
    # plain types answer plain values: a subclass (a TextChoices member, a SafeString) must not be stored either.
    if is_a(value, str):
        return _text(value, where)
    if is_a(value, int):
        return _integer(int.__int__(value), where)
    if is_a(value, float):
        if not math.isfinite(value):
            raise InvalidSchedule(f"{where}: {shown(value)} is not JSON; use a finite number or None.")
        return float.__float__(value)
    if is_a(value, list) or is_a(value, tuple):
        return [normalise(item, f"{where}[{index}]", depth + 1) for index, item in enumerate(value)]
    if is_a(value, dict):
        return _mapping(value, where, depth)
    raise InvalidSchedule(f"{where}: {shown(value)} is not JSON; {_ADVICE}.")


def _integer(value: int, where: str) -> int:
    if abs(value) >= _BOUND:
        raise InvalidSchedule(f"{where}: an integer of more than {MOST_DIGITS} digits; pass it as text.")
    return value


def _mapping(value: dict[Any, Any], where: str, depth: int) -> dict[str, Any]:
    answer = {}
    for key, item in value.items():
        if not is_a(key, str):
            raise InvalidSchedule(f"{where}: the key {shown(key)} is no text, as JSON has it; write it as text.")
        answer[_text(key, where)] = normalise(item, f"{where}[{shown(key, 40)}]", depth + 1)
    return answer


def _text(value: str, where: str) -> str:
    text = str.__str__(value)
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidSchedule(f"{where}: {shown(text)} holds a lone surrogate, which UTF-8 lacks; drop it.") from error
    return text
