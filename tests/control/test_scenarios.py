"""Scenarios from public bug reports about what operators do."""

from __future__ import annotations

from typing import Any

import pytest
import redis

from django_repeat import (
    cancel,
    entries,
    get,
    pause,
    pause_all,
    register,
    resume,
    resume_all,
    service,
    skip,
    sync,
    trigger,
    upsert,
)
from django_repeat.testing import freeze
from tests.control.looking import frozen
from tests.ticker import support
from tests.ticker.minutely import MINUTE, put, tick_at
from tests.ticker.support import at, scripted, ticker

HOURLY = {"task": "a.b", "cron": "0 * * * *", "timezone": "UTC"}


def declared(**schedules: dict[str, Any]) -> Any:
    return scripted(SCHEDULES=schedules)


def fired(text: str) -> list[str]:
    with freeze(at(text)):
        return [one.schedule.name for one in ticker().tick().fired]


def test_bd17_a_pause_outlives_the_same_code(script: support.Script) -> None:
    with declared(x=HOURLY):
        with freeze(at("2026-03-01T10:30:00")):
            sync()
            pause("x", by="anna")
        for _ in range(3):
            with freeze(at("2026-03-01T10:40:00")):
                sync()
        with freeze(at("2026-03-01T12:00:00")):
            assert (get("x").state, get("x").pause.by) == ("paused", "anna")
        assert fired("2026-03-01T12:00:00") == []


def test_bd17_a_pause_outlives_changed_code(script: support.Script) -> None:
    for change in ({}, {"args": [1]}, {"cron": "30 * * * *"}, {"spread": "5m"}):
        with declared(x={**HOURLY, **change}), freeze(at("2026-03-01T10:31:00")):
            sync()
            if not change:
                pause("x", by="anna")
    assert fired("2026-03-02T12:00:00") == []


@pytest.mark.parametrize("whole", [False, True], ids=["alone", "queue"])
def test_bd18_what_fell_due_in_a_pause_is_not_due_on_resume(whole: bool, script: support.Script) -> None:
    with declared(backup={"task": "a.b", "cron": "0 2 * * *", "timezone": "UTC"}):
        with freeze(at("2026-08-14T19:00:00")):
            sync()
        with freeze(at("2026-08-14T20:00:00")):
            pause_all() if whole else pause("backup")
        with freeze(at("2026-08-15T04:49:00")):
            resume_all() if whole else resume("backup")
        assert fired("2026-08-15T04:49:01") == []
        assert score("backup") == 1_786_845_600_000
        assert fired("2026-08-16T02:00:00") == ["backup"]


def test_bd19_code_never_touches_what_was_made_at_run_time(script: support.Script) -> None:
    with freeze(at("2026-03-01T10:30:00")):
        register("dyn1", **HOURLY)
        pause("dyn1", by="anna")
        skip("dyn1")
        before, due = get("dyn1").raw, score("dyn1")
    with declared(x=HOURLY):
        for _ in range(3):
            with freeze(at("2026-03-01T10:40:00")):
                sync()
    assert (get("dyn1").raw, score("dyn1")) == (before, due)


def test_bd33_nothing_grows_and_a_cancel_leaves_nothing_of_the_entry(repeat_registry: Any) -> None:
    """Of a queue that was paused its switch and the log of that stay: two keys, however often."""
    names = [f"n{number}" for number in range(5)]
    with redis.Redis.from_url(repeat_registry.url) as client:
        sizes = []
        for turn in range(30):
            with frozen(turn):
                for name in names:
                    upsert(name, task="a.b", cron="* * * * *", timezone="UTC", overlap="queue_one", max_runtime="1h")
                    pause(name, by="a" * 50)
                    skip(name)
                    resume(name, reason="b" * 50)
                    trigger(name)
                pause_all()
                resume_all()
                ticker().tick()
            found = client.keys(f"{repeat_registry.prefix}*")
            sizes.append((len(found), sum(client.memory_usage(key) for key in found)))
        assert sizes[-1][0] == sizes[0][0] == 2 * len(names) + 3
        assert sizes[-1][1] < 1.05 * sizes[-6][1]
        for name in names:
            cancel(name)
        keys = service.store("default").keys
        assert set(client.keys(f"{repeat_registry.prefix}*")) == {keys.switch, keys.log}


GARBAGE = {
    "holes": "p- sx s99999999999999999999 p5-1 \x00",
    "missed": "1-2 a-b-c 9-8-7 99999999999999999-1-1",
    "outcomes": "<b>",
    "decided": "x" * 500,
    "manual": "yesterday",
    "paused_by": "<script>",
}


@pytest.mark.parametrize("field", GARBAGE)
def test_bd58_what_an_operators_field_holds_stops_nothing(field: str, repeat_registry: Any) -> None:
    put()
    with frozen(-1):
        upsert("good", **HOURLY)
    with redis.Redis.from_url(repeat_registry.url) as client:
        client.hset(service.store("default").keys.record("s"), field, GARBAGE[field])
    with frozen(-0.5):
        assert len(entries()) == 2
        assert len(skip("s")) == 1
        assert pause("s") == "paused"
    with frozen(1.5):
        assert resume("s") == "resumed"
        trigger("s")
    assert tick_at(2 * MINUTE) in ([0, 2], [2])
    assert get("s").state not in ("broken", "failing")


@pytest.mark.parametrize("field", ["paused", "paused_until", "wait", "poll"])
def test_bd58_a_number_that_is_none_marks_its_entry_and_no_other(field: str, repeat_registry: Any) -> None:
    put()
    with frozen(-1):
        upsert("good", **HOURLY)
    with redis.Redis.from_url(repeat_registry.url) as client:
        client.hset(service.store("default").keys.record("s"), field, "soon")
    with frozen(0):
        assert [one.schedule.name for one in ticker().tick().fired] == ["good"]
        assert (get("s").state, get("good").fired_count) == ("broken", 1)


def score(name: str) -> float:
    reply = service.store("default").call("page", [], [0, 100, "asc"])[2]
    return {bytes(reply[i]).decode(): float(reply[i + 1]) for i in range(0, len(reply), 2)}[name]
