"""spread on the real server: an occurrence falls due later than its nominal time, and keeps it."""

from __future__ import annotations

from django_repeat import Schedule, get, register, service
from django_repeat.instants import to_ms
from django_repeat.testing import freeze
from tests.ticker.minutely import HOUR, MINUTE, START, put, state, tick_at
from tests.ticker.support import Elapsed, Script, seconds, ticker


def offset() -> float:
    seconds_off = Schedule("s", task="a.b", every=MINUTE, spread="40s").offset_ms / 1000
    assert 1 < seconds_off < 39
    return seconds_off


def test_spread_puts_off_and_the_occurrence_keeps_its_nominal_time(script: Script) -> None:
    put(spread="40s")
    assert (get("s").next, get("s").due) == (START, seconds(START, offset()))
    assert tick_at(offset() - 0.001) == []
    assert state(offset() - 0.001) == ("scheduled", 0)
    assert state(offset()) == ("due", 0)
    assert tick_at(offset() + 0.25) == [0]
    assert script.ids == [f"s@{to_ms(START)}"]
    assert (script.taken[0].late_ms, script.taken[0].due_ms) == (250, to_ms(seconds(START, offset())))
    assert service.runs("s")[0]["late"] == 250
    assert get("s").due == seconds(START, MINUTE + offset())


def test_a_ticker_sleeps_until_what_is_put_off_falls_due(script: Script) -> None:
    put(every=HOUR, spread="40s", phase=0)
    with freeze(START):
        assert ticker(elapsed=Elapsed()).tick().wait == offset()
    with freeze(seconds(START, offset())):
        assert ticker(elapsed=Elapsed()).tick().wait == HOUR


def test_spread_of_an_interval_without_phase(script: Script) -> None:
    put(0, every=MINUTE, spread="40s")
    assert (get("s").next, get("s").due) == (START, seconds(START, offset()))
    put(0, every=5, spread="1h")
    assert (get("s").next, get("s").due) == (seconds(START, 5), seconds(START, 9.999))
    with freeze(START):
        register("t", task="a.b", every=5, spread="1h")
        assert get("t").due == seconds(START, 4.999)


def test_spread_and_catch_up(script: Script) -> None:
    """Half a minute after 10:10 that one is not due yet: the latest is 10:09, and nothing is missed twice."""
    put(spread="40s", catch_up="all", limit=2)
    assert tick_at(10 * MINUTE + offset() - 0.001) == [8, 9]
    assert get("s").missed_count == 8
    assert tick_at(10 * MINUTE + offset()) == [10]


def test_spread_and_nothing_made_up(script: Script) -> None:
    """The grace counts from when it falls due."""
    put(cron="0 * * * *", timezone="UTC", spread="40s", catch_up="none", grace="2s")
    assert tick_at(offset() + 1.9) == [0]


def test_a_changed_spread_takes_effect_on_what_is_pending(script: Script) -> None:
    put(spread="40s")
    put(spread="20s")
    twenty = Schedule("s", task="a.b", every=MINUTE, spread="20s").offset_ms / 1000
    assert get("s").due == seconds(START, twenty)
    put()
    assert get("s").due == START
    assert "at" not in get("s").raw
    assert tick_at(0) == [0]


def test_a_changed_recurrence_before_it_falls_due_supersedes_nothing(script: Script) -> None:
    put(spread="40s")
    put(offset() - 1, spread="40s", cron="30 * * * *", timezone="UTC")
    assert (state(), service.runs("s")) == (("scheduled", 30), [])
    put(-1 + HOUR, spread="40s")
    put(HOUR + offset(), spread="40s", cron="30 * * * *", timezone="UTC")
    assert service.runs("s")[0]["outcome"] == "superseded"
