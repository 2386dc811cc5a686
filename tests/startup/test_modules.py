"""The modules of installed apps that are imported when a process starts. Each test installs an app of its own."""

from __future__ import annotations

import importlib
import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.apps import AppConfig, apps
from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning
from django.test import override_settings

from django_repeat import declarations, startup
from django_repeat.checks.declared import check_modules
from django_repeat.process import Role

ADD = "tests.engines.work.add"
numbers = itertools.count()

Install = Callable[..., AbstractContextManager[None]]
Said = Callable[..., CheckMessage]
INSTALLED = "lib/python3/site-packages"
DECLARE = f"from django_repeat import declare\ndeclare('{{}}', task='{ADD}', every='5m')\n"


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Answer what installs an app with modules of the given text: every app's ready() runs, ours among them."""

    def installed(folder: str = "", **modules: str) -> AbstractContextManager[None]:
        name = f"app_for_test_{next(numbers)}"
        place = tmp_path / folder
        monkeypatch.syspath_prepend(place)
        (place / name).mkdir(parents=True)
        for module, text in {"__init__": "", **modules}.items():
            (place / name / f"{module}.py").write_text(text.replace("HERE", name))
        return override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, name])

    return installed


@pytest.fixture
def said(install: Install) -> Said:
    """Answer what the checks say of the modules of an app whose modules have the given text."""

    def said(**modules: str) -> CheckMessage:
        with install(**modules):
            [message] = check_modules()
            return message

    return said


def names() -> set[str]:
    return {one.schedule.name for one in declarations.everything()[0]}


def test_schedules_and_tasks_are_imported(install: Install) -> None:
    with install(schedules=DECLARE.format("one"), tasks=DECLARE.format("two"), jobs="raise SystemExit"):
        assert names() == {"one", "two"}
        assert check_modules() == []


def test_an_app_that_is_ready_later_may_still_declare(install: Install) -> None:
    apps = (
        "from django.apps import AppConfig\n"
        "class Config(AppConfig):\n"
        "    name = 'HERE'\n"
        "    def ready(self):\n"
        "        from django_repeat import declare\n"
        f"        declare('in ready', task='{ADD}', every='5m')\n"
    )
    with install(apps=apps):
        assert names() == {"in ready"}


def test_a_mistake_in_a_declaration_does_not_keep_the_process_from_starting(install: Install) -> None:
    text = f"from django_repeat import declare\ndeclare('n', task='{ADD}', cron='*/0 * * * *')\n"
    with install(schedules=text):
        declared, [problem] = declarations.everything()
        assert declared == []
        assert "Schedule 'n': cron:" in problem.message
        assert problem.where.endswith(".schedules:2")


MISTAKES = [
    (
        "import nowhere_to_be_found",
        "ModuleNotFoundError: No module named 'nowhere_to_be_found'",
        "or correct the import",
    ),
    ("import HERE.missing", "ModuleNotFoundError: No module named 'app_for_test_", "Correct the import."),
    ("from HERE import missing", "ImportError: cannot import name 'missing'", "Correct the import."),
    ("1 / 0", "ZeroDivisionError: division by zero", "Correct the code at that line."),
    ("def", "SyntaxError: ", "Correct the code at that line."),
    ("raise SystemExit(3)", "SystemExit: 3", "Correct the code at that line."),
    ("raise SystemExit", "SystemExit (", "Correct the code at that line."),
    ("import json; json.loads('{')", "JSONDecodeError: ", "Correct the code at that line."),
    ("from django.apps import apps; apps.get_model('no.such')", "LookupError: ", "Correct the code at that line."),
    (
        "from django_repeat import repeat\n@repeat\ndef f(): ...",
        "TypeError: write @repeat(every=…)",
        "Correct the code",
    ),
]


@pytest.mark.parametrize("module", ["schedules", "tasks"])
@pytest.mark.parametrize("text, error, fix", MISTAKES, ids=[row[0] for row in MISTAKES])
def test_a_module_that_cannot_be_imported_is_an_error_of_the_checks_and_breaks_no_start(
    said: Said, module: str, text: str, error: str, fix: str
) -> None:
    message = said(**{module: f"# first line\n{text}"})
    line = 3 if "@repeat" in text else 2
    assert isinstance(message, Error)
    assert message.id == "django_repeat.E005"
    assert message.obj.endswith(f".{module}")
    assert f"{message.obj} could not be imported: {error}" in message.msg
    assert message.msg.endswith(f"/{module}.py:{line})")
    assert fix in str(message.hint)


