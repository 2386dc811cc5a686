from __future__ import annotations

import copy
import datetime
import decimal
import enum
import json
import pickle
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.utils.safestring import mark_safe
from django.utils.translation import gettext_lazy

from django_repeat.exceptions import InvalidSchedule
from django_repeat.jsonvalues import FrozenDict, canonical, normalise


class Colour(enum.StrEnum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 3


class Plain(enum.Enum):
    ONE = 1


REFUSED = {
    "datetime": datetime.datetime(2026, 1, 1, tzinfo=datetime.UTC),
    "date": datetime.date(2026, 1, 1),
    "timedelta": datetime.timedelta(1),
    "decimal": decimal.Decimal("1.5"),
    "uuid": uuid.UUID(int=1),
    "set": {1},
    "frozenset": frozenset({1}),
    "bytes": b"x",
    "bytearray": bytearray(b"x"),
    "model": Group(pk=1),
    "model class": Group,
    "queryset": Group.objects.all(),
    "lambda": lambda: None,
    "generator": (item for item in ()),
    "complex": 1j,
    "object": object(),
    "enum": Plain.ONE,
    "lazy text": gettext_lazy("yes"),
    "nan": float("nan"),
    "infinity": float("-inf"),
    "int key": {1: "a"},
    "tuple key": {("a", "b"): 1},
    "None key": {None: 1},
    "bool key": {True: 1},
    "surrogate": "\ud800",
    "surrogate key": {"\ud800": 1},
    "huge int": 10**5_000,
}


@pytest.mark.parametrize("value", REFUSED.values(), ids=REFUSED)
def test_what_json_cannot_carry_is_refused_by_its_place(value: Any) -> None:
    with pytest.raises(InvalidSchedule, match=r"^args\[0\]") as caught:
        normalise(value, "args[0]")
    str(caught.value).encode()
    with pytest.raises(InvalidSchedule, match=r"^kwargs\['a'\]\[1\]"):
        normalise({"a": [None, value]}, "kwargs")


SAME = [
    *(None, True, False, 0, -1, 2**63, 10**299, 0.0, 1.5, -1e300),
    *("", "é", "任务", "\0", [], {}, [[]], {"a": {"b": [1]}}),
]


@pytest.mark.parametrize("value", SAME, ids=repr)
def test_json_comes_back_as_it_was(value: Any) -> None:
    found = normalise(value, "args[0]")
    assert found == value
    assert type(found) is type(value)
    assert json.loads(canonical(found)) == value


@pytest.mark.parametrize(
    "value, plain",
    [
        ((1, (2,)), [1, [2]]),
        (Colour.RED, "red"),
        (Level.HIGH, 3),
        ({Colour.RED: Level.HIGH}, {"red": 3}),
        (mark_safe("<b>"), "<b>"),
        (FrozenDict(a=1), {"a": 1}),
    ],
    ids=repr,
)
def test_subclasses_and_tuples_become_plain(value: Any, plain: Any) -> None:
    found = normalise(value, "args[0]")
    assert found == plain
    assert type(found) is type(plain)
    if isinstance(found, dict):
        assert {type(key) for key in found} == {str}


def test_the_answer_shares_nothing_with_what_was_given() -> None:
    given: dict[str, Any] = {"a": [1, {"b": 2}]}
    found = normalise(given, "kwargs")
    given["a"][1]["b"] = 3
    given["a"].append(4)
    assert found == {"a": [1, {"b": 2}]}


def test_what_contains_itself_is_refused() -> None:
    loop: list[Any] = []
    loop.extend([loop, loop])
    with pytest.raises(InvalidSchedule, match="contains itself"):
        normalise(loop, "args[0]")


def test_canonical_text_does_not_depend_on_the_order_of_keys() -> None:
    assert canonical({"b": 1, "a": [True, None, "é"]}) == canonical({"a": [True, None, "é"], "b": 1})
    assert canonical({"b": 1, "a": "é"}) == '{"a":"é","b":1}'


@pytest.mark.parametrize(
    "change",
    [
        lambda frozen: frozen.__setitem__("b", 1),
        lambda frozen: frozen.__delitem__("a"),
        lambda frozen: frozen.update(b=1),
        lambda frozen: frozen.setdefault("b", 1),
        lambda frozen: frozen.pop("a"),
        lambda frozen: frozen.popitem(),
        lambda frozen: frozen.clear(),
        lambda frozen: frozen.__ior__({"b": 1}),
    ],
)
def test_a_frozen_dict_cannot_be_changed(change: Any) -> None:
    frozen = FrozenDict(a=1)
    with pytest.raises(TypeError, match="replace"):
        change(frozen)
    assert frozen == {"a": 1}


@pytest.mark.parametrize("twin", [copy.copy, copy.deepcopy, lambda frozen: pickle.loads(pickle.dumps(frozen))])
def test_a_frozen_dict_can_be_copied(twin: Any) -> None:
    found = twin(FrozenDict(a=[1]))
    assert found == {"a": [1]}
    assert isinstance(found, FrozenDict)
    assert json.dumps(found) == '{"a": [1]}'
