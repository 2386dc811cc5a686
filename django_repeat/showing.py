"""Values of somebody else in a text: short, on one line, whatever they do when they are looked at."""

from __future__ import annotations

import unicodedata
from datetime import date, timedelta
from types import FunctionType
from typing import Any, Final, TypeGuard, TypeVar

T = TypeVar("T")

# Cc control, Cs surrogate, Zl and Zp separators of lines and paragraphs. str.isprintable() is no use
# here: it also refuses the joiners inside emoji.
_CATEGORIES: Final = frozenset({"Cc", "Cs", "Zl", "Zp"})
# Unicode TR 9: embeddings, overrides, isolates and marks can make one text look like another.
_BIDI_CONTROLS: Final = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_PLAIN: Final = (type(None), bool, int, float, date, timedelta)
_MOST_ITEMS: Final = 5
# A metaclass may say anything else under that name, or raise.
_name_of: Final[Any] = type.__dict__["__name__"].__get__


def is_hidden(character: str) -> bool:
    """Answer whether a terminal or a page would obey ``character``, or cannot be sent it, instead of showing it."""
    return unicodedata.category(character) in _CATEGORIES or character in _BIDI_CONTROLS


def readable(text: str) -> str:
    """Answer ``text`` on one line, with a backslash escape for every hidden character."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(one.encode("unicode_escape").decode() if is_hidden(one) else one for one in text)


def is_a(value: object, kind: type[T]) -> TypeGuard[T]:
    """Answer whether ``value`` is of that type, and does not only say so as a lazy or a mock object does."""
    return issubclass(type(value), kind)


def kind(value: object) -> str:
    """Answer the name of the type of ``value``."""
    return _cut(readable(str.__str__(_name_of(type(value)))), 80)


def shown(value: object, most: int = 80) -> str:
    """Answer ``value`` for a message, in ``most`` characters: as Python writes it if it is plain, else its type.

    A list of plain values is written too; tuples are lists here, as they are in JSON.
    """
    try:
        return _cut(readable(_written(value, most)), most)
    except Exception:  # noqa: BLE001 - somebody else's __repr__, or an integer of more digits than Python writes
        return f"a value of type {kind(value)}"


def _written(value: Any, most: int) -> str:
    if is_a(value, str):
        return repr(str.__str__(value)[:most])
    if is_a(value, FunctionType):
        return f"the function {value.__module__}.{value.__qualname__}"
    if type(value) in (list, tuple) and all(issubclass(type(item), (str, *_PLAIN)) for item in value[:_MOST_ITEMS]):
        rest = ", …" if len(value) > _MOST_ITEMS else ""
        return f"[{', '.join(shown(item, most) for item in value[:_MOST_ITEMS])}{rest}]"
    return repr(value) if issubclass(type(value), _PLAIN) else f"a value of type {kind(value)}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
