from __future__ import annotations

import copy
import json
import pickle
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from django_repeat import Every, Schedule
from django_repeat.codec import decode, encode
from django_repeat.exceptions import InvalidSchedule
from django_repeat.policies import DEFAULT, NAMES, CatchUp, Overlap, Policies, effective
from django_repeat.recurrence import Exclusions

NOON = datetime(2026, 6, 3, 12, tzinfo=UTC)
NOON_MS = 1_780_488_000_000


def make(**fields: Any) -> Schedule:
    return Schedule("n", **{"every": "5m", "task": "a.b", **fields})


def condition(occurrence: object) -> bool:
    return True


CHOSEN: dict[str, tuple[Any, str, Any, Any]] = {
    "catch_up": ("all", "catch_up", CatchUp.ALL, "all"),
    "window": ("90m", "window_ms", 5_400_000, "90m"),
    "start_at": (NOON, "start_ms", NOON_MS, "2026-06-03T12:00:00Z"),
    "end_at": ("2026-06-03T14:00:00.250+02:00", "end_ms", NOON_MS + 250, "2026-06-03T12:00:00.250Z"),
    "max_runs": (3, "max_runs", 3, 3),
    "spread": (timedelta(seconds=90), "spread_ms", 90_000, "90s"),
    "exclude": (
        [date(2026, 12, 24), "2026-12-27..2027-01-06", " *  0-6 * * * "],
        "exclude",
        Exclusions(["2026-12-24", "2026-12-27..2027-01-06", "* 0-6 * * *"]),
        ["2026-12-24", "2026-12-27..2027-01-06", "* 0-6 * * *"],
    ),
    "overlap": ("queue_one", "overlap", Overlap.QUEUE_ONE, "queue_one"),
    "when": (condition, "when", f"{__name__}.condition", f"{__name__}.condition"),
    "pass_occurrence": (True, "pass_occurrence", True, True),
}
TOGETHER: dict[str, tuple[dict[str, Any], str, Any, Any]] = {
    "limit": ({"catch_up": "all", "limit": 7}, "limit", 7, 7),
    "exclude_zone": (
        {"exclude": ["2026-12-24"], "exclude_zone": "Asia/Tokyo"},
        "exclude_zone",
        "Asia/Tokyo",
        "Asia/Tokyo",
    ),
    "max_runtime": ({"overlap": "skip", "max_runtime": "2h"}, "max_runtime_ms", 7_200_000, "2h"),
    "grace": ({"catch_up": "none", "grace": 5}, "grace_ms", 5_000, "5s"),
}
EVERY = [
    *(pytest.param({name: given}, *rest, id=name) for name, (given, *rest) in CHOSEN.items()),
    *(pytest.param(*case, id=name) for name, case in TOGETHER.items()),
]


@pytest.mark.parametrize("given, field, value, stored", EVERY)
def test_a_policy_is_read_kept_and_stored(given: dict[str, Any], field: str, value: Any, stored: Any) -> None:
    found = make(**given)
    assert getattr(found.policies, field) == value
    assert stored in found.policies.stored().values()
    record = encode(found, "code")
    again = decode("n", "default", record)
    assert (again, again.policies) == (found, found.policies)
    assert json.loads(record["policies"]) == found.policies.stored()
    assert replace(make(), **given) == found
    assert replace(found, args=[1]).policies == found.policies


def test_the_tests_above_are_of_every_policy() -> None:
    assert {*CHOSEN, *TOGETHER} == set(NAMES)


def test_every_policy_is_in_the_digest() -> None:
    digests = {make(**case.values[0]).digest for case in EVERY}  # type: ignore[dict-item]
    assert len(digests | {make().digest}) == 1 + len(EVERY)


def test_the_same_policy_said_in_another_way_is_the_same() -> None:
    assert make(window="1h").digest == make(window=3600).digest == make(window=timedelta(hours=1)).digest
    assert make(start_at="2026-06-03T14:00+02:00") == make(start_at=NOON)
    assert make(end_at=datetime(2026, 6, 3, 14, tzinfo=timezone(timedelta(hours=2)))) == make(end_at=NOON)
    assert make(catch_up=CatchUp.ALL) == make(catch_up="all")
    assert make(when=condition) == make(when=f"{__name__}.condition")


