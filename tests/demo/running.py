"""Run the demo as a person would, and find whatever it leaves behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from urllib.parse import urlsplit

import redis

ROOT = Path(__file__).resolve().parents[2]
MARK = "DEMO_TEST_MARK"
OPEN = "Ctrl-C ends everything."
PATIENCE = 60


class Running:
    """A demo in a process of its own; every process that it starts inherits a mark."""

    def __init__(self, home: Path, **environment: str) -> None:
        self.mark = uuid.uuid4().hex
        kept = {key: value for key, value in os.environ.items() if key not in ("REDIS_URL", "DJANGO_SETTINGS_MODULE")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "example_project.demo"],
            cwd=ROOT,
            env={**kept, "TMPDIR": str(home), MARK: self.mark, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.lines: list[str] = []

    def until(self, pattern: str) -> re.Match[str]:
        """Read until a line holds ``pattern``."""
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"no {pattern!r} in\n{self.text}")

    def end(self, how: signal.Signals | None = None) -> int:
        """Signal it if asked to, read it to its end, and answer its exit code."""
        if how is not None:
            self.process.send_signal(how)
        self.lines += [line.rstrip() for line in self.process.stdout]
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        self.process.stdout.close()
        self.process.wait(PATIENCE)
        if "registry" in vars(self):
            self.registry.close()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    def count(self, verb: str) -> int:
        return sum(bool(re.match(rf"\d\d:\d\d:\d\d {verb} ", line)) for line in self.lines)

    def processes(self) -> dict[int, str]:
        """Answer the processes that bear the mark, the demo itself among them: command line by id."""
        return {pid: command for pid, command, environment in processes() if f"{MARK}={self.mark}" in environment}

    def pid_of(self, words: str) -> int:
        (pid,) = [pid for pid, command in self.processes().items() if words in command]
        return pid

    @cached_property
    def registry(self) -> redis.Redis:
        """A client on the demo's own server, which writes its title over its environment and so bears no mark."""
        return redis.Redis.from_url(self.server, single_connection_client=True)

    @property
    def server(self) -> str:
        found = re.search(r"Registry +(redis://\S+)", self.text)
        return found[1] if found else ""

    def is_gone(self) -> bool:
        """Answer whether all are gone, the server too; the kernel may take a moment to end them."""
        end = time.monotonic() + 10
        while (left := self.processes() or answers(self.server)) and time.monotonic() < end:
            time.sleep(0.02)
        return not left


@contextmanager
def demo(home: Path, **environment: str) -> Iterator[Running]:
    """Run the demo for the time of the block; whatever is left of it then is killed."""
    running = Running(home, **environment)
    try:
        yield running
    finally:
        for pid in running.processes():
            os.kill(pid, signal.SIGKILL)
        running.close()


def answers(url: str) -> bool:
    """Answer whether anybody listens at that address."""
    place = urlsplit(url)
    if not place.port:
        return False
    with socket.socket() as probe:
        return probe.connect_ex((place.hostname, place.port)) == 0


def processes() -> Iterator[tuple[int, str, str]]:
    """Answer id, command line and environment of every process that may be looked at."""
    if not Path("/proc/self/environ").exists():
        listed = subprocess.run(["ps", "-axEwwo", "pid=,command="], capture_output=True, text=True, check=True)
        for line in listed.stdout.splitlines():
            pid, _, command = line.strip().partition(" ")
            yield int(pid), command, command
        return
    for place in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = ((place / name).read_bytes() for name in ("cmdline", "environ"))
        except OSError:
            continue
        yield int(place.name), command.replace(b"\0", b" ").decode(), environment.decode(errors="replace")
