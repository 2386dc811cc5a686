"""What lies ahead of a schedule, and what lies behind it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import Any

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from django_repeat import service
from django_repeat.admin import results, texts
from django_repeat.ahead import nominal_times
from django_repeat.entry import Entry, State
from django_repeat.masking import masked

UPCOMING = 5
UNREADABLE = _("Unknown: there is no definition that can be read.")
NO_GRID = _("Unknown: an interval without phase starts with its first run.")
NONE_LEFT = _("The recurrence says no further time.")
NOTES = {
    State.DISABLED: _("It is disabled: none of these fires."),
    State.BROKEN: _("It is broken: none of these fires before it is mended."),
}


def upcoming(entry: Entry, now: datetime) -> tuple[list[SafeString | str], Any]:
    """Answer the nominal times after ``now`` that the recurrence says, whatever the state, and a note or ""."""
    if entry.schedule is None:
        return [], UNREADABLE
    try:
        found = list(islice(nominal_times(entry, now), UPCOMING))
    except ValueError:  # no nominal time to count from
        return [], NO_GRID
    return [texts.moment(one) for one in found], NOTES.get(entry.state, "") if found else NONE_LEFT


def run_log(entry: Entry) -> list[dict[str, Any]]:
    """Answer the run log as the page shows it, newest first."""
    shown = results.shower(entry)
    return [_run(line, shown) for line in service.runs(entry.name, queue=entry.queue)]


def _text(value: Any) -> str:
    return texts.plain(masked(value))


def _run(line: dict[str, Any], shown: Callable[[Any], SafeString | str]) -> dict[str, Any]:
    if "unreadable" in line:
        return {"outcome": _("unreadable"), "remark": _text(line["unreadable"])}
    outcome, late = line.get("outcome", ""), line.get("late")
    shows = {"reason": _text, "error": _text, "result": shown}
    remarks = [(show(line[key]),) for key, show in shows.items() if line.get(key)]
    return {
        "nominal": texts.moment_of(line.get("nominal")),
        "at": texts.moment_of(line.get("at")),
        "outcome": texts.OUTCOMES.get(str(outcome), texts.plain(outcome)),
        "late": f"{texts.plain(late)} ms" if late else "",
        "count": texts.plain(line.get("count", 1)),
        "remark": format_html_join(" ", "<div>{}</div>", remarks),
    }
