"""A mistake is said once by each process: by the checks where it runs them, else by a log line."""

from __future__ import annotations

import itertools
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.checks import CheckMessage
from django.test import override_settings

from django_repeat import checks, declare
from django_repeat.checks.declared import check_declared, check_modules
from django_repeat.declarations import Unread, declarations
from tests.commands.running import environment

SITE: dict[str, Any] = {
    "REGISTER": "manual",
    "SCHEDULES": {"bad": {"command": "check", "cron": "61 * * * *"}, "worse": {"command": "check"}},
}
NUMBERS = itertools.count()
ADD = "tests.engines.work.add"
# Ready as in the process that has these arguments, without serving anybody.
READY = "import sys, django; sys.argv = sys.argv[1:]; django.setup()"


def output(*command: str) -> str:
    # Of those sites only this one stores tasks, without which a worker does not start.
    environ = environment(SITE, DJANGO_SETTINGS_MODULE="tests.processes.site")
    environ.pop("RUN_MAIN", None)
    done = subprocess.run(
        [sys.executable, *command],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=60,
        check=False,
    )
    return done.stdout.decode()


def times(text: str) -> list[int]:
    return [text.count(f"Schedule '{name}': ") for name in SITE["SCHEDULES"]]


@pytest.mark.process
@pytest.mark.parametrize("command", [["runserver", "--noreload", "127.0.0.1:1"], ["db_worker", "--batch"]])
def test_the_checks_of_a_command_say_it(command: list[str]) -> None:
    text = output("-m", "django", *command)
    assert "django_repeat.E002" in text
    assert "schedule not registered" not in text
    assert times(text) == [1, 1]


@pytest.mark.process
@pytest.mark.parametrize("argv", [
    ["gunicorn", "site.wsgi"],
    ["uvicorn", "site.asgi:application"],
    ["celery", "-A", "site", "worker"],
    ["manage.py", "runserver", "--noreload", "--skip-checks"],
    ["manage.py", "db_worker", "--skip-checks"],
])  # fmt: skip
def test_a_log_line_says_it_where_no_check_does(argv: list[str]) -> None:
    text = output("-c", READY, *argv)
    assert text.count("schedule not registered") == 2
    assert times(text) == [1, 1]


@pytest.fixture
def awaiting() -> Iterator[None]:
    """A serving process whose checks have not yet run."""
    with declarations.kept(), override_settings(DJANGO_REPEAT={"REDIS": "repeat"}):
        declarations.loud = declarations.awaited = True
        yield


@pytest.mark.parametrize("order", [[check_declared, check_modules], [check_modules, check_declared]])
def test_what_goes_wrong_after_the_checks_is_logged(
    awaiting: None, caplog: pytest.LogCaptureFixture, order: list[Callable[[], list[CheckMessage]]]
) -> None:
    # Django keeps its checks in a set, and lines that were written once are not written again.
    number = next(NUMBERS)
    declare(f"said by the checks {number}", every=0, task=ADD)
    declarations.miss(Unread(module=f"shop{number}.schedules", error="E", where="w", fix="f", excused=False))
    assert caplog.messages == []
    assert sorted(str(message.id) for check in order for message in check()) == [
        "django_repeat.E002",
        "django_repeat.E005",
    ]
    declarations.log(*declarations.collected()[1], *declarations.unread.values())
    assert caplog.messages == []
    declare(f"said later {number}", every=0, task=ADD)
    [line] = caplog.messages
    assert f"Schedule 'said later {number}': every:" in line


@pytest.mark.parametrize("argv, awaited", [
    (["manage.py", "runserver", "--noreload"], True),
    (["./run-site", "db_worker", "--queue-name", "*"], True),
    (["manage.py", "runserver", "--skip-checks"], False),
    (["manage.py", "procrastinate", "worker"], False),
    (["gunicorn", "site.wsgi"], False),
    (["manage.py"], False),
    ([], False),
])  # fmt: skip
def test_who_runs_checks(argv: list[str], awaited: bool) -> None:
    assert checks.follow(argv) is awaited
