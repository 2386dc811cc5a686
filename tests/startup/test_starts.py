"""Real process starts: what they do to the registry, and what an absent registry does to them."""

from __future__ import annotations

import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
import redis

from django_repeat.testing.processes import free_port

pytestmark = pytest.mark.process

COMMANDS = (
    ["check"],
    ["migrate", "-v0"],
    ["collectstatic", "--noinput", "-v0"],
    ["makemigrations", "--check", "--dry-run", "-v0"],
    ["shell", "-c", "pass"],
)
# Seconds that a command takes here at most, with room for a slow machine; any I/O at its start takes twice as long.
PATIENCE = 30

UNRESOLVABLE = "redis://no-such-host.invalid:6379/0"
REFUSED = "redis://127.0.0.1:1/0"


def start(*args: str, url: str, timeout: str = "500ms", folder: Path | str = "") -> subprocess.Popen[str]:
    environ = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.startup.site_settings",
        "REPEAT_TEST_REGISTRY": url,
        "REPEAT_TEST_TIMEOUT": timeout,
        "REPEAT_TEST_STATIC": str(folder),
        "REPEAT_TEST_DATABASE": str(Path(folder) / "db.sqlite3") if folder else ":memory:",
    }
    environ.pop("RUN_MAIN", None)
    return subprocess.Popen(
        [sys.executable, "-m", "django", *args],
        env=environ,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@contextmanager
def serving(*args: str, url: str, timeout: str = "500ms") -> Iterator[tuple[int, float]]:
    """Run the development server; give its port, and the seconds that it took to answer a request."""
    port = free_port()
    begun = time.monotonic()
    process = start("runserver", f"127.0.0.1:{port}", *args, url=url, timeout=timeout)
    try:
        while not get(port):
            assert process.poll() is None, process.communicate()
            assert time.monotonic() - begun < PATIENCE
            time.sleep(0.05)
        yield port, time.monotonic() - begun
    finally:
        # The autoreloader's child is of the same session, which this test began.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def get(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/nowhere/")
        return connection.getresponse().status == 404
    except OSError:
        return False
    finally:
        connection.close()


def names(raw: redis.Redis) -> list[bytes]:
    return list(raw.zrange("emq:{default}:repeat", 0, -1))


@pytest.fixture(params=["unresolvable", "refused", "black hole"])
def away(request: pytest.FixtureRequest, black_hole: str) -> str:
    return {
        "unresolvable": UNRESOLVABLE,
        "refused": REFUSED,
        "black hole": black_hole,
    }[str(request.param)]


def test_bd66_commands_do_not_notice_that_redis_is_away(away: str, tmp_path: Path) -> None:
    begun = time.monotonic()
    # A time-out above the patience: had a command asked the server, it would still wait.
    # Of a server that refuses, a line would tell; of one that does not answer only the time does, in each command.
    commands = COMMANDS[:2] if away in (UNRESOLVABLE, REFUSED) else COMMANDS
    running = [(args, start(*args, url=away, timeout="60s", folder=tmp_path)) for args in commands]
    for args, process in running:
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, (args, out, err)
        assert err == ""
    assert time.monotonic() - begun < PATIENCE


def test_bd65_commands_register_nothing(redis_url: str, raw: redis.Redis, tmp_path: Path) -> None:
    running = [start(*args, url=redis_url, folder=tmp_path) for args in COMMANDS]
    assert [process.wait(PATIENCE) for process in running] == [0] * len(COMMANDS)
    for process in running:
        process.communicate()
    assert raw.dbsize() == 0


@pytest.mark.parametrize("args", [[], ["--noreload"]], ids=["autoreload", "noreload"])
def test_bd65_a_web_server_registers_once(args: list[str], redis_url: str, raw: redis.Redis) -> None:
    with serving(*args, url=redis_url):
        assert names(raw) == [b"in settings"]
        assert raw.hget("emq:{default}:repeat:in settings", "rev") == b"1"


def test_bd66_a_web_server_starts_without_redis(away: str) -> None:
    with serving("--noreload", url=away, timeout="500ms") as (port, _):
        begun = time.monotonic()
        assert get(port)
        assert time.monotonic() - begun < 0.4


def test_bd29_redis_that_comes_later_is_found_by_the_first_request(redis_url: str, raw: redis.Redis) -> None:
    # The server process begins while the tests' server refuses it, and only then may it in.
    port = free_port()
    raw.acl_setuser("late", enabled=False, passwords=["+t0ps3cret"], categories=["+@all"], keys=["*"], channels=["*"])
    url = redis_url.replace("redis://", "redis://late:t0ps3cret@")
    process = start("runserver", f"127.0.0.1:{port}", "--noreload", url=url)
    try:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert "schedules not synced" in line
        assert "t0ps3cret" not in line
        assert names(raw) == []
        raw.acl_setuser("late", enabled=True)
        begun = time.monotonic()
        while not get(port):
            assert time.monotonic() - begun < PATIENCE
            time.sleep(0.05)
        assert names(raw) == [b"in settings"]
    finally:
        process.kill()
        process.communicate()
        raw.acl_deluser("late")
