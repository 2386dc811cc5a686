"""What ends with a recurrence that was changed while it was due. Pure; instants in milliseconds."""

from __future__ import annotations

from dataclasses import dataclass

from django_repeat.codec import decode_policies, decode_recurrence, holes_of, line
from django_repeat.exceptions import InvalidSchedule
from django_repeat.plan import Holes, Plan, plan
from django_repeat.policies import Policies
from django_repeat.reason import SKIPS, Reason
from django_repeat.recurrence import Recurrence
from django_repeat.registry.pending import Seen


@dataclass(frozen=True, kw_only=True)
class Ended:
    """Nominal times that did not fire before their recurrence went: how many, and their run log line, "" for none."""

    count: int = 0
    line: str = ""


def superseded(name: str, seen: Seen, now: int) -> list[Ended]:
    """Answer what ends with its recurrence, where something is due: the nominal times from the pending one to now.

    Where a ticker has some in hand, these come first, and the rest after. Where the old recurrence or its policies
    cannot be read, it is the pending one alone.
    """
    if not (seen.enabled and seen.is_due(now)) or seen.nominal is None:
        return []
    try:
        old = decode_policies(seen.policies), decode_recurrence(seen.old), holes_of(seen.old, now)
    except InvalidSchedule:
        return [ended(Plan(fires=(seen.nominal,)), now)]
    decided = _decided(name, *old, seen.nominal, now if seen.as_of is None else seen.as_of, seen.fired)
    if seen.as_of is None or decided.next is None:
        return [ended(decided, now)]
    rest = _decided(name, *old, decided.next, now, seen.fired + len(decided.fires), pending=False)
    return [ended(decided, now), ended(rest, now)] if rest.fires or rest.gaps else [ended(decided, now)]


def ended(passed: Plan, at: int) -> Ended:
    """Answer what a plan that nobody carries out any more comes to; ``at`` is when that was decided.

    What an operator took out of it was never to fire.
    """
    missed = [gap for gap in passed.gaps if gap.reason not in SKIPS]
    firsts = [*passed.fires[:1], *(gap.first for gap in missed)]
    lasts = [*passed.fires[-1:], *(gap.last for gap in missed)]
    if not lasts:
        return Ended()
    count = len(passed.fires) + sum(gap.count for gap in missed)
    first, last = min(firsts), max(lasts)
    text = line(
        nominal=last,
        at=at,
        outcome="superseded",
        reason=Reason.RECURRENCE_CHANGED,
        first=None if first == last else first,
        count=count,
    )
    return Ended(count=count, line=text)


def _decided(
    name: str,
    policies: Policies,
    recurrence: Recurrence,
    holes: Holes,
    nominal: int,
    as_of: int,
    fired: int,
    *,
    pending: bool = True,
) -> Plan:
    """Answer what a ticker decides, or would have decided, by the old recurrence."""
    found = plan(recurrence, nominal, as_of, policies, fired=fired, offset=policies.offset(name), holes=holes)
    if pending and found.next == nominal:
        # It fell due by the policies that it was stored with.
        return Plan(fires=(nominal,), next=policies.after_ms(policies.grid(recurrence), nominal, nominal))
    return found
