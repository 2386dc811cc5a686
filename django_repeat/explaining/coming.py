"""A nominal time that lies ahead."""

from __future__ import annotations

from django_repeat.entry import State
from django_repeat.explaining.known import Known
from django_repeat.explaining.present import finished, halted
from django_repeat.explaining.wording import named, pause_text, sentence, since, wall_ms, whose
from django_repeat.instants import to_ms
from django_repeat.policies import Overlap
from django_repeat.schedule import Schedule


def coming(known: Known, schedule: Schedule, nominal: int) -> str:
    """Answer whether a nominal time ahead will fire, as far as that can be known now."""
    when = named(known, nominal)
    why = (
        bounds(known, schedule, nominal)
        or halted(known)
        or _used_up(known, schedule, nominal)
        or _skipped(known, nominal)
        or _paused(known, nominal)
        or _too_early(known, nominal)
    )
    if why:
        return sentence(f"It will not fire at {when}", why)
    due = schedule.due_ms(nominal)
    spread = f", when its spread lets it fall due at {wall_ms(known, due)}" if due != nominal else ""
    says = f"It will fire at {when}{spread}, {since(known, due)}"
    return sentence(says, _unless(known, schedule), *_now(known))


def bounds(known: Known, schedule: Schedule, nominal: int) -> str:
    """Answer which end of the schedule a nominal time lies beyond, "" for none."""
    policies = schedule.policies
    if policies.start_ms is not None and nominal < policies.start_ms:
        return f"start_at is {wall_ms(known, policies.start_ms)}"
    if policies.end_ms is not None and nominal > policies.end_ms:
        return f"end_at is {wall_ms(known, policies.end_ms)}"
    return ""


def skipper(known: Known, nominal: int) -> str:
    """Answer who skipped a nominal time, "" if the run log does not say."""
    told = (one for one in known.lines if one.verb == "skip" and one.nominal is not None)
    line = next((one for one in told if one.start <= nominal <= (one.nominal or 0)), None)
    return "" if line is None else whose(line.by, line.note)


def _used_up(known: Known, schedule: Schedule, nominal: int) -> str:
    """Answer whether ``max_runs`` leaves it out if each one before fires."""
    most, pending = schedule.policies.max_runs, known.pending
    if known.entry.state is State.FINISHED:
        return finished(known, schedule)
    if most is None or pending is None or nominal < pending:
        return ""
    grid = known.holes.over(schedule.grid)
    before = grid.count_ms(pending - 1, nominal - 1, pending)
    waiting = known.entry.waiting is not None
    if known.entry.fired_count + before + waiting < most:
        return ""
    return f"the last of max_runs ({most:,}) comes before, if each one fires"


def _skipped(known: Known, nominal: int) -> str:
    if nominal not in known.holes.instants:
        return ""
    return f"an operator skipped it{skipper(known, nominal)}"


def _paused(known: Known, nominal: int) -> str:
    pause = known.entry.pause
    if pause is None or (pause.until is not None and to_ms(pause.until) <= nominal):
        # A queue may be paused for longer than a schedule of it.
        return "the schedule, or its queue, is paused until after it" if nominal in known.holes else ""
    what = pause_text(known, pause)
    return what if pause.until is not None else f"{what}, so that it fires only if that is done before"


def _too_early(known: Known, nominal: int) -> str:
    pending = known.pending
    if pending is None or nominal >= pending:
        return ""
    return f"the next one that is pending is {named(known, pending)}"


def _unless(known: Known, schedule: Schedule) -> str:
    """Answer what nobody can know before it is due."""
    parts = [f"a ticker serves queue {known.entry.queue} then"]
    if schedule.policies.when:
        parts.append("its condition (when) agrees")
    if schedule.policies.overlap is Overlap.SKIP:
        parts.append("no run is on its way then")
    if schedule.policies.overlap is Overlap.QUEUE_ONE:
        parts.append("no run is on its way then, else it waits for its end")
    return f"that is if {', and '.join(parts)}"


def _now(known: Known) -> list[str]:
    """Answer what stands in the way now, and may not then."""
    if known.entry.state is State.FAILING:
        return [f"at present it fails, {known.entry.failures:,} times in a row"]
    return []
