"""What became, or becomes, of one instant."""

from __future__ import annotations

from django_repeat.entry import State
from django_repeat.explaining.coming import coming
from django_repeat.explaining.decided import about, decided
from django_repeat.explaining.known import Known, nearest
from django_repeat.explaining.nowhere import nowhere
from django_repeat.explaining.undecided import undecided
from django_repeat.explaining.wording import said, sentence, wall_ms


def then(known: Known, at: int) -> str:
    """Answer why the schedule did or did not run at an instant (ms): at a nominal time, or in the minute of one."""
    schedule = known.entry.schedule
    if schedule is None or not known.within_reach(schedule):
        nominal = nearest(at, known.decisions(at))
        lines = [] if nominal is None else about(known, nominal)
        return decided(known, nominal, lines) if nominal is not None and lines else _unreadable(known, at)
    on_grid = known.near(schedule, at)
    nominal = nearest(at, known.decisions(at), [] if on_grid is None else [on_grid])
    if nominal is None:
        return nowhere(known, schedule, at)
    if lines := about(known, nominal):
        return decided(known, nominal, lines)
    return undecided(known, schedule, nominal) if nominal <= known.now_ms else coming(known, schedule, nominal)


def _unreadable(known: Known, at: int) -> str:
    """Answer that nothing is known where the nominal times are not."""
    entry, when = known.entry, wall_ms(known, at)
    if entry.state is State.FOREIGN:
        why = "another program, or a later version, registered it, and tickers of this one leave it alone"
    elif entry.schedule is not None:
        why = "an interval without phase starts with its first run, and none is known"
    else:
        why = f"the stored definition cannot be read ({said(entry.broken_reason)})"
    return sentence(f"Whether it was to run at {when} is not known", why, "the run log has no line of that minute")
