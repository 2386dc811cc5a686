"""Fired is what the ticker said, run is what the database says: neither is counted from the other."""

from __future__ import annotations

import pytest

from example_project.demo.__main__ import duration
from example_project.demo.tally import Tally


def tally(*fired: str) -> Tally:
    found = Tally()
    for result in fired:
        found.fired({"result": result, "name": f"schedule.{result}"})
    return found


def test_it_adds_up_when_exactly_what_was_fired_was_run():
    assert tally("a", "b").adds_up({"a": "SUCCESSFUL", "b": "SUCCESSFUL"})


@pytest.mark.parametrize(
    "results",
    [
        pytest.param({"a": "SUCCESSFUL"}, id="one is lost"),
        pytest.param({"a": "SUCCESSFUL", "b": "READY"}, id="one waits"),
        pytest.param({"a": "SUCCESSFUL", "b": "RUNNING"}, id="one runs"),
        pytest.param({"a": "SUCCESSFUL", "b": "FAILED"}, id="one failed"),
        pytest.param({"a": "SUCCESSFUL", "c": "SUCCESSFUL"}, id="another one in its place"),
        pytest.param({"a": "SUCCESSFUL", "b": "SUCCESSFUL", "c": "SUCCESSFUL"}, id="one too many"),
    ],
)
def test_it_does_not_add_up(results):
    assert not tally("a", "b").adds_up(results)


def test_nothing_fired_does_not_add_up():
    assert not tally().adds_up({})


def test_an_occurrence_handed_over_twice_counts_once():
    assert tally("a", "a").summary({"a": "SUCCESSFUL"}) == "1 occurrences fired, 1 run."


def test_failures_are_told():
    assert tally("a", "b").summary({"a": "FAILED", "b": "READY"}) == "2 occurrences fired, 1 run, 1 of them failed."


def test_a_run_that_is_heard_of_first_waits_for_its_name():
    found = Tally()
    run = {"result": "a", "ms": 3}
    assert found.ran(run) == ""
    assert found.fired({"result": "a", "name": "first"}) == run
    assert found.ran(run) == "first"


@pytest.mark.parametrize("text, seconds", [("", None), ("20", 20.0), ("0.5", 0.5)])
def test_seconds_are_read(text, seconds):
    assert duration(text) == seconds


@pytest.mark.parametrize("text", ["soon", "0", "-1", "nan", "inf"])
def test_wrong_seconds_are_refused(text):
    with pytest.raises(ValueError):
        duration(text)
