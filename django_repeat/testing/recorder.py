"""An engine that records instead of running."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.test import override_settings

from django_repeat.occurrence import Occurrence

PATH = f"{__name__}.Recorder"

_lock = threading.Lock()
_tapes: list[list[Occurrence]] = []


class Recorder:
    """Take every occurrence, and put it on the tape of the innermost ``recording`` block."""

    def enqueue(self, occurrence: Occurrence) -> str:
        """Record; answer the occurrence's UUID as the id of a result."""
        with _lock:
            if _tapes:
                _tapes[-1].append(occurrence)
        return str(occurrence.uuid)


@contextmanager
def recording() -> Iterator[list[Occurrence]]:
    """Record what fires in the block instead of enqueuing it; answer the list, in the order of firing.

    In this process only, in all its threads.
    """
    tape: list[Occurrence] = []
    with _lock:
        _tapes.append(tape)
    try:
        with override_settings(DJANGO_REPEAT={**getattr(settings, "DJANGO_REPEAT", {}), "ENGINE": PATH}):
            yield tape
    finally:
        with _lock:
            # By identity: two empty tapes are equal.
            _tapes[:] = [one for one in _tapes if one is not tape]
