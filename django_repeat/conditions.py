"""The condition of a schedule: the callable that ``when`` names, asked for each occurrence."""

from __future__ import annotations

import inspect
import logging

from django_repeat.engines.base import resolve, said
from django_repeat.exceptions import DispatchFailed
from django_repeat.occurrence import Occurrence
from django_repeat.schedule import Schedule

logger = logging.getLogger("django_repeat")


def agrees(occurrence: Occurrence) -> bool:
    """Ask ``when`` whether ``occurrence`` is to fire; yes where there is none.

    A condition that raises, or does not import, is logged and counts as yes: work that runs once too often is seen,
    work that silently stops is not.
    """
    schedule = occurrence.schedule
    path = schedule.policies.when
    if path is None:
        return True
    try:
        return bool(resolve(path, "when")(occurrence))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a cancelled coroutine must not end the ticker either
        logger.error(
            "condition failed: queue=%s name=%r when=%s error=%r",
            schedule.queue,
            schedule.name,
            path,
            said(error),
            exc_info=not isinstance(error, DispatchFailed),
        )
        return True


def problems(schedule: Schedule) -> list[str]:
    """Answer what would keep ``when`` from being asked. Imports its module."""
    path = schedule.policies.when
    if path is None:
        return []
    try:
        condition = resolve(path, "when")
    except DispatchFailed as error:
        return [str(error)]
    if not callable(condition):
        return [f"when: {path} is no callable; name a function that takes the occurrence."]
    try:
        inspect.signature(condition).bind(None)
    except TypeError as error:
        return [f"when: {path} does not take the occurrence ({error}); give it one positional argument."]
    except ValueError:
        pass
    return []
