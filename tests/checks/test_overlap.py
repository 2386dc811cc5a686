"""What ``manage.py check`` says of schedules that let no run begin before the one before it has ended."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.checks import Error, Warning

from tests.checks.conftest import Said, ids

OVERLAP: dict[str, Any] = {"task": "tests.engines.work.add", "args": [1], "cron": "0 6 * * *", "max_runtime": "2h"}
SILENT = {"default": {"BACKEND": "tests.engines.keeping.Silent", "QUEUES": []}}


def built_in(name: str) -> dict[str, Any]:
    return {"default": {"BACKEND": f"{settings.TASKS_LIBRARY}.backends.{name}", "QUEUES": []}}


@pytest.mark.parametrize("overlap", ["skip", "queue_one"])
@pytest.mark.parametrize("work", [{}, {"task": None, "args": [], "command": "check"}], ids=["task", "command"])
def test_an_engine_that_cannot_tell_is_an_error_that_names_the_schedule(
    said: Said, overlap: str, work: dict[str, Any]
) -> None:
    [message] = said(TASKS=SILENT, SCHEDULES={"n": {**OVERLAP, **work, "overlap": overlap}})
    assert message.id == "django_repeat.E007"
    assert isinstance(message, Error)
    assert message.msg.startswith(f"Schedule 'n' has overlap='{overlap}', and its engine cannot tell ")
    assert message.obj == "DJANGO_REPEAT['SCHEDULES']['n']"
    assert "django-tasks-db" in str(message.hint)


@pytest.mark.parametrize("engine, expected", [("Recording", ["E007"]), ("Telling", []), ("Forgetful", ["E007"])])
def test_an_engine_of_the_site_is_asked(said: Said, engine: str, expected: list[str]) -> None:
    fields = {**OVERLAP, "overlap": "skip"}
    assert ids(said(ENGINE=f"tests.engines.work.{engine}", SCHEDULES={"n": fields})) == expected


@pytest.mark.parametrize("tasks, expected", [
    (None, []),
    (built_in("immediate.ImmediateBackend"), ["W001"]),
    (built_in("dummy.DummyBackend"), ["W002"]),
])  # fmt: skip
def test_the_backends_of_the_libraries_can_tell(said: Said, tasks: Any, expected: list[str]) -> None:
    given = {} if tasks is None else {"TASKS": tasks}
    assert ids(said(SCHEDULES={"n": {**OVERLAP, "overlap": "skip"}}, **given)) == expected


def test_what_the_engine_would_refuse_is_said_once(said: Said) -> None:
    fields = {**OVERLAP, "task": "tests.nowhere.add", "overlap": "skip"}
    assert ids(said(SCHEDULES={"n": fields})) == ["E003"]


@pytest.mark.parametrize("overlap", ["skip", "queue_one"])
def test_without_a_longest_run_it_is_a_warning(said: Said, overlap: str) -> None:
    [message] = said(SCHEDULES={"n": {**OVERLAP, "max_runtime": None, "overlap": overlap}})
    assert message.id == "django_repeat.W008"
    assert isinstance(message, Warning)
    assert message.msg.startswith(f"Schedule 'n' has overlap='{overlap}' without max_runtime: ")
    assert "max_runtime" in str(message.hint)


def test_runs_that_may_overlap_need_neither(said: Said) -> None:
    fields = {key: value for key, value in OVERLAP.items() if key != "max_runtime"}
    assert ids(said(TASKS=SILENT, SCHEDULES={"a": fields, "b": {**fields, "overlap": "allow"}})) == []
