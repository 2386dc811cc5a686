"""The tables of the reference say what the code says."""

from __future__ import annotations

import ast
import re
from dataclasses import fields

import pytest
from django.core.checks import ERROR
from django.test import override_settings

import django_repeat
from django_repeat import Schedule, conf, connection, exceptions, policies, process, service, signals, testing
from django_repeat import log as log_lines
from django_repeat.admin.actions import ACTIONS
from django_repeat.answer import Answer
from django_repeat.checks import KINDS
from django_repeat.declarations import FIELDS
from django_repeat.entry import Entry, Pause, State
from django_repeat.exceptions import RepeatError
from django_repeat.models import RegisteredSchedule
from django_repeat.occurrence import Occurrence
from django_repeat.policies import DEFAULT, Policies
from django_repeat.policies.given import MOST_AT_ONCE
from django_repeat.reason import Reason
from django_repeat.recurrence import crontext
from django_repeat.testing import plugin
from django_repeat.ticker import loop, pace, report
from tests.docs.reading import TOP, code, rows, section, source

API = "docs/reference/api.md"
SETTINGS = rows(source("docs/reference/settings.md"))


def first(table: list[list[str]]) -> list[str]:
    """Answer the names in the first column."""
    return [name for row in table for name in code(row[0])]


def test_the_settings_are_all_of_them_in_the_order_of_the_code() -> None:
    assert first(SETTINGS) == [field.name.upper() for field in fields(conf.Settings)]


@pytest.mark.parametrize("row", SETTINGS, ids=first(SETTINGS))
def test_a_default_is_the_one_that_is_in_force(row: list[str]) -> None:
    (name,), default = code(row[0]), ast.literal_eval(code(row[1])[0])
    with override_settings(DJANGO_REPEAT={name: default}):
        given = conf.current()
    with override_settings(DJANGO_REPEAT={}):
        assert given == conf.current()


@pytest.mark.parametrize(
    "name, least, most, below, above",
    [
        ("LEASE", "3 s", "1 h", "2999ms", "3600001ms"),
        ("TIMEOUT", "10 ms", "60 s", "9ms", "60001ms"),
        ("BATCH", "1", "1,000", 0, 1001),
        ("HISTORY", "0", "1,000", -1, 1001),
    ],
)
def test_a_limit_is_where_it_is_written(name: str, least: str, most: str, below: object, above: object) -> None:
    (meaning,) = [row[2] for row in SETTINGS if code(row[0]) == [name]]
    assert re.search(rf"from {least}\b.* to {most}\b", meaning)
    for given in (least, most):
        text = re.sub(r"[ ,]", "", given)
        with override_settings(DJANGO_REPEAT={name: int(text) if text.isdigit() else text}):
            conf.current()
    for wrong in (below, above):
        with override_settings(DJANGO_REPEAT={name: wrong}), pytest.raises(exceptions.InvalidSettings):
            conf.current()


def test_the_ways_to_register_are_all_of_them() -> None:
    (meaning,) = [row[2] for row in SETTINGS if code(row[0]) == ["REGISTER"]]
    assert re.findall(r'"(\w+)"', meaning) == list(conf.REGISTER)
    table = rows(section("docs/running.md", "Which process starts register"))
    assert first(table)[-3:] == [f'"{mode}"' for mode in conf.REGISTER]


def test_the_checks_are_all_of_them() -> None:
    written = {code(row[0])[0]: (row[1], code(row[2])[0]) for row in rows(source("docs/reference/checks.md"))}
    assert written == {
        kind.id: ("Error" if kind.level == ERROR else "Warning", "--deploy" if kind.deploy else "check")
        for kind in KINDS.values()
    }


def test_the_errors_are_the_tree() -> None:
    tree = [found for found in vars(exceptions).values() if isinstance(found, type) and issubclass(found, RepeatError)]
    others = {one.__name__: [base.__name__ for base in one.__bases__ if base is not RepeatError] for one in tree}
    assert {code(row[0])[0]: code(row[1]) for row in rows(source("docs/reference/errors.md"))} == others


def test_the_answers_and_states_are_all_of_them() -> None:
    assert set(first(rows(section(API, "Answer")))) == set(Answer)
    assert set(first(rows(section("docs/operating.md", "States")))) == set(State)


def test_the_reasons_are_all_of_them() -> None:
    named = {name for row in rows(section("docs/operating.md", "Run log")) for name in code(row[2])}
    # What is excluded is no occurrence, so no decision on it is logged.
    assert named - {"catch_up", "none", "max_runs", "when"} == set(Reason) - {Reason.EXCLUDED}


def test_the_policies_have_the_defaults_that_are_written() -> None:
    table = {code(row[0])[0]: code(row[1]) for row in rows(section("docs/declaring.md", "Fields"))}
    written = {name: ast.literal_eval(table[name][0]) for name in policies.NAMES if table[name]}
    assert Policies.read({"catch_up": "none", "grace": written.pop("grace")}).grace_ms == DEFAULT.grace_ms
    assert Policies.read(written) == DEFAULT
    assert f"{MOST_AT_ONCE:,} at most" in section("docs/declaring.md", "Fields")


def test_an_occurrence_is_passed_with_what_is_written() -> None:
    of = Schedule("pulse", every="1h", task="shop.tasks.pulse")
    keys = first(rows(section("docs/declaring.md", "The occurrence as an argument")))
    assert keys == list(Occurrence(schedule=of, nominal_ms=7, fired_ms=9).as_json())


