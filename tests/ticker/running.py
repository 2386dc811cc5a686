"""An engine of the tests whose runs last until they are told to end, and which tells of them."""

from __future__ import annotations

from django_repeat.occurrence import Occurrence
from django_repeat.run import Run, RunState
from django_repeat.schedule import Schedule
from tests.ticker.support import SCRIPT, ScriptedEngine

RUNS: dict[str, RunState] = {}
"""What the engine tells, by result id; what is not here is gone."""
IDS: dict[str, str] = {}
"""The id of the occurrence of each result."""
ASKED: list[str] = []


class Trouble:
    """What the engine raises when it is asked, if anything."""

    error: BaseException | None = None


class RunningEngine(ScriptedEngine):
    """Take what SCRIPT lets it take; the run goes on until ``ended``."""

    def enqueue(self, occurrence: Occurrence) -> str:
        # Kept before the test's own step: what dies after it has been stored.
        SCRIPT.before(occurrence)
        result = f"result-{len(IDS) + 1}"
        RUNS[result], IDS[result] = RunState.RUNNING, occurrence.id
        SCRIPT.taken.append(occurrence)
        SCRIPT.noted(occurrence)
        SCRIPT.after(occurrence)
        return result

    def tells(self, schedule: Schedule) -> bool:
        return True

    def run_of(self, schedule: Schedule, result_id: str) -> Run | None:
        ASKED.append(result_id)
        if Trouble.error is not None:
            raise Trouble.error
        state = RUNS.get(result_id)
        return None if state is None else Run(state=state)


def begin() -> str:
    """Forget every run; answer the path of the engine, for the setting ENGINE."""
    RUNS.clear()
    IDS.clear()
    ASKED.clear()
    Trouble.error = None
    return f"{__name__}.RunningEngine"


def running() -> list[str]:
    """Answer the ids of the occurrences that run."""
    return [IDS[result] for result, state in RUNS.items() if not state.ended]


def end(identity: str | None = None, state: RunState = RunState.SUCCEEDED) -> None:
    """Let every run end, or those of one occurrence."""
    for result in RUNS:
        if identity in (None, IDS[result]):
            RUNS[result] = state
