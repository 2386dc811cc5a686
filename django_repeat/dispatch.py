"""Hand occurrences to their engines, one at a time, and let nothing but DispatchFailed out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from django.db import Error, close_old_connections

from django_repeat import conditions
from django_repeat.engines import engine_for, run_of
from django_repeat.engines.base import in_hand, said
from django_repeat.exceptions import DispatchFailed, InvalidSettings
from django_repeat.occurrence import Occurrence
from django_repeat.schedule import Schedule


class Dispatcher:
    """Fire occurrences. Opens no transaction of its own: what an engine stores is stored when ``fire`` returns.

    ``lasting`` is for a process that goes on for weeks: around each batch, database connections that are past their age
    or broken are closed. One tick inside a test or a command leaves the connections to whoever opened them.
    """

    def __init__(self, *, lasting: bool = True) -> None:
        self._lasting = lasting

    @contextmanager
    def batch(self) -> Iterator[None]:
        """Stand around a batch; connections are closed here because a ticker has no requests, where Django does it."""
        self._close()
        try:
            yield
        finally:
            self._close()

    def agrees(self, occurrence: Occurrence) -> bool:
        """Ask the schedule's condition, if it has one, whether ``occurrence`` is to fire."""
        return conditions.agrees(occurrence)

    def is_busy(self, schedule: Schedule, runs: Iterable[str], now: int) -> bool:
        """Answer whether one of these runs, "<ms handed over> <result id>", has not ended.

        One that took longer than ``max_runtime`` counts as ended. DispatchFailed if the engine cannot be asked.
        """
        longest = schedule.policies.max_runtime_ms
        for begun, _, result in (run.partition(" ") for run in runs):
            if result and (longest is None or now - int(begun) < longest):
                run = run_of(schedule, result)
                if run is not None and not run.ended:
                    return True
        return False

    def fire(self, occurrence: Occurrence) -> str:
        """Enqueue ``occurrence``; answer the id of its result, or ``""``.

        DispatchFailed for every Exception, and for SystemExit: a task module that calls ``sys.exit`` at import must
        not end a ticker. KeyboardInterrupt passes. A connection that broke is closed, so the next occurrence gets
        a new one.
        """
        try:
            return _enqueue(occurrence)
        except DispatchFailed as error:
            if isinstance(error.__cause__, Error):
                self._close()
            raise

    def _close(self) -> None:
        if self._lasting:
            close_old_connections()


def _enqueue(occurrence: Occurrence) -> str:
    try:
        engine = engine_for(occurrence.schedule)
    except InvalidSettings as error:
        raise DispatchFailed(str(error), certain=True) from error
    except (DispatchFailed, KeyboardInterrupt):
        raise
    except BaseException as error:
        # A module may compute its attributes, and exit for one of them as it may at its import.
        raise DispatchFailed(said(error), certain=True) from error
    try:
        with in_hand(occurrence):
            answer = engine.enqueue(occurrence)
        return "" if answer is None else str(answer)
    except (DispatchFailed, KeyboardInterrupt):
        raise
    except BaseException as error:  # a cancelled coroutine or a time-out of a green thread is a refusal too
        raise DispatchFailed(said(error)) from error
