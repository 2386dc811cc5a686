"""The run log shows what became of the tasks, as far as that can be told, and breaks over nothing."""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from django_repeat import service
from django_repeat.keys import Keys
from tests.admin.conftest import LIST, add
from tests.admin.pages import Page, read
from tests.engines import work
from tests.engines.making import IDEMPOTENT, backend

TASK = f"{work.__name__}.add"
START = datetime(2024, 6, 18, 12, tzinfo=UTC)


@pytest.fixture
def rows(settings: Any, registry: redis.Redis) -> Any:
    settings.TASKS = backend("database", OPTIONS=IDEMPOTENT)
    from django_tasks_db.models import DBTaskResult

    return DBTaskResult.objects


@pytest.fixture
def log(registry: redis.Redis) -> Any:
    """Answer a function that adds lines to the run log of ``nightly``, which it registers; newest first."""

    def write(*results: Any, **fields: Any) -> None:
        add("nightly", **{"task": TASK, "args": [1], **fields})
        lines = [json.dumps({"outcome": "fired", "result": one}) for one in results]
        registry.rpush(Keys("emq", "default").runs("nightly"), *lines)

    return write


def page(client: Client) -> Page:
    response = client.get(f"{LIST}default_3Anightly/change/")
    assert response.status_code == 200
    return read(response)


def tasks(found: Page) -> list[str]:
    head, *body = found.rows
    return [row[head.index("Task")] for row in body]


def test_each_line_shows_its_task(viewer: Client, rows: Any, log: Any) -> None:
    ids = [work.add.enqueue(1).id for _ in range(5)]
    end = START + timedelta(minutes=1, seconds=30)
    rows.filter(pk=ids[1]).update(status="RUNNING", started_at=START)
    rows.filter(pk=ids[2]).update(status="SUCCESSFUL", started_at=START, finished_at=end)
    rows.filter(pk=ids[3]).update(status="FAILED", started_at=START, finished_at=START)
    rows.filter(pk=ids[4]).delete()
    log(*ids)
    found = page(viewer)
    assert tasks(found) == ["waiting", "running", "succeeded 1m 30s", "failed 0s", ""]
    classes = [one["class"] for tag, one in found.elements if tag == "span" and "-state " in one.get("class", "")]
    assert [one.rpartition("-")[2] for one in classes[1:]] == ["waiting", "running", "succeeded", "failed"]


def test_a_long_run_log_costs_one_query(viewer: Client, rows: Any, log: Any) -> None:
    log(*[work.add.enqueue(1).id for _ in range(20)])
    with CaptureQueriesContext(connection) as queries:
        assert tasks(page(viewer)) == ["waiting"] * 20
    table = rows.model._meta.db_table
    assert len([one for one in queries if table in one["sql"]]) == 1


def test_without_the_table_the_page_stands(viewer: Client, rows: Any, log: Any) -> None:
    log(work.add.enqueue(1).id)
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {rows.model._meta.db_table} RENAME TO gone")
    assert tasks(page(viewer)) == [""]


def test_what_a_stranger_wrote_is_no_id(viewer: Client, rows: Any, log: Any) -> None:
    log("", 17, True, ["r"], {"r": 1}, "r-17", "\x00", "😀", "1" * 5_000)
    assert tasks(page(viewer)) == [""] * 9


def test_a_page_does_not_import_a_task(viewer: Client, rows: Any, log: Any) -> None:
    log(work.add.enqueue(1).id, task="tests.admin.unknown_tasks.unknown")
    assert tasks(page(viewer)) == [""]
    assert "tests.admin.unknown_tasks" not in sys.modules


def test_a_record_without_a_definition_has_no_engine(viewer: Client, rows: Any, log: Any, registry: Any) -> None:
    log(work.add.enqueue(1).id)
    registry.hset(Keys("emq", "default").record("nightly"), "template", "{")
    assert tasks(page(viewer)) == [""]


@pytest.mark.parametrize("engine", ["Recording", "Forgetful"])
def test_an_engine_that_tells_nothing_leaves_the_cells_empty(
    viewer: Client, settings: Any, log: Any, engine: str
) -> None:
    log("r-1", "r-2")
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "ENGINE": f"{work.__name__}.{engine}"}
    assert tasks(page(viewer)) == ["", ""]


def test_the_service_asks_for_each_id_once(rows: Any, log: Any) -> None:
    identity = work.add.enqueue(1).id
    log(identity)
    entry = service.get("nightly")
    assert list(service.task_runs(entry, [{"result": identity}, {"outcome": "missed"}, {"result": identity}])) == [
        identity
    ]
    assert service.task_runs(entry, []) == {}
