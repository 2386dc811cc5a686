"""Registering: what a process start costs, the first time and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import redis

from bench import sites
from bench.figures import Figure, at_least
from bench.options import Options
from bench.tape import Tape, recorded
from bench.timing import Took, in_turns, took
from django_repeat import service
from django_repeat.declarations import everything
from django_repeat.registry import Definitions


def measure(options: Options) -> Iterator[Figure]:
    """Sync all schedules into an empty registry, and into one that has them, beside the same calls alone."""
    with redis.Redis.from_url(options.url) as client, sites.settings(options.url, sites.schedules(options.size)):
        yield _declaring(options)
        first, again = _tapes(client)
        for what, tape, empty, aim in (("first", first, True, 0), ("again", again, False, 80_000)):
            yield _syncing(what, options, client, (tape, empty, aim))


def _declaring(options: Options) -> Figure:
    begin = time.perf_counter()
    for declared in everything()[0]:
        _ = declared.schedule.digest
    rate = options.size / (time.perf_counter() - begin)
    return Figure(what="declare: parse SCHEDULES, templates and digests", ours=f"{rate:,.0f}/s")


def _tapes(client: redis.Redis) -> tuple[Tape, Tape]:
    sites.empty(client)
    wanted = [(one.schedule, one.source) for one in everything()[0]]
    first, again = Tape(), Tape()
    for tape in (first, again):
        Definitions(recorded(tape)).upsert(wanted)
    return first, again


def _syncing(what: str, options: Options, client: redis.Redis, kind: tuple[Tape, bool, int]) -> Figure:
    tape, empty, aim = kind
    play = tape.player(client)

    def run(work: Callable[[], object]) -> Took:
        if empty:
            sites.empty(client)
        return took(client, work)

    service.sync()
    pair = in_turns(options.rounds, lambda: run(service.sync), lambda: run(play))
    rate, floor = options.size / pair.ours.wall, options.size / pair.floor.wall
    aims = (at_least(rate, aim, "/s"),) if aim else ()
    return Figure(
        what=f"register {options.size:,}: {what}",
        ours=f"{rate:,.0f}/s",
        floor=f"{floor:,.0f}/s",
        ratio=pair.ratio,
        aims=aims,
    )
