"""Tickers that end themselves in the middle of a tick: what a child does after its fork, and nobody else."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from typing import Any

from django_repeat import ticking
from django_repeat.registry import Claims
from tests.processes.children import run_ticker
from tests.processes.engines import Hooks

Child = Callable[[], None]


def slow() -> None:
    """Tick with an engine that takes five milliseconds an occurrence, so that kills find it busy."""
    Hooks.before = staticmethod(lambda occurrence: time.sleep(0.005))
    run_ticker()


def at_verb(verb: str, number: signal.Signals, *, before: bool) -> Child:
    """Answer a ticker that sends itself a signal before or after the registry does what it asks for, once."""
    return acting(verb, lambda: os.kill(os.getpid(), number), before=before)


def acting(verb: str, act: Callable[[], object], *, before: bool) -> Child:
    """Answer a ticker that acts before or after the registry does what it asks for, once."""
    acts = iter([act])

    def asked(self: Claims, *args: Any) -> Any:
        if before:
            next(acts, int)()
        answer: Sequence[Any] = getattr(Claims, verb)(self, *args)
        if not before:
            next(acts, int)()
        return answer

    def child() -> None:
        ticking.Claims = type("Dying", (Claims,), {verb: asked})  # type: ignore[misc]
        run_ticker()

    return child


def at_enqueue(count: int, number: signal.Signals, *, before: bool) -> Child:
    """Answer a ticker that sends itself a signal before or after its ``count``-th enqueue."""
    seen: list[object] = []

    def step(occurrence: object) -> None:
        seen.append(occurrence)
        if len(seen) == count:
            os.kill(os.getpid(), number)

    def child() -> None:
        setattr(Hooks, "before" if before else "after", staticmethod(step))
        run_ticker()

    return child
