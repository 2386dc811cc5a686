"""Processes that live and die together."""

from __future__ import annotations

import os
import selectors
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from .part import Part, PartDied


class Parts:
    """Start parts, hear what they say, notice when one dies, end them.

    ``hear(name of the part, pipe, line)`` gets each line. ``check()`` is called while waiting, and may raise.
    """

    def __init__(
        self, environment: Mapping[str, str], *, hear: Callable[[str, str, str], None], check: Callable[[], None]
    ) -> None:
        self._environment = environment
        self._hear = hear
        self._check = check
        self._parts: dict[str, Part] = {}
        self._selector = selectors.DefaultSelector()
        self._halves: dict[int, bytes] = {}

    def start(self, name: str, command: Sequence[str]) -> None:
        """Start a part that is to live until it is stopped."""
        part = self._parts[name] = Part(name, command, self._environment)
        for kind, pipe in part.pipes.items():
            self._selector.register(pipe, selectors.EVENT_READ, (part, kind))

    def wait(self, done: Callable[[], bool], seconds: float, what: str) -> None:
        """Listen until ``done``; TimeoutError, which names ``what``, after ``seconds``; PartDied if a part ends."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise TimeoutError(f"{what} took longer than {seconds:.0f} s.")
            self.listen(0.1)

    def listen(self, seconds: float) -> None:
        """Pass on what the parts say within ``seconds``; PartDied if one has ended."""
        self._check()
        self._read(seconds)
        for part in self._parts.values():
            code = part.process.poll()
            if code is not None:
                self._drain(part)
                raise PartDied(part.name, code, part.last)

    def stop(self, *names: str, patience: float, hurry: Callable[[], bool]) -> None:
        """End these parts and hear them out; what still lives after ``patience`` seconds, or in a hurry, is killed."""
        parts = [self._parts[name] for name in names if name in self._parts]
        for part in parts:
            part.send(signal.SIGTERM)
        end = time.monotonic() + patience
        while any(part.process.poll() is None for part in parts) and time.monotonic() < end and not hurry():
            self._read(0.05)
        for part in parts:
            part.send(signal.SIGKILL)
            part.process.wait()
            self._drain(part)
            self._forget(part)

    def _forget(self, part: Part) -> None:
        for pipe in part.pipes.values():
            self._halves.pop(pipe.fileno(), None)
            with suppress(KeyError):
                self._selector.unregister(pipe)
            pipe.close()
        del self._parts[part.name]

    def _drain(self, part: Part) -> None:
        # Bounded: a process that the part started and left behind would hold its pipes open.
        end = time.monotonic() + 1
        while time.monotonic() < end and any(key.data[0] is part for key in self._selector.get_map().values()):
            self._read(0.05)

    def _read(self, seconds: float) -> None:
        for key, _ in self._selector.select(seconds):
            part, pipe = key.data
            data = os.read(key.fd, 65536)
            *lines, rest = (self._halves.pop(key.fd, b"") + data).split(b"\n")
            if data:
                self._halves[key.fd] = rest
            else:
                self._selector.unregister(key.fileobj)
                lines.append(rest)
            for line in lines:
                self._take(part, pipe, line.decode(errors="replace").rstrip())

    def _take(self, part: Part, pipe: str, line: str) -> None:
        if not line:
            return
        if pipe != "events":
            part.last.append(line)
        self._hear(part.name, pipe, line)
