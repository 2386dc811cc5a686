"""REDIS as an alias of CACHES or a dotted path."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from django.core.cache import caches
from django.test import override_settings

from django_repeat import connection
from django_repeat.exceptions import InvalidSettings, RegistryUnavailable

ECHO = "return {KEYS[1], ARGV[1]}"
REDIS = "django_redis.cache.RedisCache"


def alias(location: Any, **options: Any) -> override_settings:
    return override_settings(CACHES={"repeat": {"BACKEND": REDIS, "LOCATION": location, "OPTIONS": options}})


def echoes(found: connection.Connection) -> bool:
    return bool(found.script(ECHO)([b"\xff"], ["a"]) == [b"\xff", b"a"])


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"CONNECTION_POOL_KWARGS": {"decode_responses": True, "max_connections": 7, "retry_on_timeout": True}},
        {
            "CONNECTION_POOL_CLASS": "redis.BlockingConnectionPool",
            "CONNECTION_POOL_KWARGS": {"timeout": 20, "max_connections": 3},
        },
        {"CONNECTION_POOL_CLASS": "tests.connection.factories.Pool"},
        {"REDIS_CLIENT_CLASS": "tests.connection.factories.Special"},
        {"SOCKET_TIMEOUT": 60, "SOCKET_CONNECT_TIMEOUT": 60},
        {"CLIENT_CLASS": "django_redis.client.HerdClient"},
        {"PARSER_CLASS": "redis.connection._RESP2Parser"},
        {
            "SERIALIZER": "django_redis.serializers.json.JSONSerializer",
            "COMPRESSOR": "django_redis.compressors.zlib.ZlibCompressor",
        },
    ],
    ids=str,
)
def test_an_alias_works_whatever_its_options(redis_server, options):
    with alias(redis_server.url, **options):
        found = connection.connect("repeat", 0.5)
        assert echoes(found)
        assert found.command("DBSIZE") >= 0


@pytest.mark.parametrize(
    "location",
    [
        lambda url: [url, "redis://127.0.0.1:1/0"],
        lambda url: (url,),
        lambda url: f"{url} , redis://127.0.0.1:1/0",
        lambda url: url.removesuffix("/0"),
    ],
)
def test_of_several_locations_the_first_is_written_to(redis_server, location):
    with alias(location(redis_server.url)):
        assert echoes(connection.connect("repeat", 0.5))


def test_the_alias_s_own_client_is_left_alone(redis_server):
    # A database that no other test names: django-redis keeps one pool a URL for ever.
    with alias(redis_server.url.removesuffix("0") + "7", CONNECTION_POOL_KWARGS={"decode_responses": True}):
        connection.connect("repeat", 0.5).command("PING")
        own = caches["repeat"].client.get_client(write=True)
        assert own.execute_command("ECHO", "x") == "x"


def test_password_and_user_may_be_options(redis_server):
    with redis.Redis.from_url(redis_server.url) as admin:
        admin.execute_command("ACL", "SETUSER", "someone", "reset", "on", ">s3cret#", "+@all", "~*")
        try:
            with alias(redis_server.url, USERNAME="someone", PASSWORD="s3cret#"):
                found = connection.connect("repeat", 0.5)
                assert found.command("ACL", "WHOAMI") == b"someone"
                assert "s3cret" not in found.address
            with alias(redis_server.url, USERNAME="someone", PASSWORD="wr0ng"):
                with pytest.raises(RegistryUnavailable, match=r"redis://127\.0\.0\.1") as caught:
                    connection.connect("repeat", 0.5).command("PING")
                assert "wr0ng" not in str(caught.value)
        finally:
            admin.execute_command("ACL", "DELUSER", "someone")


@pytest.mark.parametrize(
    "caches, reason",
    [
        ({"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}, "LocMemCache; the registry needs django_redis"),
        (
            {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://h"},
            "the registry needs django_redis",
        ),
        ({"BACKEND": "no.such.Backend"}, "no.such.Backend"),
        ({"BACKEND": REDIS}, "Missing connections string"),
        ({"BACKEND": REDIS, "LOCATION": []}, "Missing connections string"),
        ({"BACKEND": REDIS, "LOCATION": "redis://:s3#cret@h/0"}, "percent-encode"),
        (
            {"BACKEND": REDIS, "LOCATION": "redis://h", "OPTIONS": {"CLIENT_CLASS": "django_redis.client.ShardClient"}},
            "shards",
        ),
        ({"BACKEND": REDIS, "LOCATION": "redis://h", "OPTIONS": {"CONNECTION_FACTORY": "no.such.Factory"}}, "no"),
        ({"BACKEND": REDIS, "LOCATION": "redis://h", "OPTIONS": {"SOCKET_TIMEOUT": "soon"}}, "timeout"),
        (
            {"BACKEND": REDIS, "LOCATION": "redis://h", "OPTIONS": {"CONNECTION_POOL_KWARGS": {"nonsense": "s3"}}},
            "TypeError",
        ),
    ],
)
def test_an_alias_that_cannot_serve_is_refused_with_the_reason(caches, reason):
    with override_settings(CACHES={"repeat": caches}):
        with pytest.raises(InvalidSettings, match=reason) as caught:
            connection.connect("repeat", 0.5)
        assert "s3" not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        5,
        {"BACKEND": REDIS, "LOCATION": 5},
        {"BACKEND": REDIS, "LOCATION": "redis://:s3cret@h", "OPTIONS": 5},
        {"BACKEND": REDIS, "LOCATION": "redis://:s3cret@h", "OPTIONS": {"CONNECTION_POOL_KWARGS": 5}},
        {"BACKEND": REDIS, "LOCATION": "redis://:s3cret@h", "OPTIONS": {"CONNECTION_FACTORY": 5}},
        {
            "BACKEND": REDIS,
            "LOCATION": "redis://:s3cret@h",
            "OPTIONS": {"CONNECTION_FACTORY": "tests.connection.factories.Broken"},
        },
        {"BACKEND": REDIS, "LOCATION": "redis://:s3cret@h", "OPTIONS": {"CLIENT_CLASS": "os.path.join"}},
        {"BACKEND": "tests.connection.factories.leaving", "LOCATION": "redis://:s3cret@h"},
    ],
    ids=str,
)
def test_an_alias_of_any_nonsense_is_refused_by_its_name(wrong):
    with override_settings(CACHES={"repeat": wrong}):
        with pytest.raises(InvalidSettings, match=r"DJANGO_REPEAT\['REDIS'\]: .*CACHES\['repeat'\]") as caught:
            connection.connect("repeat", 0.5)
        assert "s3" not in str(caught.value)
        assert "s3" not in repr(caught.value.__cause__)


def test_a_client_of_an_alias_that_answers_text_is_refused(redis_server):
    with (
        alias(redis_server.url, REDIS_CLIENT_CLASS="tests.connection.factories.Decoding"),
        pytest.raises(InvalidSettings, match=r"CACHES\['repeat'\] answered .* decode_responses=True"),
    ):
        connection.connect("repeat", 0.5).command("PING")


def test_an_overridden_alias_is_another_connection(redis_server):
    with alias(redis_server.url):
        first = connection.connect("repeat", 0.5)
    with alias("redis://127.0.0.1:1/0"):
        assert connection.connect("repeat", 0.5) is not first


def test_a_dead_sentinel_costs_no_more_than_a_dead_server(redis_server):
    options = {"CONNECTION_FACTORY": "django_redis.pool.SentinelConnectionFactory", "SENTINELS": [("127.0.0.1", 1)]}
    with alias("redis://mymaster/0", CLIENT_CLASS="django_redis.client.SentinelClient", **options):
        found = connection.connect("repeat", 0.3)
        with pytest.raises(RegistryUnavailable, match=r"CACHES\['repeat'\]: .*mymaster"):
            found.command("PING")
