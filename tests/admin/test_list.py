from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
import redis
from django.test import Client
from django.utils import timezone

from django_repeat import clock
from django_repeat.instants import to_ms
from django_repeat.keys import Keys
from tests.admin.conftest import LIST, add
from tests.admin.pages import inline, read, result_rows

# BD63: ten o'clock in Shanghai.
NOON = datetime(2024, 6, 18, 2, tzinfo=UTC)


def listed(client: Client, query: str = "") -> list[str]:
    return list(result_rows(read(client.get(LIST + query))))


def test_columns(operator: Client) -> None:
    with clock.freeze(to_ms(NOON)):
        add("nightly", cron="0 3 * * *", timezone="UTC")
        page = read(operator.get(LIST))
    assert result_rows(page) == {"nightly": ["scheduled", "0 3 * * * UTC", "2024-06-18 03:00:00 UTC", "-"]}
    assert "Queue" not in [cell for row in page.rows for cell in row]


def test_times_are_in_the_current_zone_which_is_shown(operator: Client) -> None:
    with clock.freeze(to_ms(NOON) - 1), timezone.override("Asia/Shanghai"):
        add("nightly", cron="0 2 * * *", timezone="UTC")
        response = operator.get(LIST)
    assert result_rows(read(response))["nightly"][2] == "2024-06-18 10:00:00 CST"
    assert '<time datetime="2024-06-18T02:00:00Z" title="Asia/Shanghai">' in response.content.decode()


@pytest.mark.parametrize("use_tz", [True, False])
def test_the_site_zone_is_used_with_and_without_use_tz(operator: Client, settings: Any, use_tz: bool) -> None:
    settings.TIME_ZONE, settings.USE_TZ = "Asia/Shanghai", use_tz
    with clock.freeze(to_ms(NOON) - 1):
        add("nightly", cron="0 2 * * *", timezone="UTC")
        assert result_rows(read(operator.get(LIST)))["nightly"][2] == "2024-06-18 10:00:00 CST"


@pytest.mark.parametrize(
    "late, fired",
    [(250, "02:00:00.250 UTC"), (86_400_000, "2024-06-19 02:00:00 UTC")],
    ids=["on the same day", "on another day"],
)
def test_last_run_is_the_nominal_instant_and_the_real_one(
    operator: Client, registry: redis.Redis, late: int, fired: str
) -> None:
    add("nightly")
    fields = {"last_nominal": to_ms(NOON), "last_fired": to_ms(NOON) + late}
    registry.hset(Keys("emq", "default").record("nightly"), mapping=fields)
    assert result_rows(read(operator.get(LIST)))["nightly"][3] == f"2024-06-18 02:00:00 UTCfired at {fired}"


def test_a_score_in_the_past_is_due_and_not_the_next_run(operator: Client) -> None:
    with clock.freeze(to_ms(NOON)):
        add("nightly", every="1h", first_in=0)
    with clock.freeze(to_ms(NOON) + 60_000):
        cells = result_rows(read(operator.get(LIST)))["nightly"]
    assert cells[2] == "due since 2024-06-18 02:00:00 UTC"
    assert cells[0] == "due"


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize(
    "state, fields",
    [
        ("failingno such table", {"failures": 3, "error": "no such table"}),
        ("brokenno such module", {"failures": 3, "broken": "no such module"}),
        ("dispatching", {"lease": to_ms(NOON) + 9_000_000}),
    ],
)
def test_whatever_the_state_it_is_due_only_if_its_time_has_come(
    operator: Client, registry: redis.Redis, state: str, fields: dict[str, Any], late: bool
) -> None:
    with clock.freeze(to_ms(NOON)):
        add("nightly")
        registry.hset(Keys("emq", "default").record("nightly"), mapping=fields)
    with clock.freeze(to_ms(NOON) + (7_200_000 if late else 0)):
        cells = result_rows(read(operator.get(LIST)))["nightly"]
    assert cells[2] == ("due since " if late else "") + "2024-06-18 03:00:00 UTC"
    assert cells[0] == state


