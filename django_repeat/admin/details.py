"""The read-only page of one schedule."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import Any

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from django_repeat import plan, service
from django_repeat.admin import columns, texts
from django_repeat.entry import Entry, State
from django_repeat.instants import from_ms, to_ms
from django_repeat.models import RegisteredSchedule

UPCOMING = 5

Field = Callable[[RegisteredSchedule], Any]
Fieldsets = list[tuple[Any, dict[str, Any]]]


def fieldsets(entry: Entry) -> Fieldsets:
    """Answer the groups of fields: definition and state, or the record as it is where no definition can be read."""
    reason = [why] if columns.reason_of(entry) else []
    head: list[Any] = ["name", "queue", state, *reason, columns.recurrence]
    if entry.schedule is None:
        return [(None, {"fields": [*head, columns.next_run, record]})]
    definition = [work, arguments, keywords, options, policies, source, enabled]
    counts = [fired_count, missed_count, skipped_count]
    progress = [columns.next_run, columns.last_run, outcome, result, *counts, failures, error]
    return [
        (None, {"fields": head}),
        (_("Definition"), {"fields": definition}),
        (_("State"), {"fields": progress}),
    ]


def upcoming(entry: Entry, now: datetime) -> list[SafeString | str]:
    """Answer the next nominal times of an entry, none where it will not fire by itself."""
    if entry.schedule is None or entry.next is None or entry.state is State.BROKEN:
        return []
    schedule, pending, fired = entry.schedule, to_ms(entry.next), entry.fired_count
    # What is due will have fired.
    due = entry.due is not None and entry.due <= now
    after, fired = (to_ms(now), fired + 1) if due else (pending - 1, fired)
    ahead = plan.upcoming(schedule.grid, pending, after, schedule.policies, fired=fired)
    return [texts.moment(from_ms(ms)) for ms in islice(ahead, UPCOMING)]


def run_log(entry: Entry) -> list[dict[str, Any]]:
    """Answer the run log as the page shows it, newest first."""
    return [_run(line) for line in service.runs(entry.name, queue=entry.queue)]


def _run(line: dict[str, Any]) -> dict[str, Any]:
    if "unreadable" in line:
        return {"outcome": _("unreadable"), "remark": texts.plain(line["unreadable"])}
    outcome, late = line.get("outcome", ""), line.get("late")
    return {
        "nominal": texts.moment_of(line.get("nominal")),
        "at": texts.moment_of(line.get("at")),
        "outcome": texts.OUTCOMES.get(str(outcome), texts.plain(outcome)),
        "late": f"{texts.plain(late)} ms" if late else "",
        "count": texts.plain(line.get("count", 1)),
        "remark": " ".join(texts.plain(line[key]) for key in ("reason", "result") if line.get(key)),
    }


def _field(description: Any) -> Callable[[Field], Field]:
    return admin.display(description=description)


@_field(_("state"))
def state(schedule: RegisteredSchedule) -> str:
    return columns.label_of(schedule.entry)


@_field(_("reason"))
def why(schedule: RegisteredSchedule) -> str:
    return columns.reason_of(schedule.entry)


@_field(_("runs"))
def work(schedule: RegisteredSchedule) -> str:
    found = schedule.entry.schedule
    return texts.plain((found.command or found.task) if found else "")


@_field(_("arguments"))
def arguments(schedule: RegisteredSchedule) -> SafeString | str:
    found = schedule.entry.schedule
    return texts.document(found.args if found else None)


@_field(_("keyword arguments"))
def keywords(schedule: RegisteredSchedule) -> SafeString | str:
    found = schedule.entry.schedule
    return texts.document(found.kwargs if found else None)


@_field(_("engine options"))
def options(schedule: RegisteredSchedule) -> SafeString | str:
    found = schedule.entry.schedule
    return texts.document(found.options if found else None)


@_field(_("policies"))
def policies(schedule: RegisteredSchedule) -> SafeString | str:
    found = schedule.entry.schedule
    return texts.document(found.policies.stored() if found else None)


@_field(_("source"))
def source(schedule: RegisteredSchedule) -> str:
    text = schedule.entry.source
    return str(texts.SOURCES.get(text) or texts.plain(text))


@admin.display(description=_("enabled"), boolean=True)
def enabled(schedule: RegisteredSchedule) -> bool:
    found = schedule.entry.schedule
    return found is not None and found.enabled


@_field(_("last outcome"))
def outcome(schedule: RegisteredSchedule) -> str:
    text = schedule.entry.last_outcome
    return str(texts.OUTCOMES.get(text) or texts.plain(text))


@_field(_("last result"))
def result(schedule: RegisteredSchedule) -> str:
    return texts.plain(schedule.entry.last_result)


@_field(_("fired"))
def fired_count(schedule: RegisteredSchedule) -> int:
    return schedule.entry.fired_count


@_field(_("missed"))
def missed_count(schedule: RegisteredSchedule) -> int:
    return schedule.entry.missed_count


@_field(_("skipped"))
def skipped_count(schedule: RegisteredSchedule) -> int:
    return schedule.entry.skipped_count


@_field(_("failures in a row"))
def failures(schedule: RegisteredSchedule) -> int:
    return schedule.entry.failures


@_field(_("last error"))
def error(schedule: RegisteredSchedule) -> str:
    return texts.lines(schedule.entry.error)


@_field(_("record as stored"))
def record(schedule: RegisteredSchedule) -> SafeString | str:
    pairs = sorted(schedule.entry.raw.items())
    rows = ((texts.plain(field), texts.document_of(value)) for field, value in pairs)
    return format_html_join("", "<div>{}: {}</div>", rows) or texts.NOTHING
