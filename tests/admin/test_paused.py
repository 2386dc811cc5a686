"""A paused schedule in the admin: who paused it and why, and what its next run would be."""

from __future__ import annotations

from datetime import UTC, datetime

from django.test import Client

from django_repeat import pause, pause_all, resume, skip, trigger
from django_repeat.testing import recording
from tests.admin.conftest import LIST, add
from tests.admin.pages import read

PAGE = f"{LIST}default_3Anightly/change/"


def test_the_list_says_that_it_is_paused_by_whom_and_why(operator: Client) -> None:
    add("nightly")
    pause("nightly", by="<b>anna</b>", reason="month\x00 end", until=datetime(2999, 1, 1, tzinfo=UTC))
    response = operator.get(LIST)
    page = read(response)
    assert "by <b>anna</b>, until 2999-01-01 00:00:00 UTC, month" in " ".join(page.text.split())
    assert "<b>anna</b>" not in response.content.decode()
    assert "django-repeat-quiet" in response.content.decode()


def test_a_paused_queue_is_said_of_each_of_its_schedules(operator: Client) -> None:
    add("nightly")
    pause_all(by="anna")
    assert "the whole queue, by anna" in " ".join(read(operator.get(LIST)).text.split())


def test_the_run_log_says_what_an_operator_did(operator: Client) -> None:
    add("nightly")
    with recording():
        pause("nightly", by="anna", reason="month end")
        resume("nightly", by="ben")
        skip("nightly", by="cleo", reason="holiday")
        trigger("nightly", by="dora")
    text = " ".join(read(operator.get(PAGE)).text.split())
    for said in (
        "fired (by hand)",
        "by dora",
        "skipped by hand",
        "holiday",
        "resumed",
        "by ben",
        "paused",
        "month end",
    ):
        assert said in text
