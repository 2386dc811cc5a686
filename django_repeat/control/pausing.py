"""Pause and resume one schedule."""

from __future__ import annotations

from datetime import datetime

from django_repeat.answer import Answer
from django_repeat.codec import LETTERS, holes_of, milliseconds, skip
from django_repeat.control.deciding import Order, ahead_ms, carry_out, rev
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.plan import Holes
from django_repeat.reason import Reason
from django_repeat.registry import Decision
from django_repeat.schedule import Schedule

NOT_PAUSED = {"paused": "", "paused_until": "", "paused_by": "", "paused_reason": ""}


def pause(
    name: str, *, queue: str = DEFAULT_QUEUE, until: datetime | None = None, by: str = "", reason: str = ""
) -> Answer:
    """Let nothing fire until ``resume``, or until that instant: ``paused``, also for what was paused already.

    No deploy ends a pause. What a ticker has in hand still runs, and what was due before fires after it. ``until``,
    ``by`` and ``reason`` of a pause that lasts are replaced. ScheduleNotFound, Conflict, RegistryUnavailable;
    ValueError for an ``until`` that is naive or has passed.
    """
    order = Order(verb="pause", name=name, queue=queue, by=by, reason=reason)

    def decide(entry: Entry, now: int) -> Decision:
        end = "" if until is None else ahead_ms("until", until, now)
        lasts = entry.pause is not None and not entry.pause.whole_queue
        holes = "" if lasts else _held(entry)
        fields = {
            "paused": entry.raw["paused"] if lasts else now,
            "paused_until": end,
            "paused_by": by[:200],
            "paused_reason": reason[:500],
        }
        if holes:
            fields["holes"] = holes
        return Decision(name=entry.name, rev=rev(entry), fields=fields, lines=[order.line(now, until=end)])

    carry_out(order, decide)
    return Answer.PAUSED


def resume(name: str, *, queue: str = DEFAULT_QUEUE, replay: bool = False, by: str = "", reason: str = "") -> Answer:
    """End a pause: ``resumed``, or ``unchanged`` for what was not paused.

    It goes on with the next nominal time; with ``replay`` those that passed meanwhile count as if there had been no
    ticker, and ``catch_up`` decides. Conflict if it is the whole queue that is paused; else as ``pause``.
    """
    order = Order(verb="resume", name=name, queue=queue, by=by, reason=reason)

    def decide(entry: Entry, now: int) -> Decision | None:
        if entry.pause is None:
            return None
        if entry.pause.whole_queue:
            raise Conflict(f"Queue {queue!r} is paused as a whole, not {name!r} alone; resume the queue.")
        said = order.line(now, replay=replay or None)
        return _resumed(entry, now, said) if not replay else _decision(entry, {}, [said])

    return Answer.RESUMED if carry_out(order, decide) else Answer.UNCHANGED


def _resumed(entry: Entry, now: int, said: str) -> Decision:
    """Answer what to write where the times of the pause are dropped: now if none other is pending, else when due."""
    since, pending = int(entry.raw["paused"]), milliseconds(entry.raw.get("nominal"))
    if pending is not None and pending >= now:
        return _decision(entry, {}, [said])
    untouched = not any(field in entry.raw for field in ("fence", "asof"))
    if pending is None or pending < since or entry.schedule is None or not untouched:
        own = Holes.read(entry.raw.get("holes", ""))
        return _decision(entry, {"holes": str(Holes.of([*own.windows, (since, now)], own.instants))}, [said])
    return _moved(entry, entry.schedule, pending, now, said)


def _moved(entry: Entry, schedule: Schedule, pending: int, now: int, said: str) -> Decision:
    grid = schedule.grid
    last = max(pending, grid.before_ms(now - 1, pending) or pending)
    count = 1 + grid.count_ms(pending, last, pending)
    following = schedule.policies.after_ms(grid, last, last)
    return Decision(
        name=entry.name,
        rev=rev(entry),
        fields=NOT_PAUSED,
        lines=[skip(Reason.PAUSED, pending, count, nominal=last, at=now), said],
        moves=True,
        nominal=following,
        lag=0 if following is None else schedule.due_ms(following) - following,
        skipped=count,
        letters=LETTERS["skipped"],
    )


def _decision(entry: Entry, fields: dict[str, str], lines: list[str]) -> Decision:
    return Decision(name=entry.name, rev=rev(entry), fields={**NOT_PAUSED, **fields}, lines=lines)


def _held(entry: Entry) -> str:
    """Answer the holes with a pause that ended by itself in them: a new one takes its place in the record."""
    return str(holes_of(entry.raw)) if "paused" in entry.raw else ""
