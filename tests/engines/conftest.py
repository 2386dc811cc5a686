from __future__ import annotations

import pytest

from tests.engines import work
from tests.engines.making import IDEMPOTENT, backend


@pytest.fixture(autouse=True)
def no_calls():
    work.calls.clear()


@pytest.fixture
def database(settings, db):
    """django-tasks-db as the one backend, with ids that are the occurrence's."""
    settings.TASKS = backend("database", OPTIONS=IDEMPOTENT)
    from django_tasks_db.models import DBTaskResult

    return DBTaskResult.objects
