"""A nominal time that has passed, and that no line of the run log is about."""

from __future__ import annotations

from django_repeat.entry import State
from django_repeat.explaining.coming import bounds, skipper
from django_repeat.explaining.known import Known
from django_repeat.explaining.line import Line
from django_repeat.explaining.present import finished, halted, tickers
from django_repeat.explaining.wording import named, pause_text, quoted, said, sentence, span, wall_ms
from django_repeat.instants import to_ms
from django_repeat.policies import CatchUp
from django_repeat.schedule import Schedule


def undecided(known: Known, schedule: Schedule, nominal: int) -> str:
    """Answer what the record says of it, or that it is not known and why."""
    entry, pending = known.entry, known.pending
    if why := bounds(known, schedule, nominal):
        return sentence(f"It was not to fire at {named(known, nominal)}", why)
    if entry.waiting is not None and to_ms(entry.waiting) == nominal:
        return sentence(f"It has not fired for {named(known, nominal)} yet: that waits for a run to end (overlap)")
    if entry.last_nominal is not None and to_ms(entry.last_nominal) == nominal:
        return _fired(known, schedule, nominal)
    if pending is not None and nominal >= pending:
        return _pending(known, schedule, nominal, pending)
    if any(to_ms(one.first) <= nominal <= to_ms(one.last) for one in entry.missed_ranges):
        return sentence(f"It missed {named(known, nominal)}", "the run log no longer says why")
    if pending is None and entry.state is State.FINISHED and nominal > _latest(known, nominal):
        return sentence(f"It did not fire for {named(known, nominal)}", finished(known, schedule))
    return sentence(f"What became of {named(known, nominal)} is not known", *_unknown(known, nominal))


def _latest(known: Known, nominal: int) -> int:
    """Answer the latest nominal time that was decided on, the given one if none was."""
    decided = [line.nominal for line in known.lines if line.decides and line.nominal is not None]
    return max([*decided, *([] if known.anchor is None else [known.anchor])], default=nominal)


def _fired(known: Known, schedule: Schedule, nominal: int) -> str:
    fired = known.entry.last_fired
    if fired is None:
        return sentence(f"It fired for {named(known, nominal)}", "the run log no longer says when")
    late = to_ms(fired) - schedule.due_ms(nominal)
    how = f"{span(late)} after it fell due" if late > 0 else "on time"
    where = "the run log no longer has it"
    return sentence(f"It fired for {named(known, nominal)} at {wall_ms(known, to_ms(fired))}, {how}", where)


def _pending(known: Known, schedule: Schedule, nominal: int, pending: int) -> str:
    """Answer what stands between now and the decision on a nominal time that is due, or will be by its spread."""
    entry, says = known.entry, f"It has not fired for {named(known, nominal)} yet"
    if nominal in known.holes.instants:
        return sentence(
            f"It does not fire for {named(known, nominal)}", f"an operator skipped it{skipper(known, nominal)}"
        )
    if why := halted(known):
        return sentence(says, why)
    if entry.state is State.DISPATCHING:
        held = said(known.ticker) or "of an unknown id"
        return sentence(f"{says}: ticker {held} has claimed it, and what comes of it is not written yet")
    if nominal in known.holes:
        pause = pause_text(known, entry.pause) if entry.pause else "the schedule, or its queue, was paused then"
        return sentence(f"It does not fire for {named(known, nominal)}", pause, _replay(known))
    if entry.pause is not None:
        due = "that was due before the pause, and its turn comes after it"
        return sentence(says, pause_text(known, entry.pause), due)
    if (due_at := schedule.due_ms(nominal)) > known.now_ms:
        return sentence(f"{says}: its spread lets it fall due at {wall_ms(known, due_at)}")
    if entry.state is State.FAILING and nominal == pending:
        error = f": {quoted(entry.error)}" if entry.error else ""
        retry = known.stored("retry")
        again = "" if retry is None else f"the next try is at {wall_ms(known, retry)}"
        return sentence(f"{says}: it has failed {entry.failures:,} times in a row{error}", again)
    return sentence(
        f"{says}: no ticker has decided on it", tickers(known), _catch_up(schedule, nominal, pending, known)
    )


def _replay(known: Known) -> str:
    return "" if known.entry.pause is None else "only a resume with replay would make it up"


def _catch_up(schedule: Schedule, nominal: int, pending: int, known: Known) -> str:
    """Answer what a ticker will do about it where it is one of several that are due."""
    several = schedule.grid.count_ms(pending, known.now_ms, pending)
    if not several:
        return ""
    how = {
        CatchUp.LATEST: "of several that are due, catch_up makes up the latest alone",
        CatchUp.ALL: "of several that are due, catch_up makes up all that limit allows",
        CatchUp.NONE: "of several that are due, catch_up makes up none that is later than grace",
    }
    return how[schedule.policies.catch_up]


def _unknown(known: Known, nominal: int) -> list[str]:
    """Answer why nothing is known, without a guess."""
    if not known.history:
        return ["no run log is kept (HISTORY is 0)"]
    decisions = [line for line in known.lines if line.by_ticker]
    begins = min((line.start for line in decisions), default=None)
    full = len(known.lines) >= known.history
    if full:
        if begins is None or nominal < begins:
            reach = "has no decision any more" if begins is None else f"reaches back only to {wall_ms(known, begins)}"
            return [f"the run log is full (HISTORY: {known.history:,}) and {reach}"]
    elif _is_whole(known, decisions) and (begins is None or nominal < begins):
        first = begins if begins is not None else known.pending
        until = "nothing is decided yet" if first is None else f"the first one known is {wall_ms(known, first)}"
        return [f"the schedule was not registered then, or not with these times: {until}"]
    if begins is None:
        return ["the run log is empty"]
    return ["the run log reaches back so far and has no line on it: the schedule may have been another then"]


def _is_whole(known: Known, decisions: list[Line]) -> bool:
    """Answer whether the run log has all that was ever decided: as many as the record counts."""
    counted = {"fired": 0, "missed": 0, "skipped": 0}
    for line in decisions:
        what = "missed" if line.outcome == "superseded" else line.outcome
        if what in counted:
            counted[what] += line.count
    entry = known.entry
    return counted == {"fired": entry.fired_count, "missed": entry.missed_count, "skipped": entry.skipped_count}
