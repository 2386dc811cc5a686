"""How a schedule names its task and its condition: by the dotted path under which any process can import it."""

from __future__ import annotations

import re
import sys
from typing import Any

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import is_a, kind, shown

_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_USING = ("priority", "queue_name", "backend")


def task_path(task: object) -> str:
    """Answer the dotted path of ``task``, a path already or an object that a module holds.

    InvalidSchedule for what no other process could import: lambdas, functions inside functions, ``__main__``.
    """
    try:
        return dotted_path(task, "an importable task", "app.tasks.name")
    except InvalidSchedule as error:
        raise InvalidSchedule(f"task: {error}") from error


def dotted_path(value: object, what: str, example: str) -> str:
    """Answer the dotted path of ``value`` as `task_path` does; ``what`` and ``example`` are for the message."""
    try:
        path = _path(value)
    except (Exception, SystemExit) as error:
        raise InvalidSchedule(f"{shown(value)} has no path ({kind(error)}); give the path, as {example!r}.") from error
    if not path and not is_a(value, str):
        raise InvalidSchedule(f"{shown(value)} is not {what}; give one, or its dotted path, as {example!r}.")
    if not _PATH.fullmatch(path):
        fix = f"give it whole, as {example!r}" if is_a(value, str) else "define it at the top level of a module"
        raise InvalidSchedule(f"{shown(path)} is not the dotted path of {what}; {fix}.")
    if path.startswith("__main__."):
        raise InvalidSchedule(f"{shown(path)}: other processes cannot import __main__; move it to a module.")
    return path


def _path(value: object) -> str:
    if is_a(value, str):
        return str.__str__(value)  # str() would answer the label of an enum member
    owner = getattr(value, "func", value)
    parts = [getattr(owner, part, None) for part in ("__module__", "__qualname__")]
    return str.__str__(str(getattr(value, "module_path", None) or ".".join(map(str, filter(None, parts)))))


def task_options(task: object) -> dict[str, Any]:
    """Answer what ``task.using(…)`` changed against the task of that path: priority, queue_name, backend.

    InvalidSchedule for ``run_after``: when to run is what the schedule says.
    """
    if isinstance(task, str) or not callable(getattr(task, "using", None)):
        return {}
    if getattr(task, "run_after", None) is not None:
        raise InvalidSchedule("task: using(run_after=…) cannot be combined with a schedule; leave it out.")
    module, _, name = task_path(task).rpartition(".")
    original = getattr(sys.modules.get(module), name, task)
    changed = {}
    for option in _USING:
        value = getattr(task, option, None)
        if value != getattr(original, option, value):
            changed[option] = value
    return changed


def is_task(task: object) -> bool:
    """Answer whether ``task`` has a verb by which an engine enqueues: enqueue, apply_async, send or delay.

    What raises when it is asked is none.
    """
    try:
        return any(callable(getattr(task, verb, None)) for verb in ("enqueue", "apply_async", "send", "delay"))
    except (Exception, SystemExit):  # noqa: BLE001 - a lazy object may raise anything once it is looked at
        return False
