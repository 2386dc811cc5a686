"""Pause and resume: no deploy ends a pause, paused time is never missed, and what was due before still fires."""

from __future__ import annotations

from django_repeat import get, pause, resume, service
from django_repeat.testing import freeze
from tests.ticker.minutely import MINUTE, START, put, tick_at
from tests.ticker.support import seconds


def test_sanity() -> None:
    put()
    assert [tick_at(0), tick_at(MINUTE)] == [[0], [1]]
    with freeze(seconds(START, 90)):
        assert pause("s", by="anna", reason="month end") == "paused"
        entry = get("s")
        assert entry.state == "paused"
        assert entry.pause.by == "anna"
        assert entry.next == seconds(START, 2 * MINUTE)
    assert tick_at(10 * MINUTE) == []
    with freeze(seconds(START, 10 * 60 + 30)):
        assert get("s").next == seconds(START, 11 * MINUTE)
        assert resume("s") == "resumed"
        assert get("s").skipped_count == 9
        print(service.runs("s"))
    assert tick_at(10 * MINUTE + 40) == []
    assert tick_at(11 * MINUTE) == [11]
    print(service.runs("s"), get("s"))
