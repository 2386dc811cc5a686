"""Policies as users give them and as a record holds them: one reader for both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypedDict
from zoneinfo import ZoneInfo

from django_repeat import durations
from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import iso, to_ms
from django_repeat.recurrence import Cron, Exclusions
from django_repeat.showing import shown
from django_repeat.tasks_by_path import dotted_path

MOST_AT_ONCE = 10_000
MOST_RUNS = 10**12


class CatchUp(StrEnum):
    """Which of the nominal times that a ticker finds passed are made up."""

    LATEST = "latest"
    ALL = "all"
    NONE = "none"


class Overlap(StrEnum):
    """What becomes of an occurrence that is due while a run of the schedule has not ended."""

    ALLOW = "allow"
    SKIP = "skip"
    QUEUE_ONE = "queue_one"


class PolicyFields(TypedDict, total=False):
    """The policies as users give them; what each means is in ``docs/declaring.md``."""

    catch_up: str
    window: durations.Duration | None
    limit: int
    grace: durations.Duration
    start_at: datetime | str | None
    end_at: datetime | str | None
    max_runs: int | None
    spread: durations.Duration
    exclude: Sequence[date | str | tuple[date, date]]
    exclude_zone: str | ZoneInfo | None
    overlap: str
    max_runtime: durations.Duration | None
    when: Callable[..., object] | str | None
    pass_occurrence: bool


class Policy(NamedTuple):
    """One policy: the field of ``Policies`` that holds it, and the ways there and back."""

    field: str
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]


def _one_of(kind: type[StrEnum], what: str) -> Callable[[Any], StrEnum]:
    *others, last = map(repr, map(str, kind))
    wanted = f"give {', '.join(others)} or {last}"

    def read(value: Any) -> StrEnum:
        if isinstance(value, str) and value in list(kind):
            return kind(value)
        raise InvalidSchedule(f"{_shown(value)} is no {what}; {wanted}.")

    return read


def _span(value: Any) -> int:
    span = durations.parse(value)
    if not span:
        raise InvalidSchedule("nothing would ever be young enough; give more than zero.")
    return span


def _whole(most: int) -> Callable[[Any], int]:
    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise InvalidSchedule(f"{_shown(value)}; give a whole number from 1 to {most:,}.")
        return int(value)

    return read


def _instant(value: Any) -> int:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else value
        ms = to_ms(moment)
    except (TypeError, ValueError, OverflowError) as error:
        wanted = "give an aware datetime, or ISO text with an offset such as '2026-06-03T10:00:00Z'."
        raise InvalidSchedule(f"{_shown(value)} is no instant; {wanted}") from error
    if not 0 <= ms <= durations.LONGEST_MS:
        raise InvalidSchedule(f"{_shown(value)}; give an instant from 1970 to 9999.")
    return ms


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise InvalidSchedule(f"{_shown(value)}; give True or False.")
    return value


def _condition(value: Any) -> str:
    if not isinstance(value, str) and not (callable(value) and hasattr(value, "__qualname__")):
        raise InvalidSchedule(f"{_shown(value)}; give a function of a module, or the dotted path of one.")
    return dotted_path(value, "an importable function", "app.module.name")


def _zone(value: Any) -> str:
    return Cron("* * * * *", value).timezone


def _shown(value: Any) -> str:
    return shown(value, 40)


POLICIES: Final = {
    "catch_up": Policy("catch_up", _one_of(CatchUp, "way to catch up"), str),
    "window": Policy("window_ms", _span, durations.describe),
    "limit": Policy("limit", _whole(MOST_AT_ONCE), int),
    "grace": Policy("grace_ms", _span, durations.describe),
    "start_at": Policy("start_ms", _instant, iso),
    "end_at": Policy("end_ms", _instant, iso),
    "max_runs": Policy("max_runs", _whole(MOST_RUNS), int),
    "spread": Policy("spread_ms", durations.parse, durations.describe),
    "exclude": Policy("exclude", Exclusions.read, Exclusions.stored),
    "exclude_zone": Policy("exclude_zone", _zone, str),
    "overlap": Policy("overlap", _one_of(Overlap, "way to deal with an overlap"), str),
    "max_runtime": Policy("max_runtime_ms", _span, durations.describe),
    "when": Policy("when", _condition, str),
    "pass_occurrence": Policy("pass_occurrence", _flag, bool),
}
