"""Carrying on: what a second ticker does about the first one's ``kill -9`` in the middle of a batch."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import redis

from bench import lines, sites
from bench.children import PATIENCE, Child
from bench.figures import Figure, at_most, below
from bench.lines import Run
from bench.options import Options
from django_repeat import service

COUNT, LEASE = 200, 3
# In the fourth batch: a group of 25 is settled, five are enqueued and not settled, seventy claimed and not enqueued.
DIE_AT, GROUP = 330, 25


def measure(options: Options) -> Iterator[Figure]:
    """Kill one of two tickers, and watch when the other fires what was due."""
    runs, dead, held = _watched(options)
    killed = max(run.at for run in runs if run.pid == dead)
    after = lines.by_name([run for run in runs if run.at > killed])
    free = [(one[0].at - max(killed, one[0].nominal)) / 1000 for name, one in after.items() if name not in held]
    mine = [(one[0].at - killed) / 1000 for name, one in after.items() if name in held]
    yield Figure(
        what=f"kill -9: longest wait of {len(free)} entries that it had not claimed",
        ours=f"{max(free, default=0.0):.3f} s",
        aims=(below(max(free, default=0.0), 1.5, " s"),),
    )
    if mine:
        yield Figure(
            what=f"  of {len(mine)} entries that it had claimed (lease {LEASE} s)",
            ours=f"{max(mine):.3f} s",
            aims=(below(max(mine), LEASE + 1.5, " s"),),
        )
    again = lines.doubled(runs)
    yield Figure(what="  enqueued again with the same id", ours=f"{again}", aims=(at_most(again, GROUP, " (a group)"),))


def _watched(options: Options) -> tuple[list[Run], int, set[str]]:
    """Answer what was enqueued, the pid of the dead ticker, and the names that it had claimed when it died."""
    with redis.Redis.from_url(options.url) as client, tempfile.TemporaryDirectory() as folder:
        sites.empty(client)
        path = Path(folder) / "lines"
        site = sites.site(options.url, ENGINE=sites.WRITER, LEASE=LEASE)
        # What the dead one had claimed is missed until the lease ends, which the other says in a line each.
        given = {"BENCH_LINES": os.fspath(path), "BENCH_LOG": "ERROR"}
        with (
            Child("package", sites.DEFAULT, site, **given),
            Child("package", sites.DEFAULT, site, **given, BENCH_DIE_AT=str(DIE_AT)) as first,
            sites.settings(options.url, sites.schedules(COUNT, every="1s", phase="0s", first_in="2s")),
        ):
            service.sync()
            first.process.wait(PATIENCE)
            held = _held({one["id"] for one in service.tickers() if one["pid"] == first.pid})
            time.sleep(LEASE + 2)
        return lines.read(path), first.pid, held


def _held(tickers: set[str]) -> set[str]:
    return {
        entry.name for entry in service.entries(limit=COUNT) if entry.raw.get("fence", "").partition(":")[0] in tickers
    }