@pytest.mark.parametrize("fields", [
    {}, {"catch_up": "latest"}, {"limit": 100}, {"grace": "1m"}, {"spread": 0}, {"pass_occurrence": False},
    {"window": None, "start_at": None, "end_at": None, "max_runs": None, "when": None}, {"policies": DEFAULT},
])  # fmt: skip
def test_what_is_the_default_is_not_stored(fields: dict[str, Any]) -> None:
    """Digest and record of a schedule without policies are those of the version that had none."""
    plain = Schedule("x", cron="0 6 * * *", timezone="UTC", task="shop.tasks.count", **fields)
    assert plain.policies == DEFAULT
    assert plain.digest == "1f74d9fe51aa091d6235202821c04a94"
    assert set(encode(plain, "code")) == {"cron", "tz", "template", "source", "digest", "v"}


def test_replace_changes_one_and_keeps_the_others() -> None:
    found = make(catch_up="all", limit=5, window="1h")
    assert replace(found, window="2h").policies == Policies(catch_up=CatchUp.ALL, limit=5, window_ms=7_200_000)
    assert replace(found, window=None).policies == Policies(catch_up=CatchUp.ALL, limit=5)
    assert replace(found, policies=DEFAULT) == make()
    with pytest.raises(InvalidSchedule, match="limit: only catch_up='all' has one"):
        replace(found, catch_up="latest")


WRONG: dict[str, list[Any]] = {
    "catch_up": ["", "ALL", "some", None, 5, True, ["all"], b"all"],
    "window": [0, -1, "", "1", "1 h", True, float("nan"), [], "0s", 10**5_000],
    "limit": [0, -1, 1.0, "3", None, True, 10_001, 10**5_000],
    "grace": [0, -1, None, "x", True],
    "start_at": ["", "soon", "2026-06-03", "2026-06-03T10:00:00", datetime(2026, 6, 3), date(2026, 6, 3), 5, True,
                 timedelta(1), "1969-12-31T23:59:59Z", "\ud800", "x" * 10_000],
    "end_at": ["2026-06-03T25:00:00Z", "2026-06-03T10:00:00", datetime(2026, 6, 3), 0],
    "max_runs": [0, -1, 1.5, "3", True, 10**13, 10**5_000, []],
    "spread": [-1, None, "x", True, float("inf"), "1.5h"],
    "exclude": ["2026-12-24", [5], ["2026-02-30"], ["* * * *"], [datetime(2026, 6, 3)], {"a": 1}, True,
                ["* * * * *"], [("2026-12-24",)], ["2026-12-24..2026-12-01"], [None], None, ["x" * 10_000]],
    "exclude_zone": ["", "Europe", "Mars/Olympus", 5, True, "../etc/passwd", "x" * 10_000],
    "overlap": ["", "SKIP", "queue", None, 5, True, []],
    "max_runtime": [0, -1, "", "1", True, []],
    "when": ["", "flag", "a.b.", "__main__.f", 5, True, object(), lambda occurrence: True, []],
    "pass_occurrence": [None, 0, 1, "yes"],
}  # fmt: skip
OWNERS = {
    "exclude_zone": {"exclude": ["2026-12-24"]},
    "max_runtime": {"overlap": "skip"},
    "limit": {"catch_up": "all"},
    "grace": {"catch_up": "none"},
}


@pytest.mark.parametrize(
    "name, value", [pytest.param(n, v, id=f"{n}-{i}") for n, values in WRONG.items() for i, v in enumerate(values)]
)
def test_a_wrong_value_is_refused_by_its_field(name: str, value: Any) -> None:
    with pytest.raises(InvalidSchedule, match=f"^Schedule 'n': {name}: ") as caught:
        make(**{**OWNERS.get(name, {}), name: value})
    assert len(str(caught.value).encode()) < 300


