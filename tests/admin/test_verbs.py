"""What each action does to a schedule, what it says, and what stays in the log."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import redis
from django.contrib.admin.models import CHANGE, LogEntry
from django.test import Client
from django.utils import timezone

from django_repeat import get, pause, pause_all, service
from django_repeat.keys import Keys
from django_repeat.testing import freeze, recording
from tests.admin.acting import act, choose, confirm, press
from tests.admin.conftest import LIST, add
from tests.admin.pages import read
from tests.admin.test_hostile import IMAGE, SCRIPT, VECTOR, harmless

NOON = datetime(2026, 3, 28, 12, 0, tzinfo=UTC)
REASON = f"month end {SCRIPT}"


@pytest.fixture
def operator(user_with: Callable[..., Client]) -> Client:
    return user_with("view", "cancel", "pause", "trigger")


WHO = "user-view-cancel-pause-trigger"


def logged() -> list[tuple[str, str]]:
    """Answer who and what of each entry of the admin's log, oldest first; all are changes."""
    entries = LogEntry.objects.order_by("pk")
    assert {one.action_flag for one in entries} <= {CHANGE}
    return [(one.object_id, one.get_change_message()) for one in entries]


def test_pause_until_it_is_resumed(operator: Client) -> None:
    page = act(operator, "pause", add("nightly"), reason=REASON)
    found = get("nightly").pause
    assert found is not None
    assert (found.by, found.reason, found.until) == (WHO, REASON, None)
    assert page.banners == [("success", "“nightly” was paused.")]
    assert page.links["“nightly”"] == f"{LIST}default_3Anightly/change/"
    assert logged() == [("default:nightly", f"Paused. Reason: {REASON}")]
    assert LogEntry.objects.get().user.username == WHO
    harmless(operator.get(f"{LIST}default_3Anightly/history/"))


def test_pause_until_a_wall_time_of_the_current_zone(operator: Client, settings: Any) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    with freeze(NOON):
        add("nightly")
        page = read(choose(operator, "default:nightly", action="pause"))
        assert "In the zone Europe/Berlin." in page.text
        confirm(operator, page, until="2026-03-29T09:30")
        found = get("nightly").pause
    assert found is not None
    assert found.until == datetime(2026, 3, 29, 7, 30, tzinfo=UTC)
    assert logged() == [("default:nightly", "Paused until 2026-03-29 09:30:00 CEST.")]


def test_a_site_without_zones_pauses_in_its_time_zone(operator: Client, settings: Any) -> None:
    settings.USE_TZ, settings.TIME_ZONE = False, "Europe/Berlin"
    with freeze(NOON), timezone.override("Europe/Berlin"):
        act(operator, "pause", add("nightly"), until="2026-03-29T09:30")
        found = get("nightly").pause
    assert found is not None
    assert found.until == datetime(2026, 3, 29, 7, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "values",
    [
        {"until": "2026-03-28T12:00"},
        {"until": "2026-03-29T02:30"},  # the zone skips it
        {"until": "2026-10-25T02:30"},  # the zone has it twice
        {"until": "soon"},
        {"until": SCRIPT},
        {"until": "99999-01-01T00:00"},
        {"reason": "x" * 501},
        {"reason": "nul\x00"},
    ],
)
def test_wrong_input_shows_the_page_again(operator: Client, settings: Any, values: dict[str, str]) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    with freeze(NOON):
        add("nightly")
        wrong = press(operator, read(choose(operator, "default:nightly", action="pause")), **values)
        assert wrong.status_code == 200
        harmless(wrong)
        page = read(wrong)
        [(name, value)] = values.items()
        assert page.value(name) == value
        assert "Please correct the error below." in page.text
        assert any(tag == "ul" and "errorlist" in one.get("class", "") for tag, one in page.elements)
        assert get("nightly").pause is None
        confirm(operator, page, until="", reason="")
        assert get("nightly").pause is not None
    assert logged() == [("default:nightly", "Paused.")]


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
@pytest.mark.parametrize("until, is_taken", [("0001-01-01T00:00", False), ("9999-12-31T23:59", True)])
def test_the_first_and_the_last_wall_time_there_are(
    operator: Client, settings: Any, zone: str, until: str, is_taken: bool
) -> None:
    settings.TIME_ZONE = zone
    response = press(operator, read(choose(operator, add("nightly"), action="pause")), until=until)
    # In New York the last minute of the calendar is past the last one that a record can hold.
    taken = is_taken and zone == "Asia/Tokyo"
    assert response.status_code == (302 if taken else 200)
    found = get("nightly").pause
    assert (found is not None and found.until is not None) is taken


