"""claim: one holder, a lease, a token that knows itself."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from django_repeat import clock
from django_repeat.registry import Claim, Refusal
from tests.registry.support import DAY, HOUR, LEASE, MINUTE, SECOND, T, box, hourly

DUE = T + HOUR


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def test_what_is_won_says_all_that_a_plan_needs(one):
    claim = one.win(DUE + 5, "a:1")
    assert (claim.name, claim.token, claim.nominal, claim.as_of, claim.now) == ("hourly", "a:1", DUE, DUE + 5, DUE + 5)
    assert (claim.failures, claim.fired_count, claim.first) == (0, 0, True)
    assert claim.digest == hourly().digest
    assert claim.fields["template"] == hourly().template
    assert one.score("hourly") == DUE + 5 + LEASE


def test_the_same_token_is_answered_the_same_and_its_lease_starts_anew(one):
    first = one.win(DUE, "a:1")
    again = one.win(DUE + 10 * SECOND, "a:1")
    assert (again.as_of, again.nominal, again.fields) == (first.as_of, first.nominal, first.fields)
    assert one.score("hourly") == DUE + 10 * SECOND + LEASE
    assert one.win(DUE + 10 * SECOND + LEASE, "a:1").token == "a:1", "nobody took it after the lease either"


def test_the_lost_reply_of_a_batch_is_repeated_with_the_scores_seen_first(registry):
    for name in ("a", "b"):
        registry.put(hourly(name))
    with clock.freeze(DUE):
        due = registry.claims.due(0, 10)
        first = registry.claims.claim("a:1", LEASE, due.names)
        again = registry.claims.claim("a:1", LEASE, due.names)
    assert first == again
    assert [type(claim) for claim in again] == [Claim, Claim]


def test_nobody_claims_under_anothers_lease(one):
    one.win(DUE, "a:1")
    before = one.everything()
    assert one.refused(DUE + 1, "b:1") == "lost"
    assert one.refused(DUE + LEASE - 1, "b:1") == "lost"
    assert one.refused(DUE + LEASE - 1, "b:1", seen=str(DUE)) == "lost"
    assert one.everything() == before


def test_after_a_death_the_next_plans_as_of_the_first_claim(one):
    one.win(DUE, "dead:1")
    claim = one.win(DUE + LEASE + 3 * HOUR, "b:1")
    assert (claim.as_of, claim.nominal, claim.first) == (DUE, DUE, False)
    assert one.win(DUE + LEASE + 4 * HOUR + LEASE, "c:1").as_of == DUE


def test_a_repeated_claim_after_another_took_over_is_lost(one):
    one.win(DUE, "a:1")
    one.win(DUE + LEASE, "b:1")
    before = one.everything()
    assert one.refused(DUE + LEASE + 1, "a:1") == "lost"
    assert one.everything() == before


def test_a_repeated_claim_after_its_own_settle_or_release_is_lost(one):
    one.settle(DUE, one.win(DUE, "a:1"), DUE + SECOND)
    assert one.refused(DUE + SECOND, "a:1") == "lost"
    one.release(DUE + SECOND, one.win(DUE + SECOND, "a:2"))
    assert one.refused(DUE + SECOND, "a:2") == "lost"
    assert one.win(DUE + SECOND, "a:3").nominal == DUE + SECOND


@pytest.mark.parametrize("seen", [T, DUE - 1, DUE + 1, "-inf", "inf"])
def test_a_score_that_is_no_longer_so_is_lost(one, seen):
    before = one.everything()
    assert one.refused(DUE, "a:1", seen=str(seen)) == "lost"
    assert one.everything() == before


def test_what_lies_ahead_is_not_claimed_even_if_it_was_seen_so(one):
    assert one.refused(DUE - 1, "a:1") == "lost"


def test_what_is_gone_is_lost(one):
    one.cancel("hourly")
    assert one.refused(DUE, "a:1", seen=str(DUE)) == "lost"
    assert one.everything() == {}


def test_racing_tickers_win_each_entry_once(registry, repeat_registry):
    names = [f"s{number:03}" for number in range(60)]
    with clock.freeze(T):
        registry.definitions.upsert([(hourly(name), "code") for name in names])

    def race(number: int) -> list[str]:
        mine = box("default", repeat_registry.url)
        due = mine.claims.due(0, 100).names
        return [one.name for one in mine.claims.claim(f"{number}:1", LEASE, due) if isinstance(one, Claim)]

    with clock.freeze(DUE), ThreadPoolExecutor(8) as pool:
        won = [name for part in pool.map(race, range(8)) for name in part]
    assert sorted(won) == names


def test_due_names_by_score_and_says_when_to_look_next(registry):
    for minutes, name in enumerate("abcd"):
        registry.put(hourly(name, cron=f"{minutes} * * * *", timezone="UTC"), T - 1)
    with clock.freeze(T + MINUTE):
        due = registry.claims.due(0, 10)
        assert due.names == [("a", str(T)), ("b", str(T + MINUTE))]
        assert (due.now, due.next) == (T + MINUTE, T + 2 * MINUTE)
        assert registry.claims.due(1, 10).names == [("b", str(T + MINUTE))]
        assert registry.claims.due(0, 1).names == [("a", str(T))]
        assert registry.claims.due(2, 10).names == []
    with clock.freeze(T + DAY):
        assert registry.claims.due(0, 10).next is None


def test_what_is_parked_for_ever_is_nothing_to_wait_for(registry):
    registry.put(hourly())
    registry.put(hourly(enabled=False))
    with clock.freeze(T):
        assert registry.claims.due(0, 10).next is None


def test_a_claim_is_answered_in_order_whatever_lies_between(registry):
    for name in ("a", "c"):
        registry.put(hourly(name))
    registry.client.zadd(registry.keys.schedules, {"b": T})
    won, missing, other = registry.claim(DUE, "a:1", "c", "b", "a")
    assert (won.name, other.name) == ("c", "a")
    assert missing == Refusal(name="b", why="broken", reason="the record is missing")
