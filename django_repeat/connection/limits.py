"""What a row of calls to the server may take together, such as those of a process start."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from django_repeat.exceptions import RegistryUnavailable

# A reply that comes within so many seconds is work, not waiting: ten thousand definitions need fifty of them.
QUICK = 0.05
# A socket with a time-out of 0 would not wait at all.
LEAST = 0.001


class Limit:
    """Let calls wait for ``seconds`` in all, replies within ``QUICK`` not counted.

    ``check`` is asked before each, and may raise.
    """

    def __init__(
        self,
        seconds: float = math.inf,
        *,
        check: Callable[[], object] = lambda: None,
        elapsed: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seconds = seconds
        self._left = seconds
        self._check = check
        self._elapsed = elapsed
        self._began = 0.0
        self._waits = self._waited = False

    @contextmanager
    def in_force(self) -> Iterator[None]:
        """Let all calls of this thread in the block be made under this limit."""
        before = _in_force.set(self)
        try:
            yield
        finally:
            _in_force.reset(before)

    @contextmanager
    def call(self, address: str) -> Iterator[None]:
        """Take the block for one call; RegistryUnavailable at once if what was left is used up.

        Its waits are counted; all of it where it has none, since nothing is known of how a client of a site's own does.
        """
        self._check()
        if self._left <= 0:
            raise RegistryUnavailable(f"{address}: slow replies took the {self._seconds:g} s that may be waited in all")
        self._waited = False
        self._began = began = self._elapsed()
        try:
            yield
        finally:
            if not self._waited:
                self._spend(self._elapsed() - began)

    @contextmanager
    def wait(self) -> Iterator[None]:
        """Count the block as waiting. What a wait has inside, such as the greeting of a connection, is part of it."""
        if self._waits:
            yield
            return
        self._waits = self._waited = True
        self._began = self._elapsed()
        try:
            yield
        finally:
            self._waits = False
            self._spend(self._elapsed() - self._began)
            self._began = self._elapsed()

    def _spend(self, seconds: float) -> None:
        if seconds > QUICK:
            self._left -= seconds

    def left(self) -> float:
        """Answer how many seconds the wait in hand may still take."""
        return max(LEAST, self._left - (self._elapsed() - self._began))


_in_force: ContextVar[Limit | None] = ContextVar("limit", default=None)


@contextmanager
def counted(address: str) -> Iterator[None]:
    """Take the block for one call under the limit that is in force, if there is one."""
    limit = _in_force.get()
    if limit is None:
        yield
    else:
        with limit.call(address):
            yield


class _Limited:
    """Put before a connection class of redis-py: it waits no longer than the limit in force has left.

    Each call may wait for half a dozen replies, those of the greeting among them, and each of those for a time-out.
    """

    def connect_check_health(self, *args: Any, **kwargs: Any) -> Any:
        with self._limited():
            return super().connect_check_health(*args, **kwargs)  # type: ignore[misc]

    def send_packed_command(self, *args: Any, **kwargs: Any) -> Any:
        with self._limited():
            return super().send_packed_command(*args, **kwargs)  # type: ignore[misc]

    def read_response(self, *args: Any, **kwargs: Any) -> Any:
        with self._limited():
            return super().read_response(*args, **kwargs)  # type: ignore[misc]

    @contextmanager
    def _limited(self: Any) -> Iterator[None]:
        limit = _in_force.get()
        if limit is None:
            yield
            return
        with limit.wait():
            left, own, socket = limit.left(), self.socket_connect_timeout, self._sock
            self.socket_connect_timeout = min(left, own)
            if socket is not None:
                socket.settimeout(min(left, self.socket_timeout))
            try:
                yield
            finally:
                self.socket_connect_timeout = own
                if socket is not None and socket is self._sock:
                    socket.settimeout(self.socket_timeout)


@cache
def limited(connection_class: type[Any]) -> type[Any]:
    """Answer a connection class of redis-py that keeps to the limit in force."""
    return type(connection_class.__name__, (_Limited, connection_class), {})
