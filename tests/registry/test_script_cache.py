"""The server's script cache comes and goes; nobody above the connection notices."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

import pytest
import redis
from django.conf import settings
from django.test import override_settings

from django_repeat import service
from django_repeat.connection import Connection
from django_repeat.testing import freeze, recording, start_server, tick

NOW = datetime(2026, 6, 3, 10, tzinfo=UTC)
HOURLY = {"cron": "0 * * * *", "timezone": "UTC", "task": "shop.tasks.count"}


def fire(hours: int) -> list[str]:
    with freeze(NOW + timedelta(hours=hours)), recording() as taken:
        tick("default")
    return [occurrence.id for occurrence in taken]


def ident(hours: int) -> str:
    return f"hourly@{int((NOW + timedelta(hours=hours)).timestamp()) * 1000}"


def test_a_flushed_script_cache_loses_and_doubles_nothing(registry, caplog):
    with caplog.at_level(logging.DEBUG, logger="django_repeat"):
        registry.client.script_flush()
        with freeze(NOW):
            assert service.upsert("hourly", **HOURLY) == "registered"
        for hours in (1, 2, 3):
            registry.client.script_flush()
            assert fire(hours) == [ident(hours)]
            assert fire(hours) == []
        registry.client.script_flush()
        assert service.cancel("hourly") == "cancelled"
    assert [record for record in caplog.records if record.levelno > logging.INFO] == []


class Unlucky(redis.Redis):
    """A client whose every load of a script is followed by a flush of the cache, as another's may be."""

    def script_load(self, script):
        loaded = super().script_load(script)
        self.script_flush()
        return loaded


def test_a_cache_flushed_between_load_and_call_is_not_noticed(repeat_registry):
    with Unlucky.from_url(repeat_registry.url) as client:
        registered = Connection(lambda: client, "unlucky").script("return {KEYS[1], ARGV[1]}")
        for _ in range(2):
            client.script_flush()
            assert registered([b"key"], ["value"]) == [b"key", b"value"]


@pytest.mark.process
def test_a_restart_with_its_data_kept_loses_and_doubles_nothing():
    with (
        start_server(arguments=["--appendonly", "yes", "--appendfsync", "always"]) as server,
        override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "REDIS": server.url, "PREFIX": "kept"}),
    ):
        with freeze(NOW):
            service.upsert("hourly", **HOURLY)
        server.restart()
        with redis.Redis.from_url(server.url) as client:
            assert client.zcard("kept:{default}:repeat") == 1
        # The pool's sockets are dead; redis-py connects anew for the next command.
        assert fire(1) == [ident(1)]
        server.kill()
        server.restart()
        assert fire(1) == []
        assert fire(2) == [ident(2)]
        assert service.get("hourly").fired_count == 2
