"""What ``manage.py check`` says of settings, declarations and what the engine would take."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.core.checks import Error, Tags, Warning, registry

from django_repeat import checks, declare
from django_repeat.checks import KINDS, TAG
from django_repeat.declarations import Unread, declarations
from tests.checks.conftest import STORED, Said, ids

ADD = {"task": "tests.engines.work.add", "args": [1]}
DAILY = {"cron": "0 6 * * *"}
IMMEDIATE = {"default": {"BACKEND": f"{settings.TASKS_LIBRARY}.backends.immediate.ImmediateBackend", "QUEUES": []}}


def test_a_good_site_is_clean(said: Said) -> None:
    declare("in code", **ADD, every="15m")
    assert said(SCHEDULES={"a": {**ADD, **DAILY}, "b": {"command": "clearsessions", "every": 1}}) == []


@pytest.mark.parametrize(
    "wrong, text",
    [
        ({"SCHEDULE": {}}, "Did you mean 'SCHEDULES'"),
        ({"LEASE": "1 hour"}, "DJANGO_REPEAT['LEASE']"),
        ({"ENGINE": "nowhere.Engine"}, "DJANGO_REPEAT['ENGINE']"),
        ({"ENGINE": "tests.engines.work.Mute"}, "has no enqueue"),
        ({"SCHEDULES": []}, "DJANGO_REPEAT['SCHEDULES']"),
    ],
    ids=str,
)
def test_wrong_settings_are_one_error(said: Said, wrong: dict[str, Any], text: str) -> None:
    [message] = said(**wrong)
    assert message.id == "django_repeat.E001"
    assert isinstance(message, Error)
    assert text in message.msg


def test_each_wrong_setting_has_its_error_and_the_declarations_wait(said: Said) -> None:
    messages = said(LEASE="1s", BATCH=0, ENGINE="nowhere.Engine", SCHEDULES={"bad": {"every": 0}})
    assert ids(messages) == ["E001", "E001"]
    assert ["LEASE" in messages[0].msg, "BATCH" in messages[1].msg] == [True, True]


@pytest.mark.parametrize(
    "fields, text",
    [
        ({"cron": "*/0 * * * *"}, "cron: "),
        ({"cron": "0 0 30 2 *"}, "never matches"),
        ({"cron": "0 0 12 * * *"}, "six fields"),
        ({**DAILY, "timezone": "US/Nowhere"}, "timezone: "),
        ({"every": 0}, "every: "),
        ({"every": -60}, "every: "),
        ({"every": False}, "every: "),
        ({"every": float("nan")}, "every: "),
        ({**DAILY, "args": [float("nan")]}, "args[0]: "),
        ({**DAILY, "kwargs": {"a": b"x"}}, "kwargs['a']: "),
        ({**DAILY, "task": "nodots"}, "task: "),
        ({**DAILY, "timzone": "UTC"}, "Did you mean 'timezone'"),
    ],
    ids=str,
)
@pytest.mark.parametrize("where", ["settings", "code"])
def test_a_wrong_declaration_is_an_error_that_says_where(
    said: Said, fields: dict[str, Any], text: str, where: str
) -> None:
    whole = {**ADD, **fields}
    if where == "settings":
        [message] = said(SCHEDULES={"bad one": whole})
        assert message.obj == "DJANGO_REPEAT['SCHEDULES']['bad one']"
    else:
        declare("bad one", **whole)
        [message] = said()
        assert str(message.obj).startswith(f"{__name__}:")
    assert message.id == "django_repeat.E002"
    assert isinstance(message, Error)
    assert message.msg.startswith("Schedule 'bad one': ")
    assert text in message.msg


def test_a_name_that_is_declared_twice_is_an_error(said: Said) -> None:
    declare("n", **ADD, every="15m")
    assert ids(said(SCHEDULES={"n": {**ADD, **DAILY}})) == ["E002"]


@pytest.mark.parametrize(
    "fields, text",
    [
        ({"task": "tests.engines.nowhere.add"}, "does not import"),
        ({"task": "tests.engines.work.qqqq"}, "has no 'qqqq'; correct the path."),
        ({"task": "tests.engines.work.in_contxt"}, "has no 'in_contxt'; did you mean 'in_context'?"),
        ({"task": "tests.engines.work.plain"}, "no task of an engine"),
        ({"task": "tests.engines.work.add", "args": []}, "args: "),
        ({**ADD, "kwargs": {"wrong": 1}}, "kwargs['wrong']: "),
        ({**ADD, "options": {"prority": 1}}, "did you mean 'priority'"),
        ({**ADD, "options": {"backend": "other"}}, "options['backend']"),
        ({"command": "clearsession"}, "did you mean 'clearsessions'"),
        ({"command": "clearsessions", "args": ["--wrong"]}, "args: "),
    ],
    ids=str,
)
def test_what_the_engine_would_refuse_is_an_error(said: Said, fields: dict[str, Any], text: str) -> None:
    [message] = said(SCHEDULES={"n": {**DAILY, **fields}})
    assert message.id == "django_repeat.E003"
    assert message.msg.startswith("Schedule 'n': ")
    assert text in message.msg


def test_a_queue_that_tasks_does_not_know_is_an_error(said: Said) -> None:
    tasks = {"default": {**STORED["default"], "QUEUES": ["default"]}}
    options = {"queue_name": "slow"}
    assert ids(said(TASKS=tasks, SCHEDULES={"n": {**ADD, **DAILY, "options": options}})) == ["E003"]
    assert ids(said(TASKS=tasks, SCHEDULES={"n": {**ADD, **DAILY}})) == []


class Rude:
    """An engine of a site that fails when it is asked about a schedule."""

    def enqueue(self, occurrence: object) -> None: ...

    def problems(self, schedule: object) -> list[str]:
        raise LookupError("no broker {here}")


def agreeable(occurrence: object) -> bool:
    return True


def without_argument() -> bool:
    return True


class Agreeable:
    @staticmethod
    def yes(occurrence: object) -> bool:
        return True


@pytest.mark.parametrize(
    "when, text",
    [
        (f"{__name__}.agreeable", None),
        (agreeable, None),
        ("builtins.bool", None),
        (f"{__name__}.without_argument", "does not take the occurrence"),
        (f"{__name__}.gone", f"when: {__name__} has no 'gone'"),
        (f"{__name__}.DAILY", "is no callable"),
        ("nowhere.at_all", "when: nowhere.at_all does not import"),
        (Agreeable.yes, "does not import"),
    ],
    ids=str,
)
def test_a_condition_that_cannot_be_asked_is_an_error(said: Said, when: Any, text: str | None) -> None:
    messages = said(SCHEDULES={"n": {**ADD, **DAILY, "when": when}})
    assert ids(messages) == ([] if text is None else ["E006"])
    for message in messages:
        assert isinstance(message, Error)
        assert message.msg.startswith("The condition of schedule 'n': when: ")
        assert str(text) in message.msg


@pytest.mark.parametrize("fields, expected", [
    ({"task": "tests.engines.work.told", "args": []}, []),
    ({"task": "tests.engines.work.add"}, ["E003"]),
    ({"task": "tests.engines.work.told", "args": [], "pass_occurrence": False}, ["E003"]),
])  # fmt: skip
def test_a_task_that_does_not_take_its_occurrence_is_an_error(
    said: Said, fields: dict[str, Any], expected: list[str]
) -> None:
    assert ids(said(SCHEDULES={"n": {**ADD, **DAILY, "pass_occurrence": True, **fields}})) == expected


def test_wrong_policies_are_an_error(said: Said) -> None:
    [message] = said(SCHEDULES={"n": {**ADD, **DAILY, "window": "an hour"}})
    assert (message.id, message.msg[:23]) == ("django_repeat.E002", "Schedule 'n': window: '")
    [message] = said(SCHEDULES={"n": {**ADD, **DAILY, "windw": "1h"}})
    assert "Did you mean 'window'?" in message.msg


def test_an_engine_that_fails_when_asked_does_not_break_the_checks(said: Said) -> None:
    [message] = said(ENGINE=f"{__name__}.Rude", SCHEDULES={"n": {**ADD, **DAILY}})
    assert message.id == "django_repeat.E003"
    assert "LookupError: no broker {here}" in message.msg


def test_an_immediate_backend_is_one_warning_for_all(said: Said) -> None:
    [message] = said(TASKS=IMMEDIATE, SCHEDULES={f"n{number}": {**ADD, **DAILY} for number in range(5)})
    assert message.id == "django_repeat.W001"
    assert isinstance(message, Warning)
    assert message.msg.startswith("Schedules 'n0', 'n1', 'n2' and 2 more: ")
    assert ids(said(TASKS=IMMEDIATE, SCHEDULES={"n": {"command": "check", **DAILY}})) == ["W001"]
    assert ids(said(TASKS=IMMEDIATE)) == []


def test_a_dummy_backend_is_a_warning_where_it_is_used(said: Said) -> None:
    dummy = {"BACKEND": f"{settings.TASKS_LIBRARY}.backends.dummy.DummyBackend", "QUEUES": []}
    assert ids(said(TASKS={"default": dummy}, SCHEDULES={"n": {**ADD, **DAILY}})) == ["W002"]
    both = {**STORED, "quiet": dummy}
    assert ids(said(TASKS=both, SCHEDULES={"n": {**ADD, **DAILY}})) == []
    assert ids(said(TASKS=both, SCHEDULES={"n": {**ADD, **DAILY, "options": {"backend": "quiet"}}})) == ["W002"]
    assert ids(said(TASKS={"default": dummy}, SCHEDULES={"n": {"command": "check", **DAILY}})) == ["W002"]


def test_rows_without_the_id_of_the_occurrence_are_a_warning_where_they_are_used(said: Said) -> None:
    plain = {key: value for key, value in STORED["default"].items() if key != "OPTIONS"}
    both = {**STORED, "plain": plain}
    fields = {**ADD, **DAILY}
    [message] = said(TASKS={"default": plain}, SCHEDULES={"a": fields, "b": {"command": "check", **DAILY}})
    assert message.id == "django_repeat.W007"
    assert isinstance(message, Warning)
    assert message.msg.startswith("Schedules 'a', 'b': TASKS['default'] ")
    assert "django_repeat.occurrence.result_id" in str(message.hint)
    assert ids(said(TASKS={"default": {**plain, "OPTIONS": {"id_function": None}}}, SCHEDULES={"a": fields})) == [
        "W007"
    ]
    assert (
        ids(said(TASKS={"default": {**plain, "OPTIONS": {"id_function": "uuid.uuid4"}}}, SCHEDULES={"a": fields})) == []
    )
    assert ids(said(TASKS=both, SCHEDULES={"a": fields})) == []
    assert ids(said(TASKS=both, SCHEDULES={"a": {**fields, "options": {"backend": "plain"}}})) == ["W007"]
    assert ids(said(TASKS={"default": plain}, SCHEDULES={"a": {**fields, "task": "tests.nowhere.a"}})) == ["E003"]
    assert ids(said(TASKS={"default": plain})) == []
    engine = "tests.engines.work.Recording"
    assert ids(said(TASKS={"default": plain}, ENGINE=engine, SCHEDULES={"a": fields})) == []


@pytest.mark.parametrize("every, expected", [(0.2, ["W003"]), ("999ms", ["W003"]), (1, []), ("2s", [])])
def test_bd54_an_interval_below_a_second_is_a_warning(said: Said, every: Any, expected: list[str]) -> None:
    assert ids(said(SCHEDULES={"n": {**ADD, "every": every}})) == expected


def test_each_message_has_an_id_of_its_own_and_each_id_a_text_and_a_hint() -> None:
    assert list(KINDS) == [kind.id for kind in KINDS.values()] == sorted(KINDS)
    assert len({kind.text for kind in KINDS.values()}) == len(KINDS)
    for kind in KINDS.values():
        assert kind.id[0] == {30: "W", 40: "E"}[kind.level]
        assert kind.text
        assert kind.hint.endswith(".")
        assert kind.level == 30 or not kind.deploy


def test_connecting_twice_registers_no_check_twice_and_none_runs_with_migrate() -> None:
    before = len(registry.registry.get_checks(include_deployment_checks=True))
    checks.connect()
    found = registry.registry.get_checks(include_deployment_checks=True)
    assert len(found) == before
    ours = [check for check in found if TAG in check.tags]
    assert len(ours) == 5
    assert all(check.tags == (TAG,) for check in ours)
    assert Tags.database not in {tag for check in ours for tag in check.tags}


def test_a_module_that_does_not_import_is_said_once_and_not_of_each_of_its_tasks(said: Said) -> None:
    with pytest.MonkeyPatch.context() as patch:
        module = Unread(module="shop.tasks", error="no", where="tasks.py:1", fix="Mend it.", excused=False)
        patch.setitem(declarations.unread, "shop.tasks", module)
        messages = said(SCHEDULES={name: {"task": f"shop.tasks.{name}", **DAILY} for name in "ab"})
    assert ids(messages) == ["E005"]
