"""Recurring schedules for Django, kept in Redis or Valkey."""

from __future__ import annotations

from django_repeat.answer import Answer
from django_repeat.declarations import declare, repeat
from django_repeat.entry import Entry
from django_repeat.occurrence import Occurrence
from django_repeat.recurrence import Cron, Every
from django_repeat.schedule import Schedule
from django_repeat.service import cancel, count, entries, get, register, sync, upsert

__all__ = [
    "Answer",
    "Cron",
    "Entry",
    "Every",
    "Occurrence",
    "Schedule",
    "cancel",
    "count",
    "declare",
    "entries",
    "get",
    "register",
    "repeat",
    "sync",
    "upsert",
]
