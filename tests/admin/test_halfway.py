"""Redis goes away, or a schedule does, while an action is half done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from django.contrib.admin.models import LogEntry
from django.test import Client

from django_repeat import service, signals
from django_repeat.testing import recording
from tests.admin.acting import choose, press
from tests.admin.conftest import LIST, add, names
from tests.admin.pages import read

ACTIONS = ("pause", "trigger", "skip", "cancel")
DONE = {"pause": "paused", "trigger": "handed", "skip": "skips", "cancel": "cancelled"}


@pytest.fixture
def operator(user_with: Callable[..., Client]) -> Client:
    return user_with("view", "cancel", "pause", "trigger")


@pytest.fixture(autouse=True)
def engine() -> Iterator[None]:
    with recording():
        yield


@contextmanager
def after(name: str, what: Callable[[], Any]) -> Iterator[None]:
    """Do something as soon as an operator's verb on this schedule was carried out."""

    def hear(**values: Any) -> None:
        if values["name"] == name:
            what()

    told = (signals.operator_decided, signals.schedule_registered)
    for one in told:
        one.connect(hear)
    try:
        yield
    finally:
        for one in told:
            one.disconnect(hear)


@pytest.mark.parametrize("action", ACTIONS)
def test_an_outage_says_of_each_what_became_of_it(operator: Client, settings: Any, action: str) -> None:
    keys = [add(name) for name in ("first", "second", "third", "fourth")]
    page = read(choose(operator, *keys, action=action))
    plain = settings.DJANGO_REPEAT
    with after("first", lambda: setattr(settings, "DJANGO_REPEAT", {"REDIS": "redis://127.0.0.1:1/0"})):
        assert press(operator, page).status_code == 302
    settings.DJANGO_REPEAT = plain
    banners = read(operator.get(LIST)).banners
    assert [level for level, _ in banners] == ["success", "error", "error", "error"]
    assert DONE[action] in banners[0][1]
    assert banners[1][1].startswith("“second”: the registry did not answer, so look whether it was done (")
    assert [text for _, text in banners[2:]] == ["“third”: not tried.", "“fourth”: not tried."]
    assert list(LogEntry.objects.values_list("object_repr", flat=True)) == ["first"]


@pytest.mark.parametrize("action", ACTIONS)
def test_one_key_that_redis_refuses_stops_no_other(operator: Client, registry: redis.Redis, action: str) -> None:
    keys = [add("first"), add("other", queue="broken"), add("second")]

    def damage() -> None:
        registry.delete("emq:{broken}:repeat")
        registry.set("emq:{broken}:repeat", "not a sorted set")

    with after("first", damage):
        assert press(operator, read(choose(operator, *keys, action=action)), LIST).status_code == 302
    banners = read(operator.get(LIST)).banners
    assert [level for level, _ in banners] == ["success", "success", "error"]
    assert banners[2][1].startswith("“other”: ")
    assert set(LogEntry.objects.values_list("object_repr", flat=True)) == {"first", "second"}


@pytest.mark.parametrize("action", ACTIONS)
def test_one_that_goes_meanwhile_is_said_to_be_gone(operator: Client, action: str) -> None:
    page = read(choose(operator, add("first"), add("second"), action=action))
    with after("first", lambda: service.cancel("second")):
        assert press(operator, page).status_code == 302
    banners = read(operator.get(LIST)).banners
    assert [level for level, _ in banners] == ["success", "error"]
    assert banners[1][1] == "“second” is not in the registry."
    assert "second" not in names()
    assert LogEntry.objects.count() == 1
