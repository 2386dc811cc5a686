"""One typical call of every verb, and how many keys and arguments its header makes of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django_repeat import clock
from django_repeat.registry import Claims, Decision, Decisions, Definitions, Heartbeats, Reader, Release, Ticker
from django_repeat.scripts import Scripts
from tests.registry.support import HOUR, LEASE, Box, T, fired, hourly

DUE = T + HOUR
TICKER = Ticker(id="me", host="here", pid=1)
# every field that hourly() stores, with its value: cron, tz, template, source, digest, v
DEFINITION = 2 * 6


@dataclass
class Tape:
    """Real scripts whose calls are kept."""

    scripts: Scripts
    calls: list[tuple[str, Sequence[bytes], list[Any]]] = field(default_factory=list)

    def call(self, verb: str, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
        self.calls.append((verb, keys, list(args)))
        return self.scripts.call(verb, keys, args)


@dataclass(frozen=True)
class Call:
    """A verb called by ``make``; ``keys`` and ``args`` (without the clock, which is always the first) are counts."""

    id: str
    keys: int
    args: int
    make: Callable[[Box, Box], Any]
    at: int = DUE

    @property
    def verb(self) -> str:
        return self.id.split()[0]

    def made(self, registry: Box) -> tuple[Sequence[bytes], list[Any]]:
        """Make the call on a registry with two hourly entries, a and b; answer the keys and arguments sent."""
        for name in ("a", "b"):
            registry.put(hourly(name))
        tape = Tape(registry.store.scripts)
        taped = Box(replace(registry.store, scripts=tape), registry.client)
        with clock.freeze(self.at):
            self.make(registry, taped)
        (sent,) = [call for call in tape.calls if call[0] == self.verb]
        return sent[1], sent[2]


def _claims(registry: Box) -> list[Any]:
    return registry.claim(DUE, "x:1", "a", "b")


def _release(registry: Box, taped: Box, **fields: Any) -> None:
    Claims(taped.store).release(
        [Release(name=one.name, token=one.token, nominal=one.nominal, **fields) for one in _claims(registry)]
    )


CALLS = (
    Call("register", 2, 3 + DEFINITION, lambda _, taped: taped.definitions.register(hourly("new"), "dynamic")),
    Call("compare", 3, 2, lambda _, taped: taped.definitions.upsert([(hourly("a"), "code"), (hourly("b"), "code")])),
    Call(
        "upsert of what is idle",
        3,
        1 + 2 * (9 + DEFINITION),
        lambda _, taped: taped.definitions.upsert([(hourly(name, args=[1]), "code") for name in "ab"]),
        T,
    ),
    Call(
        "upsert of what is due",
        5,
        1 + 2 * (9 + 2 + DEFINITION),
        lambda _, taped: taped.definitions.upsert([(hourly(name, cron="5 * * * *"), "code") for name in "ab"]),
    ),
    Call("due", 2, 2, lambda _, taped: taped.claims.due(0, 10)),
    Call("claim", 4, 2 + 2, lambda _, taped: taped.claims.claim("x:1", LEASE, [("a", str(DUE)), ("b", str(DUE))])),
    Call(
        "settle",
        5,
        1 + 2 * (3 + 1),
        lambda box, taped: taped.claims.settle([fired(claim, DUE + HOUR) for claim in _claims(box)]),
    ),
    Call(
        "settle of the last",
        5,
        1 + 2 * (3 + 1),
        lambda box, taped: taped.claims.settle([fired(claim, None, digest="d") for claim in _claims(box)]),
    ),
    Call(
        "settle without run log",
        3,
        1 + 2 * 3,
        lambda box, taped: Claims(replace(taped.store, history=0)).settle(
            [fired(one, DUE + HOUR) for one in _claims(box)]
        ),
    ),
    Call("release", 3, 1 + 2 * 6, _release),
    Call(
        "release with a line",
        5,
        1 + 2 * (6 + 1),
        lambda box, taped: _release(box, taped, backoff=1_000, error="down", broken="why", lines=["{}"]),
    ),
    Call("amend", 2, 8, lambda _, taped: Decisions(taped.store).amend(Decision(name="a"))),
    Call(
        "amend with a line and a field",
        3,
        8 + 1 + 2,
        lambda _, taped: Decisions(taped.store).amend(Decision(name="a", lines=["{}"], fields={"paused": 1})),
    ),
    Call("switch", 2, 4 + 2, lambda _, taped: Decisions(taped.store).switch("", {"paused": 1}, "{}", "t")),
    Call("cancel", 3, 1, lambda _, taped: Definitions(taped.store).cancel("a")),
    Call("page", 1, 3, lambda _, taped: Reader(taped.store).names()),
    Call("records", 4, 2, lambda _, taped: Reader(taped.store).entries(["a", "b"])),
    Call("runs", 1, 0, lambda _, taped: Reader(taped.store).runs("a")),
    Call("heartbeat", 2, 2 + 4, lambda _, taped: Heartbeats(taped.store).beat(TICKER, 30_000)),
    Call("heartbeat at the end", 2, 2, lambda _, taped: Heartbeats(taped.store).end(TICKER)),
)
