"""What others left under our keys: nothing of it is changed, nothing of it stops the rest."""

from __future__ import annotations

import pytest

from django_repeat import clock
from django_repeat.codec import NUMBERS
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import Claim, Heartbeats, Refusal, Release, Ticker
from tests.registry.support import HOUR, LEASE, MINUTE, T, fired, hourly

DUE = T + HOUR
WRITERS = {
    "string": lambda client, key: client.set(key, "text"),
    "list": lambda client, key: client.rpush(key, "text"),
    "set": lambda client, key: client.sadd(key, "text"),
    "stream": lambda client, key: client.xadd(key, {"a": 1}),
    "zset": lambda client, key: client.zadd(key, {"a": 1}),
    "hash": lambda client, key: client.hset(key, "a", 1),
}
VERBS = {
    "register": lambda box: box.definitions.register(hourly(), "dynamic"),
    "compare": lambda box: box.definitions.upsert([(hourly(), "code")]),
    "cancel": lambda box: box.cancel("hourly"),
    "due": lambda box: box.claims.due(0, 10),
    "claim": lambda box: box.claims.claim("a:1", LEASE, [("hourly", "5")]),
    "settle": lambda box: box.claims.settle([fired(claim(), DUE)]),
    "release": lambda box: box.claims.release([Release(name="hourly", token="a:1", nominal=DUE)]),
    "page": lambda box: box.reader.page(0, 10),
    "records": lambda box: box.reader.entries(["hourly"]),
    "count": lambda box: box.reader.count(),
    "now": lambda box: box.reader.now(),
}


def claim() -> Claim:
    return Claim(
        name="hourly",
        token="a:1",
        as_of=DUE,
        now=DUE,
        nominal=DUE,
        failures=0,
        fired_count=0,
        digest="",
        definition=(),
    )


def seen(registry, at):
    """Answer the state of the entry `hourly` as a user sees it, and what is said to be wrong with it."""
    with clock.freeze(at):
        (entry,) = registry.reader.entries(["hourly"])
    return entry.state, entry.broken_reason


@pytest.mark.parametrize("kind", ["string", "hash", "list"])
@pytest.mark.parametrize("verb", VERBS)
def test_a_registry_key_of_another_type_is_named_and_left_alone(registry, verb, kind):
    registry.put(hourly("other"))
    registry.client.delete(registry.keys.schedules)
    WRITERS[kind](registry.client, registry.keys.schedules)
    before = registry.everything()
    with pytest.raises(RegistryUnavailable, match=rf"{registry.keys.prefix}:{{default}}:repeat holds a {kind}"):
        VERBS[verb](registry)
    assert registry.everything() == before


def test_tickers_key_of_another_type_is_named(registry):
    registry.client.set(registry.keys.tickers, "text")
    with pytest.raises(RegistryUnavailable, match=r"repeat\.tickers holds a string"):
        Heartbeats(registry.store).beat(Ticker(id="a", host="h", pid=1), 1000)
    assert list(registry.everything()) == [registry.keys.tickers]


@pytest.mark.parametrize("kind", sorted(set(WRITERS) - {"hash"}))
def test_a_record_of_another_type_is_broken_for_a_minute_and_stays_as_it_is(registry, kind):
    key = registry.keys.record("strange")
    WRITERS[kind](registry.client, key)
    registry.client.zadd(registry.keys.schedules, {"strange": T})
    registry.put(hourly())
    before = registry.client.dump(key)
    broken, won = registry.claim(DUE, "a:1", "strange", "hourly")
    assert broken == Refusal(name="strange", why="broken", reason=f"the record is a {kind}, not a hash")
    assert isinstance(won, Claim)
    assert registry.score("strange") == DUE + MINUTE
    assert registry.put(hourly("strange")) == "broken"
    assert registry.client.dump(key) == before
    (entry,) = registry.reader.entries(["strange"])
    assert (entry.state, entry.broken_reason) == ("broken", f"the record is a {kind}, not a hash")
    assert [one.name for one in registry.claim(DUE + MINUTE, "a:2")] == ["hourly", "strange"]


def test_a_missing_record_is_broken_for_a_minute(registry):
    registry.client.zadd(registry.keys.schedules, {"gone": T})
    assert registry.claim(T, "a:1") == [Refusal(name="gone", why="broken", reason="the record is missing")]
    assert registry.claim(T + MINUTE - 1, "a:2") == []
    assert [one.why for one in registry.claim(T + MINUTE, "a:3")] == ["broken"]
    assert registry.everything().keys() == {registry.keys.schedules}


def test_a_record_that_became_a_string_under_a_claim_is_not_settled(registry):
    registry.put(hourly())
    won = registry.win(DUE, "a:1")
    registry.client.set(registry.keys.record("hourly"), "text")
    before = registry.everything()
    assert registry.settle(DUE, won, DUE + HOUR) == "lost"
    assert registry.release(DUE, won, backoff=1000, error="x", lines=["{}"]) == "lost"
    assert registry.everything() == before


