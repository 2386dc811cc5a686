"""What becomes of a task, as the backends of Django Tasks tell it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import Enum
from importlib import import_module
from uuid import UUID

import pytest
from django.core.exceptions import SuspiciousOperation
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from django_repeat.engines.commands import CommandEngine
from django_repeat.engines.tasks import TasksEngine
from django_repeat.exceptions import DispatchFailed
from django_repeat.run import Run, RunState
from tests.engines import keeping
from tests.engines.keeping import kept, library, result
from tests.engines.making import DUMMY, IMMEDIATE, backend, occurrence, schedule

engine = TasksEngine()
START = datetime(2024, 6, 18, 12, 0, 0, 250_000, tzinfo=UTC)
END = START + timedelta(seconds=90)
START_MS = 1_718_712_000_250
NOBODY = str(UUID(int=17))


@pytest.fixture
def keeps(settings):
    """Answer a function that makes one of the backends of ``keeping`` the one of TASKS."""

    def choose(name):
        settings.TASKS = {"default": {"BACKEND": f"{keeping.__name__}.{name}", "QUEUES": []}}

    kept.clear()
    choose("Keeping")
    return choose


def run_of(result_id, **fields):
    return engine.run_of(schedule(**fields), result_id)


def row(database, **values):
    identity = engine.enqueue(occurrence())
    database.update(**values)
    return identity


def test_a_row_tells_each_step_of_its_task(database):
    identity = engine.enqueue(occurrence())
    assert run_of(identity) == Run(state=RunState.WAITING)
    one = database.get()
    one.claim("worker")
    assert run_of(identity).state is RunState.RUNNING
    assert run_of(identity).started_ms is not None
    one.set_successful(3)
    assert (run_of(identity).state, run_of(identity).ended) == (RunState.SUCCEEDED, True)
    assert run_of(identity).duration_ms >= 0
    one.set_failed(ValueError("no"))
    assert run_of(identity).state is RunState.FAILED


def test_a_command_is_told_of_as_a_task_is(database):
    of = schedule(command="clearsessions")
    identity = CommandEngine().enqueue(occurrence(of))
    assert CommandEngine().tells(of)
    assert CommandEngine().run_of(of, identity) == Run(state=RunState.WAITING)
    assert CommandEngine().runs_of(of, [identity, NOBODY]) == {identity: Run(state=RunState.WAITING)}


@pytest.mark.parametrize("use_tz", [True, False])
def test_instants_are_milliseconds_whatever_the_zone_of_the_site(database, settings, use_tz):
    identity = engine.enqueue(occurrence())
    settings.TIME_ZONE = "Asia/Shanghai"
    settings.USE_TZ = use_tz
    start, end = (one if use_tz else (one + timedelta(hours=8)).replace(tzinfo=None) for one in (START, END))
    database.update(status="FAILED", started_at=start, finished_at=end)
    assert run_of(identity) == Run(state=RunState.FAILED, started_ms=START_MS, ended_ms=START_MS + 90_000)


def test_a_task_that_waits_for_another_try_has_not_ended(database):
    identity = row(database, status="READY", started_at=START, finished_at=END)
    assert run_of(identity) == Run(state=RunState.WAITING, started_ms=START_MS)


@pytest.mark.parametrize("path", ["tests.engines.work.before_the_rename", "tests.engines.nowhere.add", "nonsense"])
def test_a_row_tells_of_a_task_that_moved_since(database, path):
    identity = row(database, status="RUNNING", task_path=path)
    assert run_of(identity).state is RunState.RUNNING
    assert engine.runs_of(schedule(), [identity])[identity].state is RunState.RUNNING


@pytest.mark.parametrize("identity", [NOBODY, "r-17", "17", "é" * 32])
def test_nothing_is_known_of_a_row_that_is_not_there(database, identity):
    engine.enqueue(occurrence())
    assert run_of(identity) is None
    assert engine.runs_of(schedule(), [identity]) == {}


def test_many_rows_cost_one_query(database):
    ids = [engine.enqueue(occurrence(nominal=number)) for number in range(20)]
    with CaptureQueriesContext(connection) as queries:
        found = engine.runs_of(schedule(), [*ids, "r-17", NOBODY, UUID(ids[0]).hex])
    assert [one["sql"][:6] for one in queries if "SAVEPOINT" not in one["sql"]] == ["SELECT"]
    assert found == dict.fromkeys([*ids, UUID(ids[0]).hex], Run(state=RunState.WAITING))


@pytest.fixture
def no_table(database):
    identity = engine.enqueue(occurrence())
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {database.model._meta.db_table} RENAME TO gone")
    return identity


def test_a_store_that_cannot_be_asked_is_a_failure_that_keeps_the_database_error(no_table):
    with pytest.raises(DispatchFailed, match="no such table") as caught:
        run_of(no_table)
    assert isinstance(caught.value.__cause__, DatabaseError)
    assert not caught.value.certain


@pytest.mark.parametrize("verb", ["run_of", "runs_of"])
def test_the_atomic_block_around_a_failed_look_stays_usable(no_table, verb):
    # PostgreSQL refuses all that follows an error unless a savepoint is gone back to; SQLite needs none.
    look = {"run_of": run_of, "runs_of": lambda one: engine.runs_of(schedule(), [one])}[verb]
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        with pytest.raises((DispatchFailed, DatabaseError)):
            look(no_table)
        assert not connection.needs_rollback
    steps = [" ".join(one["sql"].split()[:2]) for one in queries if "SAVEPOINT" in one["sql"]]
    assert "ROLLBACK TO" in steps


@pytest.mark.parametrize("name, told", [
    ("Keeping", True),
    ("Elsewhere", True),
    ("Silent", False),
])  # fmt: skip
def test_a_backend_tells_if_it_keeps_results(keeps, name, told):
    keeps(name)
    assert engine.tells(schedule()) is told
    assert CommandEngine().tells(schedule(command="clearsessions")) is told


def test_the_backends_of_the_libraries_tell(settings):
    for name in ("database", IMMEDIATE, DUMMY):
        settings.TASKS = backend(name)
        assert engine.tells(schedule()), name
    assert not engine.tells(schedule(task="tests.engines.nowhere.add"))
    assert not engine.tells(schedule(options={"backend": "nosuch"}))


def test_what_runs_at_once_has_ended(settings):
    settings.TASKS = backend(IMMEDIATE)
    assert run_of(engine.enqueue(occurrence())) is None


def test_a_dummy_tells_of_what_this_thread_enqueued(settings):
    settings.TASKS = backend(DUMMY)
    identity = engine.enqueue(occurrence())
    assert run_of(identity) == Run(state=RunState.WAITING)
    assert run_of(NOBODY) is None
    assert engine.runs_of(schedule(), [identity, NOBODY]) == {identity: Run(state=RunState.WAITING)}


def test_every_status_of_the_library_is_known(keeps):
    found = {}
    for status in library.TaskResultStatus:
        kept["r"] = result(status)
        found[status.name] = run_of("r").state
    assert found == {"READY": "waiting", "RUNNING": "running", "SUCCESSFUL": "succeeded", "FAILED": "failed"}


class Older(Enum):
    NEW = "waiting"
    COMPLETE = "succeeded"
    SUCCEEDED = "succeeded "


@pytest.mark.parametrize("status", Older)
def test_statuses_of_older_versions_are_known(keeps, status):
    kept["r"] = result(status)
    assert run_of("r").state == status.value.strip()


@pytest.mark.parametrize("found, state", [
    (result("CANCELLED", is_finished=True), RunState.FAILED),
    (result("CANCELLED", START, END), RunState.FAILED),
    (result("PAUSED", START, END, is_finished=False), RunState.RUNNING),
    (result("PAUSED"), RunState.RUNNING),
])  # fmt: skip
def test_a_status_of_a_backend_of_its_own_has_ended_or_not(keeps, found, state):
    kept["r"] = found
    assert run_of("r").state is state


@pytest.mark.parametrize("error", [
    ImportError("cannot import name 'add'"),
    SuspiciousOperation("does not point to a Task"),
    NotImplementedError(),
    keeping.DoesNotExist("r"),
], ids=repr)  # fmt: skip
def test_nothing_is_known_of_a_task_that_no_worker_can_run(keeps, error):
    kept["r"] = error
    kept["s"] = result("READY")
    assert run_of("r") is None
    assert engine.runs_of(schedule(), ["r", "s"]) == {"s": Run(state=RunState.WAITING)}


def test_any_other_error_is_a_failure(keeps):
    kept["r"] = ConnectionError("the broker is away")
    with pytest.raises(DispatchFailed, match="ConnectionError: the broker is away") as caught:
        run_of("r")
    assert not caught.value.certain


def test_a_backend_that_derives_from_the_rows_may_keep_its_own(keeps, database):
    keeps("Elsewhere")
    kept["r"] = result("RUNNING")
    assert run_of("r").state is RunState.RUNNING
    assert engine.runs_of(schedule(), ["r"])["r"].state is RunState.RUNNING


def test_a_task_that_does_not_import_is_a_certain_failure(database):
    with pytest.raises(DispatchFailed) as caught:
        run_of(NOBODY, task="tests.engines.nowhere.add")
    assert caught.value.certain


def test_the_library_is_not_needed_to_read_this_module():
    assert "django_tasks_db" not in vars(import_module("django_repeat.engines.stored"))
