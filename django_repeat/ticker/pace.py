"""How far a ticker goes with what it claimed, and how much it fires before it writes."""

from __future__ import annotations

from collections.abc import Callable

# What a ticker has fired and not yet settled fires again if it dies: write after so many, or so long.
GROUP, GROUP_SECONDS = 25, 0.25


class Pace:
    """The pace of one batch, from its claim on. ``lease`` in milliseconds; ``elapsed`` answers seconds."""

    def __init__(self, *, elapsed: Callable[[], float], stopped: Callable[[], bool], lease: int) -> None:
        self._elapsed = elapsed
        self._stopped = stopped
        # Two thirds of the lease are for firing; the rest is for the settling and the server's own pace.
        self._end = elapsed() + lease * 2 / 3 / 1000
        self.written()

    @property
    def is_over(self) -> bool:
        """Answer whether nothing more may be fired: told to stop, or the lease comes to its end."""
        return self._stopped() or self._elapsed() >= self._end

    @property
    def is_full(self) -> bool:
        """Answer whether it is time to write what has fired."""
        return self._count >= GROUP or self._elapsed() >= self._group_end

    def took(self) -> None:
        """Count one more occurrence, or a claim that came to none."""
        self._count += 1

    def written(self) -> None:
        """Begin a group."""
        self._count = 0
        self._group_end = self._elapsed() + GROUP_SECONDS
