"""What a row of calls may take together."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from django_repeat import connection
from django_repeat.connection.limits import QUICK, Limit
from django_repeat.exceptions import RegistryUnavailable
from tests.connection import factories
from tests.servers.slow import Slow, slow


class Elapsed:
    def __init__(self) -> None:
        self.seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


def call(limit: Limit, elapsed: Elapsed, seconds: float) -> None:
    with limit.call("there"):
        elapsed.seconds += seconds


def test_what_waits_is_counted_and_what_is_quick_is_not():
    elapsed = Elapsed()
    limit = Limit(0.5, elapsed=elapsed)
    for _ in range(1_000):
        call(limit, elapsed, QUICK * 0.9)
    for _ in range(3):
        call(limit, elapsed, 0.2)
    with pytest.raises(RegistryUnavailable, match=r"there: slow replies took the 0\.5 s") as caught:
        call(limit, elapsed, 0)
    assert not caught.value.answered


def test_a_call_that_fails_is_counted_too():
    elapsed = Elapsed()
    limit = Limit(0.5, elapsed=elapsed)
    with suppress(KeyError), limit.call("there"):
        elapsed.seconds += 0.5
        raise KeyError
    with pytest.raises(RegistryUnavailable):
        call(limit, elapsed, 0)


def test_what_is_left_shrinks_within_a_call_and_is_never_nothing():
    elapsed = Elapsed()
    limit = Limit(0.5, elapsed=elapsed)
    call(limit, elapsed, 0.1)
    elapsed.seconds += 10  # what passes between calls is not counted
    with limit.call("there"):
        assert limit.left() == pytest.approx(0.4)
        elapsed.seconds += 0.3
        assert limit.left() == pytest.approx(0.1)
        elapsed.seconds += 10
        assert 0 < limit.left() < 0.01


def test_of_a_call_whose_waits_are_known_only_they_are_counted():
    elapsed = Elapsed()
    limit = Limit(0.5, elapsed=elapsed)
    for _ in range(3):
        with limit.call("there"):
            elapsed.seconds += 10  # what the call sends is being put together
            with limit.wait():
                assert limit.left() > 0.1
                elapsed.seconds += QUICK * 0.9
            elapsed.seconds += 10
            with limit.wait(), limit.wait():
                elapsed.seconds += 0.15
    with limit.call("there"), limit.wait():
        assert limit.left() == pytest.approx(0.05)
        elapsed.seconds += 0.06
    with pytest.raises(RegistryUnavailable):
        call(limit, elapsed, 0)


def test_the_check_is_asked_before_each_call_and_passes_as_it_is():
    class Enough(Exception):
        pass

    def check() -> None:
        raise Enough

    found = connection.connect("redis://127.0.0.1:1/0", 0.5)
    with pytest.raises(Enough), Limit(check=check).in_force():
        found.command("PING")


@pytest.fixture(params=["url", "alias", "path"])
def link(request: pytest.FixtureRequest, redis_url: str, settings, monkeypatch) -> Iterator[tuple[Slow, object]]:
    """A slow server, and a connection to it by each kind of REDIS."""
    with slow(redis_url, 0) as proxy:
        monkeypatch.setenv("REPEAT_TEST_URL", proxy.url)
        settings.CACHES = {"repeat": {"BACKEND": "django_redis.cache.RedisCache", "LOCATION": proxy.url}}
        redis = {"url": proxy.url, "alias": "repeat", "path": f"{factories.__name__}.client"}[request.param]
        yield proxy, connection.connect(redis, 5)
        connection.forget()


def test_a_limit_ends_with_its_block_and_leaves_the_time_outs_as_they_were(link):
    proxy, found = link
    with Limit(0.5).in_force():
        assert found.command("PING")
        proxy.delay = 0.4
        assert found.command("PING")
        with pytest.raises(RegistryUnavailable, match=found.address):
            [found.command("PING") for _ in range(2)]
    assert found.command("PING")
    proxy.delay = 0
    assert found.script("return ARGV[1]")([], ["a" * 500_000])


def test_a_limit_is_that_of_its_thread(link):
    _, found = link
    elapsed = Elapsed()
    limit = Limit(0.5, elapsed=elapsed)
    call(limit, elapsed, 1)
    replies: list[object] = []
    with limit.in_force():
        other = threading.Thread(target=lambda: replies.append(found.command("PING")))
        other.start()
        other.join(5)
    assert replies


@pytest.mark.parametrize("delay", [0.2, 0.3, 1])
def test_a_first_call_greets_and_loads_within_the_limit(redis_url: str, delay: float) -> None:
    with slow(redis_url, delay) as proxy:
        found = connection.connect(f"{proxy.url.removesuffix('0')}5", 5)
        begun = time.monotonic()
        with pytest.raises(RegistryUnavailable), Limit(0.3).in_force():
            found.script(f"return '{proxy.url}'")([], [])
        assert time.monotonic() - begun < 0.3 + 0.5
