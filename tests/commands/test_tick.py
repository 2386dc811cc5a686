"""``repeat tick`` in this process: one pass, what it says, what it refuses."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest
import redis
from django.core.management import CommandError
from django.core.management.base import SystemCheckError

from django_repeat import clock, service, ticking
from django_repeat.management.faces.tick import stopped_by_signals
from django_repeat.ticker import Stop
from tests.commands.running import NOW, SiteSettings, call

Declare = Callable[..., None]


def test_once_registers_fires_what_is_due_and_prints_each_id(schedules: None, frozen: int) -> None:
    assert call("tick", "--once") == (f"pulse@{NOW}\n", "")
    assert call("tick", "--once") == ("", "")
    with clock.freeze(NOW + 300_000):
        assert call("tick", "--once")[0].split() == [f"pulse@{NOW + 300_000}", f"phased@{NOW + 300_000}"]
    assert service.get("pulse").fired_count == 2


def test_only_the_queues_that_are_named_are_served(declare_only: Declare, frozen: int) -> None:
    declare_only({name: {"command": "check", "every": "1h", "queue": name} for name in ("a", "b", "c")})
    assert call("tick", "--once", "--queue", "a", "--queue", "c")[0].split() == [f"a@{NOW}", f"c@{NOW}"]
    assert service.count(queue="b") == 0
    assert call("tick", "--once", queue=["b"])[0].split() == [f"b@{NOW}"]


def test_a_queue_for_which_nothing_is_declared_is_served_and_said(declare_only: Declare, frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h", "queue": "reports"}})
    service.register("dynamic", queue="report", command="check", every="1h")
    out, err = call("tick", "--once", "--queue", "report", "--queue", "reports")
    assert out.split() == [f"dynamic@{NOW}", f"a@{NOW}"]
    assert err == (
        "Nothing is declared for queue 'report'. Did you mean 'reports'? What is registered for it at run time will "
        "fire.\n"
    )


def test_at_verbosity_2_each_occurrence_has_a_line(schedules: None) -> None:
    with clock.freeze(NOW):
        assert call("tick", "--once", verbosity=2) == (
            f"2030-01-01 00:00:00 UTC  fired   pulse@{NOW}  late 0s\n",
            "",
        )
    with clock.freeze(NOW + 95_000):
        missed = "2 times, 2030-01-01 00:00:30 UTC to 2030-01-01 00:01:00 UTC: coalesced"
        assert call("tick", "--once", verbosity=2)[0].splitlines() == [
            f"2030-01-01 00:01:35 UTC  missed  pulse  {missed}",
            f"2030-01-01 00:01:35 UTC  fired   pulse@{NOW + 90_000}  late 5s",
        ]
        assert call("tick", "--once", verbosity=2) == ("", "")


def test_at_verbosity_2_what_fails_or_is_broken_has_a_line_too(
    declare_only: Declare, frozen: int, raw: redis.Redis
) -> None:
    declare_only({"a": {"command": "check", "every": "1h"}}, ENGINE="tests.commands.engines.Down")
    raw.zadd("emq:{default}:repeat", {"odd\n": NOW})
    raw.hset("emq:{default}:repeat:odd\n", mapping={"v": "1", "every_ms": "5000"})
    lines = sorted(call("tick", "--once", verbosity=2)[0].splitlines())
    assert len(lines) == 2
    assert lines[0].startswith(r"2030-01-01 00:00:00 UTC  broken  odd\n  attempt 1: ")
    assert lines[1] == f"2030-01-01 00:00:00 UTC  failed  a@{NOW}  attempt 1, next in 1s: OSError: the broker is down"


def test_what_is_watched_is_not_heard_of_afterwards(schedules: None, frozen: int) -> None:
    out, _ = call("tick", "--once", verbosity=2)
    with clock.freeze(NOW + 30_000):
        ticking.tick()
        assert call("tick", "--once")[0] == ""
    assert len(out.splitlines()) == 1


def test_an_id_stays_on_one_line(declare_only: Declare, frozen: int) -> None:
    service.register("👩‍💻 任务", command="check", every="1h")
    assert call("tick", "--once")[0] == f"👩‍💻 任务@{NOW}\n"


def test_a_disabled_site_fires_nothing_and_says_so_once(declare_only: Declare, frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h"}}, ENABLED=False)
    assert call("tick", "--once") == (
        "",
        "DJANGO_REPEAT['ENABLED'] is False: nothing is registered and nothing fires.\n",
    )


def test_a_wrong_declaration_stops_it_before_it_starts(declare_only: Declare) -> None:
    declare_only({"good": {"command": "check", "every": "1h"}, "bad": {"command": "check", "every": "-1s"}})
    with pytest.raises(SystemCheckError, match="bad"):
        call("tick", "--once")
    assert service.count() == 0


def test_once_does_not_wait_for_a_redis_that_is_away(schedules: None, settings: SiteSettings) -> None:
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "REDIS": "redis://127.0.0.1:1/0"}
    with pytest.raises(CommandError, match="The registry is unavailable") as caught:
        call("tick", "--once")
    assert caught.value.returncode == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_sets_the_stop_and_what_handled_it_before_comes_back(number: signal.Signals) -> None:
    before, stop = signal.getsignal(number), Stop()
    with stopped_by_signals(stop):
        os.kill(os.getpid(), number)
        assert stop.is_set()
    assert signal.getsignal(number) is before
