"""Fire a schedule by hand."""

from __future__ import annotations

import logging
import uuid
from dataclasses import replace

from django_repeat import conf, service, signals
from django_repeat.codec import LETTERS, line
from django_repeat.control.deciding import Order, tell
from django_repeat.dispatch import Dispatcher
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict, DispatchFailed, RegistryUnavailable
from django_repeat.instants import to_ms
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.occurrence import Occurrence
from django_repeat.policies import Overlap
from django_repeat.reason import Reason
from django_repeat.registry import Decision, Decisions
from django_repeat.schedule import Schedule

logger = logging.getLogger("django_repeat")


def trigger(name: str, *, queue: str = DEFAULT_QUEUE, by: str = "", reason: str = "") -> Occurrence:
    """Hand one manual occurrence to the engine at once, from this process; answer it, with the id of its result.

    The next run, the counters and the limits of the schedule stay as they are. Works while it is paused, disabled or at
    its end; its condition is not asked. Two calls are two occurrences. DispatchFailed if the engine refuses;
    ScheduleNotFound; Conflict if the definition cannot be read or ``ENABLED`` is False; RegistryUnavailable.
    """
    order = Order(verb="trigger", name=name, queue=queue, by=by, reason=reason)
    entry = service.get(name, queue=queue)
    occurrence = Occurrence(
        schedule=schedule_of(entry),
        nominal_ms=(now := to_ms(service.now(queue=queue))),
        fired_ms=now,
        trigger="manual",
        manual_id=uuid.uuid4().hex,
    )
    try:
        result = Dispatcher(lasting=False).fire(occurrence)
    except DispatchFailed as error:
        note(order, failed(order, occurrence, error))
        raise
    fired = replace(occurrence, result_id=result)
    note(order, _fired(order, fired))
    signals.occurrence_fired.send_robust(Order, occurrence=fired, result_id=result, late_ms=0)
    tell(order)
    return fired


def schedule_of(entry: Entry) -> Schedule:
    """Answer the definition of an entry that is to be fired by hand; Conflict if that must not be."""
    if not conf.current().enabled:
        raise Conflict(f"Schedule {entry.name!r} is not fired: DJANGO_REPEAT['ENABLED'] is False.")
    if entry.schedule is None:
        why = entry.broken_reason or "another program registered it"
        raise Conflict(f"Schedule {entry.name!r} cannot be fired: {why}.")
    return entry.schedule


def note(order: Order, decision: Decision) -> None:
    """Write a decision about what has happened already; that it cannot be written is logged and no more."""
    try:
        Decisions(service.store(order.queue)).amend(decision)
    except RegistryUnavailable as error:
        where = (order.queue, order.name, order.verb)
        logger.warning("decision not noted: queue=%s name=%r verb=%s error=%r", *where, str(error))


def fired_line(order: Order, occurrence: Occurrence) -> str:
    """Answer the run log line of an occurrence that an operator had fired."""
    return line(
        nominal=occurrence.nominal_ms,
        at=occurrence.fired_ms,
        outcome="fired",
        result=occurrence.result_id,
        trigger=occurrence.trigger,
        by=order.by,
        note=order.reason,
    )


def _fired(order: Order, occurrence: Occurrence) -> Decision:
    alone = occurrence.schedule.policies.overlap is Overlap.ALLOW
    return Decision(
        name=occurrence.schedule.name,
        lines=[fired_line(order, occurrence)],
        fields={} if alone else {"manual": f"{occurrence.fired_ms} {occurrence.result_id}"},
        letters=LETTERS["fired"],
    )


def failed(order: Order, occurrence: Occurrence, error: DispatchFailed) -> Decision:
    """Answer what is written of an occurrence that an operator asked for and the engine refused."""
    said = line(
        nominal=occurrence.nominal_ms,
        at=occurrence.fired_ms,
        outcome="failed",
        reason=Reason.ENGINE_ERROR,
        error=str(error)[:200],
        trigger=occurrence.trigger,
        by=order.by,
        note=order.reason,
    )
    return Decision(name=occurrence.schedule.name, lines=[said], letters=LETTERS["failed"])
