"""What an engine is, and what every engine needs."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from django_repeat.exceptions import DispatchFailed
from django_repeat.names import near
from django_repeat.occurrence import Occurrence, current_occurrence
from django_repeat.run import Run
from django_repeat.schedule import Schedule
from django_repeat.tasks_by_path import is_task


class Enqueues(Protocol):
    """The one verb that the class named by ``DJANGO_REPEAT["ENGINE"]`` must have."""

    def enqueue(self, occurrence: Occurrence) -> str | None:
        """Hand ``occurrence`` to what runs tasks; answer the id of its result, if any. Any error is a refusal."""


class Engine(ABC):
    """Adapt what runs tasks. One instance serves a process and all its threads."""

    @abstractmethod
    def accepts(self, task: object) -> bool:
        """Answer whether ``task`` is one that this engine runs."""

    @abstractmethod
    def problems(self, schedule: Schedule) -> list[str]:
        """Answer what is wrong with ``schedule`` here, each as ``field: what; how to mend it``. Asks no server."""

    @abstractmethod
    def enqueue(self, occurrence: Occurrence) -> str:
        """Hand ``occurrence`` over; answer the id of its result, or ``""``. DispatchFailed if it is refused."""

    def runs_inline(self, schedule: Schedule) -> bool:
        """Answer whether the work would run inside the ticker instead of a worker."""
        return False

    def tells(self, schedule: Schedule) -> bool:
        """Answer whether it can say of a run of ``schedule`` whether that has ended. Asks no server."""
        return False

    def run_of(self, schedule: Schedule, result_id: str) -> Run | None:
        """Answer the run whose id ``enqueue`` answered; None if nothing is known of it, which counts as ended.

        DispatchFailed if what keeps the runs cannot be asked now.
        """
        return None

    def runs_of(self, schedule: Schedule, result_ids: Sequence[str]) -> dict[str, Run]:
        """Answer those runs of which something is known, by id. Any error says that they cannot be had now."""
        found = {one: self.run_of(schedule, one) for one in result_ids}
        return {one: run for one, run in found.items() if run is not None}


def resolve(path: str, field: str = "task") -> Any:
    """Answer what ``path``, a value of that field, names; DispatchFailed (certain) if it does not import.

    Asked again it imports again, so a ticker goes on when the code is back: Python forgets a module that failed to
    import, but the finders remember directory listings, which is why those are dropped.
    """
    module_path, _, name = path.rpartition(".")
    try:
        module = importlib.import_module(module_path)
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        importlib.invalidate_caches()
        raise DispatchFailed(
            f"{field}: {path} does not import ({said(error)}); correct the path.", certain=True
        ) from error
    try:
        return getattr(module, name)
    except AttributeError as error:
        like = _near_task(name, module) if field == "task" else None
        fix = f"did you mean {like!r}?" if like else "correct the path."
        raise DispatchFailed(f"{field}: {module_path} has no {name!r}; {fix}", certain=True) from error
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise DispatchFailed(f"{field}: {path} cannot be had ({said(error)}).", certain=True) from error


def _near_task(name: str, module: Any) -> str | None:
    found = []
    for known, value in list(getattr(module, "__dict__", {}).items()):
        # What a module holds may be lazy, and raise anything once it is looked at.
        with suppress(Exception):
            if is_task(value):
                found.append(known)
    return near(name, found)


def said(error: BaseException) -> str:
    """Answer ``error`` as text that names its type too: the text of a KeyError alone says little."""
    try:
        text = str(error)
    except Exception:  # noqa: BLE001 - somebody else's __str__
        text = "its text cannot be had"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@contextmanager
def in_hand(occurrence: Occurrence) -> Iterator[None]:
    """Let ``current_occurrence`` be ``occurrence`` for the time of the block."""
    token = current_occurrence.set(occurrence)
    try:
        yield
    finally:
        current_occurrence.reset(token)
