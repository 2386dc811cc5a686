"""The verified cases, one by one."""

import json
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron, Every, Recurrence

CASES: list[dict[str, Any]] = json.loads((Path(__file__).parent / "cron_cases.json").read_text(encoding="utf-8"))


def with_id(cases: list[dict[str, Any]]) -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in cases]


def recurrence(case: dict[str, Any]) -> Recurrence:
    if "every_ms" in case:
        return Every(timedelta(milliseconds=case["every_ms"]))
    return Cron(case["expr"], case["tz"])


def anchor(case: dict[str, Any]) -> datetime | None:
    return datetime.fromisoformat(case["anchor"]) if "anchor" in case else None


def test_all_cases_are_here() -> None:
    assert len({case["id"] for case in CASES}) == len(CASES) == 137


@pytest.mark.parametrize("case", with_id([case for case in CASES if "expect" in case]))
def test_answers_the_expected_instants(case: dict[str, Any]) -> None:
    rule, grid = recurrence(case), anchor(case)
    expected = [datetime.fromisoformat(text) for text in case["expect"]]
    start = datetime.fromisoformat(case["after"])

    found = [start]
    for _ in expected:
        following = rule.after(found[-1], anchor=grid)
        assert following is not None
        found.append(following)

    assert found[1:] == expected, case["why"]
    assert all(instant.utcoffset() == timedelta(0) for instant in found)
    assert [rule.before(instant, anchor=grid) for instant in expected] == expected
    for earlier, later in pairwise(expected):
        assert rule.before(later - timedelta(microseconds=1), anchor=grid) == earlier
    assert [rule.count(start, instant, anchor=grid) for instant in expected] == list(range(1, len(expected) + 1))


@pytest.mark.parametrize("case", with_id([case for case in CASES if case.get("error")]))
def test_refuses_at_birth(case: dict[str, Any]) -> None:
    with pytest.raises(InvalidSchedule):
        recurrence(case)
