"""Why a nominal time did not fire: one closed list for run logs, signals and screens."""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Name why a nominal time did not fire."""

    COALESCED = "coalesced"
    """A later one fired for it."""
    WINDOW = "window"
    """It lay further back than counts."""
    LIMIT = "limit"
    """More were missed than are made up."""
    GRACE = "grace"
    """It was too late, and missed ones are not made up."""
    ENDED = "ended"
    """The last of ``max_runs`` had fired."""
    CONDITION = "condition"
    """``when`` said no."""
    ENGINE_ERROR = "engine_error"
    """The engine did not take it."""
    BROKEN = "broken"
    """The entry, or the task that it names, cannot be used."""
    RECURRENCE_CHANGED = "recurrence_changed"
    """The schedule was changed while it was due."""
