"""What the pages say about values: instants, states, JSON. What a user made comes out escaped, and on its line."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from django_repeat.codec import FURTHEST_MS
from django_repeat.entry import State
from django_repeat.instants import from_ms, iso, local, to_ms
from django_repeat.masking import masked
from django_repeat.models.identity import readable
from django_repeat.run import RunState

NOTHING = "-"
STATES = {
    State.SCHEDULED: _("scheduled"),
    State.DUE: _("due"),
    State.DISPATCHING: _("dispatching"),
    State.DISABLED: _("disabled"),
    State.PAUSED: _("paused"),
    State.FAILING: _("failing"),
    State.BROKEN: _("broken"),
    State.FOREIGN: _("foreign"),
    State.FINISHED: _("finished"),
}
OUTCOMES = {
    "fired": _("fired"),
    "missed": _("missed"),
    "skipped": _("skipped"),
    "failed": _("failed"),
    "superseded": _("superseded"),
}
VERBS = {
    "pause": _("paused"),
    "resume": _("resumed"),
    "skip": _("skipped by hand"),
}
TRIGGERS = {
    "manual": _("by hand"),
    "backfill": _("backfilled"),
}
RUNS = {
    RunState.WAITING: _("waiting"),
    RunState.RUNNING: _("running"),
    RunState.SUCCEEDED: _("succeeded"),
    RunState.FAILED: _("failed"),
}
SOURCES = {
    "settings": _("settings"),
    "code": _("code"),
    "dynamic": _("registered at run time"),
}
FOREIGN_REASON = _("registered by another program; tickers leave it alone")


def pill(state: State | RunState, text: Any) -> SafeString:
    """Answer a state in words; admin.css has a colour for each."""
    return format_html('<span class="django-repeat-state django-repeat-{}">{}</span>', state, text)


def moment(value: datetime | None, *, beside: datetime | None = None) -> SafeString | str:
    """Answer an instant in Django's current zone, with the zone; the whole zone name and UTC are in its attributes.

    ``beside`` another one of the same day it goes without the day.
    """
    if value is None:
        return NOTHING
    shown, zone = _local(value)
    unit = "milliseconds" if shown.microsecond else "seconds"
    wall = shown.replace(tzinfo=None).isoformat(" ", unit)
    if beside is not None and _local(beside)[0].date() == shown.date():
        wall = shown.time().isoformat(unit)
    return format_html(
        '<time datetime="{}" title="{}">{} {}</time>', iso(to_ms(value)), zone, wall, shown.tzname() or zone
    )


def wall(value: datetime) -> str:
    """Answer an instant in Django's current zone as text, to the second."""
    local, zone = _local(value)
    return f"{local.replace(tzinfo=None, microsecond=0).isoformat(' ')} {local.tzname() or zone}"


def moment_of(ms: Any) -> SafeString | str:
    """Answer an instant of the run log, in milliseconds if the line was not damaged."""
    if isinstance(ms, int) and not isinstance(ms, bool) and 0 <= ms <= FURTHEST_MS:
        return moment(from_ms(ms))
    return NOTHING if ms is None else plain(ms)


def plain(value: Any) -> str:
    """Answer any value as readable text."""
    return readable(str(value)) or NOTHING


def lines(text: str) -> str:
    """Answer readable text that keeps its line ends."""
    return "\n".join(map(readable, text.splitlines())) or NOTHING


def document(value: Any) -> SafeString | str:
    """Answer JSON; what lies under a key that names a secret is masked."""
    if not value:
        return NOTHING
    text = json.dumps(masked(value), ensure_ascii=False, sort_keys=True, default=str)
    return format_html("<code>{}</code>", readable(text))


def document_of(text: str, other: str | None = None) -> SafeString | str:
    """Answer a stored text: as JSON where it is some, else ``other``, by default the text as it is."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return plain(masked(text) if other is None else other)
    return document(value) if isinstance(value, (dict, list)) else plain(masked(text))


def _local(value: datetime) -> tuple[datetime, str]:
    zone = timezone.get_current_timezone()
    shown = local(value, zone)
    return shown, timezone.get_current_timezone_name() if shown.tzinfo is zone else "UTC"
