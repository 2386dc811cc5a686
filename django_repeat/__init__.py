"""Recurring schedules for Django, kept in Redis or Valkey."""

from __future__ import annotations

from django_repeat.answer import Answer
from django_repeat.control import backfill, pause, pause_all, resume, resume_all, skip, trigger
from django_repeat.declarations import declare, repeat
from django_repeat.entry import Entry, Pause
from django_repeat.occurrence import Occurrence
from django_repeat.recurrence import Cron, Every
from django_repeat.schedule import Schedule
from django_repeat.service import cancel, count, entries, get, register, sync, upsert
from django_repeat.why import explain

__all__ = [
    "Answer",
    "Cron",
    "Entry",
    "Every",
    "Occurrence",
    "Pause",
    "Schedule",
    "backfill",
    "cancel",
    "count",
    "declare",
    "entries",
    "explain",
    "get",
    "pause",
    "pause_all",
    "register",
    "repeat",
    "resume",
    "resume_all",
    "skip",
    "sync",
    "trigger",
    "upsert",
]