def test_the_place_is_that_of_the_cause_also_in_another_module(said: Said) -> None:
    message = said(tasks="from HERE import rates", rates="\n\n1 / 0")
    assert message.msg.endswith("/rates.py:3)")


def test_an_interrupt_is_none_of_it(install: Install) -> None:
    app = install(tasks="raise KeyboardInterrupt").options["INSTALLED_APPS"][-1]  # type: ignore[attr-defined]
    with pytest.raises(KeyboardInterrupt):
        declarations.discover([AppConfig.create(app)])


def test_of_a_module_that_fails_half_way_nothing_is_declared_and_of_the_others_all(install: Install) -> None:
    bad = DECLARE.format("bad") + "1 / 0"
    with install(schedules=DECLARE.format("good"), tasks=bad):
        assert names() == {"good"}


def test_a_module_that_is_mended_is_read_at_the_next_start(install: Install) -> None:
    with install(tasks="from HERE import later\n" + DECLARE.format("mended")):
        [message] = check_modules()
        app = message.obj.removesuffix(".tasks")
        Path(apps.get_app_config(app).path, "later.py").touch()
        importlib.invalidate_caches()
        startup.begin(Role.OTHER)
        assert check_modules() == []
        assert names() == {"mended"}


@pytest.mark.parametrize("folder", [INSTALLED, INSTALLED.replace("site", "dist")])
@pytest.mark.parametrize("text", ["import nowhere_to_be_found", "from nowhere_to_be_found.app import task"])
def test_tasks_of_an_installed_package_for_an_engine_that_is_not_installed_are_a_warning(
    said: Said, folder: str, text: str
) -> None:
    message = said(folder=folder, tasks=text)
    assert isinstance(message, Warning)
    assert message.id == "django_repeat.W006"
    assert message.obj.endswith(".tasks")
    assert "No module named 'nowhere_to_be_found" in message.msg
    assert message.msg.endswith("/tasks.py:1)")
    assert "Install the package that has 'nowhere_to_be_found" in str(message.hint)


@pytest.mark.parametrize(
    "modules",
    [{"tasks": "1 / 0"}, {"tasks": "import HERE.missing"}, {"schedules": "import nowhere_to_be_found"}],
    ids=str,
)
def test_any_other_mistake_of_an_installed_package_is_an_error(said: Said, modules: dict[str, str]) -> None:
    assert said(folder=INSTALLED, **modules).id == "django_repeat.E005"


@pytest.mark.parametrize("folder", ["", INSTALLED])
def test_a_library_of_tasks_that_this_django_lacks_is_named_by_what_to_write(said: Said, folder: str) -> None:
    for name, fix in (("django.tasks", "`from django_tasks import task`"), ("django_tasks", "django-repeat[tasks]")):
        # What Python raises where the module is not there, whatever this machine has installed.
        message = said(folder=folder, tasks=f"raise ModuleNotFoundError('No module named {name}', name='{name}')")
        assert message.id == ("django_repeat.W006" if folder else "django_repeat.E005")
        assert fix in str(message.hint)


def test_only_a_serving_process_writes_lines_for_the_checks_are_not_run_there(
    install: Install, caplog: pytest.LogCaptureFixture
) -> None:
    modules = {"schedules": "import nowhere_to_be_found", "tasks": DECLARE.format("n").replace("5m", "-1s")}
    with install(**modules), override_settings(DJANGO_REPEAT={"SCHEDULES": {"m": {"every": 0}}, "REGISTER": "manual"}):
        assert declarations.everything()[1]
        assert caplog.messages == []
        startup.begin(Role.SERVING)
        startup.begin(Role.SERVING)
    lines = sorted(record.getMessage() for record in caplog.records if record.name == "django_repeat")
    assert [line.partition(":")[0] for line in lines] == ["module not imported", *["schedule not registered"] * 2]
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    assert "/schedules.py:1 error=\"ModuleNotFoundError: No module named 'nowhere_to_be_found'\"" in lines[0]
