"""upsert: every state that a record can be in, met by every kind of change."""

from __future__ import annotations

import pytest

from django_repeat import Schedule, clock
from tests.registry.support import DAY, HOUR, MINUTE, SECOND, Box, T, hourly


def interval(every: str = "1h", **fields: object) -> Schedule:
    return Schedule("hourly", every=every, task="shop.tasks.count", **fields)


def state(registry: Box) -> dict[str, str]:
    """Answer what a verb that writes definitions has no business to touch."""
    definition = {"every_ms", "phase_ms", "cron", "tz", "template", "source", "digest", "v", "rev"}
    return {key: value for key, value in registry.record("hourly").items() if key not in definition}


def test_the_same_definition_changes_not_a_byte(registry):
    assert registry.put(hourly()) == "registered"
    before = registry.everything()
    for at in (T, T + 30 * MINUTE, T + 5 * HOUR):
        assert registry.put(hourly(), at) == "exists"
    assert registry.everything() == before


@pytest.mark.parametrize("changed", [
    hourly(args=[5]),
    hourly(kwargs={"deep": True}),
    hourly(options={"queue": "b"}),
    hourly(task="shop.tasks.other"),
    hourly(task=None, command="clearsessions"),
])  # fmt: skip
@pytest.mark.parametrize("at", [T + 5 * MINUTE, T + 70 * MINUTE], ids=["idle", "overdue"])
def test_other_work_keeps_score_and_state(registry, changed, at):
    registry.put(hourly())
    score, before = registry.score("hourly"), state(registry)
    assert registry.put(changed, at) == "updated"
    assert (registry.score("hourly"), state(registry)) == (score, before)
    assert registry.record("hourly")["template"] == changed.template
    assert registry.put(changed, at) == "exists"
    assert registry.runs("hourly") == []


def test_other_work_keeps_history_and_counters(registry):
    registry.put(hourly())
    registry.settle(T + HOUR, registry.win(T + HOUR, "a:1"), T + 2 * HOUR)
    before, runs = state(registry), registry.runs("hourly")
    registry.put(hourly(args=[5]), T + HOUR + 1)
    assert (state(registry), registry.runs("hourly")) == (before, runs)
    assert registry.score("hourly") == T + 2 * HOUR


def test_a_changed_rule_moves_the_pending_run(registry):
    registry.put(hourly(cron="0 18 * * *"))
    assert registry.put(hourly(cron="0 6 * * *"), T + 2 * HOUR) == "updated"
    assert registry.score("hourly") == T + 20 * HOUR
    assert registry.record("hourly")["nominal"] == str(T + 20 * HOUR)
    assert registry.runs("hourly") == []


def test_a_changed_zone_moves_the_pending_run(registry):
    registry.put(hourly(cron="0 18 * * *"))
    registry.put(hourly(cron="0 18 * * *", timezone="Europe/Berlin"))
    assert registry.score("hourly") == T + 6 * HOUR


def test_what_is_overdue_and_unclaimed_ends_as_superseded(registry):
    registry.put(hourly())
    registry.put(hourly(cron="*/30 * * * *"), T + HOUR + 5 * MINUTE)
    assert registry.score("hourly") == T + HOUR + 30 * MINUTE
    (line,) = registry.runs("hourly")
    assert line == {
        "nominal": T + HOUR, "at": T + HOUR + 5 * MINUTE, "outcome": "superseded", "reason": "recurrence_changed",
        "count": 1,
    }  # fmt: skip


def test_a_change_under_a_claim_lets_this_run_complete_and_moves_on(registry):
    registry.put(hourly())
    claim = registry.win(T + HOUR, "a:1")
    assert registry.put(hourly(cron="15 * * * *"), T + HOUR + SECOND) == "updated"
    record = registry.record("hourly")
    assert "fence" not in record
    assert "lease" not in record
    assert registry.score("hourly") == T + HOUR + 15 * MINUTE
    assert registry.settle(T + HOUR + 2 * SECOND, claim, T + 2 * HOUR) == "superseded"
    record = registry.record("hourly")
    assert (record["fired_count"], record["last_nominal"]) == ("1", str(T + HOUR))
    assert registry.score("hourly") == int(record["nominal"]) == T + HOUR + 15 * MINUTE
    assert registry.outcomes("hourly")[0] == "fired"


def test_other_work_under_a_claim_leaves_fence_lease_and_settle_alone(registry):
    registry.put(hourly())
    claim = registry.win(T + HOUR, "a:1")
    score, before = registry.score("hourly"), state(registry)
    assert registry.put(hourly(args=[5]), T + HOUR + SECOND) == "updated"
    assert (registry.score("hourly"), state(registry)) == (score, before)
    assert registry.settle(T + HOUR + SECOND, claim, T + 2 * HOUR) == "ok"
    assert registry.score("hourly") == T + 2 * HOUR