def test_the_attributes_of_values_are_all_of_them() -> None:
    assert set(first(rows(section(API, "Entry")))) == {field.name for field in fields(Entry)}
    assert set(first(rows(section(API, "Pause (value)")))) == {field.name for field in fields(Pause)}
    properties = {name for name, value in vars(Occurrence).items() if isinstance(value, property)}
    assert set(first(rows(section(API, "Occurrence")))) == {field.name for field in fields(Occurrence)} | properties


def test_the_fields_of_a_declaration_are_all_of_them() -> None:
    assert set(first(rows(section("docs/declaring.md", "Fields")))) == set(FIELDS)


def test_the_public_names_stand_on_the_page() -> None:
    # Two names that differ in case alone need headings that differ in more.
    headings = re.findall(r"^### (\w+)(?: \(value\))?$", source(API), re.MULTILINE)
    assert sorted(headings) == django_repeat.__all__


def test_the_signals_are_sent_with_what_is_written() -> None:
    sent: dict[str, set[str]] = {}
    for path in sorted((TOP / "django_repeat").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "send_robust":
                name = ast.unparse(node.func.value).removeprefix("signals.")
                sent.setdefault(name, set()).update(keyword.arg or "**" for keyword in node.keywords)
    written = {code(row[0])[0]: set(code(row[1])) for row in rows(section(API, "Signals"))}
    assert written == sent
    assert list(written) == [
        name for name in vars(signals) if f"{name} = Signal(" in source("django_repeat/signals.py")
    ]


def test_the_log_lines_are_those_of_the_receivers() -> None:
    files = ("log.py", "declarations/collected.py", "conditions.py", "engines/__init__.py", "control/triggering.py")
    text = "".join(source(f"django_repeat/{name}") for name in files)
    logged = set(re.findall(r'"((?:[a-z]+ )+[a-z]+): (?:\w+=|%s)', text))
    assert set(first(rows(section("docs/running.md", "Logs")))) == logged
    assert len(log_lines.RECEIVERS) == len(rows(section(API, "Signals")))


def test_the_log_lines_have_the_levels_that_are_written() -> None:
    calls = re.findall(r'logger\.(debug|info|warning|error)\(\s*"((?:[a-z]+ )+[a-z]+):', source("django_repeat/log.py"))
    written = {name: row[1] for row in rows(section("docs/running.md", "Logs")) for name in code(row[0])}
    assert len(calls) >= 8
    assert [(name, level) for level, name in calls if written[name] != level.upper()] == []


def test_the_nicknames_are_all_of_them() -> None:
    table = [row for row in rows(section("docs/declaring.md", "Cron")) if row[0].startswith("`@") and "*" in row[1]]
    written = {name: code(row[1])[0] for row in table for name in code(row[0]) if " " not in name}
    assert {name: written.get(name) for name in crontext.NICKNAMES} == crontext.NICKNAMES


def test_every_program_that_registers_is_named() -> None:
    named = set(first(rows(section("docs/running.md", "Which process starts register"))))
    workers = {f"{program} {word}" for program, words in process.WORKERS.items() for word in words}
    commands = process.COMMANDS - {"procrastinate"}
    saying = process.HELP.union(*process.SAYING.values())
    assert (process.SERVERS | workers | commands | saying) - named == set()


def test_the_permissions_of_the_admin_are_all_of_them() -> None:
    meta = RegisteredSchedule._meta
    every = {f"{verb}_{meta.model_name}" for verb in meta.default_permissions} | {name for name, _ in meta.permissions}
    assert set(first(rows(section("docs/operating.md", "Admin")))) == every


def test_the_actions_of_the_admin_are_all_of_them() -> None:
    table = [row for row in rows(section("docs/operating.md", "Admin")) if len(row) == 4]
    model = RegisteredSchedule._meta.model_name
    assert [row[:2] for row in table] == [[str(one.tool), f"`{one.permission}_{model}`"] for one in ACTIONS]


def test_the_names_for_tests_are_all_of_them() -> None:
    written = [name.partition("(")[0] for name in first(rows(section("docs/testing.md", "Names")))]
    fixtures = [name for name, value in vars(plugin).items() if type(value).__name__ == "FixtureFunctionDefinition"]
    assert sorted(written) == sorted([*testing.__all__, *fixtures])


def test_the_urls_are_understood() -> None:
    urls = first(rows(section("docs/running.md", "URLs")))
    assert len(urls) == 6
    for url in urls:
        connection.connect(url, 0.5)


def test_the_readme_names_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", source("Makefile"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)", source("README.md")))
    assert named
    assert named <= targets


def test_the_form_of_an_id() -> None:
    schedule = Schedule("pulse", every="1h", task="shop.tasks.pulse")
    (form,) = {code(row[1])[0] for row in rows(section(API, "Occurrence")) if code(row[0]) == ["id"]}
    assert (
        form.replace("<name>", "pulse").replace("<nominal ms>", "7")
        == Occurrence(schedule=schedule, nominal_ms=7, fired_ms=9).id
    )


def test_the_numbers_of_the_ticker() -> None:
    words = {25: "at most 25 occurrences", 0.25: "a quarter of a second"}
    guarantees = source("docs/guarantees.md")
    assert words[pace.GROUP] in guarantees
    assert words[pace.GROUP_SECONDS] in guarantees
    running = " ".join(source("docs/running.md").split())
    assert f"says every {loop.BEAT_SECONDS:.0f} s that it lives" in running
    assert f"expires after {loop.BEAT_TTL_MS // 1000} s" in running
    assert f"the socket time-out of the ticker, {service.PATIENCE:.0f} s," in running
    assert loop.LONGEST_SLEEP == 1
    assert "at most one second" in running
    assert [report.backoff(0), report.backoff(99)] == [1_000, 60_000]
    assert "after 1 s, doubling to 60 s" in running
