"""Backends of Django Tasks that keep results in other ways than django-tasks-db does."""

from __future__ import annotations

from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django_tasks_db import DatabaseBackend

library = import_module(f"{settings.TASKS_LIBRARY}.base")
Dummy: Any = import_module(f"{settings.TASKS_LIBRARY}.backends.dummy").DummyBackend
DoesNotExist = import_module(f"{settings.TASKS_LIBRARY}.exceptions").TaskResultDoesNotExist

kept: dict[str, Any] = {}
"""What the backends below keep, by id: a result, or the error of looking for it."""


def result(status: Any, started: Any = None, finished: Any = None, **more: Any) -> Any:
    return SimpleNamespace(status=status, started_at=started, finished_at=finished, **more)


class Keeping(Dummy):
    supports_get_result = True

    def get_result(self, result_id: str) -> Any:
        found = kept.get(result_id, DoesNotExist(result_id))
        if isinstance(found, Exception):
            raise found
        return found


class Silent(import_module(f"{settings.TASKS_LIBRARY}.backends.base").BaseTaskBackend):  # type: ignore[misc]
    """One that keeps nothing."""

    def enqueue(self, task: Any, args: Any, kwargs: Any) -> Any:
        raise NotImplementedError


class Elsewhere(DatabaseBackend):  # type: ignore[misc]
    """One that took the rows out of the hands of django-tasks-db."""

    get_result = Keeping.get_result
