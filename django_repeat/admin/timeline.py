"""What lies ahead of a schedule, and what lies behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

from django.utils.html import format_html, format_html_join
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
HAND = ("manual", "backfill")
NOTES = {
    State.PAUSED: _("It is paused: none of these fires before that ends."),
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


def run_log(entry: Entry, log: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answer a run log as the page shows it, newest first."""
    runs = service.task_runs(entry, log)
    shown = results.shower(entry)
    return [_line(line, results.of(runs, line.get("result")), shown) for line in log]


def _text(value: Any) -> str:
    return texts.plain(masked(value))


def _line(line: dict[str, Any], task: SafeString | str, shown: Callable[[Any], SafeString | str]) -> dict[str, Any]:
    if "unreadable" in line:
        return {"outcome": _("unreadable"), "remark": _text(line["unreadable"])}
    late = line.get("late")
    shows = {"reason": _text, "error": _text, "result": shown, "by": _by, "note": _text}
    remarks = [(show(line[key]),) for key, show in shows.items() if line.get(key)]
    return {
        "nominal": texts.moment_of(line.get("nominal")),
        "at": texts.moment_of(line.get("at")),
        "outcome": _happened(line),
        "task": task,
        "late": f"{texts.plain(late)} ms" if late else "",
        "count": texts.plain(line.get("count", 1)),
        "remark": format_html_join(" ", "<div>{}</div>", remarks),
    }


def _happened(line: dict[str, Any]) -> Any:
    """Answer what became of nominal times, or what an operator did."""
    if "verb" in line:
        return texts.VERBS.get(str(line["verb"]), texts.plain(line["verb"]))
    outcome = str(line.get("outcome", ""))
    found = texts.OUTCOMES.get(outcome, texts.plain(outcome))
    return format_html("{} ({})", found, texts.TRIGGERS[line["trigger"]]) if line.get("trigger") in HAND else found


def _by(who: Any) -> str:
    return str(_("by %(who)s") % {"who": texts.plain(who)})
