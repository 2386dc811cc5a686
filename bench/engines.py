"""Engines that cost as little as an engine can."""

from __future__ import annotations

import os
import signal
import time

from django_repeat.occurrence import Occurrence


class Nothing:
    """Take every occurrence and do nothing with it."""

    def enqueue(self, occurrence: Occurrence) -> None:
        """Do nothing."""


class Writer:
    """Write a line for each occurrence: who, when (ms, with fractions), nominal time, name.

    One ``write`` a line on a file opened for appending: whole lines, in order, and there after a ``kill -9``, which
    the engine gives itself at the occurrence that BENCH_DIE_AT counts to.
    """

    def __init__(self) -> None:
        self._file = os.open(os.environ["BENCH_LINES"], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._die_at = int(os.environ.get("BENCH_DIE_AT", "0"))
        self._written = 0

    def enqueue(self, occurrence: Occurrence) -> None:
        """Write the line; end the process without a word if its time has come."""
        self.write(occurrence.nominal_ms, occurrence.schedule.name)
        if self._written == self._die_at:
            os.kill(os.getpid(), signal.SIGKILL)

    def write(self, nominal_ms: int, name: str) -> None:
        """Write one line."""
        self._written += 1
        os.write(self._file, b"%d %.3f %d %s\n" % (os.getpid(), time.time() * 1000, nominal_ms, name.encode()))
