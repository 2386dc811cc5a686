"""Checks of what the backends of TASKS would do with the declared schedules."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from django.conf import settings
from django.core.checks import CheckMessage

from django_repeat import conf, engines
from django_repeat.checks.kinds import KINDS
from django_repeat.engines.base import resolve
from django_repeat.exceptions import DispatchFailed
from django_repeat.schedule import Schedule

NAMED = 3


def of_backends(schedules: Sequence[Schedule]) -> Iterator[CheckMessage]:
    """Answer one message for each cause, however many schedules it concerns."""
    found: dict[str, list[str]] = defaultdict(list)
    for schedule in schedules:
        if engines.runs_inline(schedule):
            found["W001"].append(schedule.name)
        elif _runs_nowhere(schedule):
            found["W002"].append(schedule.name)
    for kind, names in sorted(found.items()):
        yield KINDS[kind].message("TASKS", schedules=_listed(names))


def _runs_nowhere(schedule: Schedule) -> bool:
    if conf.current().engine is not None:
        return False
    alias = schedule.options.get("backend")
    try:
        if alias is None and schedule.task is not None:
            alias = getattr(resolve(schedule.task), "backend", None)
    except DispatchFailed:
        return False
    backends = getattr(settings, "TASKS", None) or {}
    path = backends.get(alias or "default", {}).get("BACKEND", "")
    return str(path).rpartition(".")[2] == "DummyBackend"


def _listed(names: Sequence[str]) -> str:
    first = ", ".join(repr(name) for name in names[:NAMED])
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"Schedule{'s' if len(names) > 1 else ''} {first}{rest}"
