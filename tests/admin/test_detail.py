from __future__ import annotations

import json
import re
from datetime import UTC, datetime

import pytest
import redis
from django.test import Client

from django_repeat import clock, pause
from django_repeat.instants import to_ms
from django_repeat.keys import Keys
from tests.admin.conftest import LIST, add
from tests.admin.pages import Page, read

NOON = to_ms(datetime(2024, 6, 18, 12, tzinfo=UTC))
URL = f"{LIST}default_3Anightly/change/"


def page_at(client: Client, now: int) -> Page:
    with clock.freeze(now):
        return read(client.get(URL))


def times(page: Page) -> list[str]:
    return [attributes["datetime"] for tag, attributes in page.elements if tag == "time"]


def test_definition_and_state(viewer: Client, registry: redis.Redis) -> None:
    with clock.freeze(NOON):
        add("nightly", cron="0 3 * * *", timezone="Europe/Berlin", args=[1, "x"], kwargs={"deep": False})
    state = {"fired_count": 12, "missed_count": 3, "last_outcome": "fired", "last_result": "r-17"}
    registry.hset(Keys("emq", "default").record("nightly"), mapping=state)
    text = page_at(viewer, NOON).text
    for part in (
        "View schedule",
        "0 3 * * * Europe/Berlin",
        "reports.tasks.daily",
        '[1, "x"]',
        '{"deep": false}',
        "registered at run time",
        "Fired: 12",
        "Missed: 3",
        "Last outcome: fired",
        "r-17",
    ):
        assert part in text, part
    assert "Save" not in text


def test_policies(viewer: Client, registry: redis.Redis) -> None:
    with clock.freeze(NOON):
        add("nightly", every="10m", first_in="10m", catch_up="all", limit=7, end_at="2024-06-18T12:30:00Z", max_runs=5)
    registry.hset(Keys("emq", "default").record("nightly"), "skipped_count", 4)
    page = page_at(viewer, NOON)
    assert 'Policies: {"catch_up": "all", "end_at": "2024-06-18T12:30:00Z", "limit": 7, "max_runs": 5}' in page.text
    assert "Skipped: 4" in page.text
    assert times(page)[1:] == [f"2024-06-18T12:{minute}:00Z" for minute in (10, 20, 30)]
    registry.hset(Keys("emq", "default").record("nightly"), "fired_count", 3)
    assert times(page_at(viewer, NOON))[1:] == [f"2024-06-18T12:{minute}:00Z" for minute in (10, 20)]
    assert times(page_at(viewer, NOON + 10 * 60_000))[1:] == ["2024-06-18T12:20:00Z"]


def test_what_a_spread_puts_off_is_not_overdue(viewer: Client) -> None:
    with clock.freeze(NOON):
        add("nightly", cron="0 * * * *", timezone="UTC", spread="30m")
    page = page_at(viewer, NOON + 60 * 60_000)
    assert "due since" not in page.text
    assert times(page)[1] == "2024-06-18T13:00:00Z"
    page = page_at(viewer, NOON + 90 * 60_000)
    assert "due since" in page.text
    assert times(page)[1] == "2024-06-18T14:00:00Z"


def test_secrets_are_masked(viewer: Client) -> None:
    add("nightly", kwargs={"account": "a", "password": "hunter2", "nested": [{"api_token": "hunter3"}]})
    text = page_at(viewer, NOON).text
    assert "hunter" not in text
    assert '"account": "a"' in text


def test_next_runs_follow_the_recurrence(viewer: Client) -> None:
    with clock.freeze(NOON):
        add("nightly", cron="0 3 * * *", timezone="UTC")
    days = [f"2024-06-{day}T03:00:00Z" for day in range(19, 24)]
    assert times(page_at(viewer, NOON)) == [days[0], *days]


def test_next_runs_of_an_interval_keep_to_its_grid(viewer: Client) -> None:
    with clock.freeze(NOON):
        add("nightly", every="10m", first_in="7m")
    expected = [f"2024-06-18T12:{minute:02}:00Z" for minute in (7, 17, 27, 37, 47)]
    assert times(page_at(viewer, NOON)) == ["2024-06-18T12:07:00Z", *expected]


