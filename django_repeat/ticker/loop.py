"""The loop of a ticker: register, tick, say that it lives, sleep until something is due."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from django_repeat import signals
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import Heartbeats, Ticker
from django_repeat.ticker.outage import Outage
from django_repeat.ticker.stop import Stop
from django_repeat.ticker.tick import QueueTicker

# A new schedule is noticed within this time (seconds).
LONGEST_SLEEP = 1.0
BEAT_SECONDS, BEAT_TTL_MS = 10.0, 30_000


class Loop:
    """Tick several queues until told to stop; the registry's absence is waited out.

    ``register`` makes the declared schedules current; it is called until it succeeds once. ``queues`` pairs the ticker
    of each queue with its heartbeats.
    """

    def __init__(
        self,
        *,
        ticker: Ticker,
        queues: Sequence[tuple[QueueTicker, Heartbeats]],
        register: Callable[[], object],
        stop: Stop,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ticker = ticker
        self._queues = queues
        self._register = register
        self._stop = stop
        self._elapsed = elapsed
        self._outage = Outage(elapsed)
        self._registered = False
        self._beat_at = float("-inf")

    def run(self) -> None:
        """Loop until the stop is set, then say that the ticker has ended."""
        signals.ticker_started.send_robust(Loop, ticker=self._ticker.id, queues=[one.queue for one, _ in self._queues])
        while not self._stop.is_set():
            self._stop.wait(self._pass())
        if not self._outage.lasts:
            self._end()
        signals.ticker_stopped.send_robust(Loop, ticker=self._ticker.id)

    def _pass(self) -> float:
        """Tick each queue once; answer the seconds to sleep."""
        try:
            if not self._registered:
                self._register()
                self._registered = True
            self._beat()
            waits = [ticker.tick().wait for ticker, _ in self._queues]
        except RegistryUnavailable as error:
            self._outage.lost(error)
            return LONGEST_SLEEP
        self._outage.recovered()
        return max(0.0, min([LONGEST_SLEEP, *(wait for wait in waits if wait is not None)]))

    def _beat(self) -> None:
        if self._elapsed() - self._beat_at >= BEAT_SECONDS:
            for _, heartbeats in self._queues:
                heartbeats.beat(self._ticker, BEAT_TTL_MS)
            self._beat_at = self._elapsed()

    def _end(self) -> None:
        """Write what is left and take the heartbeats away; not asked of a registry that was away a moment ago."""
        try:
            for ticker, heartbeats in self._queues:
                ticker.close()
                heartbeats.end(self._ticker)
        except RegistryUnavailable as error:
            # Claims end with their lease and heartbeats expire: nothing is lost by leaving without a word.
            self._outage.lost(error)
