"""The state of the link to Redis: one message when it goes, few while it is away, one when it is back."""

from __future__ import annotations

import time
from collections.abc import Callable

from django_repeat import signals

QUIET_SECONDS = 30.0


class Outage:
    """Turn a row of failures into few signals. ``elapsed`` answers seconds and never goes back."""

    def __init__(self, elapsed: Callable[[], float] = time.monotonic) -> None:
        self._elapsed = elapsed
        self._since: float | None = None
        self._said = 0.0

    @property
    def lasts(self) -> bool:
        """Answer whether the last thing noted was a failure."""
        return self._since is not None

    def lost(self, error: Exception) -> None:
        """Note a failure; ``registry_lost`` is sent at the first, and then at most every half minute."""
        now = self._elapsed()
        if self._since is None:
            self._since = now
        elif now - self._said < QUIET_SECONDS:
            return
        self._said = now
        signals.registry_lost.send_robust(Outage, error=error, seconds=now - self._since)

    def recovered(self) -> None:
        """Note that it works; ``registry_recovered`` is sent if it did not before."""
        if self._since is not None:
            signals.registry_recovered.send_robust(Outage, seconds=self._elapsed() - self._since)
            self._since = None
