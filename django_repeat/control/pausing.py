"""Pause and resume one schedule."""

from __future__ import annotations

from datetime import datetime

from django_repeat.answer import Answer
from django_repeat.codec import LETTERS, holes_of, milliseconds, skip
from django_repeat.control.deciding import Order, ahead_ms, carry_out, rev, tell_passed
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.plan import Gap, Holes
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
        fields = {
            "paused": entry.raw["paused"] if lasts else now,
            "paused_until": end,
            "paused_by": order.by,
            "paused_reason": order.reason,
        }
        if not lasts and "paused" in entry.raw:
            fields["holes"] = _held(entry)
        return Decision(name=entry.name, rev=rev(entry), fields=fields, lines=[order.line(now, until=end)])

    carry_out(order, decide)
    return Answer.PAUSED


def resume(name: str, *, queue: str = DEFAULT_QUEUE, replay: bool = False, by: str = "", reason: str = "") -> Answer:
    """End a pause: ``resumed``, or ``unchanged`` for what was not paused.

    It goes on with the next nominal time; with ``replay`` those that passed meanwhile count as if there had been no
    ticker, and ``catch_up`` decides. Conflict if it is the whole queue that is paused; else as ``pause``.
    """
    order = Order(verb="resume", name=name, queue=queue, by=by, reason=reason)
    dropped: list[Gap] = []

    def decide(entry: Entry, now: int) -> Decision | None:
        if entry.pause is None:
            return None
        if entry.pause.whole_queue:
            raise Conflict(f"Queue {queue!r} is paused as a whole, not {name!r} alone; resume the queue.")
        said = order.line(now, replay=replay or None)
        dropped[:] = [] if replay else _dropped(entry, now)
        if dropped and entry.schedule is not None:
            return _moved(entry, entry.schedule, dropped[0], now, said)
        return _decision(entry, {} if replay else _window(entry, now), [said])

    resumed = carry_out(order, decide)
    tell_passed(order, dropped if resumed else ())
    return Answer.RESUMED if resumed else Answer.UNCHANGED


def _dropped(entry: Entry, now: int) -> list[Gap]:
    """Answer what passed since the pause began if that is all there is to deal with; else it is for a ticker to say."""
    since, pending = int(entry.raw["paused"]), milliseconds(entry.raw.get("nominal"))
    touched = any(field in entry.raw for field in ("fence", "asof"))
    if pending is None or not since <= pending < now or entry.schedule is None or touched:
        return []
    grid, end = entry.schedule.grid, entry.schedule.policies.end_ms
    last = grid.before_ms(now - 1 if end is None else min(now - 1, end), pending)
    last = pending if last is None or last < pending else last
    return [Gap(reason=Reason.PAUSED, first=pending, last=last, count=1 + grid.count_ms(pending, last, pending))]


def _window(entry: Entry, now: int) -> dict[str, str]:
    """Answer the pause as a window in which a ticker drops what it finds, where something can lie in it."""
    pending = milliseconds(entry.raw.get("nominal"))
    if pending is not None and pending >= now:
        return {}
    own = Holes.read(entry.raw.get("holes", ""))
    return {"holes": str(Holes.of([*own.windows, (int(entry.raw["paused"]), now)], own.instants))}


def _moved(entry: Entry, schedule: Schedule, gap: Gap, now: int, said: str) -> Decision:
    following = schedule.policies.after_ms(schedule.grid, gap.last, gap.last)
    return Decision(
        name=entry.name,
        rev=rev(entry),
        fields={**NOT_PAUSED, "last_outcome": "skipped"},
        lines=[skip(gap.reason, gap.first, gap.count, nominal=gap.last, at=now), said],
        moves=True,
        nominal=following,
        lag=0 if following is None else schedule.due_ms(following) - following,
        skipped=gap.count,
        letters=LETTERS["skipped"],
    )


def _decision(entry: Entry, fields: dict[str, str], lines: list[str]) -> Decision:
    return Decision(name=entry.name, rev=rev(entry), fields={**NOT_PAUSED, **fields}, lines=lines)


def _held(entry: Entry) -> str:
    """Answer the holes with a pause that ended by itself in them: a new one takes its place in the record."""
    found, pending = holes_of(entry.raw), milliseconds(entry.raw.get("nominal"))
    # What lies before the pending time is dealt with. Without this, pauses between two runs would pile up.
    left = [one for one in found.windows if pending is None or one[1] is None or one[1] > pending]
    return str(Holes.of(left, found.instants))
