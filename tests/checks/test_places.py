"""What ``manage.py check`` says of the place of the registry: a usable client, a database of its own."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from django_repeat.checks.places import place_of
from tests.checks.conftest import Said, ids

REDIS = "django_redis.cache.RedisCache"
DJANGO = "django.core.cache.backends.redis.RedisCache"
LOCAL = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
FACTORY = {"CONNECTION_FACTORY": "tests.checks.test_places.Factory"}


class Factory:
    def __init__(self, options: dict[str, Any]) -> None:
        raise AssertionError("a factory of the site's own may connect, so no check may build it")


def client() -> None:
    raise AssertionError("a callable of the site's own may connect, so no check may call it")


def at(location: Any, backend: str = REDIS, **more: Any) -> dict[str, Any]:
    return {"BACKEND": backend, "LOCATION": location, **more}


@pytest.mark.parametrize(
    "redis, caches",
    [
        ("redis://h:6379/1", {}),
        ("rediss://user:p%23ss@h:6380/1", {}),
        ("unix:///run/redis.sock?db=1", {}),
        ("repeat", {"repeat": at("redis://h:6379")}),
        ("repeat", {"repeat": at("redis://h:6379", OPTIONS={"SOCKET_TIMEOUT": 1})}),
        ("repeat", {"repeat": at("redis://h:6379", OPTIONS=FACTORY)}),
        ("tests.checks.test_places.client", {}),
    ],
    ids=str,
)
def test_a_usable_place_is_clean(said: Said, redis: str, caches: dict[str, Any]) -> None:
    assert said(REDIS=redis, CACHES=caches) == []


@pytest.mark.parametrize(
    "redis, caches, text",
    [
        ("default", {}, "no alias of CACHES"),
        ("repaet", {"repeat": at("redis://h:6379")}, "no alias of CACHES (repeat)"),
        ("no.such.callable", {}, "No module named 'no'"),
        ("repeat", {"repeat": LOCAL}, "needs django_redis.cache.RedisCache"),
        ("repeat", {"repeat": at("redis://h:6379", DJANGO)}, "needs django_redis.cache.RedisCache"),
        ("repeat", {"repeat": at("redis://h:6379", "no.such.Backend")}, "no.such.Backend"),
        ("repeat", {"repeat": at("redis://h", OPTIONS={"CONNECTION_FACTORY": "no.such.Factory"})}, "No module named"),
        ("repeat", {"repeat": at("redis://h", OPTIONS={"CLIENT_CLASS": "django_redis.client.ShardClient"})}, "shard"),
        ("valkey://h:6379/1", {}, "redis:// works with Valkey"),
        ("redis://user:s3#cret@h:6379/1", {}, "percent-encode"),
        ("http://h:6379/1", {}, "scheme 'http'"),
    ],
    ids=str,
)
def test_an_unusable_place_is_an_error_without_its_password(
    said: Said, redis: str, caches: dict[str, Any], text: str
) -> None:
    [message] = said(REDIS=redis, CACHES=caches)
    assert message.id == "django_repeat.E004"
    assert text in message.msg
    assert "s3" not in message.msg


SHARED: list[tuple[str, Any, Any]] = [
    ("same URL", "redis://h:6379/1", at("redis://h:6379/1")),
    ("default port", "redis://h:6379/1", at("redis://h/1")),
    ("default database", "redis://h:6379/0", at("redis://h:6379")),
    ("other credentials", "redis://a:b@h:6379/1", at("redis://h:6379/1")),
    ("other letter case", "redis://H:6379/1", at("redis://h:6379/1")),
    ("loopback names", "redis://127.0.0.1/1", at("redis://localhost/1")),
    ("loopback of IPv6", "redis://[::1]/1", at("redis://localhost/1")),
    ("database in the query", "redis://h/1", at("redis://h?db=1")),
    ("query before path", "redis://h/1", at("redis://h/2?db=1")),
    ("Django's own backend", "redis://h/1", at("redis://h/1", DJANGO)),
    ("Django's option", "redis://h/1", at("redis://h", DJANGO, OPTIONS={"db": "1"})),
    ("a pool's option", "redis://h/1", at("redis://h", OPTIONS={"CONNECTION_POOL_KWARGS": {"db": 1}})),
    ("a list", "redis://h/1", at(["redis://h/1", "redis://replica/1"])),
    ("text with commas", "redis://h/1", at("redis://h/1,redis://replica/1")),
    ("a socket", "unix:///run/redis.sock?db=1", at("unix:///run/redis.sock?db=1")),
    ("TLS on the same port", "redis://h:6379/1", at("rediss://h:6379/1")),
]
APART: list[tuple[str, Any, Any]] = [
    ("other database", "redis://h/1", at("redis://h/2")),
    ("other host", "redis://h/1", at("redis://g/1")),
    ("other port", "redis://h/1", at("redis://h:6380/1")),
    ("other socket", "unix:///run/a?db=1", at("unix:///run/b?db=1")),
    ("other database of a socket", "unix:///run/a?db=1", at("unix:///run/a")),
    ("no Redis", "redis://h:11211/0", at("h:11211", "django.core.cache.backends.memcached.PyMemcacheCache")),
    ("no location", "redis://h/1", LOCAL),
    ("nonsense", "redis://h/1", at("redis://h:port/1")),
    ("nothing in a list", "redis://h/1", at([])),
]


@pytest.mark.parametrize("ours, cache", [row[1:] for row in SHARED], ids=[row[0] for row in SHARED])
def test_a_cache_in_the_same_database_is_a_warning(said: Said, ours: str, cache: dict[str, Any]) -> None:
    [message] = said(REDIS=ours, CACHES={"pages": cache})
    assert message.id == "django_repeat.W004"
    assert "CACHES['pages']" in message.msg
    assert "FLUSHDB" in str(message.hint)
    assert ids(said(REDIS="repeat", CACHES={"pages": cache, "repeat": at(ours)})) == ["W004"]


@pytest.mark.parametrize("ours, cache", [row[1:] for row in APART], ids=[row[0] for row in APART])
def test_a_cache_elsewhere_is_none(said: Said, ours: str, cache: dict[str, Any]) -> None:
    assert said(REDIS=ours, CACHES={"pages": cache}) == []


def test_the_default_cache_is_a_warning_as_the_registry(said: Said) -> None:
    [message] = said(REDIS="default", CACHES={"default": at("redis://h/1")})
    assert message.id == "django_repeat.W005"
    assert "cache.clear()" in message.msg


@pytest.mark.parametrize("location", [None, 5, "", "memory", {"a": 1}])
def test_what_is_no_url_is_no_place(location: Any) -> None:
    assert place_of(location, {}) is None


def test_no_check_without_deploy_asks_a_server(said: Said) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"redis://127.0.0.1:{listener.getsockname()[1]}/1"
        assert said(REDIS=url) == []
        assert said(REDIS="repeat", CACHES={"repeat": at(url)}) == []
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
