"""Heartbeats: which tickers live. They expire by themselves."""

from __future__ import annotations

from dataclasses import dataclass

from django_repeat.keys import raw
from django_repeat.registry.store import Store


@dataclass(frozen=True, kw_only=True)
class Ticker:
    """Who ticks: an id of its own, and the host and process it runs in."""

    id: str
    host: str
    pid: int


class Heartbeats:
    """Say that a ticker of one queue lives."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def beat(self, ticker: Ticker, ttl: int) -> int:
        """Say that it lives for ``ttl`` ms from now; answer how many tickers do."""
        fields: list[object] = ["host", raw(ticker.host), "pid", ticker.pid]
        return self._call(ticker, ttl, fields)

    def end(self, ticker: Ticker) -> int:
        """Say that it has ended; answer how many tickers live."""
        return self._call(ticker, 0, [])

    def _call(self, ticker: Ticker, ttl: int, fields: list[object]) -> int:
        keys = [self._store.keys.tickers, self._store.keys.ticker(ticker.id)]
        return int(self._store.scripts.call("heartbeat", keys, [ticker.id, ttl, *fields]))
