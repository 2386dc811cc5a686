"""The switch of a queue: written once, and only if it is as it was seen; it halts every claim of the queue."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat import clock
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import AGAIN, Decisions, Refusal
from tests.registry.support import HOUR, MINUTE, SECOND, T, hourly

DUE = T + HOUR


@pytest.fixture
def one(registry):
    registry.put(hourly())
    return registry


def switch(box: Any, rev: str = "", token: str = "t", line: str = '{"verb":"pause"}', **fields: Any) -> str:
    return Decisions(box.store).switch(rev, fields, line, token)


def stored(box: Any) -> dict[str, str]:
    return box.reader.switch()


def test_fields_log_and_revision(one):
    assert switch(one, paused=T, paused_by="anna") == "ok"
    assert stored(one) == {"paused": str(T), "paused_by": "anna", "decided": "t", "rev": "1"}
    assert one.client.lrange(one.keys.log, 0, -1) == [b'{"verb":"pause"}']
    assert switch(one, "1", "u", paused="", paused_by="") == "ok"
    assert stored(one) == {"decided": "u", "rev": "2"}


def test_written_twice_it_counts_once(one):
    switch(one, paused=T)
    before = one.everything()
    assert switch(one, paused=T) == "ok"
    assert one.everything() == before


@pytest.mark.parametrize("rev", ["", "0", "2"])
def test_a_revision_that_is_not_that_writes_nothing(one, rev):
    switch(one, paused=T)
    before = one.everything()
    assert switch(one, rev, "other", paused="") == AGAIN
    assert one.everything() == before


def test_its_log_is_capped(one):
    for turn in range(30):
        switch(one, str(turn or ""), f"t{turn}", f'{{"n":{turn}}}', paused=T)
    assert one.client.llen(one.keys.log) == 20
    assert one.client.lindex(one.keys.log, 0) == b'{"n":29}'


def test_another_type_under_its_key_is_named(one):
    one.client.set(one.keys.switch, "x")
    before = one.everything()
    with pytest.raises(RegistryUnavailable, match="switch"):
        switch(one, paused=T)
    assert one.everything() == before


def test_nothing_is_named_or_won_while_it_says_paused(one):
    with clock.freeze(DUE):
        seen = one.claims.due(0, 10).names
        switch(one, paused=DUE)
        assert one.claims.due(0, 10).names == []
        assert one.claims.due(0, 10).next is None
        assert one.claims.claim("a:1", 30_000, seen) == [Refusal(name="hourly", why="lost")]
    assert "fence" not in one.record("hourly")
    assert one.score("hourly") == DUE


def test_what_is_in_hand_is_settled_all_the_same(one):
    claim = one.win(DUE, "a:1")
    switch(one, paused=DUE)
    assert one.settle(DUE + SECOND, claim, DUE + HOUR) == "ok"
    assert one.record("hourly")["fired_count"] == "1"


def test_its_end_is_when_a_ticker_looks_again(one):
    switch(one, paused=T, paused_until=T + MINUTE)
    with clock.freeze(T + MINUTE - 1):
        assert one.claims.due(0, 10).next == T + MINUTE
    with clock.freeze(T + MINUTE):
        assert one.claims.due(0, 10).next == DUE


def test_a_claim_knows_what_pauses_took_out(one):
    switch(one, paused=T, paused_until=DUE - 1, holes=f"p{T - HOUR}-{T - MINUTE}")
    one.set("hourly", holes=f"s{DUE + HOUR}", paused=DUE - SECOND, paused_until=DUE)
    assert str(one.win(DUE, "a:1").holes) == f"p{T - HOUR}-{T - MINUTE} p{T}-{DUE} s{DUE + HOUR}"
