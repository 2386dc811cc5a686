from __future__ import annotations

import os
import uuid
from contextlib import contextmanager
from importlib import import_module

import pytest
from django.conf import settings as django_settings
from django.db import connection, transaction

from django_repeat.engines.base import resolve
from django_repeat.engines.tasks import TasksEngine
from django_repeat.exceptions import DispatchFailed
from django_repeat.occurrence import current_occurrence, result_id
from django_repeat.schedule import Schedule
from tests.engines import work
from tests.engines.making import DUMMY, IMMEDIATE, backend, occurrence, schedule

engine = TasksEngine()


def library():
    return import_module(django_settings.TASKS_LIBRARY)


@contextmanager
def failing_receiver():
    def refuse(**_):
        raise RuntimeError("a receiver of somebody else")

    signal = import_module(f"{django_settings.TASKS_LIBRARY}.signals").task_enqueued
    signal.connect(refuse)
    try:
        yield
    finally:
        signal.disconnect(refuse)


def test_answers_the_id_of_the_result():
    identity = engine.enqueue(occurrence(args=[1], kwargs={"right": 2}))
    [result] = [one for one in library().default_task_backend.results if one.id == identity]
    assert (result.args, result.kwargs, result.task.module_path) == ([1], {"right": 2}, "tests.engines.work.add")


def test_options_reach_the_task(settings):
    other = {"BACKEND": f"{settings.TASKS_LIBRARY}.backends.{DUMMY}", "QUEUES": ["mail"]}
    settings.TASKS = {**backend(DUMMY), "other": other}
    engine.enqueue(occurrence(options={"priority": 7, "queue_name": "mail", "backend": "other"}))
    [result] = library().task_backends["other"].results
    assert (result.task.priority, result.task.queue_name, result.backend) == (7, "mail", "other")


def test_a_task_cannot_change_the_arguments_of_its_schedule():
    of = schedule(task="tests.engines.work.greedy", args=[["one"]], kwargs={"more": []})
    assert engine.enqueue(occurrence(of)) == ""
    assert (of.args, of.kwargs) == ((["one"],), {"more": []})


def test_the_occurrence_is_current_during_the_call_only(settings):
    settings.TASKS = backend(IMMEDIATE)
    one = occurrence(task="tests.engines.work.who", args=[])
    engine.enqueue(one)
    assert work.calls == [one]
    assert current_occurrence.get() is None


def test_the_occurrence_is_no_longer_current_after_an_error():
    with failing_receiver(), pytest.raises(DispatchFailed):
        engine.enqueue(occurrence())
    assert current_occurrence.get() is None


@pytest.mark.parametrize(
    "task, text",
    [
        ("tests.engines.nowhere.add", "No module named 'tests.engines.nowhere'"),
        ("tests.engines.work.gone", "has no 'gone'"),
        ("tests.engines.work.plain", "no task of Django Tasks"),
    ],
)
def test_what_cannot_have_been_enqueued_is_certain(task, text):
    with pytest.raises(DispatchFailed) as caught:
        engine.enqueue(occurrence(task=task))
    assert caught.value.certain
    assert text in str(caught.value)
    assert task.rpartition(".")[0] in str(caught.value)


def test_a_queue_that_the_backend_refuses_is_certain(settings):
    settings.TASKS = backend(DUMMY, QUEUES=["default"])
    with pytest.raises(DispatchFailed, match="'mail' is not valid") as caught:
        engine.enqueue(occurrence(options={"queue_name": "mail"}))
    assert caught.value.certain


def test_an_error_after_the_task_was_stored_is_not_certain():
    with failing_receiver(), pytest.raises(DispatchFailed, match="RuntimeError: a receiver") as caught:
        engine.enqueue(occurrence())
    assert not caught.value.certain


