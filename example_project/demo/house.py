"""The example's site, from inside the demo's own process: its database, and its schedules in the registry."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import django
from django.conf import settings

from django_repeat import cancel, count, entries

EXAMPLE = Path(__file__).resolve().parent.parent
USER = PASSWORD = "admin"


def enter(environment: Mapping[str, str]) -> None:
    """Make this process one of the site's; everything below needs that."""
    os.environ.update(environment)
    sys.path.insert(0, str(EXAMPLE))
    django.setup()


def time_zone() -> str:
    """Answer the site's time zone, which Django makes that of this process too."""
    return settings.TIME_ZONE


def furnish() -> None:
    """Make the tables, and the one user."""
    from django.contrib.auth.models import User
    from django.core.management import call_command
    from django.db import connections

    call_command("migrate", verbosity=0)
    User.objects.create_superuser(USER, f"{USER}@example.com", PASSWORD)
    connections.close_all()


def results() -> dict[str, str]:
    """Answer the status of every task result, by its id."""
    from django_tasks_db.models import DBTaskResult

    return {str(identity): status for identity, status in DBTaskResult.objects.values_list("pk", "status")}


def ask_registry() -> None:
    """Raise RegistryUnavailable if the registry does not answer, InvalidSettings if its address is none."""
    count()


def clear_registry() -> None:
    """Take every schedule out of the registry."""
    for entry in entries(limit=10_000):
        cancel(entry.name)
