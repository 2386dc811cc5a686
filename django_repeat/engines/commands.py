"""Management commands as tasks: a worker of Django Tasks runs them through ``run_command``.

``run_command`` is built when it is asked for, and anew each time: ``@task`` at import would raise where ``TASKS``
has no queue of that name, and would hold on to settings that a test overrides.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from django.conf import settings
from django.core.management import BaseCommand, CommandError, call_command, get_commands, load_command_class

from django_repeat.engines import stored
from django_repeat.engines.base import Engine, said
from django_repeat.engines.tasks import DEFAULT, hand_over, is_immediate, option_problems
from django_repeat.exceptions import DispatchFailed
from django_repeat.names import near
from django_repeat.occurrence import Occurrence
from django_repeat.run import Run
from django_repeat.schedule import Schedule

logger = logging.getLogger("django_repeat.command")

STREAMS = ("stdout", "stderr")
LIBRARIES = ("django.tasks", "django_tasks")
NO_LIBRARY = (
    "command: there is no Tasks library to run it; install django-repeat[tasks], use Django 6.0 or later, "
    "or name an engine of your own in DJANGO_REPEAT['ENGINE']."
)


class CommandEngine(Engine):
    """Enqueue ``run_command``; the options are those of Django Tasks.

    What the command writes to its ``stdout`` and ``stderr`` goes to the logger ``django_repeat.command``, at INFO and
    WARNING; what it prints past them goes where the worker's own output goes. Any error, and any exit status but 0,
    fails the task.
    """

    def accepts(self, task: object) -> bool:
        return False

    def problems(self, schedule: Schedule) -> list[str]:
        if _library() is None:
            return [NO_LIBRARY]
        return [*option_problems(schedule.options), *_command_problems(schedule)]

    def enqueue(self, occurrence: Occurrence) -> str:
        schedule = occurrence.schedule
        _known(schedule.command or "")
        args = (schedule.command, list(schedule.args), dict(schedule.kwargs))
        return hand_over(lambda: _build(schedule.options), args, {}, occurrence)

    def runs_inline(self, schedule: Schedule) -> bool:
        return is_immediate(lambda: _build(schedule.options))

    def tells(self, schedule: Schedule) -> bool:
        return stored.tells(lambda: _build(schedule.options))

    def run_of(self, schedule: Schedule, result_id: str) -> Run | None:
        return stored.run_of(lambda: _build(schedule.options), result_id)

    def runs_of(self, schedule: Schedule, result_ids: Sequence[str]) -> dict[str, Run]:
        return stored.runs_of(lambda: _build(schedule.options), result_ids)


def __getattr__(name: str) -> Any:
    # A worker imports "django_repeat.engines.commands.run_command" and then calls using() with what the row says.
    if name != "run_command":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    backends = getattr(settings, "TASKS", None) or {DEFAULT: {}}
    alias = DEFAULT if DEFAULT in backends else next(iter(backends))
    queues = backends[alias].get("QUEUES", [DEFAULT])
    queue = DEFAULT if not queues or DEFAULT in queues else sorted(queues)[0]
    return _build({"backend": alias, "queue_name": queue})


def _run(command: str, args: list[Any], kwargs: dict[str, Any]) -> None:
    out = LineLog(command, logging.INFO)
    err = LineLog(command, logging.WARNING)
    colours = {} if {"no_color", "force_color"} & kwargs.keys() else {"no_color": True}
    try:
        call_command(command, *args, **{**colours, **kwargs, "stdout": out, "stderr": err})
    except SystemExit as error:
        if error.code not in (None, 0):
            raise CommandError(f"{command} ended with exit status {error.code}") from error
    finally:
        out.close()
        err.close()


# The backend stores the path of the function, and under that path a worker must find the task, not the function.
_run.__name__ = _run.__qualname__ = "run_command"


def _build(options: Mapping[str, Any]) -> Any:
    library = _library()
    if library is None:
        raise DispatchFailed(NO_LIBRARY, certain=True)
    return library.task(**options)(_run)


@cache
def _library() -> Any:
    for name in LIBRARIES:
        if find_spec(name):
            return import_module(name)
    return None


class LineLog(io.TextIOBase):
    """Log what a command prints, line by line, each with the command's name; blank lines are left out."""

    def __init__(self, command: str, level: int) -> None:
        self.command = command
        self.level = level
        self._rest = ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        lines = (self._rest + text).splitlines(keepends=True)
        # splitlines knows more line ends than "\n"; a log reader may, too, so none of them stays inside a line.
        ended = not lines or lines[-1].splitlines() != [lines[-1]]
        self._rest = "" if ended else lines.pop()
        for line in lines:
            self._log(line)
        return len(text)

    def close(self) -> None:
        self._log(self._rest)
        self._rest = ""
        super().close()

    def _log(self, line: str) -> None:
        if line := line.rstrip():
            logger.log(self.level, "command=%r %s", self.command, line)


def _known(command: str) -> str | BaseCommand:
    app = get_commands().get(command)
    if app is None:
        like = near(command, get_commands())
        hint = f"did you mean {like!r}?" if like else "`manage.py help` lists them."
        raise DispatchFailed(f"command: {command!r} is no management command; {hint}", certain=True)
    return app


def _command_problems(schedule: Schedule) -> list[str]:
    name = schedule.command or ""
    kwargs = {key: value for key, value in schedule.kwargs.items() if key not in STREAMS}
    problems = [f"kwargs[{key!r}]: output goes to the log; remove it." for key in STREAMS if key in schedule.kwargs]
    try:
        app = _known(name)
        command = copy(app) if isinstance(app, BaseCommand) else load_command_class(app, name)
    except DispatchFailed as error:
        return [str(error), *problems]
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is somebody else's module
        return [f"command: {name!r} does not import ({said(error)}); mend its module.", *problems]
    # call_command parses and validates the arguments, and then calls this instead of the command.
    command.execute = lambda *args, **options: None  # type: ignore[method-assign]
    try:
        call_command(command, *schedule.args, **kwargs)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - argparse calls the command's own converters
        problems.append(f"args: {name!r} does not take them ({said(error)}); correct args and kwargs.")
    return problems
