"""What a backend of Django Tasks keeps of the tasks that it took.

The libraries name statuses, verbs and errors alike, but share no class; names that changed are all understood.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from datetime import datetime
from typing import Any

from django.core.exceptions import SuspiciousOperation, ValidationError
from django.db import connections, transaction
from django.utils import timezone

from django_repeat.engines.base import said
from django_repeat.exceptions import DispatchFailed
from django_repeat.instants import to_ms
from django_repeat.run import Run, RunState

STATES = {
    "NEW": RunState.WAITING,
    "READY": RunState.WAITING,
    "RUNNING": RunState.RUNNING,
    "COMPLETE": RunState.SUCCEEDED,
    "SUCCEEDED": RunState.SUCCEEDED,
    "SUCCESSFUL": RunState.SUCCEEDED,
    "FAILED": RunState.FAILED,
}
Build = Callable[[], Any]


def tells(build: Build) -> bool:
    """Answer whether the backend of the task that ``build`` answers can say if a task has ended.

    ImmediateBackend keeps no results, but whatever it took has ended; those of DummyBackend are kept by the thread
    that enqueued, which is what tests look at.
    """
    try:
        backend = build().get_backend()
    except Exception:  # noqa: BLE001 - what is wrong with it, `problems` says
        return False
    keeps = bool(getattr(backend, "supports_get_result", False))
    return keeps or is_a(backend, "ImmediateBackend") or is_a(backend, "DummyBackend")


def run_of(build: Build, result_id: str) -> Run | None:
    """Answer what became of a task; None if nothing is known of it, DispatchFailed if the backend cannot be asked."""
    try:
        backend = build().get_backend()
        return _rows([result_id]).get(result_id) if _has_rows(backend) else _asked(backend, result_id)
    except DispatchFailed:
        raise
    except Exception as error:
        raise DispatchFailed(said(error)) from error


def runs_of(build: Build, result_ids: Sequence[str]) -> dict[str, Run]:
    """Answer what is known of several tasks, by id: with one query of django-tasks-db, else one by one."""
    backend = build().get_backend()
    if _has_rows(backend):
        return _rows(result_ids)
    found = {one: _asked(backend, one) for one in result_ids}
    return {one: run for one, run in found.items() if run is not None}


def is_a(backend: Any, name: str) -> bool:
    """Answer whether the backend's class, or one that it derives from, has that name."""
    return any(base.__name__ == name for base in type(backend).__mro__)


@contextmanager
def savepoints() -> Iterator[None]:
    """Keep a database error from spoiling the transaction of a caller that has one: a ticker has none, tests have."""
    with ExitStack() as stack:
        for connection in connections.all(initialized_only=True):
            if connection.in_atomic_block:
                stack.enter_context(transaction.atomic(using=connection.alias))
        yield


def _has_rows(backend: Any) -> bool:
    """Answer whether results are the rows of django-tasks-db: a backend that derives from it may keep others."""
    verb = getattr(type(backend), "get_result", None)
    return str(getattr(verb, "__module__", "")).partition(".")[0] == "django_tasks_db"


def _rows(result_ids: Sequence[str]) -> dict[str, Run]:
    # The rows and not the backend's results: to make one the library imports the task, which may have moved since.
    from django_tasks_db.models import DBTaskResult

    keys: dict[str, Any] = {}
    for one in result_ids:
        with suppress(ValidationError):
            keys[one] = DBTaskResult._meta.pk.to_python(one)
    with savepoints():
        rows = DBTaskResult.objects.only("status", "started_at", "finished_at").in_bulk(set(keys.values()))
    return {one: _run(rows[key]) for one, key in keys.items() if key in rows}


def _asked(backend: Any, result_id: str) -> Run | None:
    try:
        with savepoints():
            return _run(backend.get_result(result_id))
    except (ImportError, NotImplementedError, SuspiciousOperation):
        # It names a task that is gone, so that no worker of this code will ever run it; or nothing is ever kept.
        return None
    except Exception as error:
        if type(error).__name__ == "TaskResultDoesNotExist":
            return None
        raise


def _run(found: Any) -> Run:
    """Answer the run that a result, or a row, tells of."""
    state = STATES.get(str(getattr(found.status, "name", found.status)))
    if state is None:  # of a backend with a status of its own
        ended = getattr(found, "is_finished", found.finished_at is not None)
        state = RunState.FAILED if ended else RunState.RUNNING
    ended_ms = _ms(found.finished_at) if state.ended else None
    return Run(state=state, started_ms=_ms(found.started_at), ended_ms=ended_ms)


def _ms(moment: datetime | None) -> int | None:
    if moment is None:
        return None
    return to_ms(timezone.make_aware(moment, timezone.get_default_timezone()) if timezone.is_naive(moment) else moment)