@pytest.mark.parametrize("replay", [False, True])
def test_resume_drops_or_replays_what_passed(operator: Client, replay: bool) -> None:
    with freeze(NOON):
        add("hourly", every="1h", first_in="1m")
        pause("hourly")
    with freeze(NOON.replace(hour=15)):
        page = act(operator, "resume", "default:hourly", reason="done", **({"replay": "on"} if replay else {}))
        entry = get("hourly")
    assert entry.pause is None
    assert (entry.next <= NOON.replace(hour=15)) is replay
    assert page.banners == [("success", "“hourly” was resumed.")]
    said = "Resumed; the times that passed count as missed." if replay else "Resumed."
    assert logged() == [("default:hourly", f"{said} Reason: done")]


def test_what_is_not_paused_is_said_so_and_not_logged(operator: Client) -> None:
    page = read(choose(operator, add("nightly"), action="resume"))
    assert "It is not paused." in page.text
    assert confirm(operator, page).banners == [("error", "“nightly”: It is not paused.")]
    pause_all()
    page = read(choose(operator, "default:nightly", action="resume"))
    assert "The whole queue is paused" in page.text
    [(level, text)] = confirm(operator, page).banners
    assert level == "error"
    assert "resume the queue" in text
    assert logged() == []


def test_run_now_fires_by_hand(operator: Client) -> None:
    with recording() as recorded:
        page = act(operator, "trigger", add("nightly"), reason=REASON)
    [occurrence] = recorded
    assert (occurrence.schedule.name, occurrence.trigger) == ("nightly", "manual")
    [line] = service.runs("nightly")
    assert (line["by"], line["note"]) == (WHO, REASON)
    [(level, text)] = page.banners
    assert level == "success"
    assert text.startswith("“nightly” was handed to its engine.")
    [(_key, note)] = logged()
    assert note.startswith("Run by hand.")
    assert note.endswith(f"Reason: {REASON}")
    assert f"Task id: {line['result']}." in note
    assert f"Task id: {line['result']}." in text


def test_an_engine_that_refuses_is_quoted(operator: Client) -> None:
    add("nightly", task="no.such.module.task")
    [(level, text)] = act(operator, "trigger", "default:nightly").banners
    assert level == "error"
    assert text.startswith("“nightly”: ")
    assert "no.such.module" in text
    assert logged() == []


def test_skip_drops_as_many_as_asked_for(operator: Client) -> None:
    with freeze(NOON):
        add("nightly", cron="0 3 * * *", timezone="UTC")
        page = act(operator, "skip", "default:nightly", count="2", reason="holiday")
        assert [one.day for one in get("nightly").skips] == [29, 30]
        said = "Skipped: 2 runs, from 2026-03-29 03:00:00 UTC to 2026-03-30 03:00:00 UTC."
        assert page.banners == [("success", f"“nightly” skips its next runs. {said}")]
        act(operator, "skip", "default:nightly")
    assert service.runs("nightly")[1]["by"] == WHO
    one = "Skipped: 2026-03-31 03:00:00 UTC."
    assert logged() == [("default:nightly", f"{said} Reason: holiday"), ("default:nightly", one)]


@pytest.mark.parametrize("count", ["0", "-1", "101", "", "1.5", "many", IMAGE])
def test_a_number_that_is_none_shows_the_page_again(operator: Client, count: str) -> None:
    wrong = press(operator, read(choose(operator, add("nightly"), action="skip")), count=count)
    assert wrong.status_code == 200
    harmless(wrong)
    assert get("nightly").skips == ()


@pytest.mark.parametrize("action", ["pause", "resume", "trigger", "skip"])
def test_another_program_s_is_refused(operator: Client, registry: redis.Redis, action: str) -> None:
    keys = Keys("emq", "default")
    registry.zadd(keys.schedules, {VECTOR: 1})
    registry.hset(keys.record(VECTOR), mapping={"every_ms": "5000", "template": "{}"})
    add("ours")
    question = choose(operator, f"default:{VECTOR}", action=action)
    harmless(question)
    assert "Registered by another program: only cancel works on it." in read(question).text
    banners = confirm(operator, read(question)).banners
    assert [level for level, _ in banners] == ["error"]
    assert banners[0][1].startswith(f"“{VECTOR}”: ")
    harmless(operator.get(LIST))
    assert logged() == []
