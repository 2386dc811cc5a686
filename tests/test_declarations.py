from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import override_settings

from django_repeat import Schedule, declarations, declare, repeat
from django_repeat.declarations import Declarations, Declared, Problem
from tests.engines import work

ADD = "tests.engines.work.add"
collected = declarations.declarations


@pytest.fixture(autouse=True)
def nothing_declared() -> Iterator[None]:
    with collected.kept():
        yield


def found(**settings: Any) -> tuple[dict[tuple[str, str], Declared], list[Problem]]:
    with override_settings(DJANGO_REPEAT={"REDIS": "repeat", **settings}):
        declared, problems = declarations.everything()
    return {(one.schedule.queue, one.schedule.name): one for one in declared}, problems


def test_three_ways_lead_to_the_same_schedule() -> None:
    fields: dict[str, Any] = {"every": "15m", "kwargs": {"right": 2}, "queue": "reports"}
    declare("by call", task=ADD, **fields)
    repeat(name="by decorator", **fields)(work.add)
    declared, problems = found(SCHEDULES={"by settings": {"task": ADD, **fields}})
    assert problems == []
    assert sorted(name for _, name in declared) == ["by call", "by decorator", "by settings"]
    assert {one.schedule.digest for one in declared.values()} == {Schedule("n", task=ADD, **fields).digest}
    assert {name: one.source for (_, name), one in declared.items()} == {
        "by call": "code",
        "by decorator": "code",
        "by settings": "settings",
    }


def test_a_declaration_says_where_it_stands() -> None:
    declare("by call", every=5, task=ADD)
    declared, _ = found(SCHEDULES={"by settings": {"task": ADD, "every": 5}})
    assert declared["default", "by settings"].where == "DJANGO_REPEAT['SCHEDULES']['by settings']"
    module, _, line = declared["default", "by call"].where.partition(":")
    assert module == __name__
    assert int(line) == test_a_declaration_says_where_it_stands.__code__.co_firstlineno + 1


def test_the_decorator_answers_the_task_and_names_by_its_path() -> None:
    assert repeat(every=5)(work.add) is work.add
    assert list(found()[0]) == [("default", ADD)]


@pytest.mark.parametrize("task", [work.plain, len, ADD, None, 5], ids=repr)
def test_the_decorator_refuses_what_no_engine_takes(task: Any) -> None:
    with pytest.raises(TypeError, match="no task of any engine: move @repeat above @task, or put @task between"):
        repeat(every=5)(task)
    assert found() == ({}, [])


@pytest.mark.parametrize("given", [work.add, work.plain, "by name"], ids=str)
def test_the_decorator_without_brackets_says_how_it_is_written(given: Any) -> None:
    with pytest.raises(TypeError, match=re.escape("write @repeat(every=…) or @repeat(cron=…), with brackets")):
        repeat(given)
    assert found() == ({}, [])


def test_the_decorator_keeps_any_other_mistake_for_the_checks() -> None:
    assert repeat(evry="15m")(work.add) is work.add
    declared, [problem] = found()
    assert declared == {}
    assert problem.message == f"Schedule '{ADD}': there is no field 'evry'. Did you mean 'every'?"
    assert problem.where.startswith(f"{__name__}:")


def test_a_schedule_can_be_declared_whole() -> None:
    schedule = Schedule("whole", every=5, task=ADD)
    assert declare(schedule) is schedule
    assert found()[0]["default", "whole"].schedule is schedule


BAD: list[tuple[Any, Any, str]] = [
    ("bad", {"task": ADD}, "exactly one of recurrence"),
    ("bad", {"every": 0, "task": ADD}, "every:"),
    ("bad", {"cron": "*/0 * * * *", "task": ADD}, "cron:"),
    ("bad", {"cron": "0 0 30 2 *", "task": ADD}, "never matches"),
    ("bad", {"cron": "@daily", "timezone": "Nope/Nope", "task": ADD}, "timezone:"),
    ("bad", {"every": 5, "task": "nodots"}, "task:"),
    ("bad", {"every": 5, "task": ADD, "args": [b"x"]}, r"args\[0\]"),
    ("bad", {"every": 5, "task": ADD, "kwargs": {"when": object()}}, r"kwargs\['when'\]"),
    ("bad", {"evry": 5, "task": ADD}, "Did you mean 'every'"),
    ("bad", {"every": 5, "task": ADD, "name": "other"}, "there is no field 'name'"),
    ("bad", {"every": 5, "task": ADD, "zzzzzzzz": 1}, "Known: recurrence, every"),
    ("bad\n", {"every": 5, "task": ADD}, "name:"),
    (None, {"every": 5, "task": ADD}, "name:"),
    (5, {"every": 5, "task": ADD}, "name:"),
]


