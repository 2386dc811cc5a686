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
DEFAULT = "default"


def of_backends(schedules: Sequence[Schedule]) -> Iterator[CheckMessage]:
    """Answer one message for each cause and backend, however many schedules it concerns."""
    found: dict[tuple[str, str], list[str]] = defaultdict(list)
    for schedule in schedules:
        alias = _alias_of(schedule)
        kind = "" if alias is None else _kind(schedule, alias)
        if kind:
            found[kind, str(alias)].append(schedule.name)
    for (kind, alias), names in sorted(found.items()):
        yield KINDS[kind].message("TASKS", schedules=_listed(names), alias=alias)


def _kind(schedule: Schedule, alias: str) -> str:
    """Answer the id of what is to be said of the backend that the schedule's task has, ``""`` if nothing is."""
    if engines.runs_inline(schedule):
        return "W001"
    if conf.current().engine is not None:
        return ""
    backend = (getattr(settings, "TASKS", None) or {}).get(alias, {})
    path = str(backend.get("BACKEND", ""))
    if path.rpartition(".")[2] == "DummyBackend":
        return "W002"
    # Known by its path, since a backend of the site's own may derive from it; no task library is imported for it.
    if "django_tasks_db" in path and not (backend.get("OPTIONS") or {}).get("id_function"):
        return "W007"
    return ""


def _alias_of(schedule: Schedule) -> str | None:
    """Answer the alias of the backend, None if the task does not import, which another check says."""
    alias = schedule.options.get("backend")
    try:
        if alias is None and schedule.task is not None:
            alias = getattr(resolve(schedule.task), "backend", None)
    except DispatchFailed:
        return None
    return str(alias or DEFAULT)


def _listed(names: Sequence[str]) -> str:
    first = ", ".join(repr(name) for name in names[:NAMED])
    rest = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"Schedule{'s' if len(names) > 1 else ''} {first}{rest}"
