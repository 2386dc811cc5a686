"""Fixed times in a zone, less exclusions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from django_repeat.recurrence.mapping import FixedTime
from django_repeat.recurrence.walltimes import Minutes

LANDINGS: Final = 100
"""A gap comes once a year or so: where that many in a row took what remains of a rule, nothing else remains."""


class KeptTime(FixedTime):
    """The remaining ``times`` of a rule of fixed times, less those that a gap moves to a minute that is not ``opened``.

    The search ends with None after LANDINGS such times in a row.
    """

    __slots__ = ("_opened",)

    def __init__(self, times: Minutes, key: str, opened: Minutes) -> None:
        super().__init__(times, key)
        self._opened = opened

    def after(self, second: int) -> int | None:
        return self._search(super().after, second, 0)

    def before(self, second: int) -> int | None:
        return self._search(super().before, second, -1)

    def _search(self, step: Callable[[int], int | None], second: int, beside: int) -> int | None:
        for _ in range(LANDINGS):
            found = step(second)
            if found is None or self._is_open(self._reading(found) // 60):
                return found
            second = found + beside
        return None

    def _landed(self, in_gap: int, minute: int) -> int:
        return min(in_gap, 1) if self._is_open(minute) else 0

    def _is_open(self, minute: int) -> bool:
        return self._opened.first(minute) == minute
