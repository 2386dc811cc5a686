"""Engines: adapters to what runs tasks. Which one takes a schedule is decided by its task, or by the setting ENGINE."""

from __future__ import annotations

import threading
from functools import cache
from importlib import import_module
from typing import Any

from django_repeat import conf
from django_repeat.engines.base import Engine, Enqueues, resolve, said
from django_repeat.exceptions import DispatchFailed, InvalidSettings
from django_repeat.schedule import Schedule

# Asked in this order whether they accept a task; one whose library is not installed is left out.
ENGINES = ("django_repeat.engines.tasks.TasksEngine",)
COMMANDS = "django_repeat.engines.commands.CommandEngine"

_lock = threading.Lock()
_given: dict[str, Enqueues] = {}


def engine_for(schedule: Schedule) -> Enqueues:
    """Answer the engine for ``schedule``: the one of the setting ENGINE, else the one that accepts its task.

    DispatchFailed (certain) if the task does not import or is none of any engine; InvalidSettings if ENGINE is wrong.
    """
    path = conf.current().engine
    if path is not None:
        return _given_engine(path)
    if schedule.command is not None:
        engine = _engine(COMMANDS)
        assert engine is not None
        return engine
    task = resolve(schedule.task or "")
    for candidate in ENGINES:
        engine = _engine(candidate)
        if engine is not None and engine.accepts(task):
            return engine
    raise DispatchFailed(
        f"task: {schedule.task} is {type(task).__name__!r}, no task of an engine that is installed; "
        "put the engine's decorator (@task) on it.",
        certain=True,
    )


def problems(schedule: Schedule) -> list[str]:
    """Answer what would keep ``schedule`` from being enqueued, as texts that start with the field.

    Imports the task's module, asks no server; InvalidSettings passes. An engine of the site's own may have a
    ``problems`` too.
    """
    try:
        engine = engine_for(schedule)
    except DispatchFailed as error:
        return [str(error)]
    ask = getattr(engine, "problems", None)
    return list(ask(schedule)) if callable(ask) else []


def runs_inline(schedule: Schedule) -> bool:
    """Answer whether ``schedule`` would run inside the ticker, as with ImmediateBackend; InvalidSettings passes."""
    try:
        engine = engine_for(schedule)
    except DispatchFailed:
        return False
    return isinstance(engine, Engine) and engine.runs_inline(schedule)


@cache
def _engine(path: str) -> Engine | None:
    module, _, name = path.rpartition(".")
    try:
        engine: Engine = getattr(import_module(module), name)()
    except ImportError:
        return None
    return engine


def _given_engine(path: str) -> Enqueues:
    with _lock:
        if path not in _given:
            _given[path] = _built(path)
        return _given[path]


def _built(path: str) -> Any:
    fix = "give the dotted path of a class that takes no arguments and has enqueue(occurrence)."
    try:
        engine = resolve(path)()
    except DispatchFailed as error:
        raise InvalidSettings(
            f"{conf.NAME}['ENGINE']: {path!r} does not import ({error.__cause__!r}); {fix}"
        ) from error
    except (Exception, SystemExit) as error:
        raise InvalidSettings(f"{conf.NAME}['ENGINE']: {path!r} cannot be built ({said(error)}); {fix}") from error
    if not callable(getattr(engine, "enqueue", None)):
        raise InvalidSettings(f"{conf.NAME}['ENGINE']: {path!r} has no enqueue; {fix}")
    return engine


def run_of(schedule: Schedule, result_id: str) -> Any:
    """STUB to be replaced by the merge."""
    return None
