"""Milliseconds are kept to the last digit: Lua prints 14, a score holds 53 bits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from django_repeat import Schedule, clock
from django_repeat.codec import FURTHEST_MS
from django_repeat.instants import from_ms
from tests.registry.support import LEASE

INSTANTS = [1, 1_757_000_000_123, 99_999_999_999_999, 100_000_000_000_000, 253_402_300_799_000 - LEASE - 7]


def pulse() -> Schedule:
    return Schedule("pulse", every="1m", task="shop.tasks.count")


@pytest.mark.parametrize("ms", INSTANTS)
def test_an_instant_is_stored_and_read_back_exactly(registry, ms):
    with clock.freeze(ms):
        registry.definitions.register(pulse(), "code")
        assert registry.record("pulse")["nominal"] == str(ms)
        assert registry.client.zscore(registry.keys.schedules, "pulse") == ms
        assert registry.reader.now() == ms
        due = registry.claims.due(0, 1)
        assert (due.now, due.names) == (ms, [("pulse", str(ms))])
        (entry,) = registry.reader.entries(["pulse"])
        assert entry.next == datetime(1970, 1, 1, tzinfo=UTC) + timedelta(milliseconds=ms)
    claim = registry.win(ms, "a:1", "pulse")
    assert (claim.nominal, claim.as_of, claim.now) == (ms, ms, ms)
    assert registry.record("pulse")["lease"] == str(ms + LEASE)
    registry.settle(ms + 9, claim, 253_402_300_799_000, fired_at=ms + 3)
    record = registry.record("pulse")
    assert (record["nominal"], record["last_fired"]) == ("253402300799000", str(ms + 3))
    assert registry.score("pulse") == 253_402_300_799_000
    assert registry.reader.entries(["pulse"])[0].last_fired == from_ms(ms + 3)


def test_what_lies_beyond_the_calendar_is_never_stored(registry):
    with clock.freeze(FURTHEST_MS - 5):
        registry.definitions.upsert([(Schedule("last", every="1d", phase="1h", task="shop.tasks.count"), "code")])
    assert registry.score("last") == float("inf")
    assert "nominal" not in registry.record("last")
    assert registry.reader.entries(["last"])[0].state == "finished"


@pytest.mark.parametrize("score", [2**53, 1e300, float("inf"), float("-inf"), -5, 0.25])
def test_a_stranger_s_score_of_any_size_is_shown(registry, score):
    registry.set("echo", every_ms=1, template="{}")
    registry.client.zadd(registry.keys.schedules, {"echo": score})
    with clock.freeze(1_757_000_000_123):
        due = registry.claims.due(0, 10)
        assert [one.why for one in registry.claims.claim("a:1", LEASE, due.names)] == ["foreign"] * (score < 1e15)
    assert registry.reader.entries(["echo"])[0].state == "foreign"
    assert registry.score("echo") == score