@pytest.mark.parametrize("name, fields, reason", BAD)
def test_a_mistake_in_code_raises_nothing_and_is_kept_for_the_check(name: Any, fields: Any, reason: str) -> None:
    assert declare(name, **fields) is None
    declared, [problem] = found()
    assert declared == {}
    assert re.search(reason, problem.message)
    assert problem.where.startswith(f"{__name__}:")


@pytest.mark.parametrize("name, fields, reason", [*BAD, ("bad", None, "a dict of its fields"), ("bad", "5m", "a dict")])
def test_a_mistake_in_settings_raises_nothing_and_is_kept_for_the_check(name: Any, fields: Any, reason: str) -> None:
    good = {"good": {"every": 5, "task": ADD}}
    declared, [problem] = found(SCHEDULES={name: fields, **good})
    assert list(declared) == [("default", "good")]
    assert re.search(reason, problem.message)
    assert problem.where == f"DJANGO_REPEAT['SCHEDULES'][{name!r}]"


def test_where_mistakes_are_logged_each_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    declare("logged once", every="in code", task=ADD)
    found(SCHEDULES={"logged once": {"every": "in settings", "task": ADD}})
    assert caplog.records == []
    collected.loud = True
    for _ in range(3):
        declare("logged once", every="in code, later", task=ADD)
        found(SCHEDULES={"logged once": {"every": "in settings", "task": ADD}})
    assert [(record.name, record.levelno) for record in caplog.records] == [("django_repeat", logging.ERROR)] * 3
    assert all("Schedule 'logged once': every:" in record.getMessage() for record in caplog.records)


def test_a_schedule_with_fields_beside_it_is_a_mistake() -> None:
    assert declare(Schedule("n", every=5, task=ADD), every=6) is None
    assert "not both" in found()[1][0].message


def test_bd03_said_again_it_changes_nothing() -> None:
    for _ in range(2):
        declare("n", every=5, task=ADD)
    declare("n", every="5s", task=ADD)
    declared, problems = found(SCHEDULES={"n": {"every": 5, "task": ADD}})
    assert len(declared) == 1
    assert problems == []


def test_another_definition_of_a_name_is_a_problem_and_the_first_stays() -> None:
    for seconds in (5, 6):
        declare("n", every=seconds, task=ADD)
    declared, [problem] = found()
    assert str(declared["default", "n"].schedule.recurrence) == "every 5s"
    assert "declared twice in queue 'default'" in problem.message


def test_the_settings_go_before_the_code() -> None:
    declare("n", every=5, task=ADD)
    declared, [problem] = found(SCHEDULES={"n": {"every": 6, "task": ADD}})
    assert str(declared["default", "n"].schedule.recurrence) == "every 6s"
    assert "DJANGO_REPEAT['SCHEDULES']['n'] (kept)" in problem.message
    assert f"{__name__}:" in problem.message


def test_one_name_in_two_queues_is_two_schedules() -> None:
    declare("n", every=5, task=ADD)
    declare("n", every=6, task=ADD, queue="other")
    declared, problems = found()
    assert set(declared) == {("default", "n"), ("other", "n")}
    assert problems == []


def test_two_spellings_of_a_name_in_settings_are_declared_twice() -> None:
    fields = {"every": 5, "task": ADD}
    names = [unicodedata.normalize(form, "café") for form in ("NFC", "NFD")]
    declared, [problem] = found(SCHEDULES=dict.fromkeys(names, fields))
    assert list(declared) == [("default", names[0])]
    assert "declared twice" in problem.message


def test_settings_are_read_anew_when_they_change() -> None:
    rule = {"cron": "0 6 * * *", "task": ADD}
    schedules = {"n": rule}
    zones = []
    for zone in ("UTC", "Asia/Jakarta"):
        with override_settings(TIME_ZONE=zone):
            zones.append(found(SCHEDULES=schedules)[0]["default", "n"].schedule.recurrence.timezone)
    assert zones == ["UTC", "Asia/Jakarta"]
    assert list(found(SCHEDULES={"m": rule})[0]) == [("default", "m")]
    assert found()[0] == {}


def test_listeners_hear_of_each_good_declaration_and_of_no_bad_one() -> None:
    heard: list[str] = []
    own = Declarations()
    own.listeners.append(lambda one: heard.append(one.schedule.name))
    for name, seconds in (("a", 5), ("b", 6), ("b", 7)):
        own.add(Declared(schedule=Schedule(name, every=seconds, task=ADD), source="code", where="here"))
    own.reject(Problem(name="c", message="wrong", where="here"))
    assert heard == ["a", "b"]
    assert [problem.name for problem in own.collected()[1]] == ["b", "c"]


def test_what_a_block_declares_is_forgotten_after_it() -> None:
    declare("stays", every=5, task=ADD)
    with collected.kept():
        declare("goes", every=5, task=ADD)
        declare("wrong", every=0, task=ADD)
    declared, problems = found()
    assert list(declared) == [("default", "stays")]
    assert problems == []
