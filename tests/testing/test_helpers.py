"""What the package offers to the tests of a site."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.test import override_settings

from django_repeat import count, declare, get, register, service, sync
from django_repeat.declarations import declarations
from django_repeat.testing import freeze, recording, tick
from django_repeat.testing.plugin import RegistryForTest

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_readme_of_a_test(repeat_registry: RegistryForTest) -> None:
    with recording() as fired, freeze(NOON):
        register("report", task="reports.tasks.daily", cron="0 12 * * *", timezone="UTC", args=["all"])
        assert tick() == []
        with freeze(NOON + timedelta(days=1)):
            assert tick() == fired
    assert [one.id for one in fired] == [f"report@{int((NOON + timedelta(days=1)).timestamp() * 1000)}"]
    assert fired[0].schedule.args == ("all",)


def test_freeze_takes_text_and_reaches_every_thread(repeat_registry: RegistryForTest) -> None:
    seen = []
    with freeze("2026-03-01T13:00:00+01:00"):
        thread = threading.Thread(target=lambda: seen.append(service.now()))
        thread.start()
        thread.join()
    assert seen == [NOON]
    assert abs(service.now() - datetime.now(UTC)) < timedelta(minutes=5)


def test_the_inner_freeze_counts(repeat_registry: RegistryForTest) -> None:
    with freeze(NOON):
        with freeze(NOON + timedelta(hours=1)):
            assert service.now() == NOON + timedelta(hours=1)
        assert service.now() == NOON


def test_freeze_refuses_a_naive_moment() -> None:
    with pytest.raises(ValueError, match="aware"), freeze(datetime(2026, 3, 1)):
        pass


def test_recordings_nest(repeat_registry: RegistryForTest) -> None:
    with freeze(NOON), recording() as outer:
        register("a", task="x.y", every=5)
        with recording() as inner:
            tick()
    assert (len(outer), len(inner)) == (0, 1)


def test_tick_takes_queues(repeat_registry: RegistryForTest) -> None:
    with freeze(NOON), recording():
        register("a", task="x.y", every=5, queue="mail")
        assert tick("other") == []
        assert [one.schedule.name for one in tick("mail")] == ["a"]


@pytest.mark.parametrize("turn", [1, 2])
def test_each_test_has_an_empty_registry_and_its_own_declarations(repeat_registry: RegistryForTest, turn: int) -> None:
    assert count() == 0
    assert declarations.collected()[0] == []
    declare("mine", task="x.y", every="1h")
    sync()
    assert get("mine").source == "code"


@pytest.fixture
def site() -> Iterator[None]:
    with override_settings(DJANGO_REPEAT={"REDIS": "the site's", "PREFIX": "the-site's", "BATCH": 7}):
        yield


def test_the_site_s_other_settings_stay(site: None, repeat_registry: RegistryForTest) -> None:
    wanted = {"REDIS": repeat_registry.url, "PREFIX": repeat_registry.prefix, "BATCH": 7}
    assert wanted == settings.DJANGO_REPEAT
