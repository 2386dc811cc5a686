"""One process of the demo, and what it says."""

from __future__ import annotations

import os
import signal
import subprocess
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import IO

from django_repeat.testing.processes import die_with_parent

EVENTS = "DEMO_EVENTS"  # as in apps.py, which runs at the other end
LAST_LINES = 12


class Part:
    """A process in a group of its own, with three pipes: ``out``, ``err``, and ``events`` for lines of JSON."""

    def __init__(self, name: str, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.name = name
        self.last: deque[str] = deque(maxlen=LAST_LINES)
        events, theirs = os.pipe()
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=[theirs],
                env={**environment, EVENTS: str(theirs), "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"},
                start_new_session=True,  # Ctrl-C in the terminal reaches the demo alone, which ends them in order
                preexec_fn=die_with_parent(),
            )
        finally:
            os.close(theirs)
        self.pipes: dict[str, IO[bytes]] = {"events": os.fdopen(events, "rb")}
        for name, pipe in (("out", self.process.stdout), ("err", self.process.stderr)):
            assert pipe is not None
            self.pipes[name] = pipe

    def send(self, number: signal.Signals) -> None:
        """Signal the whole group, if its process still lives."""
        # Asked first: the number of a group that ended may be somebody else's by now.
        if self.process.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, number)


class PartDied(Exception):
    """A part ended that should not have; ``lines`` are the last that it printed."""

    def __init__(self, name: str, code: int, lines: Sequence[str]) -> None:
        super().__init__(f"The {name} ended unasked ({_ending(code)}).")
        self.lines = list(lines)


def _ending(code: int) -> str:
    if code >= 0:
        return f"exit status {code}"
    with suppress(ValueError):
        return signal.Signals(-code).name
    return f"signal {-code}"
