"""The clock is the Redis server's; this module only holds the instant that a test put in its place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_lock = threading.Lock()
_frozen: list[int] = []


def frozen() -> int | None:
    """Answer the instant in milliseconds that stands for the server's clock, or None for the real one."""
    return _frozen[-1] if _frozen else None


@contextmanager
def freeze(ms: int) -> Iterator[None]:
    """Let every verb and ticker of this process, in all its threads, see ``ms`` as the server's time."""
    with _lock:
        _frozen.append(ms)
    try:
        yield
    finally:
        with _lock:
            _frozen.remove(ms)
