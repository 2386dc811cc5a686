"""Why a schedule did or did not run: what the registry knows, for `explaining` to put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from django.utils import timezone

from django_repeat import conf, service
from django_repeat.entry import Entry
from django_repeat.explaining import Known, present, then
from django_repeat.instants import to_ms
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.recurrence import Cron
from django_repeat.recurrence.zones import zone
from django_repeat.registry import Reader


def explain(name: str, at: datetime | None = None, *, queue: str = DEFAULT_QUEUE) -> str:
    """Answer in one sentence why a schedule did or did not run ``at`` an instant; without it, what it is doing now.

    The instant may be a nominal time, any other of its minute, or one at which there is none. What is not known is said
    to be not known. ScheduleNotFound, RegistryUnavailable; ValueError for a naive instant.
    """
    return explain_entry(service.get(name, queue=queue), at)


def explain_entry(entry: Entry, at: datetime | None = None, *, log: Sequence[Mapping[str, Any]] | None = None) -> str:
    """Answer as `explain` does of an entry, and of its run ``log`` where that was read already."""
    moment = None if at is None else to_ms(at)
    found = known(entry, log=log)
    return present(found) if moment is None else then(found, moment)


def known(entry: Entry, *, log: Sequence[Mapping[str, Any]] | None = None) -> Known:
    """Answer what the registry knows of an entry: RegistryUnavailable, and three or four round trips."""
    settings, queue = conf.current(), entry.queue
    return Known(
        entry=entry,
        log=service.runs(entry.name, queue=queue) if log is None else log,
        now=service.now(queue=queue),
        zone=_zone(entry),
        history=settings.history,
        switch=Reader(service.store(queue)).switch(),
        tickers=len(service.tickers(queue=queue)),
        enabled=settings.enabled,
    )


def _zone(entry: Entry) -> tzinfo:
    recurrence = entry.schedule and entry.schedule.recurrence
    return zone(recurrence.timezone) if isinstance(recurrence, Cron) else timezone.get_current_timezone()
