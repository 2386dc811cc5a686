"""A run: what an engine tells of work that was handed to it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class RunState(StrEnum):
    """How far a run has come."""

    WAITING = "waiting"
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Answer whether nothing more will come of it."""
        return self in (RunState.SUCCEEDED, RunState.FAILED)


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run. Instants are milliseconds by the clock of the engine's hosts, None where they are not known."""

    state: RunState
    started_ms: int | None = None
    ended_ms: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", RunState(self.state))

    @property
    def ended(self) -> bool:
        """Answer whether nothing more will come of it."""
        return self.state.ended

    @property
    def duration_ms(self) -> int | None:
        """Answer how long it ran; None if it has not ended, or an instant is not known."""
        if not self.ended or self.started_ms is None or self.ended_ms is None:
            return None
        return max(0, self.ended_ms - self.started_ms)
