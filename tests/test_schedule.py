from __future__ import annotations

import copy
import pickle
import re
from dataclasses import FrozenInstanceError, replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.db.models import TextChoices
from django.test import override_settings

from django_repeat import Cron, Every, Schedule
from django_repeat.exceptions import InvalidSchedule
from tests.engines import work

TASK = "tests.engines.work.add"


class Texts(TextChoices):
    NAME = "reports.daily"
    QUEUE = "reports"
    TASK = "tests.engines.work.add"
    COMMAND = "clearsessions"
    CRON = "0 6 * * *"
    ZONE = "Europe/Berlin"


def make(**fields: Any) -> Schedule:
    return Schedule(fields.pop("name", "n"), **{"every": "5m", "task": TASK, **fields})


WRONG: dict[str, list[Any]] = {
    "name": ["", " a", "a\n", None, 5, "\u202ea", "x" * 201],
    "every": [
        0,
        -60,
        False,
        True,
        "",
        "x",
        "5 m",
        "0s",
        float("nan"),
        float("inf"),
        0.0001,
        timedelta(0),
        [],
        object(),
    ],
    "phase": [-1, True, "x", "5m", 300, timedelta(days=1), float("nan")],
    "task": ["", "add", "a.b.", "a-b.c", "__main__.f", 5, object(), lambda: None],
    "args": ["abc", None, 5, {}, {1}, [object()], [float("nan")], [10**5_000], 10**5_000],
    "kwargs": ["abc", 5, [], [("a", 1)], {1: 2}, {"a": {1}}],
    "options": ["abc", 5, [], {1: 2}, {"a": b"x"}],
    "queue": ["", "a b", "a{b}", None, 5, "é"],
    "enabled": [None, 0, 1, "yes"],
    "first_in": [-1, None, True, False, "x", timedelta(days=4_000), timedelta(microseconds=1), float("nan"), []],
}
WRONG_WITHOUT_EVERY: dict[str, list[Any]] = {
    "recurrence": [5, "5m", Every, timedelta(1)],
    "cron": ["", "*/0 * * * *", "0 0 30 2 *", "0 0 12 * * *", 5, b"* * * * *", "@reboot", "\ud800"],
}
WRONG_ZONES = ["", "Nowhere/Land", "../etc/passwd", 5, b"UTC", "a\0b", object()]
WRONG_COMMANDS = ["", " a", "-x", "a\nb", 5, ["clearsessions"]]


def cases(table: dict[str, list[Any]]) -> list[Any]:
    return [
        pytest.param(field, value, id=f"{field}-{n}")
        for field, values in table.items()
        for n, value in enumerate(values)
    ]


def refused(field: str, **fields: Any) -> None:
    with pytest.raises(InvalidSchedule) as caught:
        make(**fields)
    assert f"{field}:" in str(caught.value) or f"{field}[" in str(caught.value)
    str(caught.value).encode()
    # What is wrong, and how to mend it.
    assert re.fullmatch(r"(Schedule '.*'?: |A schedule's name: ).+; .+[.?]", str(caught.value))


@pytest.mark.parametrize("field, value", cases(WRONG))
def test_a_wrong_value_is_refused_by_its_field(field: str, value: Any) -> None:
    refused(field, **{field: value})


@pytest.mark.parametrize("field, value", cases(WRONG_WITHOUT_EVERY))
def test_a_wrong_recurrence_is_refused_by_its_field(field: str, value: Any) -> None:
    refused(field, every=None, **{field: value})


@pytest.mark.parametrize("zone", WRONG_ZONES, ids=repr)
def test_a_wrong_zone_is_refused(zone: Any) -> None:
    refused("timezone", every=None, cron="0 6 * * *", timezone=zone)


@pytest.mark.parametrize("command", WRONG_COMMANDS, ids=repr)
def test_a_wrong_command_is_refused(command: Any) -> None:
    refused("command", task=None, command=command)


@pytest.mark.parametrize(
    "fields, reason",
    [
        ({"every": None}, "exactly one of recurrence, every and cron, not none"),
        ({"cron": "0 6 * * *"}, "exactly one of recurrence, every and cron, not every and cron"),
        ({"recurrence": Every(1)}, "exactly one of recurrence, every and cron"),
        ({"task": None}, "exactly one of task and command"),
        ({"command": "check"}, "exactly one of task and command"),
        ({"timezone": "UTC"}, "timezone: it goes with cron, and an interval"),
        ({"every": None, "cron": "0 6 * * *", "phase": 1}, "phase: it goes with every, and a calendar rule"),
        (
            {"every": None, "recurrence": Every(5), "phase": 1},
            "phase: it goes with every, and a recurrence",
        ),
    ],
)
def test_fields_that_do_not_go_together(fields: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidSchedule, match=f"^Schedule 'n': (give )?{reason}"):
        make(**fields)


def test_every_field_has_a_place_of_its_own() -> None:
    found = make(phase="1m", args=(1, (2,)), kwargs={"deep": False}, queue="q", options={"priority": 5}, first_in="2m")
    assert found.recurrence == Every("5m", "1m")
    assert (found.name, found.queue, found.task, found.command) == ("n", "q", TASK, None)
    assert (found.args, found.kwargs, found.options) == ((1, [2]), {"deep": False}, {"priority": 5})
    assert (found.enabled, found.first_in) == (True, timedelta(minutes=2))


