"""What ``manage.py check --deploy`` says of the registry's server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from django_repeat.testing.server import Server, start_server
from tests.checks.conftest import Said, ids
from tests.checks.stub import stub

EVICTING = ["allkeys-lru", "allkeys-lfu", "allkeys-random"]
KEEPING = ["noeviction", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl"]


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server whose policy and users these tests may change."""
    with start_server() as server:
        yield server


@pytest.fixture
def admin(server: Server) -> Iterator[redis.Redis]:
    with redis.Redis.from_url(server.url, decode_responses=True) as client:
        yield client
        client.config_set("maxmemory-policy", "noeviction")
        client.acl_deluser("someone")


def test_bd37_every_server_that_there_is_is_recent_enough(said: Said, any_server: Server) -> None:
    assert said(deploy=True, REDIS=any_server.url) == []


def test_without_deploy_no_server_is_asked(said: Said) -> None:
    assert said(REDIS="redis://127.0.0.1:1/0") == []


@pytest.mark.parametrize("policy", EVICTING)
def test_bd31_a_policy_that_evicts_any_key_is_named(
    said: Said, admin: redis.Redis, server: Server, policy: str
) -> None:
    admin.config_set("maxmemory-policy", policy)
    [message] = said(deploy=True, REDIS=server.url)
    assert message.id == "django_repeat.W103"
    assert message.level == 30
    assert policy in message.msg


@pytest.mark.parametrize("policy", KEEPING)
def test_bd31_a_policy_that_spares_keys_without_time_to_live_is_none(
    said: Said, admin: redis.Redis, server: Server, policy: str
) -> None:
    admin.config_set("maxmemory-policy", policy)
    assert said(deploy=True, REDIS=server.url) == []


def as_someone(server: Server, admin: redis.Redis, *denied: str) -> str:
    admin.acl_setuser(
        "someone", enabled=True, passwords=["+t0ps3cret"], keys=["*"], channels=["*"], commands=["+@all", *denied]
    )
    return server.url.replace("redis://", "redis://someone:t0ps3cret@")


def test_bd28_what_cannot_be_asked_is_said_and_not_fatal(said: Said, admin: redis.Redis, server: Server) -> None:
    admin.config_set("maxmemory-policy", "allkeys-lru")
    url = as_someone(server, admin, "-info", "-config", "-client")
    messages = said(deploy=True, REDIS=url)
    assert ids(messages) == ["W104", "W104"]
    assert "Could not determine the version" in messages[0].msg
    assert "Could not determine the eviction policy" in messages[1].msg
    assert "t0ps3cret" not in str(messages)


def test_bd28_the_policy_is_in_info_where_config_is_forbidden(said: Said, admin: redis.Redis, server: Server) -> None:
    admin.config_set("maxmemory-policy", "allkeys-lru")
    assert ids(said(deploy=True, REDIS=as_someone(server, admin, "-config"))) == ["W103"]


@pytest.mark.parametrize("denied, name", [(["-evalsha"], "evalsha"), (["-evalsha", "-eval", "-script"], "evalsha")])
def test_bd27_a_denied_script_command_is_named(
    said: Said, admin: redis.Redis, server: Server, denied: list[str], name: str
) -> None:
    [message] = said(deploy=True, REDIS=as_someone(server, admin, *denied))
    assert message.id == "django_repeat.W105"
    assert name in message.msg


def test_a_wrong_password_is_named_without_the_password(said: Said, admin: redis.Redis, server: Server) -> None:
    url = as_someone(server, admin).replace("t0ps3cret", "wr0ng")
    [message] = said(deploy=True, REDIS=url)
    assert message.id == "django_repeat.W101"
    assert "invalid username-password pair" in message.msg
    assert "wr0ng" not in message.msg


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis://no-such-host.invalid:6379/0"])
def test_a_server_that_is_away_is_one_warning(said: Said, url: str) -> None:
    begun = time.monotonic()
    [message] = said(deploy=True, REDIS=url, TIMEOUT="200ms")
    assert message.id == "django_repeat.W101"
    assert message.level == 30
    assert time.monotonic() - begun < 3


def answering(version: str) -> Any:
    def answer(words: list[str]) -> str:
        if words[0] == "INFO":
            return f"# Server\r\n{version}\r\n" if words[1] == "server" else "maxmemory_policy:noeviction\r\n"
        return "1"

    return answer


@pytest.mark.parametrize(
    "version, expected",
    [
        ("redis_version:6.2.0", []),
        ("redis_version:7.2.4\r\nserver_name:valkey\r\nvalkey_version:9.1.2", []),
        ("redis_version:255.255.255", []),
        ("redis_version:10.0.1-rc1", []),
        ("redis_version:6.0.16", ["W102"]),
        ("redis_version:5.0.14", ["W102"]),
        ("valkey_version:9.0.0", ["W104"]),
        ("redis_version:unknown", ["W104"]),
        ("", ["W104"]),
    ],
    ids=repr,
)
def test_bd37_the_version_is_read_and_never_guessed(said: Said, version: str, expected: list[str]) -> None:
    with stub(answering(version)) as url:
        messages = said(deploy=True, REDIS=url)
    assert ids(messages) == expected
    assert all(message.level == 30 for message in messages)


def test_a_server_that_stops_answering_half_way_is_named(said: Said) -> None:
    def answer(words: list[str]) -> str:
        return "-LOADING Redis is loading the dataset in memory"

    with stub(answer) as url:
        messages = said(deploy=True, REDIS=url)
    assert ids(messages) == ["W101"]
    assert "loading" in messages[0].msg.lower()


def client_that_fails() -> None:
    raise LookupError("no such host in the vault")


def test_a_client_that_cannot_be_made_is_a_warning(said: Said) -> None:
    [message] = said(deploy=True, REDIS=f"{__name__}.client_that_fails")
    assert message.id == "django_repeat.W101"
    assert "no such host in the vault" in message.msg
