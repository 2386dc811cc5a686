"""Instants as people read them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, tzinfo

from django.utils import timezone

from django_repeat import clock, instants
from django_repeat.entry import Entry
from django_repeat.instants import from_ms, iso, local, to_ms
from django_repeat.recurrence import Cron
from django_repeat.recurrence.zones import zone
from django_repeat.schedule import Schedule


def utc(moment: datetime) -> str:
    """Answer ISO-8601 with ``Z``."""
    return iso(to_ms(moment))


def wall(moment: datetime, zone: tzinfo | None = None, *, weekday: bool = False) -> str:
    """Answer an instant on the clock of ``zone`` (Django's current one by default), with the zone's short name."""
    there = zone or timezone.get_current_timezone()
    day = f"{local(moment, there):%a} " if weekday else ""
    return f"{day}{instants.wall(moment, there)}"


def zone_of(schedule: Schedule | None) -> tzinfo:
    """Answer the zone in which a schedule is thought of: that of its rule, else Django's current one."""
    recurrence = schedule and schedule.recurrence
    return zone(recurrence.timezone) if isinstance(recurrence, Cron) else timezone.get_current_timezone()


def upcoming(entry: Entry, now: datetime) -> str:
    """Answer a pending nominal time; one that has fallen due is said to be, whatever the state of its entry."""
    if entry.next is None:
        return "-"
    return f"due {wall(entry.next)}" if entry.due is not None and entry.due <= now else wall(entry.next)


def host_now() -> datetime:
    """Answer the time of this machine's clock, or the instant at which tests hold it."""
    frozen = clock.frozen()
    return from_ms(frozen) if frozen is not None else datetime.fromtimestamp(time.time(), UTC)


def wall_object(moment: datetime, zone: tzinfo) -> dict[str, str]:
    """Answer an instant on the clock of ``zone`` as a part of a JSON object: with the offset, and which zone it is."""
    there = local(moment, zone)
    return {
        "wall": there.isoformat(timespec="milliseconds" if there.microsecond else "seconds"),
        "zone": str(there.tzinfo),
    }
