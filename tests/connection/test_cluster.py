"""A cluster, behind the connection factory that django-redis recommends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
import redis
from django.conf import settings
from django.test import override_settings

from django_repeat import connection, service
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.testing import Server, freeze, recording, start_server, tick
from django_repeat.testing.processes import free_port

pytestmark = pytest.mark.process
SLOTS = 16384
ALIAS = {
    "BACKEND": "django_redis.cache.RedisCache",
    "OPTIONS": {"CONNECTION_FACTORY": "tests.connection.factories.ClusterFactory"},
}


@pytest.fixture(scope="module")
def nodes() -> Iterator[list[Server]]:
    """Three primaries that share the slots."""
    with ExitStack() as stack:
        servers = [
            stack.enter_context(start_server(port=_low_port(), arguments=["--cluster-enabled", "yes"]))
            for _ in range(3)
        ]
        clients = [stack.enter_context(redis.Redis.from_url(server.url)) for server in servers]
        for number, client in enumerate(clients):
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            first, last = SLOTS * number // 3, SLOTS * (number + 1) // 3
            client.execute_command("CLUSTER", "ADDSLOTS", *range(first, last))
            clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", servers[number].port)
        deadline = time.monotonic() + 20
        while not all(_whole(client) for client in clients):
            assert time.monotonic() < deadline, "the nodes never made a cluster"
            time.sleep(0.02)
        yield servers


def _low_port() -> int:
    """Answer a free port below 55,000: the nodes talk to each other on that port + 10,000."""
    return next(port for port in iter(free_port, None) if port < 55_000)


def _whole(client: redis.Redis) -> bool:
    info = client.execute_command("CLUSTER", "INFO")
    text = info if isinstance(info, dict) else dict(line.split(":") for line in info.decode().split())
    return text["cluster_state"] == "ok" and text["cluster_known_nodes"] == "3" and text["cluster_slots_ok"] == "16384"


def test_fifty_schedules_in_three_queues_on_three_nodes(nodes):
    schedules = {
        f"s{n:02}": {"task": "shop.tasks.count", "cron": "0 * * * *", "timezone": "UTC", "queue": f"q{n % 3}"}
        for n in range(50)
    }
    caches = {"repeat": {**ALIAS, "LOCATION": nodes[0].url}}
    given = {**settings.DJANGO_REPEAT, "REDIS": "repeat", "SCHEDULES": schedules, "TIMEOUT": 5}
    with override_settings(CACHES=caches, DJANGO_REPEAT=given):
        with freeze("2026-06-03T10:00:00+00:00"):
            assert set(service.sync().values()) == {"registered"}
            assert set(service.sync().values()) == {"exists"}
        with freeze("2026-06-03T11:00:00+00:00"), recording() as taken:
            tick()
            for server in nodes:
                with redis.Redis.from_url(server.url) as client:
                    client.script_flush()
            tick()
        assert len({occurrence.id for occurrence in taken}) == len(taken) == 50
        assert sum(service.count(queue=f"q{n}") for n in range(3)) == 50
        assert service.get("s00", queue="q0").fired_count == 1
        assert service.cancel("s00", queue="q0") == "cancelled"


def test_a_cluster_that_is_not_there_is_said_when_it_is_asked():
    caches = {"repeat": {**ALIAS, "LOCATION": "redis://127.0.0.1:1"}}
    with override_settings(CACHES=caches, DJANGO_REPEAT={**settings.DJANGO_REPEAT, "REDIS": "repeat"}):
        found = connection.connect("repeat", 0.5)
        with pytest.raises(RegistryUnavailable, match=r"CACHES\['repeat'\]"):
            found.command("PING")
        with pytest.raises(RegistryUnavailable, match=r"CACHES\['repeat'\]"):
            service.count()
