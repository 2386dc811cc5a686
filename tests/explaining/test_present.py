"""What a schedule is doing now, in each state."""

from __future__ import annotations

from typing import Any

import pytest

from django_repeat.entry import State
from tests.explaining.saying import doing, known, ms, record

FIRED = {"last_nominal": "05:00", "last_fired": ms("05:00") + 4, "fired_count": 1}
STATE = {"nominal": "06:00", **FIRED}
LAST = "it last fired for 2030-01-01 05:00:00 UTC, 4ms after it fell due."
HELD = {"fence": "tick-1:7", "asof": "06:00"}

STATES: list[tuple[State, dict[str, Any], str, str]] = [
    (State.SCHEDULED, {}, "05:30", "It fires next at 2030-01-01 06:00:00 UTC, in 30m; "),
    (State.DUE, {}, "06:00:30", ("It is due since 2030-01-01 06:00:00 UTC, 30s ago: no ticker has claimed it yet; "
     "tickers that serve queue default: 1; ")),
    (State.DISPATCHING, {**HELD, "lease": "06:01"}, "06:00:30", ("Ticker tick-1 has 2030-01-01 06:00:00 UTC in hand, "
     "until 2030-01-01 06:01:00 UTC at the latest; ")),
    (State.DUE, {**HELD, "lease": "06:00:20"}, "06:00:30", ("It is due since 2030-01-01 06:00:00 UTC, 30s ago: "
     "ticker tick-1 had it in hand and let its lease end; tickers that serve queue default: 1; ")),
    (State.PAUSED, {"paused": "05:10", "paused_by": "anna", "paused_reason": "month end"}, "06:30",
     ("It is paused (by anna: 'month end') since 2030-01-01 05:10:00 UTC until it is resumed; "
     "resumed now, it would go on with 2030-01-01 07:00:00 UTC; ")),
    (State.PAUSED, {"paused": "05:10", "paused_until": "08:00"}, "06:30", ("It is paused since 2030-01-01 05:10:00 UTC "
     "until 2030-01-01 08:00:00 UTC; it goes on with 2030-01-01 08:00:00 UTC; ")),
    (State.FAILING, {"failures": 3, "error": "OSError: password=x", "retry": "06:01", "asof": "06:00"}, "06:00:30",
     ("It fails for 2030-01-01 06:00:00 UTC, 3 times in a row: 'OSError: password=********'; "
     "the next try is at 2030-01-01 06:01:00 UTC; ")),
    (State.BROKEN, {"broken": "no such task", "retry": "06:01"}, "06:00:30",
     "It cannot fire: no such task; the next try is at 2030-01-01 06:01:00 UTC; "),
    (State.BROKEN, {"template": "?"}, "05:30", "It cannot fire: the template is no JSON"),
    (State.FOREIGN, {"v": "9"}, "05:30", "Another program, or a later version, registered it: "),
    (State.DISABLED, {"enabled": "0"}, "05:30", "It does not fire: it is disabled (enabled=False); "),
    (State.SCHEDULED, {"wait": "05:00"}, "05:30", ("It fires next at 2030-01-01 06:00:00 UTC, in 30m; "
     "the nominal time 2030-01-01 05:00:00 UTC waits for a run to end (overlap); ")),
    (State.SCHEDULED, {"holes": f"s{ms('06:00')}"}, "05:30", ("It fires next at 2030-01-01 07:00:00 UTC, in 1h 30m; "
     "an operator skipped 1 before that; ")),
]  # fmt: skip


@pytest.mark.parametrize("state, fields, now, said", STATES)
def test_each_state_is_said_with_its_reason(state: State, fields: dict[str, Any], now: str, said: str) -> None:
    stored = record({**STATE, **fields})
    assert known(stored, now).entry.state is state
    text = doing(stored, now)
    assert text.startswith(said)
    assert text.endswith(LAST if known(stored, now).entry.schedule else "; it last fired for 2030-01-01 05:00:00 UTC.")


@pytest.mark.parametrize("policies, said", [
    ({"max_runs": 1}, "1 have fired, and max_runs is 1"),
    ({"end_at": "2030-01-01T05:30Z"}, "end_at (2030-01-01 05:30:00 UTC) has passed"),
    ({"end_at": "2030-01-01T06:45Z"}, "end_at (2030-01-01 06:45:00 UTC) leaves no further nominal time"),
    ({}, "it has no further nominal time, and why is not known"),
])  # fmt: skip
def test_a_finished_one_is_said_to_be_with_what_ended_it(policies: dict[str, Any], said: str) -> None:
    assert doing(record(FIRED, **policies), "06:30") == f"It does not fire any more: {said}; {LAST}"


def test_every_state_is_tested() -> None:
    assert {state for state, *_ in STATES} | {State.FINISHED} == set(State)


def test_that_nobody_serves_the_queue_is_said_and_that_it_is_not_known_is_not() -> None:
    assert "; no ticker serves queue default; " in doing(record(STATE), "06:30", tickers=0)
    assert "serve" not in doing(record(STATE), "06:30", tickers=None)


def test_a_pause_of_the_queue_and_of_the_site_is_said() -> None:
    switch = {"paused": str(ms("05:10")), "paused_by": "ben"}
    assert doing(record(STATE), "05:30", switch=switch).startswith(
        "Its whole queue is paused (by ben) since 2030-01-01 05:10:00 UTC until it is resumed; "
    )
    assert "this site is not enabled (ENABLED is False)" in doing(record(STATE), "05:30", enabled=False)


def test_a_spread_is_said() -> None:
    stored = record({**STATE, "at": "06:20"}, spread="30m")
    assert doing(stored, "05:30").startswith(
        "It fires next at 2030-01-01 06:00:00 UTC, when its spread lets it fall due at 2030-01-01 06:20:00 UTC, "
        "in 50m; "
    )


def test_one_that_never_fired_has_no_last_run() -> None:
    assert doing(record({"nominal": "06:00"}), "05:30") == "It fires next at 2030-01-01 06:00:00 UTC, in 30m."


def test_texts_of_others_stay_on_their_line_and_show_no_secret() -> None:
    text = doing(
        record({**STATE, "paused": "05:10", "paused_by": "a\x1b[2J\nb", "paused_reason": "token=abc" * 99}), "06:00"
    )
    assert "(by a\\x1b[2J\\nb: 'token=********" in text
    assert "abc" not in text
    assert len(text) < 700
