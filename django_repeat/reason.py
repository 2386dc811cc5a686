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
    PAUSED = "paused"
    """The schedule, or its queue, was paused."""
    OPERATOR = "operator"
    """An operator skipped it."""
    OVERLAP = "overlap"
    """A run had not ended, and ``overlap`` lets no other begin."""
    UNSURE = "unsure"
    """As ``overlap``, but a ticker that died with it in hand may have fired it."""
    EXCLUDED = "excluded"
    """``exclude`` names its wall time: it is no occurrence."""
    CONDITION = "condition"
    """``when`` said no."""
    ENGINE_ERROR = "engine_error"
    """The engine did not take it."""
    BROKEN = "broken"
    """The entry, or the task that it names, cannot be used."""
    RECURRENCE_CHANGED = "recurrence_changed"
    """The schedule was changed while it was due."""


SKIPS = frozenset({Reason.PAUSED, Reason.OPERATOR, Reason.OVERLAP, Reason.UNSURE, Reason.CONDITION})
"""Those of nominal times that are skipped by intent; what else passes is missed."""
