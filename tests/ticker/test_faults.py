"""The fault table of a tick: what dies, stops, refuses or changes in the middle, and what then happens."""

from __future__ import annotations

import logging

import pytest

from django_repeat import cancel, get, register, service, upsert
from django_repeat.exceptions import DispatchFailed
from django_repeat.instants import to_ms
from django_repeat.registry import Claims
from django_repeat.testing import freeze
from tests.ticker.support import Death, Elapsed, Script, at, raising, seconds, ticker

START = at("2026-03-01T10:00:00")
FIRST = f"report@{to_ms(START)}"
LEASE = 30


@pytest.fixture(autouse=True)
def due_at_ten(script: Script) -> None:
    with freeze(seconds(START, -60)):
        register("report", task="a.b", cron="0 * * * *", timezone="UTC")


def tick_at(moment_seconds: float, **changes: object) -> list[str]:
    with freeze(seconds(START, moment_seconds)):
        return [one.id for one in ticker(**changes).tick().fired]


def dies(script: Script, *, before: bool) -> None:
    """Let a ticker die at 10:00 inside the engine, before or after the engine took the occurrence."""
    setattr(script, "before" if before else "after", raising(Death))
    with pytest.raises(Death):
        tick_at(0)
    script.before = script.after = lambda occurrence: None


def outcomes() -> list[tuple[str, str]]:
    return [(run["outcome"], run.get("reason", "")) for run in service.runs("report")]


def test_death_after_the_claim_before_the_enqueue(script: Script) -> None:
    dies(script, before=True)
    with freeze(seconds(START, LEASE - 1)):
        assert get("report").state == "dispatching"
    assert tick_at(LEASE - 1) == []
    assert tick_at(LEASE) == [FIRST]
    assert script.ids == [FIRST]


def test_death_after_the_enqueue_repeats_the_same_occurrence_once(script: Script) -> None:
    """The documented window: enqueued again, under the same id."""
    dies(script, before=False)
    assert tick_at(LEASE) == [FIRST]
    assert tick_at(LEASE + 1) == []
    assert script.ids == [FIRST, FIRST]


def test_a_claim_after_a_death_plans_as_of_the_first_claim(script: Script) -> None:
    """An hour later the latest nominal time is 11:00; 10:00 may have been enqueued, and must not be called missed."""
    dies(script, before=False)
    assert tick_at(3600 + 60) == [FIRST]
    assert tick_at(3600 + 60) == [f"report@{to_ms(seconds(START, 3600))}"]
    assert get("report").missed_count == 0


def test_a_ticker_stopped_for_longer_than_the_lease_fires_nothing_more(script: Script) -> None:
    """BD21: it wakes after another took over; what it had claimed and not fired, it leaves alone."""
    with freeze(seconds(START, -60)):
        for number in range(3):
            register(f"other{number}", task="a.b", cron="0 * * * *", timezone="UTC")
    elapsed = Elapsed()
    script.after = lambda occurrence: setattr(elapsed, "seconds", 60.0)
    assert len(tick_at(0, elapsed=elapsed)) == 1
    script.after = lambda occurrence: None
    assert len(tick_at(1)) == 3
    assert len(set(script.ids)) == len(script.ids) == 4


def test_a_late_settle_fails_on_the_fence(script: Script) -> None:
    """A ticker is stopped between enqueue and settle; another takes over; the first wakes and settles."""

    def other_takes_over(occurrence: object) -> None:
        script.after = lambda occurrence: None
        with freeze(seconds(START, LEASE)):
            ticker().tick()

    script.after = other_takes_over
    assert tick_at(0) == [FIRST]
    entry = get("report")
    assert script.ids == [FIRST, FIRST]
    assert entry.fired_count == 1
    assert entry.next == seconds(START, 3600)


