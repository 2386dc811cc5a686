"""How an entry is named in URLs, forms and log entries, whatever a stranger called it."""

from __future__ import annotations

import re

from django_repeat import showing
from django_repeat.exceptions import InvalidSchedule
from django_repeat.names import queue_name, schedule_name

# Neither may stand in the name of a queue, so the first of them ends it.
PLAIN, HEXADECIMAL = ":", "!"
_UNDECODED = re.compile("[\udc80-\udcff]")


def key_of(queue: str, name: str) -> str:
    """Answer ``<queue>:<name>``, or ``<queue>!<hexadecimal bytes>`` for a name that code could not have given.

    Such names (no UTF-8, control characters) are refused by URLs and by databases, yet an operator must reach them.
    """
    if _is_plain(name):
        return f"{queue}{PLAIN}{name}"
    return f"{queue}{HEXADECIMAL}{name.encode('utf-8', 'surrogateescape').hex()}"


def parse(key: str) -> tuple[str, str] | None:
    """Answer queue and name of a key; None for a text that is no key."""
    at = next((index for index, character in enumerate(key) if character in (PLAIN, HEXADECIMAL)), -1)
    queue, sign, rest = key[: max(at, 0)], key[at : at + 1], key[at + 1 :]
    try:
        queue_name(queue)
        name = rest if sign == PLAIN else bytes.fromhex(rest).decode("utf-8", "surrogateescape")
        return (queue, name) if key_of(queue, name) == key else None
    except ValueError:
        return None


def readable(text: str) -> str:
    """Answer ``text`` as `showing.readable` does, but a byte that was no UTF-8 as that byte."""
    return showing.readable(_UNDECODED.sub(lambda found: f"\\x{ord(found[0]) - 0xDC00:02x}", text))


def _is_plain(name: str) -> bool:
    try:
        return schedule_name(name) == name
    except InvalidSchedule:
        return False
