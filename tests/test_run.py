from __future__ import annotations

import pytest

from django_repeat.run import Run, RunState


@pytest.mark.parametrize(
    "state, ended", [("waiting", False), ("running", False), ("succeeded", True), ("failed", True)]
)
def test_what_succeeded_or_failed_has_ended(state: RunState, ended: bool) -> None:
    run = Run(state=state, started_ms=1_000, ended_ms=3_500)
    assert run.state is RunState(state)
    assert run.ended is ended
    assert run.duration_ms == (2_500 if ended else None)


@pytest.mark.parametrize("started, ended, duration", [
    (None, 2_000, None),
    (2_000, None, None),
    (0, 0, 0),
    # By the clocks of two hosts.
    (2_000, 1_990, 0),
])  # fmt: skip
def test_a_duration_needs_both_instants(started: int | None, ended: int | None, duration: int | None) -> None:
    assert Run(state=RunState.FAILED, started_ms=started, ended_ms=ended).duration_ms == duration


def test_a_state_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="'done'"):
        Run(state="done")  # type: ignore[arg-type]
