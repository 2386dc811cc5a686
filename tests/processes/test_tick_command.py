"""``repeat tick`` where it runs: as pid 1, before a server that hangs or is gone, beside others, for a while."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
import redis

from django_repeat import service
from django_repeat.testing.server import Server, start_server
from tests.processes.children import Children, until
from tests.processes.dying import acting
from tests.processes.engines import LIST, PATH, pushed
from tests.processes.programs import TICK, environment
from tests.processes.rounds import Rounds

pytestmark = pytest.mark.process

SITE = {"ENGINE": PATH, "LEASE": "3s", "SCHEDULES": {"pulse": {"command": "check", "every": "1s"}}}
IDLE = {"ENGINE": PATH, "SCHEDULES": {"pulse": {"command": "check", "every": "1h"}}}
QUIET = {"ENGINE": PATH, "SCHEDULES": {"pulse": {"command": "check", "every": "1h", "first_in": "3s"}}}
NAMESPACE = ["unshare", "--pid", "--fork", "--kill-child"]
# What is special about pid 1, where nobody may make a namespace: it gets only the signals that it has a handler for.
IGNORING = ["sh", "-c", 'trap "" TERM INT; exec "$@"', "-"]


@cache
def as_pid_1() -> list[str]:
    """Answer how to start a program as pid 1, or as much like it as this machine allows."""
    if shutil.which("unshare"):
        for prefix in (NAMESPACE, [*NAMESPACE, "--user", "--map-root-user"]):
            if subprocess.run([*prefix, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
                return prefix
    return IGNORING


def inner(process: subprocess.Popen[bytes]) -> int:
    """Answer the pid of what ``as_pid_1`` started, as it is called here."""
    if as_pid_1() == IGNORING:
        return process.pid
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return int(until(lambda: children.read_text().split())[0])


def ended(process: subprocess.Popen[bytes], *numbers: signal.Signals) -> tuple[int, float]:
    """Send signals to pid 1; answer the exit code, and the seconds it took."""
    pid, begin = inner(process), time.monotonic()
    for number in numbers:
        os.kill(pid, number)
    return process.wait(20), time.monotonic() - begin


@pytest.fixture
def own_server() -> Iterator[Server]:
    with start_server(arguments=["--appendonly", "yes"]) as server:
        yield server


def test_killed_as_pid_1_it_starts_again_on_the_same_disk(raw: redis.Redis, children: Children, tmp_path: Path) -> None:
    """BD22: no file is left, so none can be in the way."""
    disk = tmp_path / "disk"
    disk.mkdir()
    variables = environment(SITE, HOME=str(disk), TMPDIR=str(disk))
    for run, (number, code) in enumerate([(signal.SIGKILL, None), (signal.SIGTERM, 0)]):
        before = raw.llen(LIST)
        process = children.program([*as_pid_1(), *TICK], variables, f"run {run}", cwd=disk)
        until(lambda before=before: raw.llen(LIST) > before)
        assert list(disk.rglob("*")) == []
        found, seconds = ended(process, number)
        assert seconds < 1
        assert found == code or (code is None and found != 0)
        assert list(disk.rglob("*")) == []
    if as_pid_1() != IGNORING:
        assert {push.pid for push in pushed(raw)} == {1}
        assert "pid 1." in "".join(children.lines("run 1"))


@pytest.mark.parametrize("numbers, code, within", [
    ([signal.SIGTERM], 0, service.PATIENCE + 1),
    ([signal.SIGTERM, signal.SIGINT], 1, 1),
], ids=["one signal", "two signals"])  # fmt: skip
def test_a_server_that_stands_still_holds_up_no_end(
    raw: redis.Redis,
    redis_url: str,
    own_server: Server,
    children: Children,
    numbers: list[signal.Signals],
    code: int,
    within: float,
) -> None:
    variables = environment(IDLE, REPEAT_TEST_URL=own_server.url, REPEAT_TEST_PUSHED=redis_url)
    process = children.program([*as_pid_1(), *TICK], variables, "ticker")
    until(lambda: raw.llen(LIST))
    assert own_server.pid
    os.kill(own_server.pid, signal.SIGSTOP)
    # By then it has asked, and waits for an answer.
    time.sleep(1.1)
    found, seconds = ended(process, *numbers)
    print(f"{numbers}: {seconds:.2f} s")
    assert found == code
    assert seconds < within


@pytest.mark.parametrize("verb", ["claim", "settle"])
def test_nor_does_one_that_stops_answering_inside_a_tick(
    choose: Callable[..., None], own_server: Server, children: Children, verb: str
) -> None:
    choose(REDIS=own_server.url)

    def stop_both() -> None:
        assert own_server.pid
        os.kill(own_server.pid, signal.SIGSTOP)
        os.kill(os.getpid(), signal.SIGTERM)

    with redis.Redis.from_url(own_server.url) as client:
        Rounds(client, 3).due()
        begin = time.monotonic()
        ticker = children.fork(acting(verb, stop_both, before=True))
        assert children.wait(ticker) == 0
        assert time.monotonic() - begin < service.PATIENCE + 1


def test_an_idle_ticker_is_silent_and_an_outage_is_two_lines(own_server: Server, children: Children) -> None:
    """BD69, in short: three tickers, some seconds, one occurrence for one of them, then a server gone and back."""
    variables = environment(QUIET, REPEAT_TEST_URL=own_server.url)
    names = [f"ticker {number}" for number in range(3)]
    tickers = [children.program(TICK, variables, name) for name in names]
    with redis.Redis.from_url(own_server.url) as client:
        until(lambda: client.llen(LIST))
    time.sleep(2)
    before = [children.lines(name) for name in names]
    own_server.kill()
    time.sleep(2.2)
    own_server.restart()
    until(lambda: all("registry recovered" in children.output(name).read_text() for name in names))
    for ticker in tickers:
        ticker.send_signal(signal.SIGTERM)
    assert [ticker.wait(20) for ticker in tickers] == [0, 0, 0]
    fired = 0
    for name, idle in zip(names, before, strict=True):
        logged = [line for line in idle if line.startswith(("DEBUG", "INFO", "WARNING", "ERROR"))]
        fired += sum("occurrence fired" in line for line in logged)
        assert len([line for line in logged if "occurrence fired" not in line]) <= 3
        outage = children.lines(name)[len(idle) :]
        assert [line.split(":")[0] for line in outage] == [
            "WARNING django_repeat registry lost",
            "WARNING django_repeat registry recovered",
            "INFO django_repeat ticker stopped",
            "Ended.",
        ]
    assert fired == 1
