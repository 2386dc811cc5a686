"""Tickers for tests: engines that fail or die on order, and an elapsed time that stands still until told."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.test import override_settings

from django_repeat import conf, service
from django_repeat.dispatch import Dispatcher
from django_repeat.occurrence import Occurrence
from django_repeat.registry import Claims
from django_repeat.ticker import QueueTicker

NAMES = (f"ticker-{number}" for number in itertools.count())


def at(text: str) -> datetime:
    """Answer the instant of "2026-06-03T10:00:00", UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def seconds(moment: datetime, count: float) -> datetime:
    return moment + timedelta(seconds=count)


class Death(KeyboardInterrupt):
    """The process is gone: nothing of ours may catch it."""


@dataclass
class Script:
    """What the engine does with the occurrences to come; every one that it takes is on ``taken``."""

    taken: list[Occurrence] = field(default_factory=list)
    before: Callable[[Occurrence], Any] = lambda occurrence: None
    after: Callable[[Occurrence], Any] = lambda occurrence: None
    noted: Callable[[Occurrence], Any] = lambda occurrence: None

    @property
    def ids(self) -> list[str]:
        return [occurrence.id for occurrence in self.taken]


SCRIPT = Script()


class ScriptedEngine:
    """An engine that does what SCRIPT says, before and after it takes an occurrence."""

    def enqueue(self, occurrence: Occurrence) -> str:
        SCRIPT.before(occurrence)
        SCRIPT.taken.append(occurrence)
        SCRIPT.noted(occurrence)
        SCRIPT.after(occurrence)
        return f"result-{len(SCRIPT.taken)}"


def raising(error: type[BaseException], *, times: int | None = None) -> Callable[[Occurrence], None]:
    """Answer a step that raises, the first ``times`` times."""
    left = itertools.count() if times is None else iter(range(times))

    def step(occurrence: Occurrence) -> None:
        if next(left, None) is not None:
            raise error(f"no to {occurrence.id}")

    return step


class Elapsed:
    """A monotonic clock that moves when told."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def ticker(queue: str = "default", **changes: Any) -> QueueTicker:
    """Answer a ticker of its own name on the test's registry."""
    settings = conf.current()
    given = {
        "queue": queue,
        "ticker": next(NAMES),
        "claims": Claims(service.store(queue, timeout=service.PATIENCE)),
        "dispatcher": Dispatcher(lasting=False),
        "lease": settings.lease,
        "batch": settings.batch,
    }
    return QueueTicker(**{**given, **changes})


def scripted(**settings: Any) -> override_settings:
    """Answer a context in which the engine is SCRIPT's."""
    from django.conf import settings as current

    engine = f"{__name__}.ScriptedEngine"
    return override_settings(DJANGO_REPEAT={**current.DJANGO_REPEAT, "ENGINE": engine, **settings})
