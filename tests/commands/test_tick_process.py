"""``repeat tick`` as a process: how it starts, and how it ends."""

from __future__ import annotations

import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis

from django_repeat import service
from tests.commands.running import COMMAND, TIMEOUT, environment, process
from tests.servers.slow import slow

pytestmark = pytest.mark.process

Ticker = subprocess.Popen[bytes]
SITE = {"SCHEDULES": {"a": {"command": "check", "every": "1h", "first_in": "30s"}}}
# As pid 1, to which the kernel delivers only signals that have a handler.
IGNORING = ["sh", "-c", 'trap "" TERM INT; exec "$@"', "-"]


@contextmanager
def started(*args: str, before: list[str] | None = None, site: Any = SITE, **variables: str) -> Iterator[Ticker]:
    """Start a ticker, and kill it at the end if it still runs."""
    ticker = subprocess.Popen(
        [*(before or []), *COMMAND, "tick", *args],
        env=environment(site, **variables),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield ticker
    finally:
        ticker.kill()
        ticker.communicate()


def first_line(ticker: Ticker) -> str:
    assert ticker.stdout
    return ticker.stdout.readline().decode()


def ended(ticker: Ticker, *numbers: signal.Signals) -> tuple[int, float, bytes, bytes]:
    """Send signals, and answer the exit code, the seconds until then, and what was printed since the first line."""
    begin = time.monotonic()
    for number in numbers:
        ticker.send_signal(number)
    out, err = ticker.communicate(timeout=TIMEOUT)
    return ticker.returncode, time.monotonic() - begin, out, err


def wait_for_beat(raw: redis.Redis) -> None:
    """Return once a ticker of the default queue has ticked and sleeps."""
    deadline = time.monotonic() + TIMEOUT
    while not any(ticker["last_tick"] for ticker in service.tickers()):
        assert time.monotonic() < deadline


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and answers nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(TIMEOUT)
        yield listener


def asked(silent: socket.socket) -> socket.socket:
    """Answer the connection of a client that now waits for the reply to what it sent."""
    connection, _ = silent.accept()
    connection.settimeout(TIMEOUT)
    assert connection.recv(1)
    return connection


def url(silent: socket.socket) -> str:
    return f"redis://:hunter2@127.0.0.1:{silent.getsockname()[1]}/0"


@pytest.mark.parametrize(
    "number, before", [(signal.SIGTERM, IGNORING), (signal.SIGINT, [])], ids=["TERM, as pid 1", "INT"]
)
def test_a_signal_ends_an_idle_ticker_within_a_second(
    raw: redis.Redis, number: signal.Signals, before: list[str]
) -> None:
    with started(before=before) as ticker:
        assert first_line(ticker).startswith("Ticking default on redis://127.0.0.1:")
        wait_for_beat(raw)
        code, seconds, out, err = ended(ticker, number)
    assert (code, out, err) == (0, b"Ended.\n", b"")
    assert seconds < 1
    assert service.tickers() == []


def test_the_second_signal_ends_it_at_once(silent: socket.socket) -> None:
    with started(before=IGNORING, REPEAT_TEST_URL=url(silent)) as ticker:
        first_line(ticker)
        with asked(silent):
            code, seconds, out, _ = ended(ticker, signal.SIGTERM, signal.SIGINT)
    assert (code, out) == (1, b"")
    assert seconds < 1


def test_one_signal_while_redis_hangs_ends_it_within_the_time_out(silent: socket.socket) -> None:
    with started(REPEAT_TEST_URL=url(silent)) as ticker:
        line = first_line(ticker)
        with asked(silent):
            code, seconds, out, err = ended(ticker, signal.SIGTERM)
    assert (code, out) == (0, b"Ended.\n")
    assert seconds < service.PATIENCE + 1
    assert "hunter2" not in line
    assert b"hunter2" not in err


def test_a_signal_while_thousands_are_registered_ends_it_within_a_second(raw: redis.Redis, redis_url: str) -> None:
    many = {f"s{number}": {"command": "check", "every": "1h"} for number in range(2_500)}
    with slow(redis_url, 0.12) as proxy, started(site={"SCHEDULES": many}, REPEAT_TEST_URL=proxy.url) as ticker:
        first_line(ticker)
        deadline = time.monotonic() + TIMEOUT
        while not raw.zcard("emq:{default}:repeat"):
            assert time.monotonic() < deadline
        code, seconds, out, err = ended(ticker, signal.SIGTERM)
    assert (code, out, err) == (0, b"Ended.\n", b"")
    assert 0 < raw.zcard("emq:{default}:repeat") < len(many) / 2
    assert seconds < 1


def test_a_killed_ticker_leaves_nothing_that_stops_the_next(raw: redis.Redis) -> None:
    with started() as ticker:
        first_line(ticker)
        wait_for_beat(raw)
        assert ended(ticker, signal.SIGKILL)[0] == -signal.SIGKILL
    with started() as ticker:
        assert first_line(ticker)
        assert ended(ticker, signal.SIGTERM)[0] == 0


def test_a_disabled_site_stays_up_fires_nothing_and_says_so_once(raw: redis.Redis) -> None:
    with started(site={**SITE, "ENABLED": False}) as ticker:
        assert first_line(ticker)
        code, seconds, _, err = ended(ticker, signal.SIGTERM)
    assert code == 0
    assert seconds < 1
    assert err == b"DJANGO_REPEAT['ENABLED'] is False: nothing is registered and nothing fires.\n"
    assert raw.keys("*") == []


def test_at_verbosity_0_it_prints_nothing(raw: redis.Redis) -> None:
    with started("-v", "0") as ticker:
        wait_for_beat(raw)
        assert ended(ticker, signal.SIGTERM)[::2] == (0, b"")


def test_once_prints_ids_and_ends(raw: redis.Redis) -> None:
    done = process("tick", "--once", site={"SCHEDULES": {"a": {"command": "check", "every": "1h"}}})
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(b"a@1")
    assert done.stdout.count(b"\n") == 1
