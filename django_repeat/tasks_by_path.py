"""How a schedule names its task: by the dotted path under which any process can import it."""

from __future__ import annotations

import re
import sys
from typing import Any

from django_repeat.exceptions import InvalidSchedule

_PATH = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)+")
_USING = ("priority", "queue_name", "backend")


def task_path(task: object) -> str:
    """Answer the dotted path of ``task``, a path already or an object that a module holds.

    InvalidSchedule for what no other process could import: lambdas, functions inside functions, ``__main__``.
    """
    if isinstance(task, str):
        path = str.__str__(task)  # str() would answer the label of an enum member
    else:
        owner = getattr(task, "func", task)
        parts = [getattr(owner, part, None) for part in ("__module__", "__qualname__")]
        path = str(getattr(task, "module_path", None) or ".".join(map(str, filter(None, parts))))
    given = path if isinstance(task, str) else path or type(task).__name__
    if not _PATH.fullmatch(path):
        raise InvalidSchedule(
            f"task: {given!r} is not the dotted path of an importable task ('app.tasks.name'); "
            "define it at the top level of a module."
        )
    if path.startswith("__main__."):
        raise InvalidSchedule(f"task: {path}: other processes cannot import __main__; move it to a module.")
    return path


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
    """Answer whether ``task`` has a verb by which an engine enqueues: enqueue, apply_async, send or delay."""
    return any(callable(getattr(task, verb, None)) for verb in ("enqueue", "apply_async", "send", "delay"))
