"""The DJANGO_REPEAT setting, read at each use, so that ``override_settings`` works."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule, InvalidSettings
from django_repeat.names import hint, queue_name

NAME = "DJANGO_REPEAT"
REGISTER = ("auto", "ticker", "manual")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What DJANGO_REPEAT says, checked; durations in milliseconds, ``timeout`` in seconds as sockets take it."""

    redis: str = "default"
    prefix: str = "emq"
    schedules: Mapping[str, Any] = field(default_factory=dict)
    queues: tuple[str, ...] = ()
    engine: str | None = None
    lease: int = 30_000
    batch: int = 100
    timeout: float = 0.5
    history: int = 20
    register: str = "auto"
    enabled: bool = True


def current() -> Settings:
    """Answer the settings as they stand now; InvalidSettings, naming the key and the fix, if one is wrong."""
    given = _given()
    # A ticker asks for each occurrence. Compared by identity: True is no 1.
    global _read
    items, (read, answer) = list(given.items()), _read
    if len(items) == len(read) and all(a is c and b is d for (a, b), (c, d) in zip(items, read, strict=True)):
        return answer
    answer = Settings(**{str(key).lower(): _value(key, value) for key, value in given.items()})
    _read = items, answer
    return answer


def problems() -> list[str]:
    """Answer all that is wrong with the settings, one text for each key; ``current`` raises the first of them."""
    try:
        given = _given()
    except InvalidSettings as error:
        return [str(error)]
    found = []
    for key, value in given.items():
        try:
            _value(key, value)
        except InvalidSettings as error:
            found.append(str(error))
    return found


def _given() -> Mapping[Any, Any]:
    given = getattr(settings, NAME, {})
    if not isinstance(given, Mapping):
        raise InvalidSettings(f"{NAME} is a dict, not {type(given).__name__}.")
    return given


def _value(key: Any, given: Any) -> Any:
    if key not in _READERS:
        raise InvalidSettings(f"{NAME}[{key!r}] is unknown. {hint(str(key).upper(), _READERS)}")
    try:
        return _READERS[key](given)
    except (InvalidSchedule, ValueError, TypeError) as error:
        raise InvalidSettings(f"{NAME}[{key!r}]: {error}") from error


_read: tuple[list[tuple[Any, Any]], Settings] = [], Settings()


def _redis(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError(
            "give a redis:// URL, an alias of CACHES, or the dotted path of a callable that answers a client"
        )
    return _encodable(value)


def _prefix(value: Any) -> str:
    if not isinstance(value, str) or not re.fullmatch(r"[^{}\s\x00-\x1f]{1,100}", value):
        raise ValueError(f"use 1 to 100 characters without braces or white space, not {value!r}")
    return _encodable(value)


def _encodable(value: str) -> str:
    # Python reads bytes of the environment that are no UTF-8 as such halves.
    try:
        value.encode()
    except UnicodeEncodeError as error:
        found = value[error.start]
        raise ValueError(f"holds {found!r}, which no text encoding has; give it as UTF-8") from None
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise TypeError(f"give a dict of name to definition, not {type(value).__name__}")
    return value


def _queues(value: Any) -> tuple[str, ...]:
    # A generator would be used up by the first look.
    if not isinstance(value, (list, tuple, set, frozenset)):
        raise TypeError(f"give a list of queue names, not {type(value).__name__}")
    return tuple(dict.fromkeys(queue_name(queue) for queue in value))


def _engine(value: Any) -> str | None:
    if value is not None and not (isinstance(value, str) and "." in value):
        raise ValueError("give the dotted path of an engine class, or None")
    return value


def _duration(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        ms = durations.parse(value)
        if not least <= ms <= most:
            raise ValueError(
                f"use a duration from {durations.describe(least)} to {durations.describe(most)}, not {value!r}"
            )
        return ms

    return read


def _seconds(value: Any) -> float:
    return _duration(10, 60_000)(value) / 1000


def _whole(least: int, most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise ValueError(f"use a whole number from {least} to {most}, not {value!r}")
        return value

    return read


def _register(value: Any) -> str:
    if value not in REGISTER:
        raise ValueError(f"use one of {', '.join(map(repr, REGISTER))}, not {value!r}")
    return str(value)


def _boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"use True or False, not {value!r}")
    return value


# A lease under three seconds could not outlast a batch; a batch is one script, which blocks the server.
_READERS: dict[str, Callable[[Any], Any]] = {
    "REDIS": _redis,
    "PREFIX": _prefix,
    "SCHEDULES": _mapping,
    "QUEUES": _queues,
    "ENGINE": _engine,
    "LEASE": _duration(3_000, 3_600_000),
    "BATCH": _whole(1, 1_000),
    "TIMEOUT": _seconds,
    "HISTORY": _whole(0, 1_000),
    "REGISTER": _register,
    "ENABLED": _boolean,
}
