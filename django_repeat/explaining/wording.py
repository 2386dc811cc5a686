"""The words of explanations."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django_repeat import durations
from django_repeat.codec import FURTHEST_MS
from django_repeat.entry import Pause
from django_repeat.explaining.known import Known
from django_repeat.instants import from_ms, wall
from django_repeat.masking import masked
from django_repeat.reason import Reason
from django_repeat.recurrence import Cron
from django_repeat.recurrence.marks import Mark, change_near, left_out, shift_text, side
from django_repeat.showing import readable

REASONS: Final[dict[Reason, str]] = {
    Reason.COALESCED: "a later nominal time fired for it",
    Reason.WINDOW: "it lay further back than window counts when a ticker came to it",
    Reason.LIMIT: "more were missed than limit makes up, and it was among the oldest",
    Reason.GRACE: "it was later than grace allows, and catch_up makes up none",
    Reason.ENDED: "the last of max_runs had fired",
    Reason.PAUSED: "the schedule, or its queue, was paused",
    Reason.OPERATOR: "an operator skipped it",
    Reason.OVERLAP: "a run had not ended, and overlap lets no other begin",
    Reason.UNSURE: "a run had not ended; a ticker that died with it in hand may have fired it all the same",
    Reason.EXCLUDED: "exclude names its wall time",
    Reason.CONDITION: "its condition (when) said no",
    Reason.ENGINE_ERROR: "the engine did not take it",
    Reason.BROKEN: "the entry, or the task that it names, could not be used",
    Reason.RECURRENCE_CHANGED: "the schedule was changed while it was due",
}
"""Why a nominal time did not fire, as the end of a sentence."""

LONGEST = 200
# Clocks change in the small hours; a wall time of the same night is never further away.
NIGHT = timedelta(hours=12)


def sentence(*parts: str) -> str:
    """Answer one sentence of those parts that are not empty."""
    return f"{'; '.join(part for part in parts if part)}."


def because(reason: str) -> str:
    """Answer a reason of the run log in words; one that is none as it stands there."""
    try:
        return REASONS[Reason(reason)]
    except ValueError:
        return f"the run log says {quoted(reason)}" if reason else "the run log does not say why"


def said(text: str) -> str:
    """Answer somebody else's text: on one line, cut, and without secrets."""
    shown = readable(str(masked(text)))
    return shown if len(shown) <= LONGEST else f"{shown[: LONGEST - 1]}…"


def quoted(text: str) -> str:
    """Answer somebody else's text for the middle of a sentence."""
    return f"'{said(text)}'"


def wall_ms(known: Known, ms: int) -> str:
    """Answer an instant on the clock of the schedule."""
    return wall(from_ms(min(ms, FURTHEST_MS)), known.zone)


def named(known: Known, nominal: int) -> str:
    """Answer a nominal time on the clock of the schedule, with what the clocks do there."""
    mark = mark_of(known, nominal)
    if not mark:
        return wall_ms(known, nominal)
    moved = shift(known, nominal)
    return f"{wall_ms(known, nominal)} ({mark}{f': the clocks move by {moved}' if moved else ''})"


def mark_of(known: Known, nominal: int) -> Mark:
    """Answer what the clocks do at a nominal time of a calendar rule; for an interval they do not exist."""
    schedule = known.entry.schedule
    if schedule is None or not isinstance(schedule.recurrence, Cron):
        return Mark()
    there = from_ms(nominal)
    return Mark(side=side(there, known.zone), left_out=left_out(schedule.grid, there))


def shift(known: Known, ms: int) -> str:
    """Answer by how much the clocks move in the night of an instant, "" if they do not."""
    found = change_near(from_ms(ms), known.zone, NIGHT)
    return "" if found is None else shift_text(found[1])


def span(ms: int) -> str:
    """Answer a duration as people say it: in whole seconds unless it is short."""
    return durations.span(ms if ms < 10_000 else ms // 1000 * 1000)


def since(known: Known, instant: int) -> str:
    """Answer how long ago an instant lies, or how far ahead."""
    ms = known.now_ms - instant
    return f"{span(ms)} ago" if ms >= 0 else f"in {span(-ms)}"


def whose(by: str, note: str) -> str:
    """Answer who did it and why, as far as they said."""
    told = ": ".join([*([f"by {said(by)}"] if by else []), *([quoted(note)] if note else [])])
    return f" ({told})" if told else ""


def pause_text(known: Known, pause: Pause) -> str:
    """Answer the pause that holds."""
    what = "its whole queue is paused" if pause.whole_queue else "it is paused"
    until = wall(pause.until, known.zone) if pause.until else "it is resumed"
    return f"{what}{whose(pause.by, pause.reason)} since {wall(pause.since, known.zone)} until {until}"
