"""What an engine or a task does to the arguments that it is given, no later occurrence sees."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from django_repeat import Occurrence, Schedule, register
from django_repeat.testing import freeze
from tests.ticker.support import Script, at, raising, seconds, ticker

START = at("2026-03-01T12:00:00")
GIVEN: dict[str, Any] = {
    "args": [[1], {"a": [1]}, "text"],
    "kwargs": {"x": {"y": []}, "deep": [[{"z": 1}]]},
    "options": {"headers": {"tags": ["a"]}},
}


def spoil(value: Any) -> None:
    """Change everything that can be changed in place, however deep it lies."""
    for item in list(value.values() if isinstance(value, dict) else value):
        if isinstance(item, (list, dict)):
            spoil(item)
    if isinstance(value, list):
        value.append("spoilt")
    elif type(value) is dict:
        value["spoilt"] = True


def spoil_all(occurrence: Occurrence) -> None:
    for value in (occurrence.kwargs, occurrence.schedule.args, occurrence.schedule.kwargs, occurrence.schedule.options):
        spoil(value)


def seen(occurrence: Occurrence) -> dict[str, Any]:
    schedule = occurrence.schedule
    return deepcopy({"args": list(schedule.args), "kwargs": occurrence.kwargs, "options": dict(schedule.options)})


@pytest.fixture
def runs(script: Script) -> list[dict[str, Any]]:
    """What the engine got at each occurrence, before it spoilt all of it."""
    found: list[dict[str, Any]] = []
    script.noted = lambda occurrence: found.append(seen(occurrence))
    script.after = spoil_all
    return found


def test_each_occurrence_has_arguments_of_its_own(runs: list[dict[str, Any]], repeat_registry: object) -> None:
    with freeze(START):
        register("n", task="a.b", every="1m", catch_up="all", **GIVEN)
    one = ticker()
    for minute in (0, 1, 4):
        with freeze(seconds(START, 60 * minute)):
            one.tick()
    assert runs == [GIVEN] * 5


def test_so_has_an_occurrence_that_is_handed_over_again(
    runs: list[dict[str, Any]], script: Script, repeat_registry: object
) -> None:
    refuse: Callable[[Occurrence], Any] = raising(RuntimeError, times=2)

    def spoil_and_refuse(occurrence: Occurrence) -> None:
        spoil_all(occurrence)
        refuse(occurrence)

    script.after = spoil_and_refuse
    with freeze(START):
        register("n", task="a.b", every="1h", **GIVEN)
    one = ticker()
    for second in (0, 5, 30):
        with freeze(seconds(START, second)):
            one.tick()
    assert runs == [GIVEN] * 3
    assert len(set(script.ids)) == 1


@pytest.mark.parametrize("given", [GIVEN, {"args": ["flat"], "kwargs": {"a": 1}}, {}], ids=["nested", "flat", "none"])
def test_the_schedule_of_an_occurrence_is_that_schedule_in_all_else(given: dict[str, Any]) -> None:
    schedule = Schedule("n", task="a.b", every="1m", spread="30s", exclude=["2026-12-24"], **given)
    own = Occurrence(schedule=schedule, nominal_ms=0, fired_ms=0).schedule
    assert own == schedule
    assert hash(own) == hash(schedule)
    assert (own.args, own.kwargs, own.options) == (schedule.args, schedule.kwargs, schedule.options)
    assert (own.recurrence, own.policies, own.grid, own.offset_ms) == (
        schedule.recurrence,
        schedule.policies,
        schedule.grid,
        schedule.offset_ms,
    )
    assert pickle.loads(pickle.dumps(own)) == schedule
    assert replace(own, queue="other") == replace(schedule, queue="other")
    assert json.loads(json.dumps([own.args, own.kwargs, own.options])) == [
        given.get("args", []),
        given.get("kwargs", {}),
        given.get("options", {}),
    ]
    with pytest.raises(TypeError):
        own.kwargs["new"] = 1  # type: ignore[index]


def test_what_lies_in_the_arguments_is_plain() -> None:
    """A task that gets them, in whatever process, must not need this package to read them."""
    schedule = Schedule("n", task="a.b", every="1m", **GIVEN)
    own = Occurrence(schedule=schedule, nominal_ms=0, fired_ms=0)

    def types(value: Any) -> set[type]:
        items = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        return {type(value)}.union(*map(types, items))

    assert types([*own.schedule.args, own.kwargs, *own.schedule.options.values()]) == {list, dict, str, int}


def test_where_nothing_can_be_changed_nothing_is_copied() -> None:
    schedule = Schedule("n", task="a.b", every="1m", args=["flat", 1, None], kwargs={"a": True})
    assert Occurrence(schedule=schedule, nominal_ms=0, fired_ms=0).schedule is schedule


def test_the_digest_is_that_of_what_was_declared() -> None:
    schedule = Schedule("n", task="a.b", every="1m", **GIVEN)
    own = Occurrence(schedule=schedule, nominal_ms=0, fired_ms=0)
    spoil_all(own)
    assert own.schedule == schedule
    assert own.schedule.digest == Schedule("n", task="a.b", every="1m", **GIVEN).digest
