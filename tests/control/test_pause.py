"""A pause: nothing fires until it ends, no deploy ends it, and what was due before still fires."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from django_repeat import cancel, get, pause, register, resume, service, upsert
from django_repeat.testing import freeze
from tests.control.looking import entry_at, frozen, log, minutes, moment, next_at, score
from tests.ticker.minutely import MINUTE, put, tick_at


def paused(at: float, **more: Any) -> None:
    with frozen(at):
        assert pause("s", **more) == "paused"


def resumed(at: float, **more: Any) -> None:
    with frozen(at):
        assert resume("s", **more) == "resumed"


def test_nothing_fires_and_the_next_run_is_known() -> None:
    put()
    assert tick_at(1 * MINUTE) == [1]
    paused(1.5, by="anna", reason="month end")
    entry = entry_at(7.5)
    assert (entry.state, minutes([entry.next])) == ("paused", [8])
    assert (entry.pause.since, entry.pause.until) == (moment(1.5), None)
    assert (entry.pause.by, entry.pause.reason, entry.pause.whole_queue) == ("anna", "month end", False)
    assert score() == float("inf")
    assert [tick_at(minute * MINUTE) for minute in range(2, 8)] == [[]] * 6


def test_it_goes_on_with_the_next_nominal_time() -> None:
    put()
    assert tick_at(0) == [0]
    paused(0.5)
    resumed(10.5)
    assert (entry_at(10.5).state, next_at(10.5)) == ("scheduled", 11)
    assert [tick_at(10 * MINUTE + 40), tick_at(11 * MINUTE)] == [[], [11]]
    entry = entry_at(11)
    assert (entry.skipped_count, entry.missed_count, entry.fired_count, entry.outcomes) == (10, 0, 2, "fsf")
    assert log() == ["fired 0", "pause", "skipped 1-10 paused", "resume", "fired 11"]


def test_a_nominal_time_at_the_instant_of_the_resume_fires() -> None:
    put()
    paused(-0.5)
    resumed(3)
    assert tick_at(3 * MINUTE) == [3]


def test_replay_leaves_what_passed_to_catch_up() -> None:
    put(catch_up="all")
    paused(-0.5)
    resumed(3.5, replay=True)
    assert tick_at(3.6 * MINUTE) == [0, 1, 2, 3]
    assert entry_at(4).skipped_count == 0


def test_until_it_ends_by_itself() -> None:
    put()
    assert tick_at(0) == [0]
    paused(0.5, until=moment(5))
    assert score() == moment(5).timestamp() * 1000
    assert (entry_at(3).state, next_at(3), entry_at(3).pause.until) == ("paused", 5, moment(5))
    assert tick_at(4.9 * MINUTE) == []
    assert (entry_at(5).pause, entry_at(5).state) == (None, "due")
    assert tick_at(5 * MINUTE) == [5]
    assert log() == ["fired 0", "pause", "skipped 1-4 paused", "fired 5"]
    assert not {"holes", "paused", "paused_until", "paused_by", "paused_reason"} & set(entry_at(6).raw)


def test_what_was_due_before_fires_after_it() -> None:
    put()
    paused(0.5)
    resumed(10.5)
    assert tick_at(10.6 * MINUTE) == [0]
    assert log() == ["pause", "resume", "fired 0", "skipped 1-10 paused"]
    assert next_at(10.7) == 11


def test_a_pause_of_what_is_paused_keeps_its_start_and_takes_the_rest() -> None:
    put()
    paused(-0.5, by="anna", reason="one", until=moment(20))
    paused(2.5, by="ben")
    assert entry_at(3).pause.since == moment(-0.5)
    assert (entry_at(3).pause.by, entry_at(3).pause.reason, entry_at(3).pause.until) == ("ben", "", None)
    resumed(4.5)
    assert (next_at(4.5), entry_at(4.5).skipped_count) == (5, 5)


def test_a_pause_after_one_that_ended_by_itself_does_not_bring_back_what_that_dropped() -> None:
    put()
    paused(-0.5, until=moment(3))
    paused(5.5)
    resumed(8.5)
    assert tick_at(8.6 * MINUTE) == [5]
    assert log()[-4:] == ["skipped 0-2 paused", "missed 3-4 coalesced", "fired 5", "skipped 6-8 paused"]


def test_pauses_between_two_runs_do_not_pile_up() -> None:
    put(cron="0 0 1 1 *", timezone="UTC")
    for minute in range(20):
        paused(minute, until=moment(minute + 0.5))
    assert len(entry_at(30).raw.get("holes", "")) < 40


def test_resume_of_what_is_not_paused_changes_nothing() -> None:
    put()
    before = get("s").raw
    assert resume("s") == "unchanged"
    assert get("s").raw == before
    assert log() == []


def test_who_and_why_are_in_the_log() -> None:
    put()
    paused(0.5, by="anna", reason="month end", until=moment(9))
    resumed(0.6, by="ben", reason="too early", replay=True)
    ended, begun = service.runs("s")
    assert begun == {
        "at": moment(0.5).timestamp() * 1000,
        "verb": "pause",
        "until": moment(9).timestamp() * 1000,
        "by": "anna",
        "note": "month end",
    }
    assert (ended["verb"], ended["by"], ended["note"], ended["replay"]) == ("resume", "ben", "too early", True)


@pytest.mark.parametrize("until", [moment(1), moment(2), datetime(2026, 3, 1, 12)], ids=["past", "now", "naive"])
def test_an_end_must_lie_ahead(until: datetime) -> None:
    put()
    with frozen(2), pytest.raises(ValueError, match=r"until|aware"):
        pause("s", until=until)
    assert entry_at(2).pause is None


@pytest.mark.parametrize("field", ["by", "reason"])
def test_who_and_why_are_text(field: str) -> None:
    put()
    with pytest.raises(TypeError, match=f"^{field}: "):
        pause("s", **{field: 7})


@pytest.mark.parametrize("change", [{"args": [2]}, {"cron": "*/2 * * * *", "timezone": "UTC"}, {"every": "40s"}])
def test_no_deploy_ends_it(change: dict[str, Any]) -> None:
    put()
    assert tick_at(0) == [0]
    paused(0.5, reason="month end")
    for after in (60, 90, 200):
        put(after, **change)
    entry = entry_at(4)
    assert (entry.state, entry.pause.since, entry.pause.reason) == ("paused", moment(0.5), "month end")
    assert entry.next is not None
    assert entry.next > moment(4)
    assert tick_at(30 * MINUTE) == []


def test_nor_does_a_registration() -> None:
    put()
    paused(0.5)
    with frozen(1):
        assert register("s", task="a.b", every="10s") == "exists"
    assert entry_at(2).state == "paused"


def test_cancel_ends_it() -> None:
    put()
    paused(-0.5)
    cancel("s")
    put(4 * MINUTE + 1)
    assert (entry_at(4.5).state, next_at(4.5)) == ("scheduled", 5)
    assert tick_at(5 * MINUTE) == [5]
    assert entry_at(6).skipped_count == 0


def test_an_end_of_the_schedule_inside_the_pause_ends_it() -> None:
    """What lies after ``end_at`` was no nominal time: it is not counted as skipped."""
    put(end_at=moment(3))
    paused(0.5)
    assert tick_at(0.6 * MINUTE) == []
    resumed(0.7)
    assert tick_at(0.8 * MINUTE) == [0]
    paused(0.9)
    resumed(9.5)
    entry = entry_at(9.5)
    assert (entry.skipped_count, entry.state, entry.next) == (3, "finished", None)


def test_one_without_phase_keeps_its_grid() -> None:
    with freeze(moment(0)):
        upsert("s", task="a.b", every=timedelta(minutes=1))
    assert tick_at(0) == [0]
    paused(0.5)
    resumed(5.25)
    assert next_at(5.25) == 6
