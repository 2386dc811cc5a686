"""Reading: entries by rank or name, run logs, tickers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django_repeat.codec import count, entry, lines
from django_repeat.entry import Entry
from django_repeat.keys import raw, text
from django_repeat.registry.store import Store

# A script blocks the server: so many records take it a few milliseconds.
CHUNK = 500


class Reader:
    """Read one queue; nothing here writes, and nothing walks the keyspace."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def now(self) -> int:
        """Answer the server's time in milliseconds."""
        return int(self._store.call("page", [], [0, 0, "asc"])[0])

    def count(self) -> int:
        """Answer the number of entries, in constant time."""
        return int(self._store.call("page", [], [0, 0, "asc"])[1])

    def names(self, offset: int = 0, limit: int = -1, *, descending: bool = False) -> list[str]:
        """Answer names by score; ``limit`` -1 for all from ``offset`` on."""
        limit = 2**53 if limit < 0 else limit
        reply = self._store.call("page", [], [offset, limit, "desc" if descending else "asc"])[2]
        return [text(name) for name in reply[::2]]

    def entries(self, names: Sequence[str]) -> list[Entry]:
        """Answer the entries of these names in this order; names that the registry lacks are left out."""
        found: list[Entry] = []
        for start in range(0, len(names), CHUNK):
            chunk = names[start : start + CHUNK]
            keys = [self._store.keys.switch, *map(self._store.keys.record, chunk)]
            now, switch, *records = self._store.call("records", keys, [*map(raw, chunk)])
            whole = _fields(switch)
            for name, one in zip(chunk, records, strict=True):
                score, kind, fields = _record(one)
                if score is not None or kind != "none":
                    found.append(entry(name, self._store.keys.queue, (score, kind, fields), int(now), whole))
        return found

    def switch(self) -> dict[str, str]:
        """Answer the switch of the queue as stored; empty if it was never used."""
        return _fields(self._store.call("records", [self._store.keys.switch], [])[1])

    def page(self, offset: int, limit: int) -> list[Entry]:
        """Answer the entries of one page by score."""
        return self.entries(self.names(offset, limit))

    def runs(self, name: str) -> list[dict[str, Any]]:
        """Answer the run log of an entry, newest first."""
        stored = self._store.scripts.call("runs", [self._store.keys.runs(name)])
        return lines([text(one) for one in stored])

    def tickers(self) -> list[dict[str, Any]]:
        """Answer the heartbeats of the tickers that live; instants in milliseconds."""
        reply = self._store.scripts.call("page", [self._store.keys.tickers], [0, 1_000, "asc"])
        now, ids = int(reply[0]), [text(one) for one in reply[2][::2]]
        if not ids:
            return []
        keys = [self._store.keys.tickers, self._store.keys.switch, *map(self._store.keys.ticker, ids)]
        found = self._store.scripts.call("records", keys, [*map(raw, ids)])[2:]
        alive = []
        for ticker, one in zip(ids, found, strict=True):
            expiry, _, fields = _record(one)
            if fields and float(expiry or 0) > now:
                numbers = {key: count(fields, key) for key in ("pid", "started", "last_tick")}
                alive.append({"id": ticker, "host": fields.get("host", ""), **numbers})
        return alive


def _record(reply: Sequence[Any]) -> tuple[str | None, str, dict[str, str]]:
    score, kind, pairs = reply
    return (None if score is None else text(score)), text(kind), _fields(pairs)


def _fields(pairs: Sequence[Any]) -> dict[str, str]:
    return {text(pairs[i]): text(pairs[i + 1]) for i in range(0, len(pairs), 2)}
