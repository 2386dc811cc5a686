"""A tick: claim and settle of everything due at one instant, with an engine that does nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import redis

from bench import sites
from bench.figures import Figure, at_least
from bench.options import Options
from bench.tape import Tape, recorded
from bench.timing import Took, in_turns, took
from django_repeat import clock, conf, service
from django_repeat.dispatch import Dispatcher
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.occurrence import Occurrence
from django_repeat.registry import Claims, Store
from django_repeat.ticker import QueueTicker

# The clock stands still, so that a recorded call means the same when it is made again.
DUE = 1_800_000_000_000
LATE = DUE + 3


def measure(options: Options) -> Iterator[Figure]:
    """Tick with the run log off and on, beside the same calls alone."""
    for text, history in (("off", 0), ("on", 20)):
        declared = sites.schedules(options.size)
        with redis.Redis.from_url(options.url) as client, sites.settings(options.url, declared, HISTORY=history):
            yield from _ticking(f"claim + settle, run log {text}", options, client)


def _ticking(what: str, options: Options, client: redis.Redis) -> Iterator[Figure]:
    size = options.size
    tape = Tape()
    _prepare(client)
    fire_all(_fires(_ticker(recorded(tape))), size)
    # A ticker lives for weeks: this one has seen every schedule before it is measured.
    tick = _fires(_ticker(service.store(DEFAULT_QUEUE, timeout=service.PATIENCE)))
    _prepare(client)
    fire_all(tick, size)
    play = tape.player(client)

    def run(work: Callable[[], object]) -> Took:
        _prepare(client)
        return took(client, work)

    pair = in_turns(options.rounds, lambda: run(lambda: fire_all(tick, size)), lambda: run(play))
    rate, floor = size / pair.ours.wall, size / pair.floor.wall
    aims = at_least(rate, 8_000, "/s"), at_least(pair.ratio, 0.5, " x floor")
    yield Figure(what=what, ours=f"{rate:,.0f}/s", floor=f"{floor:,.0f}/s", ratio=pair.ratio, aims=aims)
    rate, floor = size / pair.ours.cpu, size / pair.floor.cpu
    yield Figure(
        what="  in processor time, Python and server",
        ours=f"{rate:,.0f}/s",
        floor=f"{floor:,.0f}/s",
        ratio=pair.cpu_ratio,
    )


def _prepare(client: redis.Redis) -> None:
    sites.empty(client)
    with clock.freeze(DUE):
        service.sync()


def _ticker(store: Store) -> QueueTicker:
    settings = conf.current()
    return QueueTicker(
        queue=DEFAULT_QUEUE,
        ticker="0123456789abcdef0123456789abcdef",
        claims=Claims(store),
        dispatcher=Dispatcher(),
        lease=settings.lease,
        batch=settings.batch,
    )


def _fires(ticker: QueueTicker) -> Callable[[], Sequence[Occurrence]]:
    return lambda: ticker.tick().fired


def fire_all(tick: Callable[[], Sequence[Occurrence]], size: int, now: int = LATE) -> None:
    """Tick until ``size`` have fired: once, unless a slow machine comes to the end of a tick's time."""
    with clock.freeze(now):
        while size > 0:
            fired = len(tick())
            if not fired:
                raise RuntimeError(f"{size} entries are due and do not fire.")
            size -= fired