def test_an_overdue_nominal_time_is_no_next_run(viewer: Client) -> None:
    with clock.freeze(NOON):
        add("nightly", every="10m", first_in="7m")
    page = page_at(viewer, NOON + 20 * 60_000)
    assert "due since 2024-06-18 12:07:00 UTC" in page.text
    expected = [f"2024-06-18T{hour}:00Z" for hour in ("12:27", "12:37", "12:47", "12:57", "13:07")]
    assert times(page) == ["2024-06-18T12:07:00Z", *expected]


@pytest.mark.parametrize(
    "fields, note",
    [
        ({"failures": "3", "error": "no"}, ""),
        ({"failures": "3", "broken": "no such module"}, "It is broken: none of these fires before it is mended."),
        ({"lease": str(NOON + 9_000_000)}, ""),
    ],
    ids=["failing", "broken", "dispatching"],
)
def test_next_runs_are_known_in_every_state(
    viewer: Client, registry: redis.Redis, fields: dict[str, str], note: str
) -> None:
    with clock.freeze(NOON):
        add("nightly", every="5s", first_in="7m")
    registry.hset(Keys("emq", "default").record("nightly"), mapping=fields)
    page = page_at(viewer, NOON + 8 * 60_000)
    assert "Next run: due since 2024-06-18 12:07:00 UTC" in page.text
    expected = [f"2024-06-18T12:08:{second:02}Z" for second in (5, 10, 15, 20, 25)]
    assert times(page) == ["2024-06-18T12:07:00Z", *expected]
    assert note in page.text
    assert ("none of these" in page.text) is bool(note)


def test_next_runs_of_a_disabled_one_are_said_not_to_fire(viewer: Client, registry: redis.Redis) -> None:
    with clock.freeze(NOON):
        add("nightly", cron="0 3 * * *", timezone="UTC")
    registry.hset(Keys("emq", "default").record("nightly"), "enabled", "0")
    page = page_at(viewer, NOON)
    assert times(page) == [f"2024-06-{day}T03:00:00Z" for day in range(19, 24)]
    assert "It is disabled: none of these fires." in page.text


def test_an_interval_that_never_ran_and_waits_for_nothing_has_no_known_runs(
    viewer: Client, registry: redis.Redis
) -> None:
    with clock.freeze(NOON):
        add("nightly", every="5s")
    registry.hset(Keys("emq", "default").record("nightly"), "enabled", "0")
    assert "Unknown: an interval without phase starts with its first run." in page_at(viewer, NOON).text


def test_the_last_nominal_time_is_followed_by_none(viewer: Client, registry: redis.Redis) -> None:
    with clock.freeze(NOON):
        add("nightly", cron="0 3 * * *", timezone="UTC")
    registry.hset(Keys("emq", "default").record("nightly"), "nominal", NOON)
    page = page_at(viewer, to_ms(datetime(9999, 12, 31, 23, tzinfo=UTC)))
    assert "The recurrence says no further time." in page.text


def test_a_command_is_shown_as_it_is_run_by_hand(viewer: Client) -> None:
    add("nightly", task=None, command="clearsessions")
    assert "Runs: manage.py clearsessions" in page_at(viewer, NOON).text


