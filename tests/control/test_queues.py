"""The switch of a queue: one for all of its schedules, also those that come later, and none of another queue."""

from __future__ import annotations

import pytest
import redis

from django_repeat import cancel, clock, get, pause, pause_all, resume, resume_all, service, upsert
from django_repeat.codec import lines
from django_repeat.exceptions import Conflict
from django_repeat.registry import Reader
from tests.control.looking import entry_at, frozen, log, minutes, moment, next_at
from tests.ticker.minutely import MINUTE, put, tick_at
from tests.ticker.support import ticker


def test_nothing_of_the_queue_fires_whatever_is_registered_meanwhile() -> None:
    put()
    with frozen(-0.5):
        assert pause_all(by="anna", reason="move") == "paused"
        upsert("late", task="a.b", every="1m")
        upsert("elsewhere", task="a.b", cron="* * * * *", timezone="UTC", queue="other")
    assert tick_at(5 * MINUTE) == []
    with frozen(5):
        assert [one.schedule.name for one in ticker("other").tick().fired] == ["elsewhere"]
    for name in ("s", "late"):
        with frozen(5):
            entry = get(name)
        assert (entry.state, entry.pause.by, entry.pause.reason, entry.pause.whole_queue) == (
            "paused", "anna", "move", True,
        )  # fmt: skip
    with frozen(5):
        assert get("elsewhere", queue="other").pause is None


def test_it_goes_on_with_the_next_nominal_time() -> None:
    put()
    assert tick_at(0) == [0]
    with frozen(0.5):
        pause_all()
    assert next_at(10.5) == 11
    with frozen(10.5):
        assert resume_all() == "resumed"
        assert resume_all() == "unchanged"
    assert next_at(10.6) == 11
    assert [tick_at(10.7 * MINUTE), tick_at(11 * MINUTE)] == [[], [11]]
    assert log() == ["fired 0", "skipped 1-10 paused", "fired 11"]
    assert (entry_at(11).missed_count, entry_at(11).skipped_count) == (0, 10)


def test_replay_leaves_what_passed_to_catch_up() -> None:
    put(catch_up="all")
    with frozen(-0.5):
        pause_all()
    with frozen(2.5):
        assert resume_all(replay=True) == "resumed"
    assert tick_at(2.6 * MINUTE) == [0, 1, 2]


def test_until_it_ends_by_itself_and_its_times_stay_dropped() -> None:
    put()
    with frozen(-0.5):
        pause_all(until=moment(3))
    assert tick_at(2.9 * MINUTE) == []
    assert entry_at(3).pause is None
    assert tick_at(3 * MINUTE) == [3]
    with frozen(4.5):
        assert resume_all() == "unchanged"
    assert tick_at(4.6 * MINUTE) == [4]
    assert log() == ["skipped 0-2 paused", "fired 3", "fired 4"]


def test_a_ticker_sleeps_no_longer_than_until_its_end() -> None:
    put()
    with frozen(0.5):
        pause_all(until=moment(3))
        assert ticker().tick().wait == pytest.approx(150, abs=1)


def test_a_pause_after_one_that_ended_by_itself_keeps_both() -> None:
    put()
    with frozen(-0.5):
        pause_all(until=moment(2))
    with frozen(3.5):
        pause_all()
    with frozen(6.5):
        resume_all()
    assert tick_at(6.6 * MINUTE) == [3]
    assert log() == ["skipped 0-1 paused", "missed 2 coalesced", "fired 3", "skipped 4-6 paused"]


def test_a_pause_that_lasts_keeps_its_start() -> None:
    put()
    for at, until in ((0.5, moment(9)), (1.5, None)):
        with frozen(at):
            pause_all(until=until)
    assert (entry_at(2).pause.since, entry_at(2).pause.until) == (moment(0.5), None)


def test_a_schedule_paused_alone_stays_so() -> None:
    put()
    with frozen(-0.5):
        pause("s", by="ben")
        pause_all(by="anna")
    assert (entry_at(1).pause.by, entry_at(1).pause.whole_queue) == ("ben", False)
    with frozen(2.5):
        resume_all()
    assert entry_at(3).pause.by == "ben"
    assert tick_at(3 * MINUTE) == []
    with frozen(4.5):
        assert resume("s") == "resumed"
    assert [tick_at(4.6 * MINUTE), tick_at(5 * MINUTE)] == [[], [5]]


def test_a_schedule_resumed_alone_stays_paused_with_its_queue() -> None:
    put()
    with frozen(-0.5):
        pause("s")
        pause_all()
    with frozen(2.5):
        assert resume("s") == "resumed"
        with pytest.raises(Conflict, match="resume the queue"):
            resume("s")
    assert entry_at(3).pause.whole_queue
    assert tick_at(4 * MINUTE) == []
    with frozen(5.5):
        resume_all()
    assert [tick_at(5.6 * MINUTE), tick_at(6 * MINUTE)] == [[], [6]]
    assert entry_at(6).skipped_count == 6


def test_a_resume_of_the_schedule_with_replay_does_not_replay_the_queues_pause() -> None:
    put(catch_up="all")
    with frozen(-0.5):
        pause("s")
    with frozen(1.5):
        pause_all()
    with frozen(3.5):
        resume("s", replay=True)
        resume_all()
    assert tick_at(3.6 * MINUTE) == [0, 1]


def test_it_survives_a_cancel_of_all_that_it_holds() -> None:
    put()
    with frozen(0.5):
        pause_all()
    cancel("s")
    put(MINUTE)
    assert (entry_at(3).state, tick_at(3 * MINUTE)) == ("paused", [])


def test_who_and_why_are_in_the_log_of_the_queue(repeat_registry) -> None:
    with frozen(0.5):
        pause_all(by="anna", reason="move", until=moment(9))
    with frozen(1.5):
        resume_all(by="ben", replay=True)
    store = service.store("default")
    with redis.Redis.from_url(repeat_registry.url) as client:
        ended, begun = lines([one.decode() for one in client.lrange(store.keys.log, 0, -1)])
    assert (begun["verb"], begun["by"], begun["note"], minutes([moment(9)])) == ("pause", "anna", "move", [9])
    assert (ended["verb"], ended["by"], ended["replay"]) == ("resume", "ben", True)


@pytest.mark.parametrize("since", ["", "soon", "12x"])
@pytest.mark.parametrize("until", [None, "", "never"])
def test_what_cannot_be_read_on_it_stops_no_ticker(repeat_registry, since: str, until: str | None) -> None:
    put()
    fields = {"paused": since} if until is None else {"paused": since, "paused_until": until}
    with redis.Redis.from_url(repeat_registry.url) as client:
        client.hset(service.store("default").keys.switch, mapping=fields)
    assert tick_at(1 * MINUTE) == [1]
    assert entry_at(1).pause is None


def test_the_newest_of_its_pauses_are_kept() -> None:
    put(cron="0 0 1 1 *", timezone="UTC")
    for minute in range(60):
        with clock.freeze(int(moment(minute).timestamp() * 1000)):
            pause_all()
        with frozen(minute + 0.5):
            resume_all()
    store = service.store("default")
    assert len(Reader(store).switch()["holes"].split()) == 50
