"""What a schedule is doing now, and why."""

from __future__ import annotations

from django_repeat.entry import State
from django_repeat.explaining.known import Known
from django_repeat.explaining.wording import named, pause_text, quoted, said, sentence, since, span, wall_ms
from django_repeat.instants import to_ms, wall
from django_repeat.schedule import Schedule


def present(known: Known) -> str:
    """Answer what the schedule is doing now, and why."""
    entry, parts = known.entry, []
    if entry.state is State.BROKEN:
        parts = [f"It cannot fire: {said(entry.broken_reason) or 'its record cannot be used'}", _retry(known)]
    elif entry.state is State.FOREIGN:
        parts = ["Another program, or a later version, registered it: tickers of this one leave it alone"]
    elif entry.state is State.DISABLED:
        parts = ["It does not fire: it is disabled (enabled=False)"]
    elif entry.state is State.FINISHED:
        parts = [f"It does not fire any more: {finished(known, entry.schedule)}"]
    elif entry.state is State.DISPATCHING:
        parts = [_in_hand(known)]
    elif entry.state is State.PAUSED and entry.pause is not None:
        what = pause_text(known, entry.pause)
        parts = [f"{what[0].upper()}{what[1:]}", _after_pause(known)]
    elif entry.state is State.FAILING:
        parts = [_failing(known), _retry(known)]
    elif entry.state is State.DUE:
        parts = [_due(known), tickers(known)]
    else:
        parts = [_next(known)]
    if entry.waiting is not None and entry.state not in (State.BROKEN, State.DISABLED):
        parts.append(f"the nominal time {named(known, to_ms(entry.waiting))} waits for a run to end (overlap)")
    return sentence(*parts, *_site(known), _last(known))


def halted(known: Known) -> str:
    """Answer what keeps an entry from firing anything for as long as nobody changes it, "" for nothing."""
    entry = known.entry
    if entry.state is State.BROKEN:
        return f"it cannot be used as it is: {said(entry.broken_reason)}"
    if entry.state is State.DISABLED:
        return "it is disabled (enabled=False)"
    return _site(known)[0] if _site(known) else ""


def finished(known: Known, schedule: Schedule | None) -> str:
    """Answer why nothing comes any more."""
    if schedule is None:
        return "it has no further nominal time"
    policies, fired = schedule.policies, known.entry.fired_count
    if policies.max_runs is not None and policies.is_used_up(fired):
        return f"{fired:,} have fired, and max_runs is {policies.max_runs:,}"
    if policies.end_ms is not None:
        over = "has passed" if policies.end_ms <= known.now_ms else "leaves no further nominal time"
        return f"end_at ({wall_ms(known, policies.end_ms)}) {over}"
    return "it has no further nominal time, and why is not known"


def tickers(known: Known) -> str:
    """Answer whether somebody is there to claim what is due, "" if that is not known."""
    if known.tickers is None:
        return ""
    queue = known.entry.queue
    if not known.tickers:
        return f"no ticker serves queue {queue}"
    return f"tickers that serve queue {queue}: {known.tickers}"


def _site(known: Known) -> list[str]:
    return [] if known.enabled else ["this site is not enabled (ENABLED is False), and its tickers fire nothing"]


def _next(known: Known) -> str:
    entry = known.entry
    if entry.next is None or entry.due is None:
        return "It has no next nominal time" if entry.waiting is None else "It has no further nominal time but one"
    late = f", when its spread lets it fall due at {wall(entry.due, known.zone)}" if entry.due != entry.next else ""
    ahead = [one for one in entry.skips if one < entry.next and one > known.now]
    skipped = f"; an operator skipped {len(ahead):,} before that" if ahead else ""
    return f"It fires next at {named(known, to_ms(entry.next))}{late}, {since(known, to_ms(entry.due))}{skipped}"


def _due(known: Known) -> str:
    entry = known.entry
    if entry.next is None or entry.due is None:
        return "It is due, and no ticker has claimed it yet"
    if known.stored("asof") is None:
        what = "no ticker has claimed it yet"
    else:
        held = known.ticker
        what = f"ticker {said(held)} had it in hand and let its lease end" if held else "a ticker gave it back"
    return f"It is due since {wall(entry.due, known.zone)}, {since(known, to_ms(entry.due))}: {what}"


def _in_hand(known: Known) -> str:
    pending, lease = known.pending, known.stored("lease")
    what = "what waited" if pending is None else named(known, pending)
    until = "" if lease is None else f", until {wall_ms(known, lease)} at the latest"
    return f"Ticker {said(known.ticker) or 'of an unknown id'} has {what} in hand{until}"


def _failing(known: Known) -> str:
    entry, pending = known.entry, known.pending
    which = "" if pending is None else f" for {named(known, pending)}"
    error = f": {quoted(entry.error)}" if entry.error else ""
    return f"It fails{which}, {entry.failures:,} {'time' if entry.failures == 1 else 'times'} in a row{error}"


def _retry(known: Known) -> str:
    retry = known.stored("retry")
    if retry is None:
        return ""
    return f"the next try is {'due since' if retry <= known.now_ms else 'at'} {wall_ms(known, retry)}"


def _after_pause(known: Known) -> str:
    entry = known.entry
    if entry.next is None or entry.pause is None:
        return ""
    if entry.pause.until is None:
        return f"resumed now, it would go on with {named(known, to_ms(entry.next))}"
    return f"it goes on with {named(known, to_ms(entry.next))}"


def _last(known: Known) -> str:
    entry = known.entry
    if entry.last_nominal is None:
        return ""
    late = ""
    if entry.last_fired is not None and entry.schedule is not None:
        ms = to_ms(entry.last_fired) - entry.schedule.due_ms(to_ms(entry.last_nominal))
        late = f", {span(ms)} after it fell due" if ms > 0 else ", on time"
    return f"it last fired for {wall(entry.last_nominal, known.zone)}{late}"
