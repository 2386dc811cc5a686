"""An engine that counts across processes: what it takes goes to a list that no registry owns."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import NamedTuple

import redis

from django_repeat import Occurrence

PATH = f"{__name__}.Pushing"
LIST = "pushed"


class Push(NamedTuple):
    """One enqueue: the occurrence's id and nominal time (ms), the ticker's pid, and when (ms)."""

    id: str
    nominal: int
    uuid: str
    pid: int
    at: int


class Hooks:
    """What happens before and after an occurrence is taken, in the process that sets it."""

    before: Callable[[Occurrence], object] = staticmethod(lambda occurrence: None)
    after: Callable[[Occurrence], object] = staticmethod(lambda occurrence: None)


class Pushing:
    """Push each occurrence to the list, on the server that REPEAT_TEST_PUSHED names, else the registry's."""

    def __init__(self) -> None:
        url = os.environ.get("REPEAT_TEST_PUSHED") or os.environ["REPEAT_TEST_URL"]
        self._client = redis.Redis.from_url(url)

    def enqueue(self, occurrence: Occurrence) -> str:
        Hooks.before(occurrence)
        now = time.time_ns() // 1_000_000
        push = Push(occurrence.id, occurrence.nominal_ms, str(occurrence.uuid), os.getpid(), now)
        self._client.rpush(LIST, json.dumps(push))
        Hooks.after(occurrence)
        return push.uuid


def pushed(client: redis.Redis) -> list[Push]:
    """Answer every enqueue so far, in order."""
    return [Push(*json.loads(one)) for one in client.lrange(LIST, 0, -1)]
