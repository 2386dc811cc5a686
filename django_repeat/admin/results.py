"""What became of a task, and where its result can be seen: django-tasks-db shows its rows in the admin."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from typing import Any

from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from django_repeat import durations, engines
from django_repeat.admin import texts
from django_repeat.engines.commands import CommandEngine
from django_repeat.engines.tasks import TasksEngine
from django_repeat.entry import Entry
from django_repeat.exceptions import DispatchFailed, InvalidSettings
from django_repeat.run import Run

PAGE = "admin:django_tasks_database_dbtaskresult_change"


def shower(entry: Entry) -> Callable[[Any], SafeString | str]:
    """Answer what shows the ids of this entry's task results: as links where they have pages, else as text."""
    return _linked if _uses_tasks(entry) else texts.plain


def of(runs: Mapping[str, Run], identity: Any) -> SafeString | str:
    """Answer how far the run of that id has come, and how long it took; "" if that is not among ``runs``."""
    run = runs.get(identity) if isinstance(identity, str) else None
    if run is None:
        return ""
    pill = texts.pill(run.state, texts.RUNS[run.state])
    return pill if run.duration_ms is None else format_html("{} {}", pill, durations.span(run.duration_ms))


def _linked(identity: Any) -> SafeString | str:
    """Answer a link if the id has the form of a row's key; whether there is such a row is not asked."""
    text = texts.plain(identity)
    try:
        url = reverse(PAGE, args=[uuid.UUID(text)])
    except (NoReverseMatch, ValueError):
        return text
    return format_html('<a href="{}">{}</a>', url, text)


def _uses_tasks(entry: Entry) -> bool:
    """Answer whether Django Tasks runs the schedule, as far as this process can tell."""
    schedule = entry.schedule
    if schedule is None:
        return False
    try:
        # To look at a page imports nothing: a task that this process does not know yet has ids without links.
        return engines.is_loaded(schedule) and isinstance(engines.engine_for(schedule), (TasksEngine, CommandEngine))
    except (DispatchFailed, InvalidSettings):
        return False
