"""The plan of one claim: which nominal times fire, which were missed, what comes next. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from django_repeat.recurrence import Recurrence


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What to do with what is due. Milliseconds; ``next`` is None when nothing comes after."""

    fires: tuple[int, ...]
    missed: int
    first_missed: int | None
    last_missed: int | None
    next: int | None


def plan(recurrence: Recurrence, nominal: int, as_of: int) -> Plan:
    """Answer one run for the latest nominal time not after ``as_of``, the rest counted as missed.

    ``nominal`` is the pending nominal time of the record; it counts as one even where zone data that changed since no
    longer has it on the grid. One that lies ahead of ``as_of`` fires nothing. Missed times are counted by arithmetic.
    """
    if nominal > as_of:
        return Plan(fires=(), missed=0, first_missed=None, last_missed=None, next=nominal)
    upcoming = recurrence.after_ms(nominal, nominal)
    if upcoming is None or upcoming > as_of:
        return Plan(fires=(nominal,), missed=0, first_missed=None, last_missed=None, next=upcoming)
    upcoming = recurrence.after_ms(as_of, nominal)
    later = recurrence.count_ms(nominal, as_of, nominal)
    latest = recurrence.before_ms(as_of, nominal)
    assert latest is not None
    last_missed = nominal if later == 1 else recurrence.before_ms(latest - 1, nominal)
    return Plan(fires=(latest,), missed=later, first_missed=nominal, last_missed=last_missed, next=upcoming)
