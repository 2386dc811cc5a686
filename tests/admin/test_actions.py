"""What all actions have in common: who may, where they are offered, what the page asks, and when it asks again."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import redis
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client

from django_repeat import get, pause, pause_all, resume, service, skip, trigger, upsert
from django_repeat.keys import Keys
from django_repeat.testing import freeze, recording, tick
from tests.admin.acting import choose, confirm, press
from tests.admin.conftest import LIST, add, names
from tests.admin.pages import Page, inline, read

MakeUser = Callable[..., Client]
PERMISSIONS = {"pause": "pause", "resume": "pause", "trigger": "trigger", "skip": "pause", "cancel": "cancel"}
ALL = ("view", *sorted(set(PERMISSIONS.values())))
CHANGED = "Something has changed since the page was shown"
NOON = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)


@pytest.fixture
def operator(user_with: MakeUser) -> Client:
    return user_with(*ALL)


def offered(page: Page) -> list[str]:
    """Answer the actions that a page has buttons for."""
    return [one["value"] for one in page.inputs if one.get("type") == "submit" and one.get("name") == "action"]


def detail(client: Client, key: str = "default:nightly") -> Page:
    return read(client.get(f"{LIST}{key.replace(':', '_3A')}/change/"))


def record(registry: redis.Redis) -> dict[bytes, bytes]:
    return registry.hgetall(Keys("emq", "default").record("nightly"))


@pytest.mark.parametrize("action", PERMISSIONS)
def test_each_action_has_a_permission_and_no_other_will_do(
    user_with: MakeUser, registry: redis.Redis, action: str
) -> None:
    key = add("nightly")
    before = record(registry)
    others = user_with(*(one for one in ALL if one != PERMISSIONS[action]))
    question = read(choose(user_with("view", PERMISSIONS[action]), key, action=action))
    assert choose(others, key, action=action).status_code == 403
    assert press(others, question).status_code == 403
    assert action not in offered(detail(others))
    # With view permission missing, the list itself is forbidden.
    assert choose(user_with(PERMISSIONS[action]), key, action=action).status_code == 403
    assert record(registry) == before
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("action", PERMISSIONS)
def test_view_only_staff_see_no_button_and_get_403(viewer: Client, registry: redis.Redis, action: str) -> None:
    key = add("nightly")
    before = record(registry)
    assert offered(detail(viewer)) == []
    assert choose(viewer, key, action=action).status_code == 403
    assert record(registry) == before


@pytest.mark.parametrize("action", PERMISSIONS)
def test_a_get_and_a_post_without_the_token_do_nothing(operator: Client, registry: redis.Redis, action: str) -> None:
    key = add("nightly")
    question = read(choose(operator, key, action=action))
    fields = {one["name"]: one["value"] for one in question.inputs if one.get("type") == "hidden"}
    before = record(registry)
    assert operator.get(LIST, fields).status_code == 302  # what a GET of the list makes of fields it does not know
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.get(username__contains="trigger"))
    assert client.post(LIST, fields).status_code == 403
    assert record(registry) == before


@pytest.mark.parametrize("action", PERMISSIONS)
def test_nothing_happens_before_the_page_is_confirmed(operator: Client, registry: redis.Redis, action: str) -> None:
    key = add("nightly")
    before = record(registry)
    response = choose(operator, key, action=action)
    assert inline(response) == []
    assert read(response).links["nightly"] == f"{LIST}default_3Anightly/change/"
    # Nor does a forged answer that lacks what the page showed.
    forged = {"action": action, "_selected_action": key, "keys": f'["{key}"]'}
    assert operator.post(LIST, forged).status_code == 200
    assert operator.post(LIST, {**forged, "state": "0" * 64}).status_code == 200
    assert record(registry) == before


def test_the_tools_are_those_that_apply(operator: Client, registry: redis.Redis) -> None:
    add("nightly")
    assert offered(detail(operator)) == ["pause", "trigger", "skip", "cancel"]
    pause("nightly")
    assert offered(detail(operator)) == ["resume", "trigger", "skip", "cancel"]
    resume("nightly")
    pause_all()
    assert offered(detail(operator)) == ["pause", "trigger", "skip", "cancel"]
    keys = Keys("emq", "default")
    registry.hset(keys.record("nightly"), "template", "{")
    assert offered(detail(operator)) == ["pause", "cancel"]
    registry.zadd(keys.schedules, {"theirs": 1})
    registry.hset(keys.record("theirs"), mapping={"every_ms": "5000", "template": "{}"})
    assert offered(detail(operator, "default:theirs")) == ["cancel"]


def test_from_the_page_of_a_schedule_and_back_to_it(operator: Client) -> None:
    add("nightly", queue="reports")
    url, address = f"{LIST}?queue=reports", f"{LIST}reports_3Anightly/change/"
    fields = {"action": "pause", "_selected_action": "reports:nightly", "from_page": "1"}
    question = read(operator.post(url, fields))
    assert question.links["No, take me back"] == address
    response = press(operator, question, url)
    assert response["Location"] == address
    assert read(operator.get(address)).banners == [("success", "“nightly” was paused.")]
    # A schedule that is cancelled has no page to go back to.
    response = press(operator, read(operator.post(url, {**fields, "action": "cancel"})), url)
    assert response["Location"] == url


def test_many_share_a_message_and_each_is_logged(operator: Client) -> None:
    keys = [add(f"n{number:02}") for number in range(12)]
    page = confirm(operator, read(choose(operator, keys[0], action="pause", everything=True)), reason="all")
    [(level, text)] = page.banners
    assert level == "success"
    assert text.endswith("“n11” were paused.")
    assert {get(f"n{number:02}").pause.reason for number in range(12)} == {"all"}
    assert set(LogEntry.objects.values_list("object_id", "change_message")) == {
        (key, "Paused. Reason: all") for key in keys
    }
    # The first ten refusals are quoted, the others named.
    banners = confirm(operator, read(choose(operator, keys[0], action="resume", everything=True))).banners
    assert [level for level, _ in banners] == ["success"]
    banners = confirm(operator, read(choose(operator, keys[0], action="resume", everything=True))).banners
    assert len(banners) == 11
    assert banners[-1] == ("error", "Refused as well: “n10”, “n11”.")


CHANGES: dict[str, Callable[[], Any]] = {
    "another definition": lambda: upsert("nightly", every="2h", task="reports.tasks.daily"),
    "a pause": lambda: pause("nightly"),
    "another reason": lambda: pause("paused", reason="another"),
    "another end": lambda: pause("paused", until=NOON.replace(year=2027)),
    "a resume": lambda: resume("paused"),
    "a skip": lambda: skip("nightly"),
    "one more skip": lambda: skip("skipped"),
    "a pause of the queue": lambda: pause_all(),
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("action", ["pause", "trigger", "cancel"])
def test_a_change_since_the_page_asks_again(operator: Client, change: str, action: str) -> None:
    with freeze(NOON), recording() as recorded:
        keys = [add("nightly"), add("paused"), add("skipped")]
        pause("paused", reason="one")
        skip("skipped")
        page = read(choose(operator, *keys, action=action))
        assert CHANGED not in page.text
        CHANGES[change]()
        values = {} if action == "cancel" else {"reason": "month end"}
        again = read(press(operator, page, **values))
        assert CHANGED in again.text
        assert not LogEntry.objects.exists()
        assert names() == {"nightly", "paused", "skipped"}
        assert recorded == []
        if values:
            assert again.value("reason") == "month end"
        confirm(operator, again)
    assert LogEntry.objects.count() == 3


def test_a_fire_since_the_page_is_no_change(operator: Client, registry: redis.Redis) -> None:
    with recording() as recorded:
        with freeze(NOON):
            keys = [add("nightly", first_in="1m"), add("resumed", first_in="1m"), add("ended", first_in="2h")]
            pause("ended", until=NOON.replace(minute=30))
        with freeze(NOON.replace(minute=2)):
            pause("resumed")  # one is due from before, so the pause stays in the record until that is settled
        with freeze(NOON.replace(minute=45)):
            resume("resumed")
            page = read(choose(operator, *keys, action="pause"))
            assert b"holes" in registry.hgetall(Keys("emq", "default").record("resumed"))
            assert b"paused" in registry.hgetall(Keys("emq", "default").record("ended"))
        with freeze(NOON.replace(hour=16)):
            assert {one.schedule.name for one in tick()} == {"nightly", "resumed", "ended"}
            trigger("nightly")
            confirm(operator, page)
    assert len(recorded) >= 4
    assert LogEntry.objects.count() == 3


def test_pause_is_offered_instead_of_a_cancel_that_does_not_last(user_with: MakeUser, settings: Any) -> None:
    plain = settings.DJANGO_REPEAT
    fields = {"every": "1h", "first_in": "1h", "task": "reports.tasks.daily"}
    settings.DJANGO_REPEAT = {**plain, "SCHEDULES": {"declared": fields}}
    service.sync()
    operator = user_with("view", "cancel", "pause")
    assert offered(read(choose(operator, add("dynamic")))) == []
    question = read(choose(operator, "default:declared", "default:dynamic"))
    assert offered(question) == ["pause"]
    hidden = {one["name"]: one["value"] for one in question.inputs if one.get("type") == "hidden"}
    del hidden["state"]  # the first form alone has it
    page = read(operator.post(LIST, {**hidden, "action": "pause"}))
    assert page.crumbs[-1] == ("Pause schedules", "")
    assert CHANGED not in page.text
    assert {"declared", "dynamic"} <= set(page.links)
    confirm(operator, page)
    assert {get("declared").state, get("dynamic").state} == {"paused"}
    assert offered(read(choose(user_with("view", "cancel"), "default:declared"))) == []
