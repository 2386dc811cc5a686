"""A record whose member is gone, and a member whose record is gone: what each verb makes of them."""

from __future__ import annotations

import pytest

from django_repeat import clock, service
from django_repeat.exceptions import ScheduleNotFound
from tests.registry.support import HOUR, LEASE, MINUTE, SECOND, Box, T, hourly

DUE = T + HOUR
NO_MEMBER = "the sorted set has no member of that name"
NO_RECORD = "the record is missing"


def lose_member(registry: Box) -> None:
    assert registry.client.zrem(registry.keys.schedules, "hourly") == 1


def lose_record(registry: Box) -> None:
    assert registry.client.delete(registry.keys.record("hourly")) == 1


def register(registry: Box, at: int, **fields: object) -> str:
    with clock.freeze(at):
        return registry.definitions.register(hourly(**fields), "dynamic")


def shown(registry: Box, at: int = T) -> list[tuple[str, str]]:
    with clock.freeze(at):
        return [(entry.state, entry.broken_reason) for entry in registry.reader.entries(["hourly"])]


# -- a record without its member


WRITERS = {
    "register": (lambda box, at: register(box, at), "exists"),
    "register of another": (lambda box, at: register(box, at, cron="* * * * *"), "exists"),
    "upsert": (lambda box, at: box.put(hourly(), at), "updated"),
    "upsert of other work": (lambda box, at: box.put(hourly(args=[1]), at), "updated"),
}
PLACES = {
    "idle": (lambda box: None, T + MINUTE, DUE),
    "due": (lambda box: None, DUE + MINUTE, DUE),
    "claimed": (lambda box: box.win(DUE, "a:1"), DUE + SECOND, DUE + LEASE),
    "backing off": (
        lambda box: box.release(DUE, box.win(DUE, "a:1"), backoff=MINUTE, error="down"), DUE + SECOND, DUE + MINUTE,
    ),
    "finished": (lambda box: box.settle(DUE, box.win(DUE, "a:1"), None), DUE + SECOND, float("inf")),
    "disabled": (lambda box: box.put(hourly(enabled=False)), T + MINUTE, float("inf")),
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("verb", ["register", "register of another"])
def test_register_puts_the_member_back_and_changes_nothing_else(registry, verb, place):
    arrange, at, score = PLACES[place]
    registry.put(hourly())
    arrange(registry)
    before = registry.record("hourly")
    lose_member(registry)
    write, answer = WRITERS[verb]
    assert write(registry, at) == answer
    assert registry.score("hourly") == score
    after = registry.record("hourly")
    assert int(after.pop("rev")) == int(before.pop("rev")) + 1
    assert after == before
    there = registry.everything()
    assert write(registry, at) == answer
    assert registry.everything() == there, "once it is there, nothing is written"


@pytest.mark.parametrize("verb", WRITERS)
def test_what_lost_its_member_fires_again_after_any_registration(registry, verb):
    registry.put(hourly())
    lose_member(registry)
    write, answer = WRITERS[verb]
    assert registry.claim(DUE, "a:1") == []
    assert write(registry, DUE) == answer
    assert shown(registry) == [("scheduled", "")]
    assert registry.win(DUE, "a:2").nominal == DUE


def test_an_upsert_of_another_recurrence_puts_the_member_where_that_belongs(registry):
    registry.put(hourly())
    lose_member(registry)
    assert registry.put(hourly(cron="30 * * * *"), T + MINUTE) == "updated"
    assert registry.score("hourly") == T + 30 * MINUTE


@pytest.mark.parametrize("write", [
    lambda box: box.put(hourly()) and box.set("hourly", v="2"),
    lambda box: box.put(hourly()) and box.set("hourly", nominal="abc"),
    lambda box: box.put(hourly()) and box.set("hourly", lease="1e3"),
    lambda box: box.put(hourly()) and box.client.hdel(box.keys.record("hourly"), "v"),
    lambda box: box.put(hourly()) and box.client.set(box.keys.record("hourly"), "text"),
], ids=["later", "no nominal", "no lease", "foreign", "no hash"])  # fmt: skip
def test_a_stranger_s_or_damaged_record_without_member_is_left_alone(registry, write):
    write(registry)
    lose_member(registry)
    before = registry.everything()
    assert register(registry, T) == "exists"
    assert registry.put(hourly()) in ("foreign", "broken")
    assert registry.everything() == before


def test_a_record_without_member_is_shown_as_what_no_ticker_finds(registry):
    registry.put(hourly())
    lose_member(registry)
    assert shown(registry, DUE) == [("broken", NO_MEMBER)]
    assert service.get("hourly").schedule == hourly()
    assert (registry.reader.page(0, 10), registry.reader.count()) == ([], 0)


@pytest.mark.parametrize("fields, reason", [
    ({"rev": "x"}, "rev is no number"),
    ({"broken": "no task"}, "no task"),
    ({"template": "{"}, "the template is no JSON"),
])  # fmt: skip
def test_what_else_is_wrong_is_said_before(registry, fields, reason):
    registry.put(hourly())
    registry.set("hourly", **fields)
    lose_member(registry)
    ((state, why),) = shown(registry)
    assert state == "broken"
    assert why.startswith(reason)


def test_no_ticker_claims_what_has_no_member(registry):
    registry.put(hourly())
    lose_member(registry)
    before = registry.everything()
    assert registry.refused(DUE, "a:1", seen=str(DUE)) == "lost"
    assert registry.everything() == before


def test_a_ticker_that_has_it_in_hand_puts_the_member_back(registry):
    registry.put(hourly())
    claim = registry.win(DUE, "a:1")
    lose_member(registry)
    assert registry.release(DUE, claim, backoff=MINUTE, error="down") == "ok"
    assert registry.score("hourly") == DUE + MINUTE
    claim = registry.win(DUE + MINUTE, "a:2")
    lose_member(registry)
    assert registry.settle(DUE + MINUTE, claim, DUE + HOUR) == "ok"
    assert registry.score("hourly") == DUE + HOUR


def test_a_record_without_member_is_cancelled_whole(registry):
    registry.put(hourly())
    lose_member(registry)
    assert registry.cancel("hourly") == "cancelled"
    assert registry.everything() == {}


# -- a member without its record


def test_a_member_without_record_is_shown_and_listed_as_broken(registry):
    registry.put(hourly())
    lose_record(registry)
    assert shown(registry) == [("broken", NO_RECORD)]
    assert [entry.state for entry in registry.reader.page(0, 10)] == ["broken"]
    assert registry.reader.count() == 1


def test_a_member_without_record_is_refused_for_a_minute(registry):
    registry.put(hourly())
    lose_record(registry)
    (refusal,) = registry.claim(DUE, "a:1")
    assert (refusal.why, refusal.reason) == ("broken", NO_RECORD)
    assert registry.score("hourly") == DUE + MINUTE


@pytest.mark.parametrize("verb", WRITERS)
def test_a_member_without_record_is_a_fresh_name(registry, verb):
    registry.put(hourly(cron="0 0 1 1 *"))
    lose_record(registry)
    assert WRITERS[verb][0](registry, T) == "registered"
    first = T + MINUTE if verb == "register of another" else DUE
    assert registry.score("hourly") == int(registry.record("hourly")["nominal"]) == first


def test_a_disabled_definition_does_not_fill_the_gap(registry):
    registry.put(hourly())
    lose_record(registry)
    before = registry.everything()
    assert registry.put(hourly(enabled=False)) == "disabled"
    assert registry.everything() == before


def test_a_claim_whose_record_went_settles_nothing(registry):
    registry.put(hourly())
    claim = registry.win(DUE, "a:1")
    lose_record(registry)
    before = registry.everything()
    assert registry.settle(DUE, claim, DUE + HOUR) == "gone"
    assert registry.release(DUE, claim, backoff=MINUTE, error="down", lines=["{}"]) == "gone"
    assert registry.everything() == before


def test_a_member_without_record_is_cancelled(registry):
    registry.put(hourly())
    lose_record(registry)
    assert registry.cancel("hourly") == "cancelled"
    with pytest.raises(ScheduleNotFound):
        service.get("hourly")
