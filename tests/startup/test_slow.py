"""Redis that answers late: a start waits for it no longer than TIMEOUT, however many queues and declarations it has."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
from django.core.signals import request_started
from django.test import override_settings

from django_repeat import declare, log
from django_repeat.startup import Registrar
from tests.servers.slow import Slow, slow

ADD = "tests.engines.work.add"
TIMEOUT = 0.5
# What a start computes here, and what is late by itself on a slow machine.
SLACK = 0.5


def schedules(count: int, queues: int = 1) -> dict[str, Any]:
    return {f"s{n}": {"task": ADD, "cron": "0 6 * * *", "queue": f"q{n % queues}"} for n in range(count)}


@contextmanager
def site(url: str, declared: dict[str, Any], **more: Any) -> Iterator[None]:
    with override_settings(DJANGO_REPEAT={"REDIS": url, "TIMEOUT": TIMEOUT, "SCHEDULES": declared, **more}):
        yield


def seconds(call: Callable[[], object]) -> float:
    begun = time.monotonic()
    call()
    return time.monotonic() - begun


def late(count: int) -> None:
    for number in range(count):
        declare(f"late {number}", task=ADD, every="5m")


def most(proxy: Slow) -> int:
    """Answer how many replies can be waited for, however slow the machine, with the one that is still on its way."""
    return int(TIMEOUT / proxy.delay) + 1


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


def stored(raw: redis.Redis) -> int:
    return sum(raw.zcard(key) for key in raw.keys("emq:{*}:repeat"))


@pytest.mark.parametrize("queues, delay", [(1, 0.1), (1, 0.45), (1, 0.7), (3, 0.06), (3, 0.2), (9, 0.2)])
def test_all_queues_together_wait_no_longer_than_the_time_out(
    redis_url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture, queues: int, delay: float
) -> None:
    log.connect()
    with slow(redis_url, delay) as proxy, site(proxy.url, schedules(24, queues)):
        assert seconds(Registrar().start) < TIMEOUT + SLACK
        assert len(warnings(caplog)) == 1
        assert f"schedules not synced: role=serving error='{proxy.url}: " in warnings(caplog)[0]


def test_late_declarations_share_the_wait_of_the_start_and_none_is_tried_after_it(
    redis_url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    with slow(redis_url, 0) as proxy, site(proxy.url, schedules(1)):
        registrar = Registrar()
        registrar.start()
        proxy.delay = 0.1
        before = proxy.replies
        late(20)
        assert len(warnings(caplog)) == 1
        assert 0 < proxy.replies - before <= most(proxy)
        assert stored(raw) < 1 + 20
        asked = proxy.asked
        late(30)
        assert proxy.asked == asked


def test_what_was_given_up_is_taken_up_by_the_first_request(
    redis_url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    with slow(redis_url, 0.2) as proxy, site(proxy.url, schedules(24, 3)):
        Registrar().start()
        late(2)
        proxy.delay = 0
        request_started.send(sender=None)
        assert stored(raw) == 26
        declare("after", task=ADD, every="5m")
        assert stored(raw) == 27
    assert len(warnings(caplog)) == 1


def test_the_first_request_waits_no_longer_either(redis_url: str, raw: redis.Redis) -> None:
    with slow(redis_url, 0.2) as proxy, site(proxy.url, schedules(24, 3)):
        Registrar().start()
        assert 0.1 < seconds(lambda: request_started.send(sender=None)) < TIMEOUT + SLACK


def test_many_chunks_of_a_slow_server_end_at_the_time_out(redis_url: str, raw: redis.Redis) -> None:
    with slow(redis_url, 0) as proxy, site(proxy.url, schedules(1)):
        registrar = Registrar()
        registrar.start()
        with site(proxy.url, schedules(4_000)):
            registrar.start()  # parses them, and fails at nothing
            raw.flushdb()
            proxy.delay = 0.1
            before = proxy.replies
            registrar.start()
            assert 0 < proxy.replies - before <= most(proxy)
            assert stored(raw) < 2_000


def test_thousands_on_a_server_that_answers_are_work_and_no_wait(
    redis_url: str, raw: redis.Redis, caplog: pytest.LogCaptureFixture
) -> None:
    log.connect()
    # Together the replies take longer than TIMEOUT; each comes within the moment that is no waiting.
    with site(redis_url, schedules(9_000)):
        Registrar().start()
    assert stored(raw) == 9_000
    assert warnings(caplog) == []
