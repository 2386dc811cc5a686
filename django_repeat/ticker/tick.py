"""One tick of one queue: name what is due, claim it, fire it, settle it, in batches until nothing is due."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from django_repeat import clock, signals
from django_repeat.dispatch import Dispatcher
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.occurrence import Occurrence
from django_repeat.registry import Claim, Claims, Due, Outcome, Refusal, Release, Settlement
from django_repeat.ticker.firing import Firing
from django_repeat.ticker.pace import Pace
from django_repeat.ticker.skew import Skew

# Other queues and the heartbeat wait for a tick to end; what is due still is found by the next.
LONGEST_TICK_SECONDS = 5.0


@dataclass
class Ticked:
    """What one tick came to: the occurrences fired, and the seconds until something is due (None: nothing is known).

    ``unfinished`` counts plans that were cut short so that a group is not too long.
    """

    fired: list[Occurrence] = field(default_factory=list)
    wait: float | None = None
    unfinished: int = 0


class QueueTicker:
    """Tick one queue. ``lease`` in milliseconds; ``elapsed`` answers seconds and never goes back."""

    def __init__(
        self,
        *,
        queue: str,
        ticker: str,
        claims: Claims,
        dispatcher: Dispatcher,
        lease: int,
        batch: int,
        stopped: Callable[[], bool] = lambda: False,
        elapsed: Callable[[], float] = time.monotonic,
        skew: Skew | None = None,
    ) -> None:
        self.queue = queue
        self._claims = claims
        self._dispatcher = dispatcher
        self._lease = lease
        self._batch = batch
        self._stopped = stopped
        self._elapsed = elapsed
        self._skew = Skew() if skew is None else skew
        self._claimed_at = 0.0
        self._tokens = (f"{ticker}:{number}" for number in itertools.count(1))
        self._firing = Firing(queue=queue, ticker=ticker, dispatcher=dispatcher, now=self._now, logged=claims.logged)
        self._unwritten: list[Settlement | Release] = []
        self._foreign: dict[str, str] = {}
        self._strange: Counter[str] = Counter()

    def tick(self) -> Ticked:
        """Fire all that is due; RegistryUnavailable if Redis goes away, and then the next tick writes what is left."""
        ticked = Ticked()
        self._write_left()
        offset = 0
        upcoming: list[int] = []
        end = self._elapsed() + LONGEST_TICK_SECONDS
        while True:
            unfinished = ticked.unfinished
            asked = self._skew.now()
            due = self._claims.due(offset, self._batch)
            looked = self._elapsed()
            self._skew.compare(due.now, asked)
            fresh = [pair for pair in due.names if self._foreign.get(pair[0]) != pair[1]]
            if fresh:
                upcoming += self._batch_of(fresh, ticked)
            # What was claimed left the range; what is foreign stays at its head.
            offset += sum(self._foreign.get(name) == score for name, score in due.names)
            more = len(due.names) >= self._batch or ticked.unfinished > unfinished
            if not more or self._stopped() or self._elapsed() >= end:
                break
        ticked.wait = self._wait(due, looked, upcoming)
        return ticked

    def close(self) -> None:
        """Write what is left to write, before the process ends; RegistryUnavailable if that cannot be."""
        self._write_left()

    def _batch_of(self, due: Sequence[tuple[str, str]], ticked: Ticked) -> list[int]:
        pace = Pace(elapsed=self._elapsed, stopped=self._stopped, lease=self._lease)
        claims = self._claim(due)
        if not claims:
            return []
        with self._dispatcher.batch():
            return self._fire(claims, pace, ticked)

    def _claim(self, due: Sequence[tuple[str, str]]) -> list[Claim]:
        self._claimed_at = self._elapsed()
        token = next(self._tokens)
        try:
            answers = self._claims.claim(token, self._lease, due)
        except RegistryUnavailable:
            if self._stopped():
                raise
            # The claim may have been made and only the reply lost: the same token answers the same records.
            self._claimed_at = self._elapsed()
            answers = self._claims.claim(token, self._lease, due)
        scores = dict(due)
        claims = []
        for answer in answers:
            if isinstance(answer, Claim):
                claims.append(answer)
            else:
                self._refused(answer, scores[answer.name])
        return claims

    def _refused(self, refusal: Refusal, score: str) -> None:
        name = refusal.name
        if refusal.why == "foreign":
            self._foreign[name] = score
        elif refusal.why == "broken":
            self._strange[name] += 1
            signals.entry_broken.send_robust(
                QueueTicker, queue=self.queue, name=name, reason=refusal.reason, attempt=self._strange[name]
            )
        else:
            signals.claim_lost.send_robust(QueueTicker, queue=self.queue, name=name, step="claim")

    def _fire(self, claims: Sequence[Claim], pace: Pace, ticked: Ticked) -> list[int]:
        upcoming = []
        for position, claim in enumerate(claims):
            if pace.is_over:
                self._unwritten += [_untouched(rest) for rest in claims[position:]]
                break
            done, fired = self._firing.fire(claim, pace)
            ticked.fired += fired
            if not fired:
                pace.took()
            self._unwritten.append(done)
            if isinstance(done, Settlement):
                upcoming += [] if done.next is None else [done.next + done.lag]
            elif done.backoff is None and done.rest is not None:
                ticked.unfinished += 1
                upcoming.append(done.rest)
            if pace.is_full:
                self._write(claims[position + 1 :])
                pace.written()
        self._write([])
        return upcoming

    def _write(self, rest: Sequence[Claim]) -> None:
        try:
            self._write_left()
        except RegistryUnavailable:
            self._unwritten += [_untouched(claim) for claim in rest]
            raise

    def _write_left(self) -> None:
        """Write what is unwritten. After a lost reply it is written again, which the scripts recognise."""
        settlements = [one for one in self._unwritten if isinstance(one, Settlement)]
        releases = [one for one in self._unwritten if isinstance(one, Release)]
        if settlements:
            self._written(settlements, self._claims.settle(settlements), "settle")
        if releases:
            self._written(releases, self._claims.release(releases), "release")
        self._unwritten.clear()

    def _written(self, ones: Sequence[Settlement | Release], outcomes: Sequence[Outcome], step: str) -> None:
        for one, outcome in zip(ones, outcomes, strict=True):
            if outcome in (Outcome.LOST, Outcome.GONE):
                signals.claim_lost.send_robust(QueueTicker, queue=self.queue, name=one.name, step=step)

    def _now(self, claim: Claim) -> int:
        """Answer the server's time: that of the claim, and what passed here since."""
        frozen = clock.frozen()
        return claim.now + int((self._elapsed() - self._claimed_at) * 1000) if frozen is None else frozen

    def _wait(self, due: Due, looked: float, upcoming: Sequence[int]) -> float | None:
        instants = [*upcoming, *([] if due.next is None else [due.next])]
        if len(due.names) >= self._batch:
            return 0.0
        return (min(instants) - due.now) / 1000 - (self._elapsed() - looked) if instants else None


def _untouched(claim: Claim) -> Release:
    return Release(name=claim.name, token=claim.token, nominal=claim.nominal, forget=claim.first)
