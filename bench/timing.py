"""Taking times: ours and the floor in turns, so that a busy machine spoils both alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import redis


@dataclass(frozen=True, kw_only=True)
class Took:
    """Seconds of one run: by the clock, and of processors (this process and the server)."""

    wall: float
    cpu: float


@dataclass(frozen=True, kw_only=True)
class Pair:
    """Medians of the runs of both; the ratio is the median over the rounds, ours as a part of the floor's rate."""

    ours: Took
    floor: Took
    ratio: float
    cpu_ratio: float


def took(client: redis.Redis, work: Callable[[], object]) -> Took:
    """Answer what ``work`` takes. Garbage of earlier runs is collected before, so that none pays for another."""
    gc.collect()
    server = _server_cpu(client)
    cpu, wall = time.process_time(), time.perf_counter()
    work()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Took(wall=wall, cpu=cpu + _server_cpu(client) - server)


def in_turns(rounds: int, ours: Callable[[], Took], floor: Callable[[], Took]) -> Pair:
    """Run both once each round, the one that begins changing, and answer the medians."""
    runs: list[tuple[Took, Took]] = []
    for number in range(rounds):
        if number % 2:
            second = floor()
            runs.append((ours(), second))
        else:
            first = ours()
            runs.append((first, floor()))
    return Pair(
        ours=_median([one for one, _ in runs]),
        floor=_median([one for _, one in runs]),
        ratio=median(floor.wall / ours.wall for ours, floor in runs),
        cpu_ratio=median(floor.cpu / ours.cpu for ours, floor in runs),
    )


def _median(runs: Sequence[Took]) -> Took:
    return Took(wall=median(one.wall for one in runs), cpu=median(one.cpu for one in runs))


def _server_cpu(client: redis.Redis) -> float:
    info = client.info("cpu")
    return float(info["used_cpu_user"]) + float(info["used_cpu_sys"])
