"""A server that comes late, forgets its scripts, or starts anew under a ticker that runs (BD23, BD29)."""

from __future__ import annotations

import signal
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
import redis

from django_repeat import service
from django_repeat.entry import Entry
from django_repeat.instants import to_ms
from django_repeat.testing.processes import free_port
from django_repeat.testing.server import Server, start_server
from tests.processes.children import Children, until
from tests.processes.engines import LIST, PATH, pushed
from tests.processes.programs import MANAGE, TICK, environment, log_lines
from tests.processes.rounds import assert_books_balance, counted, fired

pytestmark = pytest.mark.process

SECOND = 1_000
RUNNING = {f"schedule {number}": {"command": "check", "every": "1s"} for number in range(20)}
# Due long after the test, but for the first, which is due as soon as it is registered.
DECLARED = {
    "pulse": {"command": "check", "every": "1h"},
    "weekly": {"command": "check", "every": "7d", "phase": "3d"},
    "yearly": {"command": "check", "cron": "30 4 29 2 *"},
    "later": {"command": "check", "every": "1h", "first_in": "30m"},
}


@pytest.fixture
def durable(settings: Any) -> Iterator[Server]:
    """A server that keeps its data over a restart; this process sees its registry."""
    # What was answered is on the disk: with everysec a slow disk may lose two seconds at a kill.
    with start_server(arguments=["--appendonly", "yes", "--appendfsync", "always"]) as server:
        settings.DJANGO_REPEAT = {"REDIS": server.url}
        yield server


def get(port: int, path: str = "/who/") -> int:
    """Answer the status of a page."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as response:
            return int(response.status)
    except urllib.error.HTTPError as error:
        return error.code


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def loud(children: Children) -> set[str]:
    """Answer what the ticker has said above INFO. Occurrences are missed where the machine is slower than a second."""
    return {text.partition(":")[0] for level, text in log_lines(children.lines("ticker")) if level != "INFO"}


def test_script_flush_and_a_restart_lose_and_double_nothing(
    raw: redis.Redis, durable: Server, redis_url: str, children: Children
) -> None:
    # What is pushed goes to the other server: it must not be lost by what is done to this one.
    variables = environment(
        {"ENGINE": PATH, "SCHEDULES": RUNNING}, REPEAT_TEST_URL=durable.url, REPEAT_TEST_PUSHED=redis_url
    )
    ticker = children.program(TICK, variables, "ticker")
    with redis.Redis.from_url(durable.url) as client:
        # Also between registration and the first tick.
        until(lambda: client.zcard("emq:{default}:repeat"))
        for _ in range(20):
            client.script_flush()
            time.sleep(0.1)
        until(lambda: raw.llen(LIST) >= len(RUNNING) * 2)
        assert {level for level, _ in log_lines(children.lines("ticker"))} == {"INFO"}
        for seconds in (0, 1.2, 0):
            count = raw.llen(LIST)
            durable.kill()
            time.sleep(seconds)
            durable.restart()
            until(lambda count=count: raw.llen(LIST) >= count + len(RUNNING))
    ticker.send_signal(signal.SIGTERM)
    assert ticker.wait(20) == 0
    pushes = pushed(raw)
    assert set(counted(pushes).values()) == {1}
    for entry in service.entries():
        nominals = fired(pushes, entry.name)
        assert_books_balance(entry, nominals, min(nominals), SECOND)
    assert len(service.entries()) == len(RUNNING)
    said = log_lines(children.lines("ticker"))
    assert loud(children) - {"occurrences missed"} == {"registry lost", "registry recovered"}
    lost, back = (sum(text.startswith(what) for _, text in said) for what in ("registry lost:", "registry recovered:"))
    assert 1 <= lost == back <= 3
    print(f"{len(pushes)} occurrences, {lost} outages, {sum('missed' in text for _, text in said)} missed")


class Later:
    """A port where nobody listens before ``start``."""

    def __init__(self) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.server: Server | None = None

    def start(self) -> None:
        self.server = start_server(port=self.port)


@pytest.fixture
def later(settings: Any) -> Iterator[Later]:
    found = Later()
    settings.DJANGO_REPEAT = {"REDIS": found.url}
    try:
        yield found
    finally:
        if found.server:
            found.server.stop()


def declared_entries() -> list[Entry]:
    found = service.entries()
    return found if len(found) == len(DECLARED) else []


def assert_looks_ahead_only(entries: list[Entry], start: int) -> None:
    assert {entry.name for entry in entries} == set(DECLARED)
    for entry in entries:
        assert entry.missed_count == 0
        assert entry.next
        assert to_ms(entry.next) >= start


def test_web_and_ticker_that_start_before_redis_need_no_restart(
    raw: redis.Redis, redis_url: str, later: Later, children: Children
) -> None:
    port = free_port()
    variables = environment(
        {"ENGINE": PATH, "SCHEDULES": DECLARED}, REPEAT_TEST_URL=later.url, REPEAT_TEST_PUSHED=redis_url
    )
    web = children.program([*MANAGE, "runserver", "--noreload", str(port)], variables, "web")
    ticker = children.program(TICK, variables, "ticker")
    until(lambda: listens(port))
    until(lambda: any("registry lost" in text for _, text in log_lines(children.lines("ticker"))))
    assert get(port, "/nowhere/") == 404
    start = time.time_ns() // 1_000_000
    later.start()
    up = time.monotonic()
    entries = until(declared_entries)
    seconds = time.monotonic() - up
    # Two passes of a ticker that looks once a second, and a slow machine.
    assert seconds < 3
    until(lambda: raw.llen(LIST))
    until(lambda: any("registry recovered" in text for _, text in log_lines(children.lines("ticker"))))
    assert_looks_ahead_only(entries, start)
    assert get(port) == 200
    ticker.send_signal(signal.SIGTERM)
    assert ticker.wait(20) == 0
    assert web.poll() is None
    pushes = pushed(raw)
    assert [push.id.partition("@")[0] for push in pushes] == ["pulse"]
    assert pushes[0].nominal >= start
    print(f"registered {seconds:.2f} s after the server was up")
    # One at its start and one at its first request, which came too early as well.
    assert [level for level, text in log_lines(children.lines("web"))] == ["WARNING", "WARNING"]


def test_a_web_process_that_started_before_redis_registers_at_its_first_request(
    later: Later, children: Children
) -> None:
    port = free_port()
    variables = environment({"SCHEDULES": DECLARED}, REPEAT_TEST_URL=later.url)
    children.program([*MANAGE, "runserver", "--noreload", str(port)], variables, "web")
    until(lambda: listens(port))
    start = time.time_ns() // 1_000_000
    later.start()
    assert service.count() == 0
    assert get(port) == 200
    assert_looks_ahead_only(declared_entries(), start)