def test_a_new_definition_of_a_failing_entry_is_tried_at_once(registry):
    registry.put(hourly())
    registry.release(T + HOUR, registry.win(T + HOUR, "a:1"), backoff=MINUTE, error="no such task", broken="no task")
    assert registry.score("hourly") == T + HOUR + MINUTE
    registry.put(hourly(task="shop.tasks.right"), T + HOUR + SECOND)
    assert registry.score("hourly") == T + HOUR
    assert "broken" not in registry.record("hourly")


def test_a_changed_rule_of_a_failing_entry_forgets_the_backoff(registry):
    registry.put(hourly())
    registry.release(T + HOUR, registry.win(T + HOUR, "a:1"), backoff=MINUTE, error="down")
    registry.put(hourly(cron="*/5 * * * *"), T + HOUR + SECOND)
    assert registry.score("hourly") == T + HOUR + 5 * MINUTE
    assert not {"retry", "asof"} & set(registry.record("hourly"))


def test_an_interval_that_changes_keeps_the_grid_of_the_last_nominal(registry):
    registry.put(interval("1h"), T + 7 * MINUTE)
    registry.settle(T + 8 * MINUTE, registry.win(T + 8 * MINUTE, "a:1"), T + 67 * MINUTE)
    registry.put(interval("15m"), T + 30 * MINUTE)
    assert registry.score("hourly") == T + 37 * MINUTE


def test_an_interval_that_never_fired_keeps_its_grid_too(registry):
    registry.put(interval("1d", first_in="7m"))
    registry.put(interval("1h", first_in="7m"), T + MINUTE)
    assert registry.score("hourly") == T + 7 * MINUTE


def test_the_new_line_starts_after_what_fired_last(registry):
    registry.put(hourly())
    registry.settle(T + HOUR, registry.win(T + HOUR, "a:1"), T + 2 * HOUR)
    # The server's clock went back: what fired at 11:00 must not fire again.
    registry.put(hourly(cron="*/30 * * * *"), T + 10 * MINUTE)
    assert registry.score("hourly") == T + HOUR + 30 * MINUTE


def test_a_finished_entry_begins_again_with_a_rule_that_goes_on(registry):
    registry.put(hourly())
    registry.settle(T + HOUR, registry.win(T + HOUR, "a:1"), None)
    assert registry.score("hourly") == float("inf")
    assert registry.put(hourly(args=[5]), T + DAY) == "updated"
    assert registry.score("hourly") == float("inf")
    assert registry.put(hourly(cron="30 * * * *"), T + DAY) == "updated"
    assert registry.score("hourly") == T + DAY + 30 * MINUTE


def test_disabling_parks_the_entry_and_enabling_starts_afresh(registry):
    registry.put(hourly())
    assert registry.put(hourly(enabled=False), T + MINUTE) == "updated"
    assert registry.score("hourly") == float("inf")
    assert registry.reader.count() == 1
    assert registry.put(hourly(enabled=False), T + 5 * HOUR) == "exists"
    assert registry.put(hourly(), T + 5 * HOUR + MINUTE) == "updated"
    assert registry.score("hourly") == T + 6 * HOUR
    assert registry.runs("hourly") == [], "what did not run while disabled was not due"


def test_a_disabled_definition_that_is_not_there_is_not_written(registry):
    assert registry.put(hourly(enabled=False)) == "disabled"
    assert registry.everything() == {}


def test_a_source_that_changes_alone_moves_nothing(registry):
    registry.put(hourly(), source="settings")
    score, before = registry.score("hourly"), state(registry)
    assert registry.put(hourly(), T + MINUTE, source="code") == "updated"
    assert (registry.score("hourly"), state(registry)) == (score, before)
    assert registry.record("hourly")["source"] == "code"


def test_code_takes_over_what_was_dynamic_and_never_the_reverse(registry):
    registry.put(hourly(), source="dynamic")
    assert registry.put(hourly(args=[1]), source="code") == "updated"
    before = registry.everything()
    assert registry.put(hourly(args=[2]), source="dynamic") == "conflict"
    assert registry.put(hourly(cron="* * * * *"), source="dynamic") == "conflict"
    assert registry.put(hourly(args=[1]), source="dynamic") == "conflict"
    assert registry.everything() == before


def test_foreign_broken_and_good_ones_are_answered_one_by_one(registry):
    registry.set("echo", every_ms=5000, template="{}")
    registry.client.zadd(registry.keys.schedules, {"echo": 1})
    registry.client.set(registry.keys.record("text"), "text")
    registry.put(hourly("there"))
    strange = {key: registry.client.dump(key) for key in map(registry.keys.record, ("echo", "text"))}
    with clock.freeze(T):
        answers = registry.definitions.upsert([(hourly(name), "code") for name in ("echo", "text", "there", "new")])
    assert answers == {"echo": "foreign", "text": "broken", "there": "exists", "new": "registered"}
    assert {key: registry.client.dump(key) for key in strange} == strange
    assert registry.score("echo") == 1
