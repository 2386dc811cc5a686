"""States, outcomes and times in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import redis

from django_repeat import Pause, clock, service
from django_repeat.entry import MissedRange
from django_repeat.management.states import outcomes_text, pause_text, range_text, times_text
from tests.commands.running import NOW, call, call_json

START = datetime(2030, 1, 1, tzinfo=UTC)
HOUR = 3_600_000


@pytest.mark.parametrize("fields, text", [
    ({}, ""),
    ({"by": "anna"}, "by anna"),
    ({"reason": "month end"}, "month end"),
    ({"by": "anna", "reason": "x"}, "by anna: x"),
    ({"until": START + timedelta(hours=1), "by": "anna"}, "until 2030-01-01 01:00:00 UTC, by anna"),
    ({"whole_queue": True, "reason": "x"}, "the whole queue: x"),
])  # fmt: skip
def test_a_pause_in_words(fields: dict[str, object], text: str) -> None:
    assert pause_text(Pause(since=START, **fields)) == text  # type: ignore[arg-type]


@pytest.mark.parametrize("letters, text", [
    ("", ""), ("f", "fired"), ("fmf", "fired, missed, fired"), ("z", "z"),
    ("ffmsxu", "2 fired, missed, skipped, failed, superseded"),
])  # fmt: skip
def test_outcomes_in_words(letters: str, text: str) -> None:
    assert outcomes_text(letters) == text


def test_times_in_words() -> None:
    days = [START + timedelta(days=day) for day in range(7)]
    assert times_text(days[:1]) == "2030-01-01 00:00:00 UTC"
    assert times_text(days).endswith("2030-01-05 00:00:00 UTC, and 2 more")
    assert range_text(MissedRange(days[0], days[0], 1)) == "2030-01-01 00:00:00 UTC"
    assert range_text(MissedRange(days[0], days[6], 7000)) == (
        "7,000 from 2030-01-01 00:00:00 UTC to 2030-01-07 00:00:00 UTC"
    )


def test_what_came_of_a_schedule_is_shown_in_words_and_as_json(declare_only: Callable[..., None], frozen: int) -> None:
    service.register("a", command="check", every="1h", phase="0s")
    with clock.freeze(NOW + 3 * HOUR):
        call("tick", "--once")
        out, _ = call("show", "a")
        shown = call_json("show", "a")
    assert "\noutcomes       fired, missed\n" in out
    assert "\nmissed ranges  2 from 2030-01-01 01:00:00 UTC to 2030-01-01 02:00:00 UTC\n" in out
    assert shown["outcomes"] == "fm"
    assert shown["missed_ranges"] == [{"first": "2030-01-01T01:00:00Z", "last": "2030-01-01T02:00:00Z", "count": 2}]


def test_what_waits_for_a_run_is_shown(declare_only: Callable[..., None], frozen: int, raw: redis.Redis) -> None:
    service.register("a", command="check", every="1h", phase="0s")
    raw.hset("emq:{default}:repeat:a", mapping={"wait": NOW, "poll": NOW + 1_000})
    assert "\nwaiting        2030-01-01 00:00:00 UTC (2030-01-01T00:00:00Z)\n" in call("show", "a")[0]
    assert call_json("list")[0]["waiting"] == "2030-01-01T00:00:00Z"


def test_a_damaged_record_of_an_operator_is_shown_all_the_same(
    declare_only: Callable[..., None], frozen: int, raw: redis.Redis
) -> None:
    service.register("a", command="check", every="1h", phase="0s")
    wrong = {"paused": "soon", "holes": "p9-1 s-1 x", "missed": "1-2 ?", "outcomes": "\x1b[2J", "wait": "x"}
    raw.hset("emq:{default}:repeat:a", mapping=wrong)
    assert "state          broken" in call("show", "a")[0]
    assert call_json("list")[0]["pause"] is None
