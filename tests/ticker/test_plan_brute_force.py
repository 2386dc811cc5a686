"""The plan against a walk over every nominal time, each asked by itself what becomes of it."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import from_ms
from django_repeat.plan import WHOLE, Holes, plan
from django_repeat.policies import CatchUp, Overlap, Policies
from django_repeat.reason import Reason
from django_repeat.recurrence import Cron, Every, Exclusions, Moments, Recurrence

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
BERLIN = "Europe/Berlin"
HOLES = ("paused", "operator")
EXCLUDED = [
    Exclusions(items)
    for items in (
        ["2026-10-25"],
        ["*/2 * * * *"],
        ["* 2 * * *"],
        ["* 0-3 * * *", "30-59 * * * *"],
        ["2026-10-26..2026-10-28"],
    )
]
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
        **draw(st.just({}) | st.sampled_from(EXCLUDED).map(lambda kept: {"exclude": kept, "exclude_zone": BERLIN})),
    )


@st.composite
def holes(draw: st.DrawFn) -> Holes:
    """Whole minutes, on which most of the times above lie."""
    minutes = (st.integers(-5, 15) | st.integers(0, 24 * 60)).map(lambda minute: START + minute * MINUTE)
    windows = draw(st.lists(st.tuples(minutes, st.none() | minutes), max_size=3))
    return Holes.of(windows, draw(st.lists(minutes, max_size=40)))


def walked(
    recurrence: Recurrence, pending: int, as_of: int, given: Policies, fired: int, offset: int, holes: Holes
) -> dict[object, object]:
    """Answer what becomes of each due time, {nominal: reason or "fires"}, and under "next" what comes after."""
    grid, start, end = given.grid(recurrence), given.start_ms or 0, given.end_ms or 10**15
    times = [pending]
    if pending < start:
        times = [after(grid, start - 1, pending)]
    elif given.excludes(recurrence, pending):
        times = [after(grid, pending, pending)]
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
        if one in holes:
            fate[one] = "operator" if one in holes.instants else "paused"
            continue
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


def sound(given: Policies, recurrence: Recurrence) -> Policies:
    """Answer the policies as a schedule has them: what leaves nothing is refused there."""
    if isinstance(recurrence, Cron):
        given = replace(given, exclude_zone=None)
    try:
        given.grid(recurrence)
    except InvalidSchedule:
        return replace(given, exclude=Exclusions(), exclude_zone=None)
    return given


def after(grid: Moments, moment: int, anchor: int) -> int:
    found = grid.after_ms(moment, anchor)
    assert found is not None
    return found


@settings(max_examples=600)
@given(RECURRENCES, policies(), st.integers(0, 600), st.integers(0, 12 * 60 * 60_000), st.integers(0, 3),
       st.sampled_from([0, 0, 1, 30_000, 10 * MINUTE, 3_000 * MINUTE]), st.just(WHOLE) | holes())  # fmt: skip
def test_every_due_time_fares_as_when_it_is_looked_at_alone(
    recurrence: Recurrence, given: Policies, start: int, passed: int, fired: int, offset: int, holes: Holes
) -> None:
    given = sound(given, recurrence)
    pending = after(given._anchored(recurrence), START + start * 1_000, START)
    longest = 300 * (recurrence.period_ms if isinstance(recurrence, Every) else MINUTE * 7)
    as_of = pending + passed % longest
    expected = walked(recurrence, pending, as_of, given, fired, offset, holes)
    answer = plan(recurrence, pending, as_of, given, fired=fired, offset=offset, holes=holes)
    due = sorted(one for one in expected if isinstance(one, int))
    found: dict[object, object] = dict.fromkeys(answer.fires, "fires") | {"next": answer.next}
    for gap in answer.gaps:
        times = [one for one in due if gap.first <= one <= gap.last]
        ours = [one for one in times if (expected[one] in HOLES) == (str(gap.reason) in HOLES)]
        assert (ours[0], ours[-1], len(ours)) == (gap.first, gap.last, gap.count)
        found |= dict.fromkeys(ours, str(gap.reason))
    assert found == expected, from_ms(pending)
    assert list(answer.fires) == sorted(answer.fires)
    assert [gap.first for gap in answer.gaps] == sorted(gap.first for gap in answer.gaps)


@given(RECURRENCES, policies(), st.integers(1, 600 * MINUTE), st.sampled_from(Overlap), st.booleans(), st.booleans(),
       st.booleans())  # fmt: skip
def test_at_most_one_run_begins_where_no_two_may_be_on_their_way(
    recurrence: Recurrence, given: Policies, passed: int, overlap: Overlap, busy: bool, waits: bool, inherited: bool
) -> None:
    given = sound(replace(given, max_runs=None), recurrence)
    pending = after(given.grid(recurrence), START, START)
    waiting = pending - MINUTE if waits else None
    alone = plan(recurrence, pending, pending + passed, given)
    answer = plan(
        recurrence, pending, pending + passed, replace(given, overlap=overlap), busy=busy, waiting=waiting,
        inherited=inherited,
    )  # fmt: skip
    assert answer.next == alone.next
    if overlap is Overlap.ALLOW:
        assert answer == replace(alone, queued=waiting)
        return
    begun = [one for one in (answer.queued, *answer.fires) if one is not None]
    assert begun == ([] if busy else [one for one in (waiting, *alone.fires) if one is not None][:1])
    kept = [waiting, *alone.fires] if waits else [*alone.fires]
    left = [one for one in kept if one not in begun]
    if overlap is Overlap.QUEUE_ONE or waits:
        assert answer.waits == (left[0] if left and (busy or overlap is Overlap.QUEUE_ONE) else None)
    skipped = [one for one in left if one != answer.waits]
    reason = Reason.UNSURE if inherited else Reason.OVERLAP
    gaps = [gap for gap in answer.gaps if gap.reason is reason]
    assert [(gap.first, gap.last, gap.count) for gap in gaps] == (
        [(skipped[0], skipped[-1], len(skipped))] if skipped else []
    )
    assert sorted(set(answer.gaps) - set(gaps), key=str) == sorted(alone.gaps, key=str)
