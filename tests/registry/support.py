"""One queue of a test's registry, looked at through the verbs, and as a stranger with a plain client does."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import redis

from django_repeat import Schedule, clock, service
from django_repeat.answer import Answer
from django_repeat.keys import Keys
from django_repeat.registry import Claim, Claims, Definitions, Outcome, Reader, Refusal, Release, Settlement, Store

# 2026-06-03T10:00:00Z
T = 1_780_480_800_000
SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
LEASE = 30_000


def hourly(name: str = "hourly", **fields: Any) -> Schedule:
    """Answer a schedule on the hour."""
    return Schedule(name, **{"cron": "0 * * * *", "timezone": "UTC", "task": "shop.tasks.count", **fields})


@dataclass(frozen=True)
class Box:
    """A queue of the registry, and a client of its server that decodes nothing."""

    store: Store
    client: redis.Redis

    @property
    def keys(self) -> Keys:
        return self.store.keys

    @property
    def definitions(self) -> Definitions:
        return Definitions(self.store)

    @property
    def claims(self) -> Claims:
        return Claims(self.store)

    @property
    def reader(self) -> Reader:
        return Reader(self.store)

    def put(self, schedule: Schedule, at: int = T, source: str = "code") -> Answer:
        """Upsert one schedule at that instant."""
        with clock.freeze(at):
            return self.definitions.upsert([(schedule, source)])[schedule.name]

    def cancel(self, name: str) -> Answer:
        return self.definitions.cancel(name)

    def score(self, name: str) -> float | None:
        return self.client.zscore(self.keys.schedules, name)

    def record(self, name: str) -> dict[str, str]:
        found = self.client.hgetall(self.keys.record(name))
        return {key.decode(): value.decode("utf-8", "surrogateescape") for key, value in found.items()}

    def set(self, name: str, **fields: object) -> None:
        """Write fields of a record as nobody should."""
        self.client.hset(self.keys.record(name), mapping=fields)

    def runs(self, name: str) -> list[dict[str, Any]]:
        return self.reader.runs(name)

    def outcomes(self, name: str) -> list[str]:
        return [one["outcome"] for one in self.runs(name)]

    def everything(self) -> dict[bytes, bytes]:
        """Answer every key under the prefix with its serialised value: what two pictures tell apart did change."""
        found = self.client.keys(f"{self.keys.prefix}*")
        return {key: self.client.dump(key) for key in sorted(found)}

    def claim(self, at: int, token: str, *names: str, lease: int = LEASE, seen: str | None = None) -> list[Any]:
        """Claim at that instant what is due, or those names as they are scored now."""
        with clock.freeze(at):
            due: Iterable[tuple[str, str]] = self.claims.due(0, 100).names
            if names:
                due = [(name, seen or str(self.client.zscore(self.keys.schedules, name) or 0)) for name in names]
            return self.claims.claim(token, lease, list(due))

    def win(self, at: int, token: str, name: str = "hourly") -> Claim:
        """Claim one entry that is there to be won."""
        (claim,) = self.claim(at, token, name)
        assert isinstance(claim, Claim), claim
        return claim

    def refused(self, at: int, token: str, name: str = "hourly", seen: str | None = None) -> str:
        (refusal,) = self.claim(at, token, name, seen=seen)
        assert isinstance(refusal, Refusal), refusal
        return refusal.why

    def settle(self, at: int, claim: Claim, following: int | None, **fields: Any) -> Outcome:
        """Settle a claim as fired on time, unless the fields say otherwise."""
        with clock.freeze(at):
            return self.claims.settle([fired(claim, following, **fields)])[0]

    def release(self, at: int, claim: Claim, **fields: Any) -> Outcome:
        with clock.freeze(at):
            return self.claims.release([Release(name=claim.name, token=claim.token, nominal=claim.nominal, **fields)])[
                0
            ]


def fired(claim: Claim, following: int | None, **fields: Any) -> Settlement:
    """Answer the settlement of a claim whose one occurrence fired, with a run log line."""
    usual = {
        "name": claim.name,
        "token": claim.token,
        "nominal": claim.nominal,
        "next": following,
        "fired": 1,
        "missed": 0,
        "fired_nominal": claim.nominal,
        "fired_at": claim.now,
        "result": f"result-{claim.nominal}",
        "lines": [f'{{"nominal":{claim.nominal},"outcome":"fired"}}'],
    }
    return Settlement(**{**usual, **fields})


def box(queue: str, url: str) -> Box:
    return Box(service.store(queue, timeout=service.PATIENCE), redis.Redis.from_url(url))