def test_a_task_may_be_given_itself_and_brings_what_using_changed() -> None:
    assert make(task=work.add).task == TASK
    assert make(task=work.add).options == {}
    changed = make(task=work.add.using(priority=7), options={"queue_name": "slow"})
    assert (changed.task, changed.options) == (TASK, {"priority": 7, "queue_name": "slow"})
    assert make(task=work.add.using(priority=7), options={"priority": 1}).options == {"priority": 1}


def test_a_task_with_an_instant_of_its_own_is_refused() -> None:
    with pytest.raises(InvalidSchedule, match=r"task: using\(run_after"):
        make(task=replace(work.add, run_after=datetime(2030, 1, 1, tzinfo=UTC)))


def test_members_of_enums_become_plain_text() -> None:
    found = Schedule(Texts.NAME, cron=Texts.CRON, timezone=Texts.ZONE, command=Texts.COMMAND, queue=Texts.QUEUE)
    plain = Schedule(
        "reports.daily", cron="0 6 * * *", timezone="Europe/Berlin", command="clearsessions", queue="reports"
    )
    assert found == plain
    assert {type(value) for value in (found.name, found.command, found.queue)} == {str}
    assert {type(value) for value in (found.recurrence.text, found.recurrence.timezone)} == {str}  # type: ignore[union-attr]
    assert type(make(task=Texts.TASK).task) is str
    assert make(task=Texts.TASK).task == TASK


@pytest.mark.parametrize("zone", ["Europe/Berlin", ZoneInfo("Europe/Berlin")])
def test_the_zone_is_the_one_given(zone: Any) -> None:
    with override_settings(TIME_ZONE="Asia/Jakarta"):
        assert make(every=None, cron="0 6 * * *", timezone=zone).recurrence == Cron("0 6 * * *", "Europe/Berlin")


def test_bd49_without_a_zone_a_rule_is_in_the_zone_of_the_site() -> None:
    with override_settings(TIME_ZONE="Asia/Jakarta"):
        rule = make(every=None, cron="25 8-16 * * *").recurrence
        own = make(every=None, cron="25 8-16 * * *", timezone="UTC").recurrence
    start = datetime(2025, 1, 1, tzinfo=UTC)
    assert rule.after(start) == datetime(2025, 1, 1, 1, 25, tzinfo=UTC)
    assert rule.after(datetime(2025, 1, 1, 1, 25, tzinfo=UTC)) == datetime(2025, 1, 1, 2, 25, tzinfo=UTC)
    assert own.after(start) == datetime(2025, 1, 1, 8, 25, tzinfo=UTC)


def test_a_schedule_cannot_be_changed() -> None:
    found = make(kwargs={"a": 1}, options={"priority": 1})
    with pytest.raises(FrozenInstanceError):
        found.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        found.kwargs["a"] = 2  # type: ignore[index]
    with pytest.raises(TypeError):
        found.options["a"] = 2  # type: ignore[index]


def test_a_schedule_keeps_nothing_of_what_was_given() -> None:
    args, kwargs = [[1]], {"a": [1]}
    found = make(args=args, kwargs=kwargs)
    args[0].append(2)
    kwargs["a"].append(2)
    assert (found.args, found.kwargs) == (([1],), {"a": [1]})


@pytest.mark.parametrize("cached", [False, True])
@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one)), replace])
def test_copies_are_equal(twin: Any, cached: bool) -> None:
    found = make(every=None, cron="0 6 * * *", args=[1], kwargs={"a": [1]}, options={"priority": 1}, first_in=5)
    if cached:
        assert found.digest
    copied = twin(found)
    assert copied == found
    assert hash(copied) == hash(found)
    assert (copied.template, copied.digest) == (found.template, found.digest)


def test_replace_changes_what_it_is_given_and_validates() -> None:
    found = make(args=[1])
    assert found.digest != replace(found, args=[5]).digest
    assert replace(found, args=[5]).args == (5,)
    assert replace(found, task=None, command="check").command == "check"
    with pytest.raises(InvalidSchedule, match="args: "):
        replace(found, args="abc")


def test_the_digest_covers_recurrence_work_and_policies_only() -> None:
    base = make(every=None, cron="0 6 * * *", timezone="UTC")
    changes: list[dict[str, Any]] = [
        {"cron": "0 7 * * *"},
        {"timezone": "Europe/Berlin"},
        {"task": "tests.engines.work.who"},
        {"args": [1]},
        {"kwargs": {"a": 1}},
        {"options": {"priority": 1}},
        {"enabled": False},
        {"first_in": 1},
    ]
    same: dict[str, Any] = {"every": None, "cron": "0 6 * * *", "timezone": "UTC"}
    digests = {base.digest, *(make(**{**same, **change}).digest for change in changes)}
    assert len(digests) == 1 + len(changes)
    assert make(name="other", queue="q", **same).digest == base.digest
    assert make(name="other", **same) != base
    assert make(every="5m").digest != make(every="5m", phase=0).digest


def test_the_template_is_canonical_json_without_the_unused_kind_of_work() -> None:
    assert make(args=[1], kwargs={"b": "é", "a": None}).template == (
        '{"args":[1],"kwargs":{"a":null,"b":"é"},"options":{},"task":"tests.engines.work.add"}'
    )
    assert make(task=None, command="check").template == '{"args":[],"command":"check","kwargs":{},"options":{}}'


def test_a_refusal_takes_no_time() -> None:
    with pytest.raises(InvalidSchedule):
        make(every=None, cron="* " * 100_000)
