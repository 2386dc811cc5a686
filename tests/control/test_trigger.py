"""A run by hand: one occurrence at once, with an id of its own, and nothing of the schedule changes."""

from __future__ import annotations

from typing import Any

import pytest
import redis
from django.test import override_settings

from django_repeat import cancel, get, pause, pause_all, service, signals, trigger
from django_repeat.exceptions import Conflict, DispatchFailed, RegistryUnavailable, ScheduleNotFound
from django_repeat.occurrence import current_occurrence
from tests.control.looking import entry_at, frozen, log, moment, next_at, score
from tests.ticker import support
from tests.ticker.minutely import MINUTE, put, tick_at
from tests.ticker.support import raising, scripted

KEPT = ("nominal", "at", "fired_count", "missed_count", "last_nominal", "last_fired", "failures", "retry")


def triggered(at: float, **more: Any) -> Any:
    with frozen(at):
        return trigger("s", **more)


def test_one_occurrence_at_once_and_the_cadence_stays() -> None:
    put(args=[1])
    tick_at(0)
    before, old = entry_at(0.5).raw, score()
    occurrence = triggered(0.5, by="anna", reason="month end")
    (_, taken) = support.SCRIPT.taken
    assert (taken.id, taken.trigger, taken.nominal, taken.schedule.args) == (occurrence.id, "manual", moment(0.5), (1,))
    assert occurrence.id == f"s!{occurrence.manual_id}"
    assert (occurrence.result_id, occurrence.late_ms) == ("result-2", 0)
    after = entry_at(0.5)
    assert {key: after.raw.get(key) for key in KEPT} == {key: before.get(key) for key in KEPT}
    assert (score(), after.outcomes) == (old, "ff")
    assert [tick_at(0.6 * MINUTE), tick_at(MINUTE)] == [[], [1]]


def test_the_log_says_who_and_why() -> None:
    put()
    occurrence = triggered(0.5, by="anna", reason="month end")
    (said,) = service.runs("s")
    assert said == {
        "nominal": occurrence.nominal_ms,
        "at": occurrence.nominal_ms,
        "outcome": "fired",
        "result": "result-1",
        "trigger": "manual",
        "by": "anna",
        "note": "month end",
    }


def test_bd64_two_are_two() -> None:
    put()
    assert triggered(0.5).id != triggered(0.5).id
    assert len(set(support.SCRIPT.ids)) == 2
    assert next_at(0.5) == 0


def test_bd14_a_manual_run_is_no_part_of_the_cadence() -> None:
    for fields in ({"cron": "0 11 * * *", "timezone": "UTC"}, {"every": "1d", "phase": "11h"}):
        put(**fields)
        due = score()
        assert due == moment(60).timestamp() * 1000
        triggered(30)
        assert (score(), entry_at(30).fired_count, entry_at(30).last_fired) == (due, 0, None)
        assert tick_at(31 * MINUTE) == []
        assert tick_at(60 * MINUTE) == [60]
        cancel("s")


def test_limits_do_not_count_it() -> None:
    put(max_runs=1)
    triggered(-0.5)
    assert tick_at(0) == [0]
    assert triggered(0.5).trigger == "manual"
    assert entry_at(0.5).state == "finished"


@pytest.mark.parametrize("whole", [False, True], ids=["alone", "queue"])
def test_it_works_while_paused(whole: bool) -> None:
    put()
    with frozen(-0.5):
        pause_all() if whole else pause("s")
    triggered(1.5)
    assert len(support.SCRIPT.taken) == 1
    assert entry_at(1.6).state == "paused"


def test_it_works_while_disabled() -> None:
    put()
    put(enabled=False)
    triggered(0.5)
    assert len(support.SCRIPT.taken) == 1
    assert entry_at(1).state == "disabled"


def test_the_engines_refusal_is_shown_and_noted() -> None:
    put()
    support.SCRIPT.before = raising(ConnectionError)
    with pytest.raises(DispatchFailed, match="no to s!"):
        triggered(0.5, by="anna")
    entry = entry_at(0.5)
    assert (entry.outcomes, entry.failures, entry.error, entry.state) == ("x", 0, "", "due")
    (said,) = service.runs("s")
    assert (said["outcome"], said["reason"], said["trigger"], said["by"]) == (
        "failed", "engine_error", "manual", "anna",
    )  # fmt: skip
    assert "no to s!" in said["error"]


def test_a_task_reads_it_from_the_context() -> None:
    put()
    found = []
    support.SCRIPT.before = lambda occurrence: found.append(current_occurrence.get())
    assert found == []
    identity = triggered(0.5).id
    assert [one.id for one in found] == [identity]
    assert current_occurrence.get() is None


def test_signals_tell_of_it() -> None:
    put()
    told: list[str] = []

    def fired(*, occurrence: Any, result_id: str, **_: Any) -> None:
        told.append(f"{occurrence.trigger} {result_id}")

    def decided(*, verb: str, by: str, name: str, **_: Any) -> None:
        told.append(f"{verb} {name} {by}")

    signals.occurrence_fired.connect(fired)
    signals.operator_decided.connect(decided)
    try:
        triggered(0.5, by="anna")
    finally:
        signals.occurrence_fired.disconnect(fired)
        signals.operator_decided.disconnect(decided)
    assert told == ["manual result-1", "trigger s anna"]


def test_it_is_not_undone_by_a_registry_that_goes_away_after_it() -> None:
    put()

    def leave(occurrence: object) -> None:
        settings.enable()

    settings = override_settings(
        DJANGO_REPEAT={"REDIS": "redis://localhost:1/0", "ENGINE": f"{support.__name__}.ScriptedEngine"}
    )
    support.SCRIPT.after = leave
    try:
        assert triggered(0.5).result_id == "result-1"
    finally:
        settings.disable()
    assert log() == []


def test_where_nothing_is_enabled_nothing_is_fired() -> None:
    put()
    with scripted(ENABLED=False), pytest.raises(Conflict, match="ENABLED"):
        trigger("s")
    assert support.SCRIPT.taken == []


def test_one_that_cannot_be_read_is_refused(repeat_registry) -> None:
    put()
    with redis.Redis.from_url(repeat_registry.url) as client:
        client.hset(service.store("default").keys.record("s"), "template", "{")
    with pytest.raises(Conflict, match="cannot be fired"):
        trigger("s")
    assert get("s").outcomes == ""


def test_an_unknown_name_is_refused() -> None:
    put()
    with pytest.raises(ScheduleNotFound, match="No schedule 'S'"):
        trigger("S")
    assert support.SCRIPT.taken == []


def test_redis_away_is_an_error_before_anything_is_fired() -> None:
    with scripted(REDIS="redis://localhost:1/0"), pytest.raises(RegistryUnavailable):
        trigger("s")
    assert support.SCRIPT.taken == []