def test_a_definition_changed_while_claimed_leaves_fence_and_cadence(script: Script) -> None:
    def change(occurrence: object) -> None:
        assert upsert("report", task="a.b", cron="0 * * * *", timezone="UTC", args=[7]) == "updated"

    with freeze(seconds(START, -60)):
        upsert("report", task="a.b", cron="0 * * * *", timezone="UTC")
    script.after = change
    assert tick_at(0) == [FIRST]
    entry = get("report")
    assert entry.fired_count == 1
    assert entry.next == seconds(START, 3600)
    assert entry.schedule is not None
    assert entry.schedule.args == (7,)


def test_a_recurrence_changed_while_claimed_lets_this_run_complete(script: Script) -> None:
    """The fence is cleared, the run is logged as fired, and the new nominal time stays."""

    def change(occurrence: object) -> None:
        script.after = lambda occurrence: None
        assert upsert("report", task="a.b", cron="30 * * * *", timezone="UTC") == "updated"

    script.after = change
    assert tick_at(0) == [FIRST]
    entry = get("report")
    assert entry.next == seconds(START, 1800)
    assert entry.fired_count == 1
    assert entry.last_nominal == START
    assert outcomes() == [("fired", "")]
    assert entry.missed_count == 0
    assert tick_at(1) == []


def test_a_recurrence_changed_while_overdue_records_the_old_occurrence(script: Script) -> None:
    with freeze(seconds(START, 5)):
        assert upsert("report", task="a.b", cron="30 * * * *", timezone="UTC") == "updated"
    assert tick_at(5) == []
    assert get("report").next == seconds(START, 1800)
    assert outcomes() == [("superseded", "recurrence_changed")]


def test_cancelled_while_claimed_completes_and_writes_nothing(script: Script) -> None:
    script.after = lambda occurrence: cancel("report")
    assert tick_at(0) == [FIRST]
    assert service.count() == 0
    assert service.runs("report") == []


def test_cancelled_and_registered_anew_while_claimed_is_not_settled_by_the_old_claim(script: Script) -> None:
    def anew(occurrence: object) -> None:
        cancel("report")
        register("report", task="a.b", cron="0 * * * *", timezone="UTC")

    script.after = anew
    tick_at(0)
    assert get("report").fired_count == 0
    assert get("report").next == seconds(START, 3600)


def test_an_engine_that_refuses_is_asked_again_with_backoff(script: Script, caplog: pytest.LogCaptureFixture) -> None:
    """BD08: three refusals, then it works: one enqueue, for 10:00, at the fourth attempt; three errors that name it."""
    script.before = raising(ConnectionError, times=3)
    attempts = []
    one = ticker()
    with caplog.at_level(logging.ERROR, logger="django_repeat"):
        for second in range(12):
            with freeze(seconds(START, second)):
                if one.tick().fired:
                    attempts.append(second)
    assert script.ids == [FIRST]
    assert attempts == [1 + 2 + 4]
    errors = [record.getMessage() for record in caplog.records]
    assert len(errors) == 3
    assert all("'report'" in message and "no to" in message for message in errors)
    entry = get("report")
    assert (entry.next, entry.failures, entry.error) == (seconds(START, 3600), 0, "")
    assert outcomes() == [("fired", ""), ("failed", "engine_error")]


def test_the_error_stays_on_the_entry_and_the_backoff_ends_at_a_minute(script: Script) -> None:
    script.before = raising(ConnectionError)
    one = ticker()
    attempted = []
    for second in range(400):
        before = get("report").failures
        with freeze(seconds(START, second)):
            one.tick()
        if get("report").failures > before:
            attempted.append(second)
    assert attempted == [0, 1, 3, 7, 15, 31, 63, 123, 183, 243, 303, 363]
    entry = get("report")
    assert entry.state == "failing"
    assert "ConnectionError" in entry.error
    assert entry.last_outcome == "failed"


def test_after_an_engine_outage_there_is_no_flood(script: Script) -> None:
    """Down for five hours: the one that was tried, then the latest; the rest is counted."""
    script.before = raising(ConnectionError, times=1)
    tick_at(0)
    one = ticker()
    for second in range(5 * 3600, 5 * 3600 + 20):
        with freeze(seconds(START, second)):
            one.tick()
    assert script.ids == [FIRST, f"report@{to_ms(seconds(START, 5 * 3600))}"]
    assert get("report").missed_count == 4


