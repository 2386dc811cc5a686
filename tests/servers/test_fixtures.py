"""The suite's own server reaches tests, the cache alias and other processes; foreign data is safe from it."""

import os

import pytest
import redis
from django.core.cache import caches

from django_repeat.testing.server import default_binary, start_server
from tests.conftest import empty, refuse_data
from tests.servers.found import find_servers


@pytest.mark.parametrize("turn", [1, 2])
def test_raw_starts_empty(raw, turn):
    assert raw.dbsize() == 0
    raw.set("left", b"behind")
    assert raw.get("left") == b"behind"


def test_the_cache_alias_and_other_processes_find_the_server(raw, redis_url):
    caches["repeat"].set("a", 1)
    assert raw.dbsize() == 1
    assert os.environ["REPEAT_TEST_URL"] == redis_url


def test_a_database_with_data_is_refused():
    with start_server(default_binary()) as server, redis.Redis.from_url(server.url) as connection:
        refuse_data(server.url)
        connection.set("precious", 1)
        with pytest.raises(pytest.exit.Exception, match="holds data"):
            refuse_data(server.url)


def test_only_the_named_database_of_a_foreign_server_is_emptied(redis_server):
    other_url = redis_server.url.removesuffix("0") + "1"
    with redis.Redis.from_url(redis_server.url) as named, redis.Redis.from_url(other_url) as other:
        named.set("a", 1)
        other.set("a", 1)
        empty(named, everything=False)
        assert (named.dbsize(), other.dbsize()) == (0, 1)
        empty(named, everything=True)
        assert other.dbsize() == 0


def test_every_program_on_this_machine_is_a_server_of_a_supported_version(any_server):
    with redis.Redis.from_url(any_server.url) as connection:
        version = connection.info("server")["redis_version"]
        assert tuple(map(int, version.split(".")[:2])) >= (6, 2)
        assert connection.eval("return redis.call('TIME')", 0)


def test_the_default_server_is_always_among_them():
    assert find_servers()["default"] == default_binary()
    assert len(set(find_servers().values())) == len(find_servers())
