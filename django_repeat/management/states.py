"""What is said of an entry's state."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby

from django_repeat.codec import LETTERS
from django_repeat.entry import Entry, MissedRange, Pause, State
from django_repeat.management import times
from django_repeat.masking import masked

LONGEST_REASON = 80
MOST_TIMES = 5
_OUTCOMES = {letter: outcome for outcome, letter in LETTERS.items()}


def state_text(entry: Entry) -> str:
    """Answer the state, with the reason where something is wrong or somebody paused it."""
    reason = masked(entry.broken_reason)
    if entry.state is State.FAILING:
        reason = f"attempt {entry.failures}: {masked(entry.error)}"
    if entry.state is State.PAUSED and entry.pause:
        reason = masked(pause_text(entry.pause))
    if not reason:
        return str(entry.state)
    cut = reason if len(reason) <= LONGEST_REASON else f"{reason[: LONGEST_REASON - 1]}…"
    return f"{entry.state} ({cut})"


def pause_text(pause: Pause, *, since: bool = False) -> str:
    """Answer who paused, until when and why; what can be long comes last."""
    parts = ["the whole queue"] if pause.whole_queue else []
    if since:
        parts.append(f"since {times.wall(pause.since)}")
    if pause.until or since:
        parts.append(f"until {times.wall(pause.until) if pause.until else 'it is resumed'}")
    if pause.by:
        parts.append(f"by {pause.by}")
    return ", ".join(parts) + f"{': ' if parts else ''}{pause.reason}" * bool(pause.reason)


def outcomes_text(letters: str) -> str:
    """Answer the latest outcomes in words, newest first."""
    rows = ((_OUTCOMES.get(letter, letter), len(list(row))) for letter, row in groupby(letters))
    return ", ".join(outcome if count == 1 else f"{count} {outcome}" for outcome, count in rows)


def times_text(moments: Sequence[datetime]) -> str:
    """Answer the first of some nominal times, and how many more there are."""
    more = f", and {len(moments) - MOST_TIMES} more" if len(moments) > MOST_TIMES else ""
    return ", ".join(map(times.wall, moments[:MOST_TIMES])) + more


def range_text(missed: MissedRange) -> str:
    """Answer nominal times in a row that were missed."""
    if missed.first == missed.last:
        return times.wall(missed.first)
    return f"{missed.count:,} from {times.wall(missed.first)} to {times.wall(missed.last)}"
