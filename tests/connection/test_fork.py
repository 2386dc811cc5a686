"""A pool that was used before a fork is not shared with the children."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from django_repeat import connection, service

CHILDREN, CALLS = 4, 200


def client_id() -> int:
    redis = service.conf.current().redis
    return int(connection.connect(redis, service.conf.current().timeout).command("CLIENT", "ID"))


def work(write: int) -> None:
    """List as a forked web worker does, in threads; write the client's id, or nothing if a reply was not ours."""
    try:
        with ThreadPoolExecutor(4) as pool:
            counts = list(pool.map(lambda _: service.count(), range(CALLS)))
        if counts == [1] * CALLS:
            os.write(write, b"%d\n" % client_id())
    finally:
        os._exit(0)


@pytest.mark.process
def test_children_have_sockets_of_their_own(repeat_registry: Any):
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "TIMEOUT": 5}):
        service.upsert("one", every="1h", first_in="1h", task="a.b")
        parent = client_id()
        read, write = os.pipe()
        children = []
        for _ in range(CHILDREN):
            pid = os.fork()
            if not pid:
                work(write)
            children.append(pid)
        os.close(write)
        for _ in range(CALLS):
            assert service.count() == 1
        with os.fdopen(read) as ids:
            found = [int(line) for line in ids]
        for pid in children:
            os.waitpid(pid, 0)
        assert len(set(found)) == CHILDREN
        assert parent not in found
        assert client_id() == parent
