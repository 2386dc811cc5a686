"""System checks, tagged ``django_repeat``: ``manage.py check --tag django_repeat``.

They ask no server, except under ``--deploy``: ``migrate`` runs the others too.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.core.checks import register

from django_repeat.checks.declared import check_declared, check_modules, check_settings
from django_repeat.checks.kinds import KINDS, TAG, Kind
from django_repeat.checks.places import check_place
from django_repeat.checks.server import check_server
from django_repeat.process import COMMANDS

__all__ = ["KINDS", "TAG", "Kind", "connect", "follow"]

# Servers and workers that are commands of manage.py, but not known to run the checks before they serve.
UNSURE = frozenset({"procrastinate", "pyuwsgi", "rundaphne"})


def follow(argv: Sequence[str]) -> bool:
    """Answer whether the checks will run in the serving process that has these arguments (``sys.argv``).

    They do in commands of ``manage.py``, after the apps are ready; no other server or worker runs them.
    """
    return not (COMMANDS - UNSURE).isdisjoint(argv[1:2]) and "--skip-checks" not in argv


def connect() -> None:
    """Register all checks with Django; called again it changes nothing."""
    for check in (check_settings, check_declared, check_place, check_modules):
        register(check, TAG)
    register(check_server, TAG, deploy=True)
