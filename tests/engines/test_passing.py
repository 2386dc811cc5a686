"""pass_occurrence: the task is told which occurrence it is, as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from importlib import import_module

import pytest
from django.conf import settings as django_settings

from django_repeat.engines.tasks import TasksEngine
from django_repeat.instants import iso
from django_repeat.occurrence import Occurrence
from tests.engines import work
from tests.engines.making import IMMEDIATE, NOMINAL, backend, occurrence, schedule

engine = TasksEngine()


def told(**fields):
    return schedule(task="tests.engines.work.told", args=[], **fields)


def test_the_task_gets_it_as_a_keyword(settings):
    settings.TASKS = backend(IMMEDIATE)
    of = told(kwargs={}, pass_occurrence=True)
    work.calls.clear()
    engine.enqueue(Occurrence(schedule=of, nominal_ms=NOMINAL, fired_ms=NOMINAL + 250, missed_count=3))
    assert work.calls == [
        {
            "id": f"s@{NOMINAL}",
            "schedule": "s",
            "nominal": "2027-01-15T08:00:00Z",
            "fired": "2027-01-15T08:00:00.250Z",
            "previous": "2027-01-15T07:59:00Z",
            "next": "2027-01-15T08:01:00Z",
            "missed_count": 3,
            "trigger": "schedule",
        }
    ]


def test_the_backend_gets_it_beside_the_other_arguments():
    library = import_module(django_settings.TASKS_LIBRARY)
    one = occurrence(kwargs={"right": 2}, pass_occurrence=True, task="tests.engines.work.greedy", args=[])
    assert one.kwargs == {"right": 2, "occurrence": one.as_json()}
    assert one.schedule.kwargs == {"right": 2}
    engine.enqueue(occurrence(told(pass_occurrence=True)))
    assert library.default_task_backend.results[-1].kwargs == {"occurrence": occurrence().as_json()}


def test_without_the_policy_it_does_not():
    assert occurrence(kwargs={"right": 2}).kwargs == {"right": 2}


@pytest.mark.parametrize("fields, previous, following", [
    ({"start_at": iso(NOMINAL), "end_at": iso(NOMINAL + 59_999)}, None, None),
    ({"start_at": iso(NOMINAL - 60_000), "end_at": iso(NOMINAL + 60_000)}, NOMINAL - 60_000, NOMINAL + 60_000),
    ({"spread": "30s"}, NOMINAL - 60_000, NOMINAL + 60_000),
])  # fmt: skip
def test_its_neighbours_are_those_that_the_bounds_allow(fields, previous, following):
    one = occurrence(**fields)
    found = [one.previous, one.next]
    assert found == [None if ms is None else datetime.fromtimestamp(ms / 1000, UTC) for ms in (previous, following)]


def test_lateness_counts_from_when_it_fell_due():
    of = schedule(spread="30s")
    one = Occurrence(schedule=of, nominal_ms=NOMINAL, fired_ms=NOMINAL + of.offset_ms + 7)
    assert 0 < of.offset_ms < 30_000
    assert (one.due_ms, one.late_ms) == (NOMINAL + of.offset_ms, 7)
    assert occurrence().late_ms == 5
