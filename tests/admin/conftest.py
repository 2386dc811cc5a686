"""A site of its own for every admin test: an empty registry, no declared schedules, users by what they may do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import redis
from django.contrib.auth.models import Permission, User
from django.test import Client

from django_repeat import Schedule, service
from django_repeat.registry import Definitions

LIST = "/admin/django_repeat/registeredschedule/"


@pytest.fixture(autouse=True)
def registry(db: None, raw: redis.Redis, redis_url: str, settings: Any) -> redis.Redis:
    settings.DJANGO_REPEAT = {"REDIS": redis_url}
    return raw


@pytest.fixture
def user_with() -> Callable[..., Client]:
    """Answer the client of a member of staff who holds these permissions and no others."""

    def make(*verbs: str, staff: bool = True) -> Client:
        user = User.objects.create_user("-".join(("user", *verbs)), password="x", is_staff=staff)
        codenames = [f"{verb}_registeredschedule" for verb in verbs]
        user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
        client = Client()
        client.force_login(user)
        return client

    return make


@pytest.fixture
def operator(user_with: Callable[..., Client]) -> Client:
    return user_with("view", "cancel")


@pytest.fixture
def viewer(user_with: Callable[..., Client]) -> Client:
    return user_with("view")


def add(name: str, **fields: Any) -> str:
    """Register a schedule that is an hour ahead unless said otherwise; answer its key."""
    if not {"every", "cron"} & set(fields):
        fields = {"every": "1h", "first_in": "1h", **fields}
    fields.setdefault("task", "reports.tasks.daily")
    assert service.register(name, **fields) == "registered"
    return f"{fields.get('queue', 'default')}:{name}"


def add_many(count: int) -> list[str]:
    """Register ``n0000`` and so on in few round trips, each a second later than the one before; answer their names."""
    wanted = [f"n{number:04}" for number in range(count)]
    work: dict[str, Any] = {"every": "9h", "task": "reports.tasks.daily"}
    schedules = [Schedule(name, first_in=3_600 + number, **work) for number, name in enumerate(wanted)]
    Definitions(service.store("default")).upsert((schedule, "dynamic") for schedule in schedules)
    return wanted


def names() -> set[str]:
    return set(service.names_of())
