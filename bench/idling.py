"""A ticker with nothing to do: what it sends, and what it costs."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from typing import Any

import redis

from bench import sites
from bench.children import both
from bench.figures import Figure, at_most, below
from bench.options import Options
from django_repeat import service

# A percent of one core is what nobody can measure from outside.
IDLE_PERCENT = 1.0


def measure(options: Options) -> Iterator[Figure]:
    """Watch a ticker of the package and a bare one while nothing is due."""
    seconds = max(5, options.seconds // 2)
    declared = {
        queue: sites.schedules(options.size, queue=queue, first_in="1h") for queue in (sites.DEFAULT, sites.BARE)
    }
    with redis.Redis.from_url(options.url) as client:
        sites.empty(client)
        with sites.settings(options.url, {**declared[sites.DEFAULT], **declared[sites.BARE]}):
            service.sync()
        with both(sites.site(options.url), (sites.DEFAULT, sites.BARE)) as children:
            time.sleep(2)
            before = [child.cpu() for child in children]
            sent = _watch(client, seconds)
            percents = [(child.cpu() - used) / seconds * 100 for child, used in zip(children, before, strict=True)]
    rates = [sent[queue] / seconds for queue in (sites.DEFAULT, sites.BARE)]
    yield Figure(
        what=f"idle with {options.size:,} schedules: commands sent",
        ours=f"{rates[0]:.2f}/s",
        floor=f"{rates[1]:.2f}/s",
        aims=(at_most(rates[0], 2, "/s"),),
    )
    yield Figure(
        what="idle: processor",
        ours=f"{percents[0]:.2f} %",
        floor=f"{percents[1]:.2f} %",
        aims=(below(percents[0], IDLE_PERCENT, " %"),),
    )


def _watch(client: redis.Redis, seconds: float) -> Counter[str]:
    """Answer how many commands clients sent for each queue; what scripts call is not sent."""
    sent: Counter[str] = Counter()
    watched: Any = client  # monitor() is untyped
    with watched.monitor() as monitor:
        end = threading.Timer(seconds, client.echo, ["the end"])
        end.start()
        for command in monitor.listen():
            if command["command"] == "ECHO the end":
                break
            if command["client_type"] != "lua":
                queues = [queue for queue in (sites.DEFAULT, sites.BARE) if f"{{{queue}}}" in command["command"]]
                sent[queues[0] if queues else "neither"] += 1
        end.join()
    return sent
