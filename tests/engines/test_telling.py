"""What the engine of a schedule tells of its runs, whichever engine that is."""

from __future__ import annotations

import logging
import sys

import pytest

from django_repeat.engines import run_of, runs_of, tells
from django_repeat.exceptions import DispatchFailed
from django_repeat.run import Run, RunState
from tests.engines import work
from tests.engines.making import backend, occurrence, schedule

RUNNING = Run(state=RunState.RUNNING)


@pytest.fixture
def site(settings):
    """Answer a function that names an engine of ``work`` in the settings; the runs that it keeps are answered."""

    def choose(name):
        settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "ENGINE": f"tests.engines.work.{name}"}

    work.Telling.runs.clear()
    choose("Telling")
    return choose


def test_the_engine_of_the_task_tells(database):
    identity = work.add.enqueue(1).id
    assert tells(schedule())
    assert run_of(schedule(), identity) == Run(state=RunState.WAITING)
    assert runs_of(schedule(), [identity]) == {identity: Run(state=RunState.WAITING)}


def test_an_engine_of_the_site_tells_by_its_verbs_alone(site):
    work.Telling.runs.update(a=RUNNING, b=None)
    assert tells(schedule(task="not.in.this.process"))
    assert run_of(schedule(), "a") == RUNNING
    assert run_of(schedule(), "b") is None
    assert runs_of(schedule(task="not.in.this.process"), ["a", "b"]) == {"a": RUNNING}


def test_one_that_can_is_asked_for_several_at_once(site):
    site("Several")
    work.Telling.runs.update(a=RUNNING, b="running", c=None)
    assert runs_of(schedule(), ["a", "b", "c", "d"]) == {"a": RUNNING}


def test_one_that_has_only_the_one_verb_tells_nothing(site):
    site("Recording")
    assert not tells(schedule())
    assert run_of(schedule(), "a") is None
    assert runs_of(schedule(), ["a"]) == {}


def test_what_has_no_id_is_not_asked_for(site):
    work.Telling.runs[""] = RUNNING
    assert run_of(schedule(), "") is None


@pytest.mark.parametrize("name", ["Forgetful", "Gone"])
def test_one_that_cannot_say_whether_it_tells_does_not(site, name):
    site(name)
    work.Telling.runs["a"] = RUNNING
    assert not tells(schedule())
    assert runs_of(schedule(), ["a"]) == {}


@pytest.mark.parametrize("path", ["tests.nowhere.add", "tests.engines.work.nosuch", "tests.engines.work.plain"])
def test_a_task_that_is_none_tells_nothing(path):
    assert not tells(schedule(task=path))
    with pytest.raises(DispatchFailed):
        run_of(schedule(task=path), "a")


@pytest.mark.parametrize("error", [LookupError("no broker"), SystemExit(3)], ids=repr)
def test_an_error_of_the_engine_is_a_failure_to_dispatch(site, error):
    work.Telling.runs["a"] = error
    with pytest.raises(DispatchFailed, match=type(error).__name__) as caught:
        run_of(schedule(), "a")
    assert caught.value.__cause__ is error


def test_what_is_no_run_is_a_failure_to_dispatch(site):
    work.Telling.runs["a"] = True
    with pytest.raises(DispatchFailed, match="answered a 'bool'; let it answer a Run or None"):
        run_of(schedule(), "a")


def test_wrong_settings_are_a_failure_to_dispatch(site):
    site("Gone")
    with pytest.raises(DispatchFailed, match="ENGINE"):
        run_of(schedule(), "a")


def test_a_page_is_told_nothing_of_what_cannot_be_had_and_the_log_says_so(site, caplog):
    work.Telling.runs.update(a=RUNNING, b=LookupError("no broker"))
    caplog.set_level(logging.WARNING, "django_repeat")
    assert runs_of(schedule(), ["a", "b"]) == {}
    assert [record.getMessage() for record in caplog.records] == [
        "runs unknown: queue=default name='s' error='LookupError: no broker'"
    ]


def test_a_page_imports_no_task(settings):
    settings.TASKS = backend("database")
    assert runs_of(schedule(task="tests.admin.unknown_tasks.unknown"), ["a"]) == {}
    assert "tests.admin.unknown_tasks" not in sys.modules


def test_an_occurrence_that_is_handed_over_is_found_by_its_answer(settings, database):
    from django_repeat.dispatch import Dispatcher

    identity = Dispatcher(lasting=False).fire(occurrence())
    assert not run_of(schedule(), identity).ended
    database.all().delete()
    assert run_of(schedule(), identity) is None
