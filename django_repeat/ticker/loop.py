"""The loop of a ticker: register, tick, say that it lives, sleep until something is due."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from django_repeat import signals
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import Heartbeats, Ticker
from django_repeat.ticker.outage import Outage
from django_repeat.ticker.stop import Stop, Stopped
from django_repeat.ticker.tick import QueueTicker

# A new schedule is noticed within this time (seconds).
LONGEST_SLEEP = 1.0
BEAT_SECONDS, BEAT_TTL_MS = 10.0, 30_000


class Loop:
    """Tick several queues until told to stop; the registry's absence is waited out.

    ``register`` makes the declared schedules current; it is called until it succeeds once, and may raise Stopped.
    ``queues`` pairs the ticker of each queue with its heartbeats.
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
        self._beat_at = self._tried_at = float("-inf")

    def run(self) -> None:
        """Loop until the stop is set, then say that the ticker has ended."""
        signals.ticker_started.send_robust(Loop, ticker=self._ticker.id, queues=[one.queue for one, _ in self._queues])
        while not self._stop.is_set():
            self._stop.wait(self._pass())
        if not self._outage.lasts:
            self._end()
        signals.ticker_stopped.send_robust(Loop, ticker=self._ticker.id)

    def _pass(self) -> float:
        """Register, say that it lives, tick each queue; answer the seconds to sleep.

        A step that the server refuses, say for a key of another type, does not keep the others from theirs.
        """
        trouble, waits = None, [LONGEST_SLEEP]
        for step in self._steps():
            if self._stop.is_set():
                break
            try:
                waits.append(step())
            except RegistryUnavailable as error:
                trouble = error
                if not error.answered:
                    break
        if trouble is None:
            self._outage.recovered()
        else:
            self._outage.lost(trouble)
        return LONGEST_SLEEP if trouble and not trouble.answered else max(0.0, min(waits))

    def _steps(self) -> Iterator[Callable[[], float]]:
        now = self._elapsed()
        if not self._registered and now - self._tried_at >= LONGEST_SLEEP:
            self._tried_at = now
            yield self._register_all
        if now - self._beat_at >= BEAT_SECONDS:
            self._beat_at = now
            for _, heartbeats in self._queues:
                yield partial(self._beat, heartbeats)
        for ticker, _ in self._queues:
            yield partial(self._tick, ticker)

    def _register_all(self) -> float:
        with suppress(Stopped):
            self._register()
            self._registered = True
        return LONGEST_SLEEP

    def _beat(self, heartbeats: Heartbeats) -> float:
        heartbeats.beat(self._ticker, BEAT_TTL_MS)
        return LONGEST_SLEEP

    def _tick(self, ticker: QueueTicker) -> float:
        wait = ticker.tick().wait
        return LONGEST_SLEEP if wait is None else wait

    def _end(self) -> None:
        """Write what is left and take the heartbeats away; not asked of a registry that was away a moment ago."""
        try:
            for ticker, heartbeats in self._queues:
                ticker.close()
                heartbeats.end(self._ticker)
        except RegistryUnavailable as error:
            # Claims end with their lease and heartbeats expire: nothing is lost by leaving without a word.
            self._outage.lost(error)
