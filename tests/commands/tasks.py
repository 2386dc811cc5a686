"""Tasks for sites under test."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from django.conf import settings

task: Any = import_module(settings.TASKS_LIBRARY).task


@task
def pulse(deep: bool, password: str) -> None:
    """Do nothing."""