def test_sorted_by_next_run_unless_asked_otherwise(operator: Client) -> None:
    add("b", first_in="3h", every="9h")
    add("C", first_in="1h", every="9h")
    add("a", first_in="2h", every="9h")
    assert listed(operator) == ["C", "a", "b"]
    assert listed(operator, "?o=-4") == ["b", "a", "C"]
    assert listed(operator, "?o=1") == ["a", "b", "C"]
    assert listed(operator, "?o=-1") == ["C", "b", "a"]
    headers = [attributes for tag, attributes in read(operator.get(LIST)).elements if tag == "th"]
    assert sum("sortable" in one.get("class", "") for one in headers) == 2


def test_search_by_part_of_a_name(operator: Client) -> None:
    for name in ("Report daily", "report.weekly", "clean", "café"):
        add(name)
    assert set(listed(operator, "?q=REPORT")) == {"Report daily", "report.weekly"}
    assert listed(operator, "?q=t+dai") == ["Report daily"]
    assert listed(operator, "?q=cafe%CC%81") == ["café"]
    assert listed(operator, "?q=nothing") == []


def test_show_all_is_a_way_back_from_a_search_alone(operator: Client) -> None:
    for name in ("a", "b"):
        add(name)
    assert "Show all" not in read(operator.get(LIST)).links
    page = read(operator.get(f"{LIST}?q=a"))
    assert "1 result (Show all)" in page.text
    assert page.links["Show all"] == "?"
    # In a queue that was chosen, it would lead into another one.
    assert "Show all" not in read(operator.get(f"{LIST}?q=a&queue=default")).links


def test_queues_one_at_a_time(operator: Client, settings: Any) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "QUEUES": ["mail", "reports"]}
    add("newsletter", queue="mail")
    add("daily", queue="reports")
    page = read(operator.get(LIST))
    assert result_rows(page)["newsletter"][0] == "mail"
    assert "daily" not in result_rows(page)
    assert page.links["reports"] == "?queue=reports"
    assert "All" not in page.links
    assert listed(operator, "?queue=reports") == ["daily"]
    assert listed(operator, "?queue=reports&q=news") == []


def test_a_queue_that_this_code_does_not_know_can_be_named(operator: Client) -> None:
    add("here")
    add("left-behind", queue="old")
    assert listed(operator) == ["here"]
    assert listed(operator, "?queue=old") == ["left-behind"]


@pytest.mark.parametrize("query", ["?queue=b{d", "?queue=", "?nonsense=1", "?name=x", "?next__lt=2030-01-01"])
def test_what_cannot_be_looked_up_leads_back_to_the_list(operator: Client, query: str) -> None:
    add("nightly")
    response = operator.get(LIST + query, follow=True)
    assert response.redirect_chain == [(f"{LIST}?e=1", 302)]
    assert list(result_rows(read(response))) == ["nightly"]


def test_one_bad_entry_does_not_hide_the_others(operator: Client, registry: redis.Redis) -> None:
    keys = Keys("emq", "default")
    for name in ("good", "no-recurrence", "bad-json", "a-string"):
        add(name)
    registry.hdel(keys.record("no-recurrence"), "every_ms")
    registry.hset(keys.record("bad-json"), "template", "{")
    registry.delete(keys.record("a-string"))
    registry.set(keys.record("a-string"), "x")
    registry.zadd(keys.schedules, {"no-record": 0, "echo": to_ms(NOON)})
    registry.hset(keys.record("echo"), mapping={"every_ms": "5000", "template": "{}"})
    rows = result_rows(read(operator.get(LIST)))
    assert rows["good"][0] == "scheduled"
    assert rows["no-recurrence"][0].startswith("broken")
    assert "neither every_ms nor cron" in rows["no-recurrence"][0]
    assert "no JSON" in rows["bad-json"][0]
    assert "a string, not a hash" in rows["a-string"][0]
    assert "missing" in rows["no-record"][0]
    assert rows["echo"][1] == "every 5s"
    assert rows["echo"][2] == "due since 2024-06-18 02:00:00 UTC"
    assert "another program" in rows["echo"][0]


def test_an_empty_registry_offers_no_action(operator: Client) -> None:
    page = read(operator.get(LIST))
    assert "0 schedules" in page.text
    assert not [one for one in page.inputs if one.get("name") == "index"]


def test_nothing_is_inline(operator: Client) -> None:
    add("nightly")
    for url in (LIST, f"{LIST}default_3Anightly/change/"):
        assert inline(operator.get(url)) == []
    assert inline(operator.post(LIST, {"action": "cancel", "_selected_action": "default:nightly"})) == []