def test_run_log(viewer: Client, registry: redis.Redis) -> None:
    add("nightly")
    runs = [
        {"nominal": NOON, "at": NOON + 250, "outcome": "fired", "late": 250, "result": "r-17"},
        {"nominal": NOON, "at": NOON, "outcome": "missed", "reason": "catch_up", "count": 7},
        {"nominal": NOON, "at": NOON, "outcome": "failed", "reason": "engine_error", "error": "the broker is away"},
        {"nominal": "soon", "at": 10**30, "outcome": ["odd"]},
    ]
    registry.rpush(Keys("emq", "default").runs("nightly"), *map(json.dumps, runs), "{", "[]")
    page = page_at(viewer, NOON)
    rows = page.rows[1:]
    assert rows[0] == ["2024-06-18 12:00:00 UTC", "2024-06-18 12:00:00.250 UTC", "fired", "", "250 ms", "1", "r-17"]
    assert rows[1][2:] == ["missed", "", "", "7", "catch_up"]
    assert rows[2][2:] == ["failed", "", "", "1", "engine_error the broker is away"]
    assert rows[3][:3] == ["soon", str(10**30), "['odd']"]
    assert [row[2] for row in rows[4:]] == ["unreadable", "unreadable"]
    # It may be wider than the page, and then scrolls in itself, by keyboard too.
    regions = [attributes for _, attributes in page.elements if attributes.get("role") == "region"]
    assert regions == [
        {"class": "django-repeat-wide", "role": "region", "aria-labelledby": "run-log", "tabindex": "0"},
    ]


def test_a_broken_record_shows_why_and_what_is_stored(viewer: Client, registry: redis.Redis) -> None:
    add("nightly")
    registry.hset(Keys("emq", "default").record("nightly"), mapping={"template": '{"task":', "odd": "field"})
    page = page_at(viewer, NOON)
    assert "no JSON" in page.text
    assert "odd: field" in page.text
    assert "Unknown: there is no definition that can be read." in page.text


def test_a_foreign_record_is_shown_as_it_is(viewer: Client, registry: redis.Redis) -> None:
    keys = Keys("emq", "default")
    registry.hset(keys.record("nightly"), mapping={"every_ms": "5000", "template": '{"secret":"hunter2","n":1}'})
    registry.zadd(keys.schedules, {"nightly": NOON})
    page = page_at(viewer, NOON - 1)
    assert "registered by another program" in page.text
    assert '"n": 1' in page.text
    assert "hunter2" not in page.text


def test_at_the_end_of_time(viewer: Client, registry: redis.Redis) -> None:
    add("nightly", cron="0 3 * * *", timezone="UTC")
    registry.hset(Keys("emq", "default").record("nightly"), "nominal", "253402300799999")
    assert viewer.get(URL).status_code == 200


@pytest.mark.parametrize("key", ["default_3Anosuch", "nosuch", "_3A", "b_7Bd_3Anightly", "default!6E", "default!zz"])
def test_an_unknown_key_leads_to_the_index_with_a_message(viewer: Client, key: str) -> None:
    add("nightly")
    response = viewer.get(f"{LIST}{key}/change/", follow=True)
    assert response.redirect_chain == [("/admin/", 302)]
    assert "doesn’t exist" in read(response).text


@pytest.mark.parametrize("state", [
    {}, {"error": "redis://u:s3cret@h", "failures": 1}, {"broken": "token=s3cret"}, {"template": "s3cret"},
    {"template": '{"password": "s3cret"'},
])  # fmt: skip
def test_no_page_shows_a_secret(viewer: Client, registry: redis.Redis, state: dict[str, str | int]) -> None:
    add("nightly", args=["--password", "-s3cret", "amqp://u:s3cret@h"], kwargs={"cookie": "s3cret", "a": "pwd=s3cret"})
    keys = Keys("emq", "default")
    if state:
        registry.hset(keys.record("nightly"), mapping=state)
    run = {"nominal": NOON, "outcome": "failed", "reason": "--auth s3cret", "error": "redis://u:s3cret@h"}
    registry.rpush(keys.runs("nightly"), json.dumps(run), "password=s3cret?")
    shown = read(viewer.get(URL)).text + read(viewer.get(LIST)).text
    assert "********" in shown
    assert "s3cret" not in shown


def test_a_sentence_on_top_says_what_it_is_doing_and_why(viewer: Client) -> None:
    add("nightly")
    pause("nightly", by="anna", reason="<b>month end</b>")
    response = viewer.get(f"{LIST}default_3Anightly/change/")
    (sentence,) = re.findall(r'<p class="django-repeat-sentence">(.*?)</p>', response.content.decode())
    assert "paused" in sentence
    assert "anna" in sentence
    assert "&lt;b&gt;month end" in sentence
