"""Whether this host and the server tell the same time. Nothing is decided by it; it is said, to be set right."""

from __future__ import annotations

import time
from collections.abc import Callable

from django_repeat import clock, signals

# Hosts that follow a time server differ by milliseconds.
TOLERATED_MS = 5_000


class Skew:
    """Send ``clocks_differed`` once if the clocks do. ``host`` answers the time here, in milliseconds."""

    def __init__(self, host: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._host = host
        self._said = False

    def now(self) -> int:
        """Answer the time here, in milliseconds."""
        return self._host()

    def compare(self, server: int, asked: int) -> None:
        """Take the server's time, which it told at some instant between ``asked`` and now."""
        if self._said or clock.frozen() is not None:
            return
        # A reply may be seconds late, and that is no difference.
        earliest, latest = sorted((asked, self._host()))
        if not earliest - TOLERATED_MS <= server <= latest + TOLERATED_MS:
            self._said = True
            host = earliest if server < earliest else latest
            signals.clocks_differed.send_robust(Skew, host=host, server=server)
