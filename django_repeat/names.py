"""What schedules and queues may be called."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import is_a, is_hidden, shown

LONGEST = 200

_QUEUE = re.compile(r"[A-Za-z0-9_.\-]{1,200}")

DEFAULT_QUEUE: Final = "default"
SHORTEST_PART: Final = 3


def normal(name: str) -> str:
    """Answer ``name`` in the spelling that a schedule keeps, Unicode normal form C; nothing else is asked of it."""
    # normalize() hands back a subclass (a TextChoices member) as it is; only plain text may be kept.
    return unicodedata.normalize("NFC", str.__str__(name))


def schedule_name(name: object) -> str:
    """Answer ``name`` in Unicode normal form C, so that the two spellings of "café" are one schedule.

    InvalidSchedule for anything but 1 to 200 characters without control, surrogate, separator or
    bidi-control characters and without space at either end.
    """
    if not is_a(name, str):
        raise InvalidSchedule(f"A schedule's name: {shown(name)} is no text; give 1 to {LONGEST} characters.")
    name = normal(name)
    if not 1 <= len(name) <= LONGEST:
        raise InvalidSchedule(f"Schedule {shown(name, 40)}: name: it has {len(name)} characters; use 1 to {LONGEST}.")
    if name != name.strip():
        raise InvalidSchedule(f"Schedule {name!r}: name: it starts or ends with space; remove it.")
    for character in name:
        if is_hidden(character):
            raise InvalidSchedule(
                f"Schedule {name!r}: name: character U+{ord(character):04X} is not allowed; "
                "leave out control, separator, surrogate and bidi-control characters."
            )
    return name


def queue_name(queue: object) -> str:
    """Answer ``queue``; InvalidSchedule for anything but letters, digits, ``_``, ``-`` and ``.``."""
    if not is_a(queue, str) or not _QUEUE.fullmatch(queue):
        raise InvalidSchedule(
            f"queue: {shown(queue)} is not allowed; use 1 to {LONGEST} letters, digits, '_', '-' or '.' (ASCII)."
        )
    return str.__str__(queue)


def hint(name: str, known: Iterable[str]) -> str:
    """Answer a sentence for a name that is none of the known ones: the one that it may be meant for, or all of them."""
    known = list(known)
    like = near(name, known)
    return f"Did you mean {like!r}?" if like else f"Known: {', '.join(known)}."


def near(name: str, known: Iterable[str]) -> str | None:
    """Answer the known name that is most like ``name``, for "did you mean"."""
    wanted, there = name.casefold(), {one.casefold(): one for one in known}
    matches = difflib.get_close_matches(wanted, list(there), n=1, cutoff=0.6)
    if not matches and len(wanted) >= SHORTEST_PART:
        matches = sorted((one for one in there if wanted in one), key=len)
    return there[matches[0]] if matches else None
