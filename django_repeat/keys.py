"""Names of the keys in Redis. Nothing else in the package spells one.

The braces make the queue the cluster's hash tag, so a queue lives in one slot. Everything that is not a record has a
dot where a record has a colon, so no schedule name can collide with it.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Keys:
    """The keys of one queue, as bytes. A name that is no UTF-8 came from Redis, and goes back as it was."""

    prefix: str
    queue: str
    schedules: bytes = field(init=False)
    tickers: bytes = field(init=False)
    switch: bytes = field(init=False)
    log: bytes = field(init=False)

    def __post_init__(self) -> None:
        root = f"{self.prefix}:{{{self.queue}}}:repeat".encode()
        object.__setattr__(self, "schedules", root)
        object.__setattr__(self, "tickers", root + b".tickers")
        object.__setattr__(self, "switch", root + b".switch")
        object.__setattr__(self, "log", root + b".log")
        object.__setattr__(self, "_record", root + b":")
        object.__setattr__(self, "_runs", root + b".runs:")

    def record(self, name: str) -> bytes:
        """Answer the key of the hash that holds one entry."""
        return self._record + raw(name)  # type: ignore[attr-defined, no-any-return]

    def runs(self, name: str) -> bytes:
        """Answer the key of the list that holds one entry's run log."""
        return self._runs + raw(name)  # type: ignore[attr-defined, no-any-return]

    def ticker(self, ticker: str) -> bytes:
        """Answer the key of the hash that holds one ticker's heartbeat."""
        return self.schedules + b".ticker:" + raw(ticker)


def raw(text: str) -> bytes:
    """Answer the bytes that Redis holds for ``text``, also for half a surrogate pair in an error message."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def text(value: bytes | str) -> str:
    """Answer the text of what Redis sent, whatever bytes a stranger wrote there."""
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
