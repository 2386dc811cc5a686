"""What a plan answers."""

from __future__ import annotations

from dataclasses import dataclass

from django_repeat.reason import Reason


@dataclass(frozen=True, kw_only=True, slots=True)
class Gap:
    """Nominal times in a row that do not fire: the first, the last, how many, and why. Milliseconds."""

    reason: Reason
    first: int
    last: int
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """What to do with what is due, oldest first. Milliseconds; ``next`` is None when nothing comes after.

    ``queued`` is a nominal time that waited for a run to end, and fires before the others; ``waits`` is one that is to
    wait from now on.
    """

    fires: tuple[int, ...] = ()
    gaps: tuple[Gap, ...] = ()
    next: int | None = None
    queued: int | None = None
    waits: int | None = None
