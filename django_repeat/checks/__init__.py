"""System checks, tagged ``django_repeat``: ``manage.py check --tag django_repeat``.

They ask no server, except under ``--deploy``: ``migrate`` runs the others too.
"""

from __future__ import annotations

from django.core.checks import register

from django_repeat.checks.declared import check_declared, check_modules, check_settings
from django_repeat.checks.kinds import KINDS, TAG, Kind
from django_repeat.checks.places import check_place
from django_repeat.checks.server import check_server

__all__ = ["KINDS", "TAG", "Kind", "connect"]


def connect() -> None:
    """Register all checks with Django; called again it changes nothing."""
    for check in (check_settings, check_declared, check_place, check_modules):
        register(check, TAG)
    register(check_server, TAG, deploy=True)