def test_a_module_that_failed_once_is_imported_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    path = "code_that_comes_back.work.value"
    with pytest.raises(DispatchFailed, match="No module named"):
        resolve(path)
    package = tmp_path / "code_that_comes_back"
    package.mkdir()
    (package / "__init__.py").write_text("")
    with pytest.raises(DispatchFailed, match=r"No module named 'code_that_comes_back\.work'"):
        resolve(path)
    before = package.stat()
    (package / "work.py").write_text("raise ValueError('half deployed')")
    # within the clock step of the file system the directory looks unchanged
    os.utime(package, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(DispatchFailed, match="ValueError: half deployed"):
        resolve(path)
    (package / "work.py").write_text("import sys; sys.exit('not here')")
    with pytest.raises(DispatchFailed, match="SystemExit: not here"):
        resolve(path)
    (package / "work.py").write_text("value = 'this is the file after it was mended'")
    assert resolve(path).startswith("this is")


def test_a_second_enqueue_of_one_occurrence_adds_no_row(database):
    one = occurrence()
    assert engine.enqueue(one) == engine.enqueue(one) == str(one.uuid)
    assert database.count() == 1


def test_occurrences_that_differ_have_rows_of_their_own(database):
    for one in (occurrence(), occurrence(nominal=1), occurrence(name="t"), occurrence(queue="other")):
        engine.enqueue(one)
    assert database.count() == 4


def test_the_atomic_block_around_a_second_enqueue_stays_usable(database):
    one = occurrence()
    with transaction.atomic():
        engine.enqueue(one)
        engine.enqueue(one)
        engine.enqueue(occurrence(nominal=1))
    assert database.count() == 2


def test_a_stored_task_is_found_after_its_code_moved(database):
    one = occurrence()
    engine.enqueue(one)
    database.update(task_path="tests.engines.work.before_the_rename")
    assert engine.enqueue(one) == str(one.uuid)


@pytest.mark.django_db(transaction=True)
def test_a_retry_after_a_receiver_raised_finds_the_row(database):
    one = occurrence()
    with failing_receiver(), pytest.raises(DispatchFailed):
        engine.enqueue(one)
    assert engine.enqueue(one) == str(one.uuid)
    assert database.count() == 1


def test_an_integrity_error_of_another_kind_is_a_refusal(database):
    table = database.model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TRIGGER refuse BEFORE INSERT ON {table} BEGIN SELECT RAISE(ABORT, 'full'); END")
    with pytest.raises(DispatchFailed, match="IntegrityError: full") as caught:
        engine.enqueue(occurrence())
    assert not caught.value.certain


def test_without_the_id_function_each_enqueue_has_an_id_of_its_own(database, settings):
    settings.TASKS = backend("database")
    one = occurrence()
    assert engine.enqueue(one) != engine.enqueue(one)


def test_outside_an_engine_the_id_function_answers_random_ids(database):
    assert isinstance(result_id(), uuid.UUID)
    assert work.add.enqueue(1).id != work.add.enqueue(1).id


def problems(**fields):
    return engine.problems(schedule(**fields))


def test_a_right_schedule_has_no_problems():
    assert problems(args=[1], kwargs={"right": 2}, options={"priority": 3, "queue_name": "any"}) == []
    assert problems(task="tests.engines.work.in_context", args=[1]) == []


@pytest.mark.parametrize(
    "fields, start, fix",
    [
        ({"task": "tests.engines.nowhere.add"}, "task: tests.engines.nowhere.add", "correct the path"),
        ({"task": "tests.engines.work.plain"}, "task: tests.engines.work.plain", "decorate it with @task"),
        ({"args": []}, "args: ", "missing a required argument: 'left'"),
        ({"args": [1, 2, 3]}, "args: ", "too many positional arguments"),
        ({"kwargs": {"zzz": 1}}, "kwargs['zzz']: ", "takes no such keyword argument; correct it, or leave it out."),
        ({"kwargs": {"rihgt": 1}}, "kwargs['rihgt']: ", "did you mean 'right'?"),
        (
            {"pass_occurrence": True},
            "pass_occurrence: tests.engines.work.add takes no keyword argument 'occurrence'; ",
            "add `*, occurrence` to it, or leave pass_occurrence out.",
        ),
        ({"task": "tests.engines.work.in_context", "kwargs": {"left": 1, "context": 2}}, "args: ", "'context'"),
        ({"task": "tests.engines.work.in_context", "args": [1, 2]}, "args: ", "too many positional"),
        ({"options": {"prioriti": 1}}, "options['prioriti']: ", "did you mean 'priority'?"),
        ({"options": {"zzz": 1}}, "options['zzz']: ", "use 'backend', 'priority', 'queue_name'"),
        ({"options": {"priority": 101}}, "options['priority']: 101", "from -100 to 100"),
        ({"options": {"priority": True}}, "options['priority']: True", "from -100 to 100"),
        ({"options": {"priority": "1"}}, "options['priority']: '1'", "from -100 to 100"),
        ({"options": {"backend": "nosuch"}}, "options['backend']: 'nosuch'", "use one of 'default'"),
        ({"options": {"backend": ["default"]}}, "options['backend']: ", "use one of 'default'"),
        ({"options": {"queue_name": 3}}, "options['queue_name']: 3", "TASKS['default']['QUEUES']"),
    ],
)
def test_a_problem_names_the_field_and_the_fix(fields, start, fix):
    [text] = problems(**fields)
    assert text.startswith(start)
    assert fix in text


def test_all_keywords_that_a_task_does_not_take_are_named():
    starts = [text.partition(": ")[0] for text in problems(kwargs={"b": 1, "a": 2}, pass_occurrence=True)]
    assert starts == ["kwargs['a']", "kwargs['b']", "pass_occurrence"]
    assert problems(task="tests.engines.work.anything", args=[], kwargs={"a": 1}, pass_occurrence=True) == []
    [text] = problems(task="tests.engines.work.by_place", args=[], kwargs={"left": 1})
    assert text.startswith("kwargs['left']: ")


def test_a_queue_outside_the_list_of_the_backend_is_a_problem(settings):
    settings.TASKS = backend(DUMMY, QUEUES=["default", "mail"])
    assert problems(options={"queue_name": "mail"}) == []
    [text] = problems(options={"queue_name": "post"})
    assert "'post' is not in TASKS['default']['QUEUES']; add it there or use 'default', 'mail'" in text


def test_what_only_the_backend_knows_is_a_problem(settings):
    other = {"BACKEND": f"{settings.TASKS_LIBRARY}.backends.nowhere.Backend", "QUEUES": []}
    settings.TASKS = {**backend(DUMMY), "other": other}
    [text] = problems(options={"backend": "other"})
    assert text.startswith("options: ")
    assert "Could not find backend" in text


def test_says_whether_the_task_would_run_inside_the_ticker(settings):
    of: Schedule = schedule()
    assert not engine.runs_inline(of)
    settings.TASKS = backend(IMMEDIATE)
    assert engine.runs_inline(of)
    assert not engine.runs_inline(schedule(task="tests.engines.nowhere.add"))
