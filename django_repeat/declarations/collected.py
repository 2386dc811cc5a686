"""What the code of this process declared, and what it got wrong."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from django_repeat.schedule import Schedule

logger = logging.getLogger("django_repeat")


@dataclass(frozen=True, kw_only=True)
class Declared:
    """A schedule, the kind of place that asks for it (``settings`` or ``code``), and the place itself."""

    schedule: Schedule
    source: str
    where: str


@dataclass(frozen=True, kw_only=True)
class Problem:
    """A declaration that cannot be right; nothing is registered for it."""

    name: str
    message: str
    where: str


class Declarations:
    """Collect declarations in code, in the order in which they came; hold one per (queue, name)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._declared: dict[tuple[str, str], Declared] = {}
        self._problems: dict[tuple[str, str], Problem] = {}
        self.listeners: list[Callable[[Declared], None]] = []
        # Modules that lack a package, and so may have declared less than they would: name -> reason.
        self.passed_over: dict[str, str] = {}

    def add(self, declared: Declared) -> None:
        """Take a declaration. It may be said again, also elsewhere; another definition of the name is a problem."""
        key = declared.schedule.queue, declared.schedule.name
        with self._lock:
            first = self._declared.get(key)
            if first and first.schedule != declared.schedule:
                self._keep(duplicate(first, declared))
                return
            self._declared.setdefault(key, declared)
        for listener in list(self.listeners):
            listener(declared)

    def reject(self, problem: Problem) -> None:
        """Take a declaration that cannot be right; logged when it is new."""
        with self._lock:
            self._keep(problem)

    def collected(self) -> tuple[list[Declared], list[Problem]]:
        """Answer what the code declared and what it got wrong."""
        with self._lock:
            return list(self._declared.values()), list(self._problems.values())

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Forget at the end of the block what was declared in it (for tests)."""
        with self._lock:
            declared, problems = dict(self._declared), dict(self._problems)
        try:
            yield
        finally:
            with self._lock:
                self._declared, self._problems = declared, problems

    def _keep(self, problem: Problem) -> None:
        self._problems[problem.name, problem.where] = problem
        log_once(problem)


declarations = Declarations()


def duplicate(first: Declared, second: Declared) -> Problem:
    """Answer the problem of one name that is declared twice; the first stays in force."""
    name = first.schedule.name
    message = (
        f"Schedule {name!r}: name: declared twice in queue {first.schedule.queue!r}, "
        f"in {first.where} (kept) and {second.where}; rename or remove one."
    )
    return Problem(name=name, message=message, where=second.where)


def log_once(problem: Problem) -> None:
    """Write a line about ``problem``, once in the life of the process."""
    if problem not in _logged:
        _logged.add(problem)
        logger.error("schedule not registered: %s where=%s", problem.message, problem.where)


_logged: set[Problem] = set()
