"""A primary named by Sentinel, and its fail-over."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis
from django.conf import settings
from django.test import override_settings

from django_repeat import service
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.testing import Server, start_server
from django_repeat.testing.server import default_binary

pytestmark = pytest.mark.process


def until(what: Callable[[], object], seconds: float = 20) -> None:
    """Ask until it is so, as nothing tells when a fail-over is over."""
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture
def trio(tmp_path: Path) -> Iterator[tuple[Server, Server, redis.Redis]]:
    """A primary, its replica, and a sentinel that watches them."""
    with ExitStack() as stack:
        primary = stack.enter_context(start_server(default_binary()))
        replica = stack.enter_context(start_server(arguments=["--replicaof", f"127.0.0.1 {primary.port}"]))
        written = tmp_path / "sentinel.conf"
        written.write_text(
            f"sentinel monitor mymaster 127.0.0.1 {primary.port} 1\n"
            "sentinel down-after-milliseconds mymaster 1000\nsentinel failover-timeout mymaster 3000\n"
        )
        watcher = stack.enter_context(_sentinel(written))
        sentinel = stack.enter_context(redis.Redis(port=watcher.port))
        follower = stack.enter_context(redis.Redis.from_url(replica.url))
        until(lambda: follower.info("replication")["master_link_status"] == "up")
        until(lambda: sentinel.info("sentinel")["master0"]["slaves"] == 1)
        yield primary, replica, sentinel


def _sentinel(written: Path) -> Server:
    # A sentinel is the server program with a file to rewrite and a flag.
    script = written.with_suffix(".sh")
    script.write_text(
        '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = --port ] && port=$2; shift; done\n'
        f'exec "{default_binary()}" "{written}" --sentinel --bind 127.0.0.1 --port "$port"\n'
    )
    script.chmod(0o755)
    return start_server(script)


def test_after_a_failover_the_new_primary_is_found_without_a_restart(trio):
    primary, replica, sentinel = trio
    options = {
        "CLIENT_CLASS": "django_redis.client.SentinelClient",
        "CONNECTION_FACTORY": "django_redis.pool.SentinelConnectionFactory",
        "SENTINELS": [("127.0.0.1", sentinel.connection_pool.connection_kwargs["port"])],
    }
    caches = {
        "repeat": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": "redis://mymaster/0", "OPTIONS": options}
    }
    with override_settings(CACHES=caches, DJANGO_REPEAT={**settings.DJANGO_REPEAT, "REDIS": "repeat", "TIMEOUT": 2}):
        assert service.upsert("before", every="1h", first_in="1h", task="a.b") == "registered"
        sentinel.execute_command("SENTINEL", "FAILOVER", "mymaster")

        def works() -> bool:
            try:
                return service.upsert("after", every="1h", first_in="1h", task="a.b") in ("registered", "exists")
            except RegistryUnavailable:
                return False

        with redis.Redis.from_url(replica.url) as promoted, redis.Redis.from_url(primary.url) as demoted:
            until(lambda: promoted.info("replication")["role"] == "master")
            # The sentinel does so too, some seconds later; until then the old primary takes writes that get lost.
            demoted.replicaof("127.0.0.1", replica.port)
            until(works)
            assert sorted(service.names_of()) == ["after", "before"]
            assert promoted.zcard("emq:{default}:repeat") == 2
