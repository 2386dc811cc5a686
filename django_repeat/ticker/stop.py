"""How a loop is told to end."""

from __future__ import annotations

import os
import select


class Stopped(Exception):
    """What was going on ends here, since the loop is to end."""


class Stop:
    """A flag that a signal handler may set while the main thread waits on it.

    ``threading.Event`` cannot serve: its ``set`` takes a lock that the interrupted ``wait`` may hold.
    """

    def __init__(self) -> None:
        self._flag = False
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)

    def set(self) -> None:
        """Ask the loop to end. Safe in a signal handler and in any thread; may be called again."""
        if not self._flag:
            self._flag = True
            os.write(self._write, b"x")

    def is_set(self) -> bool:
        """Answer whether the loop is to end."""
        return self._flag

    def check(self) -> None:
        """Raise Stopped if the loop is to end."""
        if self._flag:
            raise Stopped

    def wait(self, seconds: float) -> bool:
        """Sleep until ``set`` or for ``seconds``; answer ``is_set()``."""
        if not self._flag and seconds > 0:
            select.select([self._read], [], [], seconds)
        return self._flag

    def __del__(self) -> None:
        for end in (self._read, self._write):
            os.close(end)
