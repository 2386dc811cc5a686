"""Values that raise, or lie, when they are looked at: each is a mistake of its declaration and nothing worse."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn

import pytest
from django.test import override_settings
from django.utils.functional import SimpleLazyObject

from django_repeat import Schedule, declarations, declare, register, repeat
from django_repeat.declarations import Problem
from django_repeat.exceptions import InvalidSchedule
from django_repeat.policies import NAMES
from tests.engines import work

ADD = "tests.engines.work.add"


class Trap(Exception):
    """What a value raises; nobody may see it."""

    def __str__(self) -> str:
        raise self


def spring(*_: Any, **__: Any) -> NoReturn:
    raise Trap


class Unshown:
    __repr__ = __str__ = __format__ = spring  # type: ignore[assignment]


class Incomparable(Unshown):
    __eq__ = __ne__ = __lt__ = __hash__ = __bool__ = spring  # type: ignore[assignment]


class Closed(Incomparable):
    __getattr__ = spring


class Text(str):
    __repr__ = __str__ = __eq__ = __ne__ = __len__ = __iter__ = __hash__ = encode = strip = spring  # type: ignore[assignment]


class Number(int):
    __repr__ = __str__ = __eq__ = __ne__ = __lt__ = __abs__ = __int__ = __index__ = __mul__ = spring  # type: ignore[assignment]


class Items(list[Any]):
    __iter__ = __repr__ = __len__ = __getitem__ = __eq__ = spring  # type: ignore[assignment]


class Table(dict[str, Any]):
    __iter__ = __repr__ = items = keys = __getitem__ = __eq__ = spring  # type: ignore[assignment]


class Closing(Mapping[str, Any]):
    __iter__ = __getitem__ = __len__ = __repr__ = spring  # type: ignore[assignment]


def nameless() -> Any:
    """Answer an object whose type has no name that could be read; pytest would look at such a class in this module."""

    class Named(type):
        __name__ = property(spring)  # type: ignore[assignment]

    return Named("Nameless", (), {"__repr__": spring})()


class Exiting:
    """As a lazy import does that calls sys.exit."""

    def __getattr__(self, name: str) -> NoReturn:
        raise SystemExit(1)

    def __repr__(self) -> NoReturn:
        raise Trap


def lying(kind: type) -> Any:
    """Answer an object that says it is of that type."""
    return type("Liar", (), {"__class__": property(lambda self: kind), "__repr__": spring})()


HOSTILE: dict[str, Callable[[], Any]] = {
    **{made.__name__: made for made in (Unshown, Incomparable, Closed, Items, Table, Closing, Exiting)},
    "nameless": nameless,
    "Text": lambda: Text("text"),
    "Number": lambda: Number(5),
    "huge": lambda: 10**5_000,
    "full Items": lambda: Items([1]),
    "full Table": lambda: Table(a=1),
    **{
        f"lying {kind.__name__}": lambda kind=kind: lying(kind)
        for kind in (str, int, bool, float, list, dict, Schedule)
    },  # type: ignore[misc]
    "lazy": lambda: SimpleLazyObject(lambda: "text"),
    "lazy that raises": lambda: SimpleLazyObject(spring),
}
OWN = [
    *("recurrence", "every", "cron", "timezone", "phase", "task", "command", "args", "kwargs", "queue", "options"),
    *("enabled", "first_in", "policies"),
]
WITH: dict[str, dict[str, Any]] = {
    "timezone": {"every": None, "cron": "0 6 * * *"},
    "recurrence": {"every": None},
    "cron": {"every": None},
    "command": {"task": None},
}
hostile = pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)


@pytest.fixture(autouse=True)
def nothing_declared() -> Iterator[None]:
    with declarations.declarations.kept():
        yield


def all_problems(schedules: Any = None) -> list[Problem]:
    with override_settings(DJANGO_REPEAT={"REDIS": "repeat", "SCHEDULES": {} if schedules is None else schedules}):
        declared, problems = declarations.everything()
    for one in declared:
        assert one.schedule.digest, "what is declared can be registered"
    return problems


def assert_kept(problem: Problem, field: str) -> None:
    for text in (problem.name, problem.message, problem.where):
        assert type(text) is str
        assert len(text.encode()) < 400
        assert text.isprintable()
    assert hash(problem)
    assert field in problem.message


def refusal(fields: Callable[[], dict[str, Any]]) -> str:
    """Answer why such a schedule is refused, "" if it is none the worse for its value."""
    try:
        found = Schedule("n", **fields())
    except InvalidSchedule as error:
        return str(error)
    assert found.digest == Schedule("n", **fields()).digest
    assert pickle.loads(pickle.dumps(found)) == found
    return ""


@pytest.mark.parametrize("field", [*OWN, *NAMES])
@hostile
def test_a_value_is_refused_by_its_field_or_becomes_plain(make: Callable[[], Any], field: str) -> None:
    fields = {"every": "5m", "task": ADD, **WITH.get(field, {})}
    text = refusal(lambda: {**fields, field: make()})
    if text:
        assert text.startswith("Schedule 'n': ")
        assert field in text
        assert len(text.encode()) < 400


@pytest.mark.parametrize("field, around", [
    ("args", lambda value: [[value]]), ("kwargs", lambda value: {"a": value}), ("options", lambda value: {"a": value}),
])  # fmt: skip
@hostile
def test_so_it_is_inside_the_arguments(make: Callable[[], Any], field: str, around: Callable[[Any], Any]) -> None:
    text = refusal(lambda: {"every": "5m", "task": ADD, field: around(make())})
    assert not text or text.startswith(f"Schedule 'n': {field}[")


@hostile
def test_no_way_of_declaring_raises_and_each_keeps_the_mistake(make: Callable[[], Any]) -> None:
    assert declare("in code", every="5m", task=ADD, args=make(), kwargs=make()) is None
    assert repeat(name="by decorator", every="5m", args=make(), kwargs=make())(work.add) is work.add
    fields = {"every": "5m", "task": ADD, "args": make(), "kwargs": make()}
    problems = all_problems({"in settings": fields, "good": {"every": 5, "task": ADD}})
    assert sorted(problem.name for problem in problems) == ["by decorator", "in code", "in settings"]
    for problem in problems:
        assert_kept(problem, "args")


@pytest.mark.parametrize("make", [made for key, made in HOSTILE.items() if key != "Text"])
def test_a_name_may_be_anything(make: Callable[[], Any]) -> None:
    assert declare(make(), every="5m", task=ADD) is None
    [problem] = all_problems()
    assert_kept(problem, "name: ")


@hostile
def test_the_fields_in_the_settings_may_be_anything(make: Callable[[], Any]) -> None:
    [problem] = all_problems({"n": make()})
    assert_kept(problem, "Schedule 'n'")


def is_key(make: Callable[[], Any]) -> bool:
    try:
        return bool({make(): 1})
    except (Trap, TypeError):
        return False


@pytest.mark.parametrize("make", list(filter(is_key, HOSTILE.values())))
def test_the_name_of_a_field_may_be_anything(make: Callable[[], Any]) -> None:
    [problem] = all_problems({"n": {make(): 1}})
    assert_kept(problem, "there is no field")


def test_all_of_the_settings_may_be_unreadable() -> None:
    [problem] = all_problems(Closing())
    assert_kept(problem, "DJANGO_REPEAT['SCHEDULES']: it cannot be read (Trap)")


@hostile
def test_the_decorator_refuses_it_as_a_task(make: Callable[[], Any]) -> None:
    with pytest.raises(TypeError, match="is no task of any engine"):
        repeat(every=5)(make())


@pytest.mark.parametrize("error", [Trap, SystemExit])
def test_the_decorator_keeps_a_task_whose_path_cannot_be_had(error: type[BaseException]) -> None:
    def refuse(self: object, name: str) -> NoReturn:
        raise error

    task: Any = type("Task", (), {"enqueue": print, "__getattr__": refuse})()
    assert repeat(every=5)(task) is task
    assert repeat(every=5, name="named")(task) is task
    problems = all_problems()
    assert [problem.name for problem in problems] == ["a value of type Task", "named"]
    for problem in problems:
        assert_kept(problem, f"task: a value of type Task has no path ({error.__name__}); give the path")


@hostile
def test_the_verbs_raise_the_one_error(make: Callable[[], Any]) -> None:
    with pytest.raises(InvalidSchedule):
        register("n", every="5m", task=ADD, args=make(), kwargs=make())


def test_what_using_changed_is_plain_too() -> None:
    with pytest.raises(InvalidSchedule, match=r"Schedule 'n': options\['priority'\]: "):
        Schedule("n", every="5m", task=type("Task", (), {"using": print, "priority": Unshown(), "module_path": ADD})())


def test_an_interrupt_passes() -> None:
    class Interrupting:
        def __getattr__(self, name: str) -> NoReturn:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        declare("n", every="5m", task=Interrupting())


def test_a_schedule_whose_arguments_were_spoilt_is_a_mistake() -> None:
    schedule = Schedule("spoilt", every="5m", task=ADD, args=[[1]])
    schedule.args[0].append(Unshown())
    assert declare(schedule) is None
    [problem] = all_problems()
    assert problem.name == "spoilt"
    assert_kept(problem, "Schedule 'spoilt': it is JSON no more (TypeError)")
