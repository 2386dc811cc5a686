"""What the verbs answer."""

from __future__ import annotations

from enum import StrEnum


class Answer(StrEnum):
    """Say what a verb did; equal to its own lower-case text, so ``answer == "registered"`` works."""

    REGISTERED = "registered"
    EXISTS = "exists"
    UPDATED = "updated"
    STALE = "stale"
    DISABLED = "disabled"
    FOREIGN = "foreign"
    BROKEN = "broken"
    CONFLICT = "conflict"
    CANCELLED = "cancelled"
    ABSENT = "absent"
    PAUSED = "paused"
    RESUMED = "resumed"
    UNCHANGED = "unchanged"
