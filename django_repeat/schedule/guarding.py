"""What goes wrong while a field is read, as one kind of error."""

from __future__ import annotations

from types import TracebackType

from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import kind


class About:
    """Let every error of the block be an InvalidSchedule that names ``field``.

    A value may raise anything when it is looked at, compared or read: that is a mistake in the declaration too.
    """

    __slots__ = ("_field",)

    def __init__(self, field: str) -> None:
        self._field = field

    def __enter__(self) -> None:
        pass

    def __exit__(self, _: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, InvalidSchedule):
            text = str(error)
            if not text.startswith((f"{self._field}: ", f"{self._field}[")):
                # A Cron of its own says "cron rule …".
                text = f"{self._field}: {text.removeprefix(f'{self._field} ')}"
            raise InvalidSchedule(text) from error
        if isinstance(error, (Exception, SystemExit)):
            raise InvalidSchedule(f"{self._field}: it cannot be read ({kind(error)}); give a plain value.") from error


def sentence(text: str) -> str:
    """Answer a message with a full stop at its end."""
    return text if text.endswith((".", "?")) else f"{text}."
