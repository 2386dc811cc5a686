"""Looking at the schedule ``s`` of tests.ticker.minutely: its log with the verbs in it, instants as minutes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django_repeat import get, service
from django_repeat.entry import Entry
from django_repeat.instants import to_ms
from django_repeat.testing import freeze
from tests.ticker.minutely import MINUTE, START, minute_of
from tests.ticker.support import seconds


def moment(minutes: float) -> datetime:
    """Answer the instant so many minutes after START."""
    return seconds(START, minutes * MINUTE)


@contextmanager
def frozen(minutes: float) -> Iterator[None]:
    with freeze(moment(minutes)):
        yield


def minutes(times: Any) -> list[int]:
    return [minute_of(to_ms(one)) for one in times]


def entry_at(after: float) -> Entry:
    """Answer the entry, so many minutes after START."""
    with frozen(after):
        return get("s")


def next_at(after: float) -> int | None:
    found = entry_at(after).next
    return None if found is None else minute_of(to_ms(found))


def log() -> list[str]:
    """Answer the run log, oldest first: a verb, or what became of which minutes and why."""
    return [_said(run) for run in reversed(service.runs("s"))]


def _said(run: dict[str, Any]) -> str:
    if "verb" in run:
        return str(run["verb"])
    last = minute_of(run["nominal"])
    first = minute_of(run.get("first", run["nominal"]))
    span = str(first) if first == last else f"{first}-{last}"
    return " ".join(filter(None, [run["outcome"], span, run.get("reason", ""), run.get("trigger", "")])).replace(
        " schedule", ""
    )


def score() -> float | None:
    store = service.store("default")
    found: dict[bytes, float] = {}
    reply = store.call("page", [], [0, 100, "asc"])[2]
    found.update({bytes(reply[i]): float(reply[i + 1]) for i in range(0, len(reply), 2)})
    return found.get(b"s")
