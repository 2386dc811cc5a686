"""The columns of the list."""

from __future__ import annotations

from django.contrib import admin
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from django_repeat.admin import texts
from django_repeat.entry import Entry, Pause, State
from django_repeat.masking import masked
from django_repeat.models import RegisteredSchedule

REASON_LENGTH = 160


@admin.display(description=gettext_lazy("recurrence"))
def recurrence(schedule: RegisteredSchedule) -> str:
    entry = schedule.entry
    return texts.plain(entry.schedule.recurrence if entry.schedule else entry.recurrence_text)


@admin.display(description=gettext_lazy("next run"), ordering="next")
def next_run(schedule: RegisteredSchedule) -> SafeString | str:
    """Answer the next nominal time; one that has come is said to be due, never to be the next run."""
    upcoming = texts.moment(schedule.entry.next)
    if schedule.overdue:
        return format_html("<strong>{}</strong> {}", _("due since"), upcoming)
    if schedule.entry.state is State.PAUSED and schedule.entry.next:
        return format_html('<span class="django-repeat-quiet">{}</span>', upcoming)
    return upcoming


@admin.display(description=gettext_lazy("last run"))
def last_run(schedule: RegisteredSchedule) -> SafeString | str:
    entry = schedule.entry
    nominal = texts.moment(entry.last_nominal)
    if entry.last_fired is None or entry.last_fired == entry.last_nominal:
        return nominal
    return format_html("{}<br>{} {}", nominal, _("fired at"), texts.moment(entry.last_fired, beside=entry.last_nominal))


@admin.display(description=gettext_lazy("state"))
def state(schedule: RegisteredSchedule) -> SafeString:
    found = pill(schedule.entry)
    reason = Truncator(reason_of(schedule.entry)).chars(REASON_LENGTH)
    return format_html("{}<br>{}", found, reason) if reason else found


def pill(entry: Entry) -> SafeString:
    """Answer what the entry is doing, in words; admin.css has a colour for each."""
    return texts.pill(entry.state, texts.STATES[entry.state])


def reason_of(entry: Entry) -> str:
    """Answer why an entry is broken, foreign, paused or failing; "" for one that is well."""
    if entry.state is State.FOREIGN:
        return str(texts.FOREIGN_REASON)
    if entry.state is State.PAUSED and entry.pause:
        return _paused(entry.pause)
    text = entry.broken_reason or (entry.error if entry.state is State.FAILING else "")
    return texts.plain(masked(text)) if text else ""


def _paused(pause: Pause) -> str:
    parts = [_("the whole queue")] if pause.whole_queue else []
    if pause.by:
        parts.append(_("by %(who)s") % {"who": texts.plain(pause.by)})
    if pause.until:
        parts.append(_("until %(when)s") % {"when": texts.wall(pause.until)})
    if pause.reason:
        parts.append(texts.plain(masked(pause.reason)))
    return ", ".join(parts)
