"""Web processes of every kind around one registry: they register, never sweep, and survive a fork (BD65, BD67)."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
import urllib.request
from pathlib import Path

import pytest
import redis

from django_repeat import service
from django_repeat.testing.processes import free_port
from tests.processes.children import Children, until
from tests.processes.engines import PATH, pushed
from tests.processes.programs import MANAGE, TICK, environment, log_lines

pytestmark = pytest.mark.process

GUNICORN = [sys.executable, "-m", "gunicorn", "--workers", "4", "tests.processes.wsgi"]
WORKERS = 4
ADMIN = "/admin/django_repeat/registeredschedule/"
SITE = {
    "ENGINE": PATH,
    "SCHEDULES": {
        "pulse": {"command": "check", "every": "1h"},
        "daily": {"command": "check", "cron": "30 4 29 2 *"},
    },
}


def get(port: int, path: str) -> str:
    """Answer a page; HTTPError for anything but success."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as response:
        return str(response.read().decode())


class Who:
    """The processes that have answered on a port: pid -> id of its Redis connection."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.seen: dict[int, int] = {}
        self.parents: set[int] = set()

    def ask(self) -> None:
        try:
            answer = json.loads(get(self._port, "/who/"))
        except OSError:  # nobody listens yet
            return
        self.seen[answer["pid"]] = answer["client"]
        self.parents.add(answer["parent"])

    def until(self, count: int) -> None:
        """Ask, several at a time, until so many different processes have answered."""
        until(lambda: parallel(self.ask, 8) or len(self.seen) >= count)


def parallel(work: object, threads: int) -> None:
    running = [threading.Thread(target=work) for _ in range(threads)]  # type: ignore[arg-type]
    for thread in running:
        thread.start()
    for thread in running:
        thread.join()


def others(raw: redis.Redis, known: set[int]) -> set[int]:
    """Answer the connections that the server has and that are not among the known."""
    return {int(client["id"]) for client in raw.client_list()} - known


def calls(raw: redis.Redis) -> int:
    """Answer how many scripts the server has run."""
    return int(raw.info("commandstats").get("cmdstat_evalsha", {"calls": 0})["calls"])


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """Where programs may leave what they like."""
    return {"HOME": str(tmp_path), "REPEAT_TEST_DATABASE": str(tmp_path / "site.sqlite3")}


def test_commands_register_nothing_and_need_no_tables(raw: redis.Redis, home: dict[str, str]) -> None:
    before = calls(raw)
    for command in (["shell", "-c", "pass"], ["check"], ["migrate", "--verbosity=0"], ["shell", "-c", "pass"]):
        done = subprocess.run([*MANAGE, *command], env=environment(SITE, **home), capture_output=True, timeout=60)
        assert done.returncode == 0, done.stderr
    assert raw.keys("*") == []
    assert calls(raw) == before


@pytest.mark.parametrize("option", ["--check-config", "--print-config", "--version", "--help"])
def test_a_server_that_only_says_something_registers_nothing(
    raw: redis.Redis, home: dict[str, str], option: str
) -> None:
    done = subprocess.run([*GUNICORN, option], env=environment(SITE, **home), capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert raw.keys("*") == []


def test_web_processes_register_and_only_the_ticker_sweeps(
    raw: redis.Redis, children: Children, home: dict[str, str], choose: object
) -> None:
    ports = [free_port(), free_port()]
    variables = environment(SITE, **home)
    children.program([*GUNICORN, "--bind", f"127.0.0.1:{ports[0]}"], variables, "gunicorn")
    children.program([*MANAGE, "runserver", str(ports[1])], variables, "runserver")
    Who(ports[0]).until(WORKERS)
    Who(ports[1]).until(1)
    assert sorted(service.names_of()) == sorted(SITE["SCHEDULES"])
    assert {entry.raw["rev"] for entry in service.entries()} == {"1"}
    assert service.get("pulse").state == "due"
    # Longer than a ticker ever sleeps.
    before = calls(raw)
    time.sleep(1.5)
    assert calls(raw) == before
    assert service.tickers() == []
    assert pushed(raw) == []
    ticker = children.program(TICK, variables, "ticker")
    until(lambda: pushed(raw))
    assert [push.pid for push in pushed(raw)] == [ticker.pid]
    assert [found["pid"] for found in service.tickers()] == [ticker.pid]
    assert service.count() == len(SITE["SCHEDULES"])


@pytest.mark.parametrize("requests", [25, pytest.param(500, marks=pytest.mark.soak)])
def test_preloaded_workers_have_connections_of_their_own(
    raw: redis.Redis, children: Children, home: dict[str, str], choose: object, requests: int
) -> None:
    known = others(raw, set())
    port = free_port()
    master = children.program(
        [*GUNICORN, "--preload", "--bind", f"127.0.0.1:{port}"], environment(SITE, **home), "gunicorn"
    )
    # The master registers before it forks, on a connection that its workers inherit and must not use.
    until(lambda: "Booting worker" in children.output("gunicorn").read_text())
    masters = others(raw, known)
    assert raw.zcard("emq:{default}:repeat") == len(SITE["SCHEDULES"])
    pages: list[str] = []
    parallel(lambda: pages.extend(get(port, ADMIN) for _ in range(requests)), WORKERS)
    assert len(pages) == WORKERS * requests
    assert all("pulse" in page and "daily" in page for page in pages)
    who = Who(port)
    who.until(WORKERS)
    assert who.parents == {master.pid}
    assert len(set(who.seen.values())) == WORKERS
    assert len(masters) == 1
    assert not masters & set(who.seen.values())
    assert masters <= others(raw, known)
    assert "Traceback" not in children.output("gunicorn").read_text()
    assert [level for level, _ in log_lines(children.lines("gunicorn")) if level != "INFO"] == []