def test_an_engine_that_stored_and_raised_is_asked_again_under_the_same_id(script: Script) -> None:
    script.after = raising(RuntimeError, times=1)
    tick_at(0)
    assert tick_at(3600 + 5) == [FIRST]
    assert script.ids == [FIRST, FIRST]


def test_a_task_that_cannot_be_found_marks_the_entry_and_goes_on_its_grid(script: Script) -> None:
    """The code is away for three hours; then the latest runs, the rest is counted, and the mark is gone."""

    def gone(occurrence: object) -> None:
        raise DispatchFailed("task: a.b does not import", certain=True)

    script.before = gone
    one = ticker()
    for minute in range(180):
        with freeze(seconds(START, minute * 60)):
            one.tick()
    entry = get("report")
    assert entry.state == "broken"
    assert "does not import" in entry.broken_reason
    script.before = lambda occurrence: None
    with freeze(seconds(START, 3 * 3600 + 60)):
        one.tick()
    assert script.ids == [f"report@{to_ms(seconds(START, 3 * 3600))}"]
    entry = get("report")
    assert (entry.state != "broken", entry.broken_reason, entry.missed_count) == (True, "", 3)
    assert entry.next == seconds(START, 4 * 3600)


def test_a_ticker_that_is_told_to_stop_gives_the_rest_back_at_once(script: Script) -> None:
    with freeze(seconds(START, -60)):
        for number in range(5):
            register(f"other{number}", task="a.b", cron="0 * * * *", timezone="UTC")
    assert len(tick_at(0, stopped=lambda: len(script.taken) >= 2)) == 2
    assert len(tick_at(0)) == 4
    assert len(set(script.ids)) == 6


def test_two_thirds_of_the_lease_end_the_dispatch(script: Script) -> None:
    with freeze(seconds(START, -60)):
        for number in range(9):
            register(f"other{number}", task="a.b", cron="0 * * * *", timezone="UTC")
    elapsed = Elapsed()

    def slow(occurrence: object) -> None:
        elapsed.seconds += 4.0

    script.after = slow
    claimed = ticker(elapsed=elapsed, batch=100)
    with freeze(START):
        claimed.tick()
    assert len(script.taken) == LEASE * 2 / 3 / 4
    assert len(tick_at(0)) == 5


class LostReplies(Claims):
    """A link on which the first reply to one verb is lost after the script ran."""

    def __init__(self, verb: str) -> None:
        super().__init__(service.store("default"))
        self.lose = verb

    def claim(self, *args: object) -> object:  # type: ignore[override]
        return self._lost("claim", super().claim(*args))  # type: ignore[arg-type]

    def settle(self, *args: object) -> object:  # type: ignore[override]
        return self._lost("settle", super().settle(*args))  # type: ignore[arg-type]

    def release(self, *args: object) -> object:  # type: ignore[override]
        return self._lost("release", super().release(*args))  # type: ignore[arg-type]

    def _lost(self, verb: str, reply: object) -> object:
        from django_repeat.exceptions import RegistryUnavailable

        if self.lose == verb:
            self.lose = ""
            raise RegistryUnavailable("the reply was lost")
        return reply


def test_a_lost_reply_to_a_claim_loses_and_doubles_nothing(script: Script) -> None:
    assert tick_at(0, claims=LostReplies("claim")) == [FIRST]
    assert get("report").fired_count == 1


@pytest.mark.parametrize("verb", ["settle", "release"])
def test_a_lost_reply_to_a_write_is_written_again_by_the_next_tick(script: Script, verb: str) -> None:
    from django_repeat.exceptions import RegistryUnavailable

    if verb == "release":
        script.before = raising(ConnectionError, times=1)
    one = ticker(claims=LostReplies(verb))
    with freeze(START), pytest.raises(RegistryUnavailable):
        one.tick()
    for second in (1, 2):
        with freeze(seconds(START, second)):
            one.tick()
    assert script.ids == [FIRST]
    entry = get("report")
    assert (entry.fired_count, entry.failures, entry.next) == (1, 0, seconds(START, 3600))
