"""The read-only page of one schedule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from django_repeat.admin import columns, results, texts
from django_repeat.entry import Entry
from django_repeat.masking import MASK, masked
from django_repeat.models import RegisteredSchedule

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
    progress = [columns.next_run, columns.last_run, outcome, result, *counts, failures, error, retry]
    return [
        (None, {"fields": head}),
        (_("Definition"), {"fields": definition}),
        (_("State"), {"fields": progress}),
    ]


def _field(description: Any) -> Callable[[Field], Field]:
    return admin.display(description=description)


@_field(_("state"))
def state(schedule: RegisteredSchedule) -> SafeString:
    return columns.pill(schedule.entry)


@_field(_("reason"))
def why(schedule: RegisteredSchedule) -> str:
    return columns.reason_of(schedule.entry)


@_field(_("runs"))
def work(schedule: RegisteredSchedule) -> str:
    found = schedule.entry.schedule
    if found is None:
        return texts.NOTHING
    return texts.plain(f"manage.py {found.command}" if found.command else found.task)


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


@_field(_("task id"))
def result(schedule: RegisteredSchedule) -> SafeString | str:
    """Answer the id under which the engine knows the last run."""
    return results.shower(schedule.entry)(schedule.entry.last_result)


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
    return texts.lines(masked(schedule.entry.error))


@_field(_("tried again"))
def retry(schedule: RegisteredSchedule) -> SafeString | str:
    return texts.moment(schedule.entry.retry)


@_field(_("record as stored"))
def record(schedule: RegisteredSchedule) -> SafeString | str:
    def shown(field: str, value: str) -> SafeString | str:
        # A template that is no JSON cannot be searched for secrets.
        return texts.document_of(value, MASK if field == "template" else None)

    rows = ((texts.plain(field), shown(field, value)) for field, value in sorted(schedule.entry.raw.items()))
    return format_html_join("", "<div>{}: {}</div>", rows) or texts.NOTHING
