"""A site with schedules, on an empty registry, in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from django_repeat import clock
from tests.commands import site
from tests.commands.running import NOW, SiteSettings

SCHEDULES: dict[str, dict[str, Any]] = {
    "reports.daily": {"command": "check", "cron": "0 6 * * *", "timezone": "Europe/Berlin"},
    "pulse": {"task": "tests.commands.tasks.pulse", "every": "30s", "kwargs": {"deep": False, "password": "hunter2"}},
    "phased": {"command": "check", "every": "15m", "phase": "5m"},
}


@pytest.fixture
def declare_only(settings: SiteSettings, raw: redis.Redis) -> Callable[..., None]:
    """Answer a function that makes these the declared schedules, with further DJANGO_REPEAT settings."""

    def choose(schedules: dict[str, dict[str, Any]], **further: Any) -> None:
        settings.DJANGO_REPEAT = {"REDIS": "repeat", "SCHEDULES": schedules, **further}

    settings.SILENCED_SYSTEM_CHECKS = site.SILENCED_SYSTEM_CHECKS
    choose({})
    return choose


@pytest.fixture
def schedules(declare_only: Callable[..., None]) -> None:
    """Declare the schedules above; nothing is registered yet."""
    declare_only(SCHEDULES)


@pytest.fixture
def frozen() -> Iterator[int]:
    """Stop the registry's clock at ``NOW``."""
    with clock.freeze(NOW):
        yield NOW
