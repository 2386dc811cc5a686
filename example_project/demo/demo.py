"""The parts of the demo, put together."""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from django_repeat.exceptions import RegistryUnavailable
from django_repeat.testing.server import Server, start_server

from . import house
from .asked import Asked
from .part import PartDied
from .parts import Parts
from .screen import Screen, fired_details, ran_details
from .tally import DONE, Tally

SETTINGS = "config.demo_settings"
MANAGE = [sys.executable, str(house.EXAMPLE / "manage.py")]
# Port 0: the kernel chooses a free one, and the site says which.
COMMANDS = {
    "site": [*MANAGE, "runserver", "127.0.0.1:0", "--noreload", "--skip-checks"],
    "worker": [*MANAGE, "db_worker", "--queue-name=*", "--interval=0.1", "--no-startup-delay", "--no-reload"],
    "ticker": [*MANAGE, "repeat", "tick"],
}
# What ticker and worker tell once they are up; the site prints its address.
UP = {"worker": "loaded", "ticker": "ticking"}
ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/")

# Seconds for a part to come up, for one to end when asked, and for the worker to run what was fired.
COMING_UP, ENDING, FINISHING = 60, 5, 60


class Interrupted(Exception):
    """Somebody asked the demo to end, or nobody reads what it prints."""


class Demo:
    """A server, a site, a worker and a ticker; their data is in ``home``."""

    def __init__(self, home: Path, screen: Screen, asked: Asked) -> None:
        self._home = home
        self._screen = screen
        self._asked = asked
        self._tally = Tally()
        self._up: set[str] = set()
        self._held: list[Mapping[str, Any]] | None = []
        self._site = ""
        self._server: Server | None = None
        self._closing = ExitStack()

    def start(self) -> None:
        """Start everything, and say where it is. RepeatError, RuntimeError, PartDied, TimeoutError, Interrupted."""
        self._screen.line("Starting a server, a site, a worker and a ticker ...")
        environment = {
            "REDIS_URL": os.environ.get("REDIS_URL") or self._own_server(),
            "DJANGO_SETTINGS_MODULE": SETTINGS,
            "DEMO_DIR": str(self._home),
        }
        self._check()
        house.enter(environment)
        house.ask_registry()
        if self._server is None:
            self._closing.callback(self._leave_nothing)
        self._check()
        house.furnish()
        self._closing.callback(self._summarise)
        self._parts = Parts({**os.environ, **environment}, hear=self._hear, check=self._check)
        self._closing.callback(self._stop, "worker", "site")
        self._closing.callback(self._stop, "ticker")
        for name, command in COMMANDS.items():
            self._parts.start(name, command)
        self._parts.wait(lambda: self._up >= COMMANDS.keys(), COMING_UP, "Starting")
        self._open()

    def watch(self, seconds: float | None) -> None:
        """Show what happens for so many seconds, or until Interrupted; PartDied."""
        end = time.monotonic() + (seconds or float("inf"))
        while (left := end - time.monotonic()) > 0:
            self._parts.listen(min(left, 0.2))

    def finish(self) -> bool:
        """Stop the ticker, let the worker run what was fired; answer whether the counts are above zero and equal."""
        self._screen.line()
        self._screen.line("Time is up: the ticker stops, the worker finishes.")
        self._stop("ticker")
        self._parts.wait(self._finished, FINISHING, "Running what was fired")
        return self._tally.adds_up(house.results())

    def stop(self) -> None:
        """End every part, count, and leave nothing behind."""
        self._closing.close()

    def _own_server(self) -> str:
        directory = self._home / "valkey"
        directory.mkdir()
        self._server = start_server(directory=directory)
        self._closing.callback(self._server.stop)
        return self._server.url

    def _check(self) -> None:
        if self._asked.count or self._screen.gone:
            raise Interrupted
        process = self._server and self._server.process
        if self._server and process and process.poll() is not None:
            raise PartDied("server", process.returncode, self._server.output.splitlines()[-5:])

    def _stop(self, *names: str) -> None:
        self._parts.stop(*names, patience=ENDING, hurry=lambda: self._asked.count > 1)

    def _finished(self) -> bool:
        return all(status in DONE for status in house.results().values())

    def _summarise(self) -> None:
        self._screen.line(self._tally.summary(house.results()), "1")

    def _leave_nothing(self) -> None:
        with suppress(RegistryUnavailable):
            house.clear_registry()

    def _hear(self, part: str, pipe: str, line: str) -> None:
        if pipe == "events":
            self._take(json.loads(line), part)
        elif pipe == "err":
            self._screen.said(part, line)
        elif part == "site" and (found := ADDRESS.search(line)):
            self._site = found[0]
            self._up.add(part)

    def _take(self, event: Mapping[str, Any], part: str) -> None:
        if event["event"] == UP.get(part):
            self._up.add(part)
        elif self._held is None:
            self._show(event)
        else:
            self._held.append(event)

    def _show(self, event: Mapping[str, Any]) -> None:
        match event["event"]:
            case "fired":
                self._screen.happened("fired", event["name"], fired_details(event))
                if early := self._tally.fired(event):
                    self._ran(event["name"], early)
            case "ran":
                if name := self._tally.ran(event):
                    self._ran(name, event)
            case "missed":
                self._screen.happened("missed", event["name"], f"{event['count']} times, {event['reason']}")
            case "refused":
                self._screen.happened("refused", event["name"], event["error"])

    def _ran(self, name: str, event: Mapping[str, Any]) -> None:
        self._screen.happened("failed" if event["error"] else "ran", name, ran_details(event))

    def _open(self) -> None:
        redis = f"REDIS_URL={self._server.url} " if self._server else ""
        self._screen.opening(
            {
                "Site": self._site,
                "Schedules": f"{self._site}admin/django_repeat/registeredschedule/",
                "Sign in": f"user {house.USER}, password {house.PASSWORD}",
                "Registry": self._server.url if self._server else "the server that REDIS_URL names",
                "Times": f"in {house.time_zone()}, the site's time zone",
            },
            [
                "Look at the site: it is measured and watered by schedules.",
                "Cancel greenhouse.measure in the admin: its lines end here, and the curves stand still.",
                f"Ask by hand: DJANGO_SETTINGS_MODULE={SETTINGS} {redis}{shlex.join(MANAGE)} repeat list",
            ],
        )
        held, self._held = self._held or [], None
        for event in held:
            self._show(event)