@pytest.mark.parametrize("fields, reason", [
    ({"limit": 3}, "limit: only catch_up='all' has one"),
    ({"catch_up": "none", "limit": 3}, "limit: only catch_up='all' has one"),
    ({"grace": 3}, "grace: only catch_up='none' has one"),
    ({"max_runtime": 3}, "max_runtime: only overlap='skip' or 'queue_one' has one"),
    ({"exclude_zone": "UTC"}, "exclude_zone: only a schedule with exclude has one"),
    ({"every": None, "cron": "0 6 * * *", "exclude": ["2026-12-24"], "exclude_zone": "Asia/Tokyo"},
     "exclude_zone: exclude means the clock of the cron rule's timezone"),
    ({"every": None, "cron": "0 6 * * *", "exclude": ["* 6 * * *"]}, "exclude: .* never comes with these exclusions"),
    ({"start_at": NOON, "end_at": NOON - timedelta(seconds=1)}, "end_at: 2026-06-03T11:59:59Z lies before start_at"),
    ({"phase": 0, "start_at": NOON + timedelta(seconds=1), "end_at": NOON + timedelta(seconds=299)},
     "end_at: no nominal time lies from start_at to end_at"),
    ({"pass_occurrence": True, "kwargs": {"occurrence": 1}}, "pass_occurrence: kwargs has 'occurrence' already"),
    ({"pass_occurrence": True, "task": None, "command": "check"}, "pass_occurrence: only a task"),
    ({"policies": {"window": "1h"}}, "policies: a value of type dict is no Policies; give the fields"),
])  # fmt: skip
def test_policies_that_do_not_go_together(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidSchedule, match=f"^Schedule 'n': {reason}"):
        make(**fields)


def test_start_and_end_may_be_one_nominal_time() -> None:
    assert make(phase=0, start_at=NOON, end_at=NOON).policies.start_ms == NOON_MS
    assert make(start_at=NOON, end_at=NOON).policies.end_ms == NOON_MS


def test_an_unknown_field_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'windw'"):
        make(windw="1h")


@pytest.mark.parametrize("text, reason", [
    ("{", "the policies are no JSON"), ("[1]", "the policies are no JSON object"), ("[" * 100_000, "no JSON"),
    ('{"jitter": 5}', "'jitter' is no policy"), ('{"windw": "1h"}', "Did you mean 'window'"),
    ('{"window": NaN}', "window: "), ('{"limit": 3}', "limit: only"),
])  # fmt: skip
def test_stored_policies_that_cannot_be_read_are_broken_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(InvalidSchedule, match=reason):
        decode("n", "default", {**encode(make(), "code"), "policies": text})


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
STORED = LEAVES | st.sampled_from(["1h", "all", "a.b", "2026-06-03T10:00Z"]) | st.lists(LEAVES, max_size=2)


@given(st.dictionaries(st.sampled_from(NAMES), STORED, max_size=4))
def test_whatever_a_stranger_stored_is_read_or_refused(given: dict[str, Any]) -> None:
    try:
        found = Policies.read(given)
    except InvalidSchedule:
        return
    assert Policies.read(found.stored()) == found


def test_values() -> None:
    found = Policies(window_ms=5, when="a.b")
    assert [copy.copy(found), copy.deepcopy(found), pickle.loads(pickle.dumps(found))] == [found] * 3
    assert hash(replace(found)) == hash(found)
    with pytest.raises(FrozenInstanceError):
        found.limit = 5  # type: ignore[misc]


def test_a_schedule_with_policies_is_copied_whole() -> None:
    found = make(catch_up="all", start_at=NOON, spread="1m", when=condition)
    assert (found.grid, found.offset_ms) == (Every("5m", phase="0s"), found.policies.offset("n"))
    for twin in (copy.deepcopy(found), pickle.loads(pickle.dumps(found)), replace(found)):
        assert (twin, twin.policies, twin.digest) == (found, found.policies, found.digest)


def test_the_offset_is_stable_and_within_the_spread() -> None:
    spread = Policies(spread_ms=60_000)
    # the first eight bytes of SHA-256 of the name, modulo the spread: never to be changed
    assert [spread.offset(name) for name in ("n", "reports.daily", "任务")] == [51_757, 59_840, 57_989]
    offsets = [spread.offset(f"s{number}") for number in range(2_000)]
    assert all(0 <= one < 60_000 for one in offsets)
    assert len({one // 6_000 for one in offsets}) == 10
    assert DEFAULT.offset("n") == 0


def test_an_occurrence_falls_due_before_the_next() -> None:
    hourly = Every("1h", phase=0)
    assert effective(hourly, NOON_MS, 0) == NOON_MS
    assert effective(hourly, NOON_MS, 5) == NOON_MS + 5
    assert effective(hourly, NOON_MS, 10**9) == NOON_MS + 3_600_000 - 1
    assert effective(Every("1h"), NOON_MS + 7, 10**9) == NOON_MS + 7 + 3_600_000 - 1


def test_without_the_policy_a_task_s_own_argument_may_have_the_name() -> None:
    assert make(kwargs={"occurrence": 1}).kwargs == {"occurrence": 1}
