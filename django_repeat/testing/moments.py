"""Time as an argument: the instant that stands for the registry's clock, and one tick at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django_repeat import clock, ticking
from django_repeat.instants import to_ms
from django_repeat.occurrence import Occurrence


@contextmanager
def freeze(moment: datetime | str) -> Iterator[None]:
    """Let every verb and ticker in the block take ``moment`` (aware, or ISO text with an offset) for the server's time.

    In this process only, in all its threads. ValueError if it is naive.
    """
    instant = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    with clock.freeze(to_ms(instant)):
        yield


def tick(*queues: str) -> list[Occurrence]:
    """Tick once each of ``queues``, or of all that the code knows; answer what fired. Registers nothing."""
    return ticking.tick(queues=queues or None)
