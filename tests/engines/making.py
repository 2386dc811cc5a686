"""Schedules, occurrences and TASKS settings for the tests. Imports no task, so that any process can use it."""

from __future__ import annotations

from django.conf import settings

from django_repeat.occurrence import Occurrence
from django_repeat.schedule import Schedule

NOMINAL = 1_800_000_000_000
IDEMPOTENT = {"id_function": "django_repeat.occurrence.result_id"}


def schedule(name="s", **fields):
    if "command" not in fields:
        fields.setdefault("task", "tests.engines.work.add")
        fields.setdefault("args", [1])
    return Schedule(name, every="1m", **fields)


def occurrence(of=None, nominal=NOMINAL, **fields):
    return Occurrence(schedule=of or schedule(**fields), nominal_ms=nominal, fired_ms=nominal + 5)


def backend(name, **more):
    """TASKS with one backend of the library that this Django has, or of django-tasks-db."""
    path = "django_tasks_db.DatabaseBackend" if name == "database" else f"{settings.TASKS_LIBRARY}.backends.{name}"
    return {"default": {"BACKEND": path, "QUEUES": [], **more}}


DUMMY = "dummy.DummyBackend"
IMMEDIATE = "immediate.ImmediateBackend"
