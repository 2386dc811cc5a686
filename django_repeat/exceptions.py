"""Errors, one tree.

::

    RepeatError
    ├── InvalidSchedule       (ValueError)             a declaration that cannot be right
    ├── InvalidSettings       (ImproperlyConfigured)   DJANGO_REPEAT is wrong
    ├── ScheduleNotFound      (LookupError)            no entry of that name
    ├── Conflict                                       the name belongs to somebody else
    ├── RegistryUnavailable                            Redis does not answer, or refuses
    └── DispatchFailed                                 the task engine did not take an occurrence
"""

from __future__ import annotations

from django.core.exceptions import ImproperlyConfigured


class RepeatError(Exception):
    """Something about a recurring schedule went wrong."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message or (type(self).__doc__ or "").splitlines()[0])


class InvalidSchedule(RepeatError, ValueError):
    """The schedule cannot be right as it is declared."""


class InvalidSettings(RepeatError, ImproperlyConfigured):
    """A DJANGO_REPEAT setting is wrong."""


class ScheduleNotFound(RepeatError, LookupError):
    """The registry has no schedule of that name."""


class Conflict(RepeatError):
    """The name is held by a schedule that this call may not change."""


class RegistryUnavailable(RepeatError):
    """The registry's Redis server does not answer, or refuses the command.

    After a time-out the outcome of a write is unknown; every verb may be called again without harm. ``answered`` is
    true where the server did answer: then one key or one command is at fault, and others may go on.
    """

    def __init__(self, message: str = "", *, answered: bool = False) -> None:
        super().__init__(message)
        self.answered = answered


class DispatchFailed(RepeatError):
    """The task engine did not take the occurrence.

    ``certain`` is true where nothing can have been enqueued (a task path that does not import), and
    false where the engine was asked and raised: it may have stored the message first.
    """

    def __init__(self, message: str = "", *, certain: bool = False) -> None:
        super().__init__(message)
        self.certain = certain
