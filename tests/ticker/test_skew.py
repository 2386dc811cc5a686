"""Two clocks that differ are said once, by a ticker and by nothing that a test freezes."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from django_repeat import service, signals
from django_repeat.testing import freeze
from django_repeat.ticker.skew import TOLERATED_MS, Skew
from tests.ticker.support import at, ticker

SERVER = 1_790_000_000_000


@pytest.fixture
def heard() -> Iterator[list[tuple[int, int]]]:
    found = []

    def hear(*, host: int, server: int, **_: object) -> None:
        found.append((host, server))

    signals.clocks_differed.connect(hear)
    yield found
    signals.clocks_differed.disconnect(hear)


@pytest.mark.parametrize(
    "asked, answered, said",
    [
        (0, 0, None),
        (-TOLERATED_MS, -TOLERATED_MS, None),
        (TOLERATED_MS, TOLERATED_MS, None),
        (-TOLERATED_MS - 1, -TOLERATED_MS - 1, -TOLERATED_MS - 1),
        (TOLERATED_MS + 1, TOLERATED_MS + 1, TOLERATED_MS + 1),
        # A reply that is late, by however much, tells nothing.
        (-60_000, 10, None),
        (-10, 60_000, None),
        (-60_000, -50_000, -50_000),
        (50_000, 60_000, 50_000),
        # A clock that was set meanwhile.
        (60_000, -60_000, None),
    ],
)
def test_only_what_no_slow_reply_explains_is_said(
    heard: list[tuple[int, int]], asked: int, answered: int, said: int | None
) -> None:
    Skew(lambda: SERVER + answered).compare(SERVER, SERVER + asked)
    assert heard == ([] if said is None else [(SERVER + said, SERVER)])


def test_it_is_said_once(heard: list[tuple[int, int]]) -> None:
    skew = Skew(lambda: 0)
    for server in (0, SERVER, 0, SERVER, -SERVER):
        skew.compare(server, skew.now())
    assert heard == [(0, SERVER)]


def test_a_ticker_compares_what_it_asks_anyway(heard: list[tuple[int, int]], raw: object) -> None:
    now = int(service.now().timestamp() * 1000)
    ahead = Skew(lambda: now + 86_400_000)
    before = calls(raw)
    one = ticker(skew=ahead)
    for _ in range(3):
        one.tick()
    assert [host for host, _ in heard] == [now + 86_400_000]
    # One look a tick, the two loads of a script at most, and the one that reads this figure.
    assert calls(raw) - before <= 3 + 2 + 1


def test_a_ticker_with_the_right_time_says_nothing(heard: list[tuple[int, int]]) -> None:
    ticker().tick()
    assert heard == []


def test_a_frozen_clock_is_no_difference(heard: list[tuple[int, int]]) -> None:
    with freeze(at("2026-03-01T10:00:00")):
        ticker(skew=Skew(itertools.count().__next__)).tick()
    assert heard == []


def calls(raw: object) -> int:
    return int(raw.info("stats")["total_commands_processed"])  # type: ignore[attr-defined]
