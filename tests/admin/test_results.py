"""The id of a task result leads to the result, where the admin has a page for it."""

from __future__ import annotations

import json
import sys
import uuid
from typing import Any

import pytest
import redis
from django.contrib.admin import AdminSite
from django.test import Client
from django.urls import path

from django_repeat.admin import RegisteredScheduleAdmin
from django_repeat.keys import Keys
from django_repeat.models import RegisteredSchedule
from tests.admin.conftest import LIST, add
from tests.admin.pages import Page, read
from tests.engines import work

ID = str(uuid.UUID(int=17))
RESULT = f"/admin/django_tasks_database/dbtaskresult/{ID}/change/"
TASK = f"{work.__name__}.add"

# A site of another name, without the results.
site = AdminSite(name="other")
site.register(RegisteredSchedule, RegisteredScheduleAdmin)
urlpatterns = [path("admin/", site.urls)]


@pytest.fixture
def page(viewer: Client, registry: redis.Redis) -> Any:
    def read_with(result: str, **fields: Any) -> Page:
        add("nightly", **fields)
        keys = Keys("emq", "default")
        registry.hset(keys.record("nightly"), "last_result", result)
        registry.lpush(keys.runs("nightly"), json.dumps({"outcome": "fired", "result": result}))
        response = viewer.get(f"{LIST}default_3Anightly/change/")
        assert response.status_code == 200
        found = read(response)
        assert f"Task id: {result}" in found.text
        assert found.text.count(result) == 2
        return found

    return read_with


def links(page: Page) -> list[str]:
    return [one["href"] for tag, one in page.elements if tag == "a" and "dbtaskresult/0" in one.get("href", "")]


@pytest.mark.parametrize("fields", [{"task": TASK}, {"task": None, "command": "clearsessions"}])
def test_state_and_run_log_link_to_the_result(page: Any, fields: dict[str, Any]) -> None:
    assert links(page(ID, **fields)) == [RESULT, RESULT]


@pytest.mark.parametrize("result", ["r-17", f"{ID}/../x", "987654321"])
def test_what_is_no_key_of_a_row_is_text(page: Any, result: str) -> None:
    assert result not in page(result, task=TASK).links


@pytest.mark.parametrize("task", ["no.such.task", f"{work.__name__}.plain", f"{work.__name__}.nosuch"])
def test_what_no_engine_of_this_process_runs_is_text(page: Any, task: str) -> None:
    assert links(page(ID, task=task)) == []


@pytest.mark.parametrize("engine", [f"{work.__name__}.Recording", "no.such.Engine"])
def test_an_engine_of_the_site_has_results_of_its_own(page: Any, settings: Any, engine: str) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "ENGINE": engine}
    assert links(page(ID, task=TASK)) == []


def test_a_page_does_not_import_a_task(page: Any) -> None:
    assert links(page(ID, task="tests.admin.unknown_tasks.unknown")) == []
    assert "tests.admin.unknown_tasks" not in sys.modules


def test_a_site_without_the_results_shows_text(page: Any, settings: Any) -> None:
    settings.ROOT_URLCONF = __name__
    assert links(page(ID, task=TASK)) == []
