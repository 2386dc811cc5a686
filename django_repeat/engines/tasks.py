"""Django Tasks: ``django.tasks`` of Django 6.0 and later, and its backport ``django_tasks``.

Tasks are known by what they can do, not by their class, so that both libraries and subclasses of either work.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from typing import Any

from django.conf import settings
from django.db import DatabaseError, IntegrityError

from django_repeat.engines import stored
from django_repeat.engines.base import Engine, in_hand, resolve, said
from django_repeat.engines.stored import is_a, savepoints
from django_repeat.exceptions import DispatchFailed
from django_repeat.names import near
from django_repeat.occurrence import Occurrence
from django_repeat.run import Run
from django_repeat.schedule import OCCURRENCE, Schedule

OPTIONS = ("backend", "priority", "queue_name")
DEFAULT = "default"


class TasksEngine(Engine):
    """Enqueue through ``task.using(…).enqueue(…)``; the options are ``backend``, ``priority`` and ``queue_name``.

    With ``"id_function": "django_repeat.occurrence.result_id"`` in the ``OPTIONS`` of django-tasks-db an occurrence
    that is handed over again, by this ticker or another one, finds the row it has already and adds none.
    """

    def accepts(self, task: object) -> bool:
        return all(callable(getattr(task, verb, None)) for verb in ("enqueue", "using", "get_backend"))

    def problems(self, schedule: Schedule) -> list[str]:
        try:
            task = self._task(schedule)
        except DispatchFailed as error:
            return [str(error)]
        return [*option_problems(schedule.options, task), *_argument_problems(schedule, task)]

    def enqueue(self, occurrence: Occurrence) -> str:
        schedule = occurrence.schedule
        task = self._task(schedule)
        return hand_over(lambda: task.using(**schedule.options), schedule.args, occurrence.kwargs, occurrence)

    def runs_inline(self, schedule: Schedule) -> bool:
        return is_immediate(self._build(schedule))

    def tells(self, schedule: Schedule) -> bool:
        return stored.tells(self._build(schedule))

    def run_of(self, schedule: Schedule, result_id: str) -> Run | None:
        return stored.run_of(self._build(schedule), result_id)

    def runs_of(self, schedule: Schedule, result_ids: Sequence[str]) -> dict[str, Run]:
        return stored.runs_of(self._build(schedule), result_ids)

    def _build(self, schedule: Schedule) -> Callable[[], Any]:
        return lambda: self._task(schedule).using(**schedule.options)

    def _task(self, schedule: Schedule) -> Any:
        task = resolve(schedule.task or "")
        if not self.accepts(task):
            raise DispatchFailed(
                f"task: {schedule.task} is no task of Django Tasks; decorate it with @task.", certain=True
            )
        return task


def hand_over(build: Callable[[], Any], args: Sequence[Any], kwargs: Mapping[str, Any], occurrence: Occurrence) -> str:
    """Enqueue the task that ``build`` answers with copies of the arguments; answer the id of its result.

    DispatchFailed: certain if the task cannot be built, else not, since a receiver may raise after the task was stored.
    """
    try:
        task = build()
    except Exception as error:
        raise DispatchFailed(f"options: {said(error)}", certain=True) from error
    try:
        with in_hand(occurrence), savepoints():
            result = task.enqueue(*deepcopy(list(args)), **deepcopy(dict(kwargs)))
    except IntegrityError as error:
        if not _is_stored(task, str(occurrence.uuid)):
            raise DispatchFailed(said(error)) from error
        return str(occurrence.uuid)
    except DispatchFailed:
        raise
    except Exception as error:
        raise DispatchFailed(said(error)) from error
    identity = getattr(result, "id", None)
    return "" if identity is None else str(identity)


def option_problems(options: Mapping[str, Any], task: Any = None) -> list[str]:
    """Answer what is wrong with the options of a schedule; with ``task``, also what its backend says about them."""
    problems = [_unknown(option) for option in options if option not in OPTIONS]
    backends = getattr(settings, "TASKS", None) or {DEFAULT: {}}
    alias = options.get("backend", getattr(task, "backend", DEFAULT))
    queue = options.get("queue_name", getattr(task, "queue_name", DEFAULT))
    priority = options.get("priority", 0)
    if isinstance(priority, bool) or not isinstance(priority, int) or not -100 <= priority <= 100:
        problems.append(f"options['priority']: {priority!r}; use a whole number from -100 to 100.")
    if not isinstance(alias, str) or alias not in backends:
        problems.append(f"options['backend']: {alias!r} is not in TASKS; use one of {_listed(backends)}.")
    else:
        allowed = backends[alias].get("QUEUES", [DEFAULT])
        if not isinstance(queue, str) or (allowed and queue not in allowed):
            where = f"TASKS[{alias!r}]['QUEUES']"
            problems.append(
                f"options['queue_name']: {queue!r} is not in {where}; add it there or use {_listed(allowed)}."
            )
    if task is not None and not problems:
        try:
            task.using(**options)
        except Exception as error:  # noqa: BLE001 - any backend may have its own
            problems.append(f"options: {said(error)}; change them or the backend.")
    return problems


def is_immediate(build: Callable[[], Any]) -> bool:
    """Answer whether the backend of the task that ``build`` answers runs it at once; no if it cannot be built."""
    try:
        backend = build().get_backend()
    except Exception:  # noqa: BLE001 - what is wrong with it, `problems` says
        return False
    return is_a(backend, "ImmediateBackend")


def _is_stored(task: Any, result_id: str) -> bool:
    try:
        task.get_backend().get_result(result_id)
    except (DatabaseError, NotImplementedError):
        return False
    except Exception as error:  # noqa: BLE001 - the libraries name their errors alike but share no class
        # Any other error comes from reading the row: the task it names may have moved since.
        return type(error).__name__ != "TaskResultDoesNotExist"
    return True


def _unknown(option: str) -> str:
    like = near(option, OPTIONS)
    hint = f"did you mean {like!r}?" if like else f"use {_listed(OPTIONS)}."
    return f"options[{option!r}]: Django Tasks has no such option; {hint}"


def _listed(names: Any) -> str:
    return ", ".join(repr(name) for name in sorted(names))


def _argument_problems(schedule: Schedule, task: Any) -> list[str]:
    function = getattr(task, "func", None)
    try:
        signature = inspect.signature(function)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return []
    context = [None] if getattr(task, "takes_context", False) else []
    passed = {OCCURRENCE: None} if schedule.policies.pass_occurrence else {}
    if unknown := _keyword_problems(schedule, _keywords(signature)):
        return unknown
    try:
        signature.bind(*context, *schedule.args, **schedule.kwargs, **passed)
    except TypeError as error:
        return [f"args: {schedule.task}{signature} does not take them ({error}); correct args and kwargs."]
    return []


def _keyword_problems(schedule: Schedule, taken: set[str] | None) -> list[str]:
    """Answer what is wrong with the keywords for a task that takes these and no others, or any (None)."""
    if taken is None:
        return []
    problems = []
    for key in sorted(set(schedule.kwargs) - taken):
        like = near(key, taken - {OCCURRENCE})
        fix = f"did you mean {like!r}?" if like else "correct it, or leave it out."
        problems.append(f"kwargs[{key!r}]: {schedule.task} takes no such keyword argument; {fix}")
    if schedule.policies.pass_occurrence and OCCURRENCE not in taken:
        fix = f"add `*, {OCCURRENCE}` to it, or leave pass_occurrence out."
        problems.append(f"pass_occurrence: {schedule.task} takes no keyword argument {OCCURRENCE!r}; {fix}")
    return problems


def _keywords(signature: inspect.Signature) -> set[str] | None:
    parameters = signature.parameters.values()
    if any(one.kind is one.VAR_KEYWORD for one in parameters):
        return None
    return {one.name for one in parameters if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}
