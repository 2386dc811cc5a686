"""Engines: adapters to what runs tasks. Which one takes a schedule is decided by its task, or by the setting ENGINE."""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Any

from django_repeat import conf
from django_repeat.engines.base import Engine, Enqueues, resolve, said
from django_repeat.exceptions import DispatchFailed, InvalidSettings
from django_repeat.run import Run
from django_repeat.schedule import Schedule

# Asked in this order whether they accept a task; one whose library is not installed is left out.
ENGINES = ("django_repeat.engines.tasks.TasksEngine",)
COMMANDS = "django_repeat.engines.commands.CommandEngine"

logger = logging.getLogger("django_repeat")

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


def tells(schedule: Schedule) -> bool:
    """Answer whether the engine of ``schedule`` can say whether a run has ended; no if there is none. Never raises."""
    try:
        ask = getattr(engine_for(schedule), "tells", None)
        return callable(ask) and bool(ask(schedule))
    except Exception:  # noqa: BLE001 - an engine of the site's own may raise anything, and then tells nothing
        return False


def run_of(schedule: Schedule, result_id: str) -> Run | None:
    """Answer a run by the id that the engine answered for it; None if nothing is known of it, which counts as ended.

    DispatchFailed if that cannot be told now, whatever the engine raised.
    """
    try:
        ask = getattr(engine_for(schedule), "run_of", None)
        found = ask(schedule, result_id) if result_id and callable(ask) else None
    except (DispatchFailed, KeyboardInterrupt):
        raise
    except BaseException as error:  # as where it enqueues: a time-out of a green thread must not end a ticker
        raise DispatchFailed(said(error)) from error
    if found is None or isinstance(found, Run):
        return found
    raise DispatchFailed(f"run_of: the engine answered a {type(found).__name__!r}; let it answer a Run or None.")


def runs_of(schedule: Schedule, result_ids: Sequence[str]) -> dict[str, Run]:
    """Answer what is known of these runs, by id, for a page: imports no task, and an error is a log line."""
    try:
        if not is_loaded(schedule) or not tells(schedule):
            return {}
        ask = getattr(engine_for(schedule), "runs_of", None)
        found = ask(schedule, result_ids) if callable(ask) else {one: run_of(schedule, one) for one in result_ids}
        return {one: run for one, run in found.items() if isinstance(run, Run)}
    except Exception as error:  # noqa: BLE001 - databases, brokers and engines of other people
        text = str(error) if isinstance(error, DispatchFailed) else said(error)
        logger.warning("runs unknown: queue=%s name=%r error=%r", schedule.queue, schedule.name, text)
        return {}


def is_loaded(schedule: Schedule) -> bool:
    """Answer whether the engine of ``schedule`` can be had without importing a task. InvalidSettings passes."""
    if schedule.task is None or conf.current().engine is not None:
        return True
    return schedule.task.rpartition(".")[0] in sys.modules


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
