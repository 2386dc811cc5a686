"""Memory: bytes a schedule, beside the same hash written bare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import redis

from bench import claiming, sites
from bench.figures import Figure, at_most
from bench.options import Options
from django_repeat import clock, service, ticking
from django_repeat.keys import Keys

RUNS = 20
MINUTE_MS = 60_000


def measure(options: Options) -> Iterator[Figure]:
    """Weigh a registry as registered, after a run of everything, and with full run logs."""
    with redis.Redis.from_url(options.url) as client:
        sites.empty(client)
        _use(options.url, 100, ticks=1)  # so that the scripts are weighed with the empty server
        for what, ticks in (("as registered", 0), ("after a run, run log off", 1)):
            ours = _weight(client, partial(_use, options.url, options.size, ticks=ticks))
            with sites.settings(options.url, {}):
                records = _records(client)
            bare = _weight(client, partial(_write, client, records))
            yield Figure(
                what=f"bytes a schedule, {what}",
                ours=f"{ours / options.size:,.0f}",
                floor=f"{bare / options.size:,.0f}",
                ratio=ours / bare,
                aims=(at_most(ours / bare, 1.3, " x floor"),),
            )
        size = min(options.size, 500)
        ours = _weight(client, partial(_use, options.url, size, ticks=RUNS, history=RUNS))
        yield Figure(what=f"bytes a schedule, with a run log of {RUNS}", ours=f"{ours / size:,.0f}")


def _weight(client: redis.Redis, fill: Callable[[], object]) -> int:
    sites.empty(client)
    before = client.info("memory")["used_memory"]
    fill()
    return int(client.info("memory")["used_memory"] - before)


def _use(url: str, size: int, *, ticks: int, history: int = 0) -> None:
    with sites.settings(url, sites.schedules(size), HISTORY=history):
        with clock.freeze(claiming.DUE):
            service.sync()
        for number in range(ticks):
            claiming.fire_all(ticking.tick, size, claiming.LATE + number * MINUTE_MS)


def _records(client: redis.Redis) -> dict[bytes, dict[bytes, bytes]]:
    keys = Keys("emq", sites.DEFAULT)
    names = service.names_of()
    pipe = client.pipeline(transaction=False)
    for name in names:
        pipe.hgetall(keys.record(name))
    return dict(zip(map(keys.record, names), pipe.execute(), strict=True))


def _write(client: redis.Redis, records: dict[bytes, dict[bytes, bytes]]) -> None:
    for key, fields in records.items():
        client.hset(key, mapping=fields)  # type: ignore[arg-type]
