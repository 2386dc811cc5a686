"""What ends with a recurrence that was changed while it was due. Pure; instants in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from django_repeat.codec import decode_policies, decode_recurrence, line
from django_repeat.exceptions import InvalidSchedule
from django_repeat.plan import Plan, plan
from django_repeat.reason import Reason
from django_repeat.registry.pending import Seen


@dataclass(frozen=True, kw_only=True)
class Ended:
    """Nominal times that did not fire before their recurrence went: how many, and their run log line, "" for none."""

    count: int = 0
    line: str = ""


def superseded(name: str, seen: Seen, now: int) -> list[Ended]:
    """Answer what ends with its recurrence, where something is due: the nominal times from the pending one to now.

    Where the old recurrence or its policies cannot be read, that is the pending one alone.
    """
    if not (seen.enabled and seen.is_due(now)) or seen.nominal is None:
        return []
    return [_ended(_passed(name, seen, seen.nominal, now), now)]


def _passed(name: str, seen: Seen, nominal: int, now: int) -> Plan:
    """Answer what a ticker would have decided by the old recurrence."""
    alone = Plan(fires=(nominal,))
    try:
        policies, recurrence = decode_policies(seen.policies), decode_recurrence(seen.cadence)
    except InvalidSchedule:
        return alone
    found = plan(recurrence, nominal, now, policies, fired=seen.fired, offset=policies.offset(name))
    # It fell due by the policies that it was stored with.
    return alone if found.next == nominal else found


def _ended(passed: Plan, now: int) -> Ended:
    firsts = [*passed.fires[:1], *(gap.first for gap in passed.gaps)]
    lasts = [*passed.fires[-1:], *(gap.last for gap in passed.gaps)]
    if not lasts:
        return Ended()
    count = len(passed.fires) + sum(gap.count for gap in passed.gaps)
    first, last = min(firsts), max(lasts)
    text = line(
        nominal=last,
        at=now,
        outcome="superseded",
        reason=Reason.RECURRENCE_CHANGED,
        first=None if first == last else first,
        count=count,
    )
    return Ended(count=count, line=text)
