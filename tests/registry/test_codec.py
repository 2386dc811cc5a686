"""Records that are read: ours come back as they were; damaged ones are said to be broken, and never raise."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from django_repeat import Schedule
from django_repeat.codec import decode, encode, entry, line, lines
from django_repeat.exceptions import InvalidSchedule
from tests.registry.support import T, hourly

TASK = {"task": "shop.tasks.count"}


@pytest.mark.parametrize(
    "schedule",
    [
        Schedule("x", every="90s", **TASK),
        Schedule("x", every="1d", phase="3h", **TASK),
        Schedule("x", every="250ms", first_in="1m", **TASK),
        Schedule("x", cron="@daily", timezone="Europe/Berlin", command="clearsessions"),
        Schedule("x", cron="*/5 * * * MON", timezone="UTC", enabled=False, **TASK),
        Schedule(
            "x",
            every="1h",
            args=[1, "ü", None, True, [1.5]],
            kwargs={"x": None, "y": {"z": []}},
            options={"queue": "b"},
            **TASK,
        ),
    ],
    ids=repr,
)
def test_a_schedule_comes_back_as_it_was(schedule):
    again = decode("x", "default", encode(schedule, "code"))
    assert again == schedule
    assert (again.digest, again.template, again.recurrence) == (schedule.digest, schedule.template, schedule.recurrence)


def test_none_and_true_stay_what_they_are(registry):
    registry.put(hourly(kwargs={"x": None, "y": True}))
    assert registry.reader.entries(["hourly"])[0].schedule.kwargs == {"x": None, "y": True}
    assert '"kwargs":{"x":null,"y":true}' in registry.record("hourly")["template"]


@pytest.mark.parametrize(
    "damage, reason",
    [
        ({"template": "{"}, "no JSON"),
        ({"template": "[1]"}, "no JSON object"),
        ({"template": '{"task":5}'}, "task"),
        ({"template": '{"args":[]}'}, "exactly one of task and command"),
        ({"template": '{"task":"a.b","args":' + "[" * 50_000 + "]" * 50_000 + "}"}, "no JSON"),
        ({"cron": "*/0 * * * *"}, "minute"),
        ({"cron": "0 0 30 2 *"}, "never|can"),
        ({"tz": "Mars/Olympus"}, "Mars/Olympus"),
        ({"tz": "../../etc/passwd"}, "passwd"),
        ({"tz": ""}, "zone"),
        ({"first_in_ms": "9" * 5_000}, "first_in_ms"),
    ],
)
def test_a_damaged_definition_is_broken_with_the_reason(registry, damage, reason):
    registry.put(hourly())
    registry.set("hourly", **damage)
    (found,) = registry.reader.entries(["hourly"])
    assert (found.state, found.schedule) == ("broken", None)
    assert found.broken_reason
    with pytest.raises(InvalidSchedule, match=f"(?i){reason}"):
        decode("hourly", "default", registry.record("hourly"))


@pytest.mark.parametrize("gone", ["template", "cron"])
def test_a_definition_with_a_hole_is_broken(registry, gone):
    registry.put(hourly())
    registry.client.hdel(registry.keys.record("hourly"), gone)
    assert registry.reader.entries(["hourly"])[0].state == "broken"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
TEXTS = (
    st.text(max_size=12)
    | st.integers().map(str)
    | st.binary(max_size=8).map(lambda b: b.decode("utf-8", "surrogateescape"))
)
WORK = st.dictionaries(st.sampled_from(["task", "command", "args", "kwargs", "options"]), VALUES | st.just("a.b"))
FIELDS = st.fixed_dictionaries(
    {"v": st.just("1")},
    optional={
        "template": WORK.map(json.dumps) | TEXTS,
        "cron": st.just("* * * * *") | TEXTS,
        "tz": st.sampled_from(["UTC", "/etc/passwd", "a\0b", "x" * 5_000]) | TEXTS,
        **dict.fromkeys(
            (
                "every_ms",
                "phase_ms",
                "policies",
                "at",
                "skipped_count",
                "first_in_ms",
                "enabled",
                "nominal",
                "lease",
                "failures",
                "fired_count",
                "last_nominal",
                "last_fired",
                "retry",
                "broken",
            ),
            TEXTS,
        ),
    },
)


@given(TEXTS, FIELDS, st.none() | TEXTS | st.floats().map(str))
def test_no_record_however_damaged_raises_anything_else(name, fields, score):
    with contextlib.suppress(InvalidSchedule):
        decode(name, "default", fields)
    found = entry(name, "default", (score, "hash", fields), T)
    assert found.name == name
    assert (found.state == "broken") == bool(found.broken_reason) or found.schedule is not None


def test_a_run_log_line_says_only_what_there_is_to_say():
    assert (
        line(nominal=0, at=T, outcome="fired", reason="", late=0, count=None)
        == f'{{"nominal":0,"at":{T},"outcome":"fired"}}'
    )


def test_run_log_lines_that_nobody_can_read_are_shown_as_they_are(registry):
    registry.client.rpush(registry.keys.runs("x"), '{"outcome":"fired"}', "no json", "[1]", b"\xff")
    assert registry.runs("x") == [
        {"outcome": "fired"},
        {"unreadable": "no json"},
        {"unreadable": "[1]"},
        {"unreadable": "\udcff"},
    ]
    assert lines([]) == []
