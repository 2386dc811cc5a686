"""Child processes that cannot outlive the tests: forks of this process, and programs.

A fork starts with everything imported, so dozens of them may die in a test; what it does is a function of the test.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

from django.db import connections

from django_repeat import ticking
from django_repeat.ticker import Stop

PATIENCE = 20.0
REPOSITORY = Path(__file__).parents[2]
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>
# A fork holds this back until it can take it: without a handler yet it would die of it.
HELD = {signal.SIGTERM}
prctl = ctypes.CDLL(None).prctl if sys.platform == "linux" else lambda *_: 0


def until(condition: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """Answer what ``condition`` answers as soon as it is true; AssertionError after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (answer := condition()):
        assert time.monotonic() < deadline, f"not so within {seconds} s"
        time.sleep(0.002)
    return answer


def run_ticker() -> None:
    """Tick the default queue until SIGTERM."""
    stop = Stop()
    signal.signal(signal.SIGTERM, lambda number, frame: stop.set())
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HELD)
    ticking.run(queues=["default"], stop=stop)


class Children:
    """Start children and account for each; ``end`` kills those that are left."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._forks: set[int] = set()
        self._programs: list[subprocess.Popen[bytes]] = []

    def fork(self, work: Callable[[], object] = run_ticker) -> int:
        """Run ``work`` in a fork of this process; answer its pid. Exit code 0, or 1 for an error."""
        sys.stdout.flush()
        sys.stderr.flush()
        parent = os.getpid()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, HELD)
        pid = os.fork()
        if pid == 0:
            _work(work, parent)
        self._forks.add(pid)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return pid

    def kill(self, pid: int) -> None:
        """Kill a fork; return when it is gone."""
        os.kill(pid, signal.SIGKILL)
        self.wait(pid)

    def terminate(self, *pids: int) -> None:
        """End tickers as an operator does; AssertionError if one does not end well."""
        for pid in pids:
            os.kill(pid, signal.SIGTERM)
        assert [self.wait(pid) for pid in pids] == [0] * len(pids)

    def wait(self, pid: int) -> int:
        """Answer the exit code of a fork, negative for a signal."""
        status = until(lambda: self._status(pid, os.WEXITED))
        self._forks.discard(pid)
        return -status.si_status if status.si_code != os.CLD_EXITED else status.si_status

    def wait_until_stopped(self, pid: int) -> None:
        """Return when a fork stands still, as after SIGSTOP."""
        until(lambda: self._status(pid, os.WSTOPPED))

    def program(
        self, command: Sequence[str], environment: Mapping[str, str], name: str, cwd: Path = REPOSITORY
    ) -> subprocess.Popen[bytes]:
        """Start a program in a session of its own; its output goes to the file ``name``."""
        with self.output(name).open("ab") as log:
            process = subprocess.Popen(
                command,
                env=environment,
                cwd=cwd,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                preexec_fn=_die_with(os.getpid()),
            )
        self._programs.append(process)
        return process

    def output(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def lines(self, name: str) -> list[str]:
        """Answer what the program of that name has printed."""
        return self.output(name).read_text().splitlines()

    def end(self) -> None:
        """Kill what is left, with the children that a program started."""
        for pid in self._forks:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        self._forks.clear()
        for process in self._programs:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    @staticmethod
    def _status(pid: int, kind: int) -> Any:
        return os.waitid(os.P_PID, pid, kind | os.WNOHANG)


def _die_with(parent: int) -> Callable[[], None]:
    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL.value)
        if os.getppid() != parent:
            os._exit(1)

    return ask


def _work(work: Callable[[], object], parent: int) -> NoReturn:
    """Do it, and leave without a word to whatever the tests' process has open."""
    code = 1
    try:
        _die_with(parent)()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        # A database connection that an earlier test opened is the parent's.
        for connection in connections.all(initialized_only=True):
            connection.connection = None
        work()
        code = 0
    except BaseException:  # noqa: BLE001 - nothing of this process may go back into pytest
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)
