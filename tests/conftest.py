"""Fixtures for every test: one real server a session, started when first asked for."""

from __future__ import annotations

import os
from collections.abc import Iterator

import hypothesis
import pytest
import redis
from django.conf import settings

from django_repeat.testing.server import Server, start_server
from tests.servers.found import find_servers

# The same examples in every run: a red build is never a matter of luck.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None)
hypothesis.settings.load_profile("ci")


@pytest.fixture(scope="session")
def redis_server() -> Iterator[Server]:
    """The session's server; the cache alias `repeat` and the processes that a test starts find it too."""
    with start_server() as server:
        if not server.ours:
            refuse_data(server.url)
        settings.CACHES["repeat"]["LOCATION"] = server.url
        os.environ["REPEAT_TEST_URL"] = server.url
        yield server


@pytest.fixture
def redis_url(redis_server: Server) -> str:
    return redis_server.url


@pytest.fixture
def raw(redis_server: Server) -> Iterator[redis.Redis]:
    """A plain client on an empty database; replies are bytes."""
    with redis.Redis.from_url(redis_server.url) as client:
        empty(client, everything=redis_server.ours)
        yield client


@pytest.fixture(scope="session", params=sorted(find_servers()))
def any_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """Each server program that this machine has, in turn: a test that asks for it runs once on each."""
    with start_server(find_servers()[request.param]) as server:
        yield server


def empty(client: redis.Redis, *, everything: bool) -> None:
    """Empty the server, or where it is somebody else's the one database that was named for the tests."""
    if everything:
        client.flushall()
    else:
        client.flushdb()


def refuse_data(url: str) -> None:
    with redis.Redis.from_url(url) as client:
        if client.dbsize():
            pytest.exit(f"REPEAT_TEST_SERVER names a database that holds data, and tests empty it: {url}", 2)
