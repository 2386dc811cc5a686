"""Look, decide, write: what all verbs of an operator have in common."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django_repeat import service, signals
from django_repeat.codec import line
from django_repeat.entry import Entry, State
from django_repeat.exceptions import Conflict, RegistryUnavailable
from django_repeat.instants import to_ms
from django_repeat.plan import Gap
from django_repeat.reason import SKIPS
from django_repeat.registry import AGAIN, Decision, Decisions, refusal

# An entry that is claimed and settled all the time can change between look and write; it does not stay so.
TRIES = 8
LONGEST_BY, LONGEST_REASON = 200, 500


@dataclass(frozen=True, kw_only=True)
class Order:
    """What an operator asked for: the verb, of which entry, who and why; a long name or reason is cut."""

    verb: str
    name: str
    queue: str
    by: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        for field in ("by", "reason"):
            if not isinstance(getattr(self, field), str):
                raise TypeError(f"{field}: give text, not {type(getattr(self, field)).__name__}.")
        object.__setattr__(self, "by", self.by[:LONGEST_BY])
        object.__setattr__(self, "reason", self.reason[:LONGEST_REASON])

    def line(self, at: int, **values: Any) -> str:
        """Answer its line in the run log."""
        return line(at=at, verb=self.verb, **values, by=self.by, note=self.reason)


How = Callable[[Entry, int], "Decision | None"]


def carry_out(order: Order, how: How) -> bool:
    """Write what ``how`` decides of the entry at the server's time; answer False where that is nothing.

    ScheduleNotFound; Conflict if the record is not ours or damaged; RegistryUnavailable.
    """
    token = secrets.token_hex(8)
    decisions = Decisions(service.store(order.queue))
    for _ in range(TRIES):
        entry = service.get(order.name, queue=order.queue)
        if entry.state is State.FOREIGN:
            raise _refused(entry, "foreign")
        decision = how(entry, to_ms(service.now(queue=order.queue)))
        if decision is None:
            return False
        answer = decisions.amend(replace(decision, token=token))
        refused = refusal(answer)
        # A member without a record is seen again however often it is looked at.
        if refused is not None and (refused != "absent" or not entry.raw):
            raise _refused(entry, refused)
        if answer not in (AGAIN, "absent"):
            tell(order)
            return True
    message = f"Schedule {order.name!r}: the record kept changing while it was looked at."
    raise RegistryUnavailable(message, answered=True)


def tell(order: Order, *, whole_queue: bool = False) -> None:
    """Say that an order was carried out."""
    signals.operator_decided.send_robust(
        Order,
        queue=order.queue,
        name=None if whole_queue else order.name,
        verb=order.verb,
        by=order.by,
        reason=order.reason,
    )


def tell_passed(order: Order, gaps: Iterable[Gap]) -> None:
    """Say which nominal times an order dropped at once, and which it found missed, as a ticker says it."""
    for gap in gaps:
        queue, name, first, last, count = order.queue, order.name, gap.first, gap.last, gap.count
        if gap.reason in SKIPS:
            signals.occurrences_skipped.send_robust(
                Order, queue=queue, name=name, first=first, last=last, count=count, reason=gap.reason
            )
        else:
            signals.occurrences_missed.send_robust(
                Order, queue=queue, name=name, first=first, last=last, count=count, reason=gap.reason
            )


def rev(entry: Entry) -> str:
    """Answer the revision that was seen."""
    return entry.raw.get("rev", "")


def ahead_ms(field: str, moment: datetime, now: int) -> int:
    """Answer an instant of the operator's in milliseconds; ValueError if it is not ahead of ``now``."""
    ms = to_ms(moment)
    if ms <= now:
        raise ValueError(f"{field}: {moment.isoformat()} has passed; give a later instant.")
    return ms


def _refused(entry: Entry, why: str) -> Conflict:
    if why == "foreign":
        return Conflict(f"Schedule {entry.name!r} was registered by another program; only cancel works on it.")
    reason = f" ({entry.broken_reason})" if entry.broken_reason else ""
    return Conflict(f"Schedule {entry.name!r} has a damaged record{reason}; cancel it, then register it anew.")
