"""register and cancel: the origin's contract."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from django_repeat import Schedule, clock
from django_repeat.registry import Definitions
from tests.registry.support import DAY, HOUR, MINUTE, SECOND, Box, T, box, hourly


def register(registry: Box, schedule: Schedule, at: int = T) -> str:
    with clock.freeze(at):
        return registry.definitions.register(schedule, "dynamic")


def test_a_fresh_name_gets_one_member_and_one_record(registry):
    assert register(registry, hourly(args=[1])) == "registered"
    assert registry.score("hourly") == T + HOUR
    record = registry.record("hourly")
    assert record["template"] == '{"args":[1],"kwargs":{},"options":{},"task":"shop.tasks.count"}'
    assert (record["cron"], record["tz"], record["source"], record["v"]) == ("0 * * * *", "UTC", "dynamic", "1")
    assert set(registry.everything()) == {registry.keys.schedules, registry.keys.record("hourly")}


def test_a_taken_name_is_left_as_it_is_even_if_the_definition_differs(registry):
    register(registry, hourly())
    before = registry.everything()
    for other in (hourly(args=[2]), hourly(cron="*/5 * * * *"), hourly(enabled=False)):
        assert register(registry, other, T + 10 * MINUTE) == "exists"
    assert registry.everything() == before


@pytest.mark.parametrize("write", [
    lambda client, key: client.set(key, "text"),
    lambda client, key: client.rpush(key, "list"),
    lambda client, key: client.hset(key, mapping={"every_ms": 5, "template": "x"}),
])  # fmt: skip
def test_whatever_a_stranger_put_under_the_record_s_key_is_left_alone(registry, write):
    write(registry.client, registry.keys.record("hourly"))
    before = registry.everything()
    assert register(registry, hourly()) == "exists"
    assert registry.everything() == before


@pytest.mark.parametrize("fields, first", [
    ({"every": "10m"}, T + 12345),
    ({"every": "10m", "first_in": "90s"}, T + 12345 + 90 * SECOND),
    ({"every": "10m", "phase": "3m"}, T + 3 * MINUTE),
    ({"every": "10m", "phase": "3m", "first_in": "4m"}, T + 13 * MINUTE),
    ({"cron": "0 12 * * *", "timezone": "UTC"}, T + 2 * HOUR),
    ({"cron": "0 12 * * *", "timezone": "UTC", "first_in": "1d"}, T + 2 * HOUR + DAY),
])  # fmt: skip
def test_a_first_registration_never_looks_back(registry, fields, first):
    register(registry, Schedule("first", task="shop.tasks.count", **fields), T + 12345)
    assert registry.score("first") == first
    assert registry.record("first")["nominal"] == str(first)


def test_threads_that_race_make_one_entry(registry, repeat_registry):
    def race(number: int) -> str:
        mine = box("default", repeat_registry.url)
        return Definitions(mine.store).register(hourly(args=[number]), "dynamic")

    with ThreadPoolExecutor(12) as pool:
        answers = list(pool.map(race, range(48)))
    assert sorted(answers) == ["exists"] * 47 + ["registered"]
    winner = answers.index("registered")
    assert f'"args":[{winner}]' in registry.record("hourly")["template"]
    assert registry.reader.count() == 1


def test_cancel_takes_member_record_and_run_log(registry):
    registry.put(hourly(every="1h", cron=None, timezone=None))
    registry.settle(T, registry.win(T, "a:1"), T + HOUR)
    assert len(registry.everything()) == 3
    assert registry.cancel("hourly") == "cancelled"
    assert registry.everything() == {}
    assert registry.cancel("hourly") == "absent"


def test_a_name_is_fresh_after_cancel(registry):
    registry.put(hourly(every="1h", cron=None, timezone=None))
    registry.settle(T, registry.win(T, "a:1"), T + HOUR)
    registry.cancel("hourly")
    assert register(registry, hourly(), T + DAY) == "registered"
    record = registry.record("hourly")
    assert not {"fired_count", "last_nominal", "settled", "fence"} & set(record)
    assert registry.score("hourly") == T + DAY + HOUR
    assert registry.runs("hourly") == []


def test_cancel_of_one_leaves_its_neighbours(registry):
    for name in ("a", "a:b", "ab"):
        registry.put(hourly(name))
    registry.cancel("a")
    assert registry.reader.names() == ["a:b", "ab"]


@pytest.mark.parametrize("member", [True, False])
@pytest.mark.parametrize("write", [
    lambda client, key: client.set(key, "text"),
    lambda client, key: client.sadd(key, "set"),
    lambda client, key: client.hset(key, mapping={"every_ms": 5, "template": "x"}),
    lambda client, key: None,
])  # fmt: skip
def test_anything_can_be_cancelled(registry, write, member):
    write(registry.client, registry.keys.record("strange"))
    if member:
        registry.client.zadd(registry.keys.schedules, {"strange": 5})
    there = bool(registry.everything())
    assert registry.cancel("strange") == ("cancelled" if there else "absent")
    assert registry.everything() == {}
