from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import DELETION, LogEntry
from django.test import Client

from django_repeat import service
from tests.admin.acting import choose, confirm, press
from tests.admin.conftest import LIST, add, add_many, names
from tests.admin.pages import read

REMARK = "Declared in code: the next process start registers it again."


@pytest.mark.parametrize("keys", ["[" * 100_000, '["default:\\ud800"]', '"default:a"', "[1]", "no json"])
def test_a_forged_confirmation_changes_nothing(operator: Client, keys: str) -> None:
    add("nightly")
    data = {"action": "cancel", "_selected_action": ["default:nightly"], "keys": keys, "state": "x"}
    assert operator.post(LIST, data).status_code < 500
    assert names() == {"nightly"}


def test_the_page_names_each_and_the_post_cancels_those(operator: Client) -> None:
    keys = [add("nightly"), add("hourly")]
    add("kept")
    page = read(choose(operator, *keys))
    assert page.links["nightly"] == f"{LIST}default_3Anightly/change/"
    assert "hourly" in page.links
    assert "kept" not in page.text
    assert REMARK not in page.text
    assert names() == {"nightly", "hourly", "kept"}
    page = confirm(operator, page)
    assert names() == {"kept"}
    assert page.banners == [("success", "“nightly” was cancelled."), ("success", "“hourly” was cancelled.")]


def test_each_cancelled_schedule_is_logged(operator: Client) -> None:
    confirm(operator, read(choose(operator, add("nightly"), add("hourly"))))
    found = LogEntry.objects.order_by("object_id").values_list("object_id", "object_repr", "action_flag")
    assert list(found) == [("default:hourly", "hourly", DELETION), ("default:nightly", "nightly", DELETION)]
    assert {one.content_type.model for one in LogEntry.objects.all()} == {"registeredschedule"}
    assert {one.user.username for one in LogEntry.objects.all()} == {"user-view-cancel"}


@pytest.mark.usefixtures("registry")
def test_a_declared_one_is_said_to_come_back(operator: Client, settings: Any) -> None:
    fields = {"every": "1h", "first_in": "1h", "task": "reports.tasks.daily"}
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "SCHEDULES": {"declared": fields}}
    service.sync()
    page = read(choose(operator, "default:declared", add("dynamic")))
    assert page.text.count(REMARK) == 1
    confirm(operator, page)
    assert names() == set()
    service.sync()
    assert names() == {"declared"}


def test_one_declared_by_other_code_is_said_to_come_back(operator: Client, settings: Any) -> None:
    fields = {"every": "1h", "first_in": "1h", "task": "reports.tasks.daily"}
    plain = settings.DJANGO_REPEAT
    settings.DJANGO_REPEAT = {**plain, "SCHEDULES": {"theirs": fields}}
    service.sync()
    settings.DJANGO_REPEAT = plain
    assert REMARK in read(choose(operator, "default:theirs")).text


def test_one_that_is_gone_before_the_page_is_an_error(operator: Client) -> None:
    response = choose(operator, "default:nosuch")
    assert response.status_code == 302
    assert read(operator.get(LIST)).banners == [("error", "“nosuch” is not in the registry.")]
    assert not LogEntry.objects.exists()


def test_one_that_goes_before_the_confirmation_is_an_error(operator: Client) -> None:
    page = read(choose(operator, add("nightly"), add("hourly")))
    service.cancel("nightly")
    page = read(press(operator, page))
    assert page.banners == [("error", "“nightly” is not in the registry.")]
    assert "nightly" not in page.links
    assert names() == {"hourly"}
    assert confirm(operator, page).banners == [("success", "“hourly” was cancelled.")]
    assert list(LogEntry.objects.values_list("object_repr", flat=True)) == ["hourly"]


def test_confirming_twice_cancels_once(operator: Client) -> None:
    page = read(choose(operator, add("nightly")))
    confirm(operator, page)
    assert confirm(operator, page).banners == [("error", "“nightly” is not in the registry.")]
    assert LogEntry.objects.count() == 1


def test_across_all_pages_beyond_the_limit_of_form_fields(operator: Client) -> None:
    add_many(1_100)
    page = read(choose(operator, "default:n0000", everything=True))
    assert "n0000" in page.links
    assert "n0099" in page.links
    assert "n0100" not in page.links
    assert "1100 schedules:" in page.text
    assert "and 1000 more" in page.text
    later = add("registered-after-the-page")
    page = confirm(operator, page)
    assert {f"default:{name}" for name in names()} == {later}
    assert LogEntry.objects.count() == 1_100
    assert [level for level, _ in page.banners] == ["success"]
    assert "“n0000”" in page.banners[0][1]
    assert "“n1099”" in page.banners[0][1]


def test_across_all_pages_of_a_search(operator: Client) -> None:
    for name in ("report.daily", "report.weekly", "clean"):
        add(name)
    url = f"{LIST}?q=report"
    page = read(choose(operator, "default:report.daily", url=url, everything=True))
    assert "clean" not in page.text
    confirm(operator, page, url)
    assert names() == {"clean"}


def test_too_many_at_once_are_refused_with_a_hint(operator: Client) -> None:
    add_many(2_001)
    assert choose(operator, "default:n0001", everything=True).status_code == 302
    [(level, text)] = read(operator.get(LIST)).banners
    assert level == "error"
    assert "2000" in text
    assert service.count() == 2_001


def test_from_the_detail_page(operator: Client) -> None:
    add("nightly", queue="reports")
    page = read(operator.get(f"{LIST}reports_3Anightly/change/"))
    forms = [found for tag, found in page.elements if tag == "form" and "queue=reports" in found.get("action", "")]
    assert [form["method"] for form in forms] == ["post"]
    url = forms[0]["action"]
    # The page holds this form and the stock one; only this one has these fields.
    data = {name: page.value(name) for name in ("action", "_selected_action")}
    page = read(operator.post(url, data))
    assert "nightly" in page.links
    assert confirm(operator, page, url).banners == [("success", "“nightly” was cancelled.")]
    assert service.count(queue="reports") == 0


@pytest.mark.parametrize("keys", ["", "nothing", "{}", "[1]", '"default:nightly"'])
def test_keys_that_no_page_sent_are_refused(operator: Client, keys: str) -> None:
    key = add("nightly")
    data = {"action": "cancel", "_selected_action": key, "keys": keys}
    assert operator.post(LIST, data).status_code == 400
    assert names() == {"nightly"}


def test_a_key_that_is_none_is_reported(operator: Client) -> None:
    data = {"action": "cancel", "_selected_action": "x", "keys": '["no key", "b@d:name", "default!zz", ":x"]'}
    assert operator.post(LIST, data).status_code == 302
    assert [level for level, _ in read(operator.get(LIST)).banners] == ["error"] * 4
