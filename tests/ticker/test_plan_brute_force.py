"""The plan against a walk over every nominal time, each asked by itself what becomes of it."""

from __future__ import annotations

from datetime import timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.instants import from_ms
from django_repeat.plan import plan
from django_repeat.policies import CatchUp, Policies
from django_repeat.recurrence import Cron, Every, Recurrence

# Ten minutes before Berlin's clocks go back.
START = 1_792_888_200_000
MINUTE = 60_000

RECURRENCES = st.one_of(
    st.builds(lambda n: Every(timedelta(seconds=n)), st.integers(1, 900)),
    st.sampled_from(
        [
            Every("15m", phase="2m"),
            Cron("*/7 * * * *", "UTC"),
            Cron("30 2 * * *", "Europe/Berlin"),
            Cron("*/20 1-3 * * *", "Europe/Berlin"),
            Cron("@hourly", "UTC"),
        ]
    ),
)
SPANS = st.sampled_from([1_000, MINUTE, 7 * MINUTE + 1, 60 * MINUTE, 600 * MINUTE])
INSTANTS = st.none() | st.integers(0, 24 * 60).map(lambda minute: START + minute * MINUTE)
BOUNDS = st.tuples(INSTANTS, INSTANTS).map(
    lambda pair: pair if None in pair or pair[0] <= pair[1] else pair[::-1]  # type: ignore[operator]
)


@st.composite
def policies(draw: st.DrawFn) -> Policies:
    catch_up = draw(st.sampled_from(CatchUp))
    start, end = draw(BOUNDS)
    return Policies(
        catch_up=catch_up,
        limit=draw(st.integers(1, 6)) if catch_up is CatchUp.ALL else 100,
        grace_ms=draw(SPANS) if catch_up is CatchUp.NONE else 60_000,
        window_ms=draw(st.none() | SPANS),
        start_ms=start,
        end_ms=end,
        max_runs=draw(st.none() | st.integers(1, 8)),
    )


def walked(
    recurrence: Recurrence, pending: int, as_of: int, given: Policies, fired: int, offset: int
) -> dict[object, object]:
    """Answer what becomes of each due time, {nominal: reason or "fires"}, and under "next" what comes after."""
    grid, start, end = given.grid(recurrence), given.start_ms or 0, given.end_ms or 10**15
    times = [pending if pending >= start else after(grid, start - 1, pending)]
    while times[-1] <= as_of:
        times.append(after(grid, times[-1], times[0]))
    times.append(after(grid, times[-1], times[0]))
    falls_due = {one: one + min(offset, later - one - 1) for one, later in pairwise(times)}
    if given.is_used_up(fired):
        return {"next": None}
    fate: dict[object, object] = {}
    young = []
    for one in (one for one in falls_due if one <= end and falls_due[one] <= as_of):
        age = as_of - falls_due[one]
        if given.window_ms is not None and age > given.window_ms:
            fate[one] = "window"
        elif given.catch_up is CatchUp.NONE and age >= given.grace_ms:
            fate[one] = "grace"
        else:
            young.append(one)
    several = given.catch_up is CatchUp.ALL
    most = given.limit if several else 1
    fate.update(dict.fromkeys(young[:-most], "limit" if several else "coalesced"))
    room = 10**9 if given.max_runs is None else given.max_runs - fired
    fate.update(dict.fromkeys(young[-most:][:room], "fires"))
    fate.update(dict.fromkeys(young[-most:][room:], "ended"))
    following = next(one for one in falls_due if falls_due[one] > as_of)
    return {**fate, "next": following if following <= end and len(young[-most:]) < room else None}


def after(grid: Recurrence, moment: int, anchor: int) -> int:
    found = grid.after_ms(moment, anchor)
    assert found is not None
    return found


@settings(max_examples=400)
@given(RECURRENCES, policies(), st.integers(0, 600), st.integers(0, 12 * 60 * 60_000), st.integers(0, 3),
       st.sampled_from([0, 0, 1, 30_000, 10 * MINUTE, 3_000 * MINUTE]))  # fmt: skip
def test_every_due_time_fares_as_when_it_is_looked_at_alone(
    recurrence: Recurrence, given: Policies, start: int, passed: int, fired: int, offset: int
) -> None:
    pending = after(given.grid(recurrence), START + start * 1_000, START)
    longest = 300 * (recurrence.period_ms if isinstance(recurrence, Every) else MINUTE * 7)
    as_of = pending + passed % longest
    expected = walked(recurrence, pending, as_of, given, fired, offset)
    answer = plan(recurrence, pending, as_of, given, fired=fired, offset=offset)
    due = sorted(one for one in expected if isinstance(one, int))
    found: dict[object, object] = dict.fromkeys(answer.fires, "fires") | {"next": answer.next}
    for gap in answer.gaps:
        times = [one for one in due if gap.first <= one <= gap.last]
        assert (times[0], times[-1], len(times)) == (gap.first, gap.last, gap.count)
        found |= dict.fromkeys(times, str(gap.reason))
    assert found == expected, from_ms(pending)
    assert list(answer.fires) == sorted(answer.fires)