@pytest.mark.parametrize("kind", sorted(set(WRITERS) - {"list"}))
def test_a_run_log_key_of_another_type_costs_the_log_and_not_the_schedule(registry, kind):
    registry.put(hourly())
    key = registry.keys.runs("hourly")
    WRITERS[kind](registry.client, key)
    before = registry.client.dump(key)
    assert registry.settle(DUE, registry.win(DUE, "a:1"), DUE + HOUR) == "ok"
    assert registry.release(DUE + HOUR, registry.win(DUE + HOUR, "a:2"), backoff=0, error="x", lines=["{}"]) == "ok"
    assert registry.put(hourly(cron="*/5 * * * *"), DUE + HOUR + 1) == "updated"
    assert registry.score("hourly") == DUE + HOUR + 5 * MINUTE
    assert registry.runs("hourly") == []
    assert registry.client.dump(key) == before
    assert registry.cancel("hourly") == "cancelled"
    assert registry.everything() == {}


@pytest.mark.parametrize("value", ["", "abc", "-1", "1.5", "1e3", "9" * 16, "9223372036854775807", "\xff", " 1"])
@pytest.mark.parametrize("field", NUMBERS)
def test_a_damaged_number_breaks_its_entry_and_nothing_else(registry, field, value):
    registry.put(hourly())
    registry.put(hourly("good"))
    registry.set("hourly", **{field: value})
    before = registry.client.dump(registry.keys.record("hourly"))
    shown = seen(registry, DUE)
    broken, won = registry.claim(DUE, "a:1", "hourly", "good")
    assert broken == Refusal(name="hourly", why="broken", reason=f"{field} is no number")
    assert shown == seen(registry, DUE) == ("broken", broken.reason)
    assert registry.score("hourly") == DUE + MINUTE
    assert registry.settle(DUE, won, DUE + HOUR) == "ok"
    with clock.freeze(DUE):
        changed = [(hourly(cron="5 * * * *"), "code"), (hourly("good", args=[1]), "code")]
        assert registry.definitions.upsert(changed) == {"hourly": "broken", "good": "updated"}
    assert registry.client.dump(registry.keys.record("hourly")) == before
    assert registry.cancel("hourly") == "cancelled"


@pytest.mark.parametrize("value", ["0", "1", "9" * 14])
@pytest.mark.parametrize("field", sorted(set(NUMBERS) - {"nominal"}))
def test_a_plain_number_is_no_damage_to_either_side(registry, field, value):
    registry.put(hourly())
    registry.set("hourly", **{field: value})
    (won,) = registry.claim(DUE, "a:1", "hourly")
    assert isinstance(won, Claim)
    assert seen(registry, DUE)[1] == ""


@pytest.mark.parametrize("change", [{"template": "{"}, {"cron": "no"}, {"broken": "no task"}], ids=str)
def test_what_a_claim_says_comes_before_what_else_is_wrong(registry, change):
    registry.put(hourly())
    registry.set("hourly", **change, rev="abc")
    (refusal,) = registry.claim(DUE, "a:1", "hourly")
    assert seen(registry, DUE) == ("broken", refusal.reason) == ("broken", "rev is no number")


@pytest.mark.parametrize("enabled", [True, False])
def test_damage_is_shown_where_no_claim_would_find_it(registry, enabled):
    registry.put(hourly(enabled=True))
    registry.put(hourly(enabled=enabled))
    registry.settle(DUE, registry.win(DUE, "a:1"), None) if enabled else None
    assert registry.score("hourly") == float("inf")
    registry.set("hourly", missed_count="-1")
    assert seen(registry, DUE) == ("broken", "missed_count is no number")
    assert registry.put(hourly(args=[1])) == "broken"


@pytest.mark.parametrize("field", NUMBERS)
def test_a_number_damaged_under_a_claim_is_not_settled_half_way(registry, field):
    registry.put(hourly())
    won = registry.win(DUE, "a:1")
    registry.set("hourly", **{field: "abc"})
    before = registry.everything()
    assert registry.settle(DUE, won, DUE + HOUR, missed=1) == "lost"
    assert registry.release(DUE, won, backoff=1000, error="x", lines=["{}"]) == "lost"
    assert registry.everything() == before


def test_a_record_without_nominal_time_is_broken(registry):
    registry.put(hourly())
    registry.client.hdel(registry.keys.record("hourly"), "nominal")
    (refusal,) = registry.claim(DUE, "a:1", "hourly")
    assert (refusal.why, refusal.reason) == ("broken", "the record holds no nominal time")
    assert seen(registry, DUE) == ("broken", refusal.reason)


@pytest.mark.parametrize("field", NUMBERS)
def test_a_damaged_number_is_said_after_a_nominal_time_that_is_not_there(registry, field):
    registry.put(hourly())
    registry.set("hourly", **{field: "abc"})
    registry.client.hdel(registry.keys.record("hourly"), "nominal")
    (refusal,) = registry.claim(DUE, "a:1", "hourly")
    assert seen(registry, DUE) == ("broken", refusal.reason)
