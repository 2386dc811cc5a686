"""Cadence: schedules every second, all on the same grid, as a process of its own fires them."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

import redis

from bench import lines, sites
from bench.children import both
from bench.figures import Aim, Figure, below
from bench.lines import Run
from bench.options import Options
from django_repeat import service

COUNT, PERIOD_MS = 200, 1_000


def measure(options: Options) -> Iterator[Figure]:
    """Watch lateness and drift of the package's ticker, and of a bare one whose grid lies half a second beside it."""
    runs = _watched(options)
    ours, floor = (_inner([run for run in runs if run.name.startswith(queue)]) for queue in (sites.DEFAULT, sites.BARE))
    yield from _lateness(ours, floor, options.seconds)
    yield _cadence(ours, floor)
    yield _whole(ours, floor)


def _watched(options: Options) -> list[Run]:
    with redis.Redis.from_url(options.url) as client, tempfile.TemporaryDirectory() as folder:
        sites.empty(client)
        path = Path(folder) / "lines"
        site = sites.site(options.url, ENGINE=sites.WRITER)
        declared = {
            **sites.schedules(COUNT, every="1s", phase="0s", first_in="2s"),
            **sites.schedules(COUNT, every="1s", phase="500ms", first_in="2s", queue=sites.BARE),
        }
        with both(site, (sites.DEFAULT, sites.BARE), BENCH_LINES=os.fspath(path)):
            with sites.settings(options.url, declared):
                service.sync()
            time.sleep(3 + options.seconds)
        return lines.read(path)


def _inner(runs: Sequence[Run]) -> list[Run]:
    """Leave out the last nominal time, which the end may have cut in two."""
    last = max(run.nominal for run in runs)
    return [run for run in runs if run.nominal < last]


def _lateness(ours: Sequence[Run], floor: Sequence[Run], seconds: int) -> Iterator[Figure]:
    late, bare = [run.late for run in ours], [run.late for run in floor]
    what = f"{COUNT} schedules every second for {seconds} s"
    for text, part in (("median", 0.5), ("p99", 0.99), ("most", 1.0)):
        value, other = lines.quantile(late, part), lines.quantile(bare, part)
        aims = (below(value, 25, " ms", floor=other),) if text == "p99" else ()
        yield Figure(what=f"{what}: late, {text}", ours=f"{value:.1f} ms", floor=f"{other:.1f} ms", aims=aims)


def _cadence(ours: Sequence[Run], floor: Sequence[Run]) -> Figure:
    value, other = _period(ours), _period(floor)
    exact = Aim(text=f"{PERIOD_MS} ms, drift < 5 ms", met=value == PERIOD_MS and abs(_drift(ours)) < 5)
    return Figure(
        what="  average period (drift, first third to last)",
        ours=f"{value:g} ms ({_drift(ours):+.1f})",
        floor=f"{other:g} ms ({_drift(floor):+.1f})",
        aims=(exact,),
    )


def _whole(ours: Sequence[Run], floor: Sequence[Run]) -> Figure:
    counts = [(lines.missed(runs, PERIOD_MS), lines.doubled(runs)) for runs in (ours, floor)]
    aim = Aim(text="0 / 0", met=counts[0] == (0, 0) and len(lines.by_name(ours)) == COUNT)
    texts = [f"{missed} / {doubled}" for missed, doubled in counts]
    return Figure(what="  missed / doubled", ours=texts[0], floor=texts[1], aims=(aim,))


def _period(runs: Sequence[Run]) -> float:
    """Answer the average period over all schedules, by nominal times, in milliseconds."""
    periods = []
    for one in lines.by_name(runs).values():
        nominals = sorted({run.nominal for run in one})
        periods.append((nominals[-1] - nominals[0]) / (len(nominals) - 1))
    return mean(periods)


def _drift(runs: Sequence[Run]) -> float:
    """Answer by how much later the last third came than the first."""
    ordered = sorted(runs, key=lambda run: run.nominal)
    third = len(ordered) // 3
    return mean(run.late for run in ordered[-third:]) - mean(run.late for run in ordered[:third])
