"""A user with the documented commands and keys can do everything; without one of them, the refusal names it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
import redis
from django.conf import settings
from django.test import override_settings

from django_repeat import Schedule, connection, service
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import Heartbeats, Ticker
from django_repeat.testing import freeze, recording, start_server, tick
from django_repeat.testing.server import default_binary
from tests.registry.acl import COMMANDS, SCRIPTS, called, rules

PASSWORD = "s3cret"
NOW = datetime(2026, 6, 3, 11, tzinfo=UTC)


def hourly() -> Schedule:
    return Schedule("hourly", cron="0 * * * *", timezone="UTC", task="shop.tasks.count")


@pytest.fixture(scope="module")
def guarded():
    """A server of its own: users are its and not a database's."""
    with start_server(default_binary()) as server, redis.Redis.from_url(server.url) as admin:
        yield server, admin


@pytest.fixture
def user(guarded):
    """Answer what makes the registry work as a user with those rules."""
    server, admin = guarded
    admin.flushall()
    admin.script_flush()
    url = f"redis://limited:{PASSWORD}@127.0.0.1:{server.port}/0"

    def allow(*given: str) -> str:
        admin.execute_command("ACL", "SETUSER", "limited", *given)
        return url

    connection.forget()
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "REDIS": url, "PREFIX": "mine"}):
        yield allow
    connection.forget()


def everything() -> None:
    """Call every verb once."""
    with freeze(NOW.replace(hour=10)):
        assert service.register(hourly()) == "registered"
        assert service.upsert(hourly()) == "exists"
        assert service.upsert("hourly", cron="0 * * * *", timezone="UTC", task="shop.tasks.other") == "updated"
    with freeze(NOW), recording() as taken:
        tick("default")
        assert len(taken) == 1
    assert service.get("hourly").fired_count == 1
    assert [one.name for one in service.entries()] == ["hourly"]
    assert service.names_of(descending=True) == ["hourly"]
    assert [one["outcome"] for one in service.runs("hourly")] == ["fired"]
    beats = Heartbeats(service.store("default"))
    assert beats.beat(Ticker(id="me", host="here", pid=1), 60_000) == 1
    assert [one["host"] for one in service.tickers()] == ["here"]
    assert beats.end(Ticker(id="me", host="here", pid=1)) == 0
    assert service.cancel("hourly") == "cancelled"


def test_the_list_is_what_the_scripts_call():
    assert called() == set(SCRIPTS)


def test_exactly_the_documented_commands_and_keys_are_enough(user):
    user(*rules("mine", PASSWORD))
    everything()


def test_probes_that_are_denied_by_name_do_not_matter(user):
    user("reset", "on", f">{PASSWORD}", "~mine:*", "+@all", "-config", "-info", "-client")
    everything()


@pytest.mark.parametrize("command", ["evalsha", "script|load"])
def test_without_scripts_the_denied_command_is_named(user, command):
    user(*rules("mine", PASSWORD, [one for one in COMMANDS if one != command]))
    with pytest.raises(RegistryUnavailable, match=command.replace("|", r"\|")) as caught:
        service.count()
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize("command", ["zadd", "hset", "exists"])
def test_a_denied_command_inside_a_script_is_refused_without_a_half_written_entry(guarded, user, command):
    user(*rules("mine", PASSWORD, [one for one in COMMANDS if one != command]))
    with pytest.raises(RegistryUnavailable):
        service.register(hourly())
    if command != "zadd":
        assert guarded[1].keys("*") == []


def test_keys_outside_the_prefix_are_refused(user):
    user(*rules("other", PASSWORD))
    with pytest.raises(RegistryUnavailable, match=r"127\.0\.0\.1"):
        service.count()
