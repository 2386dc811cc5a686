from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.checks import CheckMessage, run_checks
from django.test import override_settings

from django_repeat import connection
from django_repeat.checks import TAG
from django_repeat.declarations import declarations

OWN = "redis://127.0.0.1:1/7"
Said = Callable[..., list[CheckMessage]]


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    with declarations.kept():
        yield
    connection.forget()


@pytest.fixture
def said() -> Said:
    """Answer the messages of our checks for these keys of DJANGO_REPEAT (and, in lower case, of other settings)."""

    def said(*, deploy: bool = False, **given: Any) -> list[CheckMessage]:
        ours = {"REDIS": OWN} | {key: value for key, value in given.items() if key not in ("CACHES", "TASKS")}
        rest = {key: value for key, value in given.items() if key in ("CACHES", "TASKS")}
        with override_settings(**{"DJANGO_REPEAT": ours, "CACHES": {}, "TASKS": STORED, **rest}):
            return run_checks(tags=[TAG], include_deployment_checks=deploy)

    return said


STORED: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": [],
        "OPTIONS": {"id_function": "django_repeat.occurrence.result_id"},
    }
}
"""TASKS with a backend that stores tasks, and each occurrence once."""


def ids(messages: list[CheckMessage]) -> list[str]:
    return [str(message.id).removeprefix("django_repeat.") for message in messages]
