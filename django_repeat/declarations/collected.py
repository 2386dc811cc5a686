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


@dataclass(frozen=True, kw_only=True)
class Unread:
    """A module that could not be imported, so that what it declares is not known.

    ``where`` is the file and line that failed, ``excused`` whether it is an installed package's tasks for a library
    that the site does not have.
    """

    module: str
    error: str
    where: str
    fix: str
    excused: bool


class Declarations:
    """Collect declarations in code, in the order in which they came; hold one per (queue, name).

    ``loud`` says whether mistakes are logged. While the checks are ``awaited`` none is: they say the same.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._declared: dict[tuple[str, str], Declared] = {}
        self._problems: dict[tuple[str, str], Problem] = {}
        self.listeners: list[Callable[[Declared], None]] = []
        self.unread: dict[str, Unread] = {}
        self.loud = False
        self.awaited = False

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
        """Take a declaration that cannot be right."""
        with self._lock:
            self._keep(problem)

    def miss(self, unread: Unread) -> None:
        """Take a module that could not be imported, and forget what it declared before it failed."""
        with self._lock:
            self.unread[unread.module] = unread
            for key, one in list(self._declared.items()):
                if one.where.rpartition(":")[0] == unread.module:
                    del self._declared[key]
        self.log(unread)

    def collected(self) -> tuple[list[Declared], list[Problem]]:
        """Answer what the code declared and what it got wrong."""
        with self._lock:
            return list(self._declared.values()), list(self._problems.values())

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Forget at the end of the block what was declared in it (for tests)."""
        with self._lock:
            declared, problems = dict(self._declared), dict(self._problems)
            unread, loud, awaited = dict(self.unread), self.loud, self.awaited
        try:
            yield
        finally:
            with self._lock:
                self._declared, self._problems = declared, problems
                self.unread, self.loud, self.awaited = unread, loud, awaited

    def log(self, *mistakes: Problem | Unread) -> None:
        """Write a line about each mistake, if that is done in this process at all and it was not said before."""
        for mistake in mistakes if self.loud and not self.awaited else ():
            if mistake not in _said:
                _said.add(mistake)
                _write(mistake)

    def checked(self, *mistakes: Problem | Unread) -> None:
        """Take note that the checks said these mistakes."""
        _said.update(mistakes)

    def _keep(self, problem: Problem) -> None:
        self._problems[problem.name, problem.where] = problem
        self.log(problem)


def _write(mistake: Problem | Unread) -> None:
    if isinstance(mistake, Problem):
        logger.error("schedule not registered: %s where=%s", mistake.message, mistake.where)
    elif not mistake.excused:
        logger.error("module not imported: module=%s where=%s error=%r", mistake.module, mistake.where, mistake.error)


_said: set[Problem | Unread] = set()

declarations = Declarations()


def duplicate(first: Declared, second: Declared) -> Problem:
    """Answer the problem of one name that is declared twice; the first stays in force."""
    name = first.schedule.name
    message = (
        f"Schedule {name!r}: name: declared twice in queue {first.schedule.queue!r}, "
        f"in {first.where} (kept) and {second.where}; rename or remove one."
    )
    return Problem(name=name, message=message, where=second.where)
