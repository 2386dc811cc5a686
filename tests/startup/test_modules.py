"""The modules of installed apps that are imported when a process starts. Each test installs an app of its own."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from django_repeat import declarations
from django_repeat.checks.declared import check_modules

ADD = "tests.engines.work.add"
numbers = itertools.count()

Install = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Answer what installs an app with modules of the given text: every app's ready() runs, ours among them."""
    monkeypatch.syspath_prepend(tmp_path)

    def installed(**modules: str) -> AbstractContextManager[None]:
        name = f"app_for_test_{next(numbers)}"
        (tmp_path / name).mkdir()
        for module, text in {"__init__": "", **modules}.items():
            (tmp_path / name / f"{module}.py").write_text(text.replace("HERE", name))
        return override_settings(INSTALLED_APPS=[*settings.INSTALLED_APPS, name])

    return installed


def names() -> set[str]:
    return {one.schedule.name for one in declarations.everything()[0]}


def test_schedules_and_tasks_are_imported(install: Install) -> None:
    declare = f"from django_repeat import declare\ndeclare('in {{}}', task='{ADD}', every='5m')\n"
    with install(schedules=declare.format("schedules"), tasks=declare.format("tasks"), jobs="raise SystemExit"):
        assert names() == {"in schedules", "in tasks"}


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


@pytest.mark.parametrize("text", ["import nowhere_to_be_found", "import HERE.missing", "1 / 0", "def"])
def test_a_broken_schedules_module_is_as_loud_as_a_broken_admin_module(install: Install, text: str) -> None:
    app = install(schedules=text)
    with pytest.raises((ImportError, ArithmeticError, SyntaxError)):
        app.__enter__()


@pytest.mark.parametrize("text", ["import HERE.missing", "from HERE import missing", "1 / 0", "def"])
def test_a_broken_tasks_module_is_loud_too(install: Install, text: str) -> None:
    app = install(tasks=text)
    with pytest.raises((ImportError, ArithmeticError, SyntaxError)):
        app.__enter__()


@pytest.mark.parametrize("text", ["import nowhere_to_be_found", "from nowhere_to_be_found.app import task"])
def test_tasks_for_an_engine_that_is_not_installed_are_passed_over_with_a_warning(install: Install, text: str) -> None:
    assert check_modules() == []
    with install(tasks=text):
        [message] = check_modules()
        assert message.id == "django_repeat.W006"
        assert message.obj.endswith(".tasks")
        assert "No module named 'nowhere_to_be_found'" in message.msg
