"""The floor of a ticker process: the same scripts in a loop, with nothing around them. It knows one period only."""

from __future__ import annotations

import itertools
import os
import uuid
from typing import Any

import redis

from bench.engines import Writer
from django_repeat import conf
from django_repeat.keys import Keys
from django_repeat.scripts import source
from django_repeat.ticker import Stop

PERIOD_MS = 1_000


def run(queue: str, stop: Stop) -> None:
    """Claim what is due, write its lines, settle it a period later, sleep until the next or for a second."""
    settings = conf.current()
    client = redis.Redis.from_url(settings.redis)
    due, claim, settle = (client.register_script(source(verb)) for verb in ("due", "claim", "settle"))
    keys = Keys(settings.prefix, queue)
    writer = Writer() if "BENCH_LINES" in os.environ else None
    tokens = (f"{uuid.uuid4().hex}:{number}" for number in itertools.count())
    while not stop.is_set():
        now, names, upcoming = due(keys=[keys.schedules, keys.switch], args=["", 0, settings.batch])
        if not names:
            stop.wait(min(1.0, (float(upcoming or "inf") - int(now)) / 1000))
            continue
        token, records = next(tokens), [keys.record(name.decode()) for name in names[::2]]
        places = [keys.schedules, keys.switch, *records]
        replies = claim(keys=places, args=["", token, settings.lease, *names[1::2]])[2:]
        args: list[Any] = ["", 0]
        for name, reply in zip(names[::2], replies, strict=True):
            nominal = int(reply[2])
            if writer:
                writer.write(nominal, name.decode())
            args += [f"{token} {nominal} {nominal + PERIOD_MS} 0  ", f"1 0 0 {nominal} {nominal} f 0 0 ", ""]
        settle(keys=[keys.schedules, *records], args=args)
