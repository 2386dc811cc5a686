"""Pause and resume a whole queue: one switch, which lasts as the pause of a schedule does."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import datetime

from django_repeat import service
from django_repeat.answer import Answer
from django_repeat.codec import holes_of, pause_of
from django_repeat.control.deciding import TRIES, Order, ahead_ms, tell
from django_repeat.control.pausing import NOT_PAUSED
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.instants import to_ms
from django_repeat.names import DEFAULT_QUEUE, queue_name
from django_repeat.plan import Holes
from django_repeat.registry import Decisions, Reader

# Of pauses that are over: an entry that nobody could fire during more of them counts older times as missed.
WINDOWS = 50


def pause_all(*, queue: str = DEFAULT_QUEUE, until: datetime | None = None, by: str = "", reason: str = "") -> Answer:
    """Let nothing of a queue fire, whatever is registered meanwhile, until ``resume_all`` or that instant: ``paused``.

    RegistryUnavailable; ValueError for an ``until`` that is naive or has passed.
    """
    order = Order(verb="pause", name="", queue=queue_name(queue), by=by, reason=reason)

    def decide(switch: Mapping[str, str], now: int) -> Mapping[str, str | int]:
        lasts = pause_of(switch, now) is not None
        return {
            "paused": switch["paused"] if lasts else now,
            "paused_until": "" if until is None else ahead_ms("until", until, now),
            "paused_by": order.by,
            "paused_reason": order.reason,
            "holes": switch.get("holes", "") if lasts else _newest(holes_of(switch)),
        }

    _carry_out(order, decide)
    return Answer.PAUSED


def resume_all(*, queue: str = DEFAULT_QUEUE, replay: bool = False, by: str = "", reason: str = "") -> Answer:
    """End the pause of a queue: ``resumed``, or ``unchanged`` if it was not paused. Schedules paused alone stay so.

    ``replay`` as with ``resume``.
    """
    order = Order(verb="resume", name="", queue=queue_name(queue), by=by, reason=reason)

    def decide(switch: Mapping[str, str], now: int) -> Mapping[str, str | int] | None:
        if pause_of(switch, now) is None:
            return None
        own = Holes.read(switch.get("holes", ""))
        window = [] if replay else [(int(switch["paused"]), now)]
        return {**NOT_PAUSED, "holes": _newest(Holes.of([*own.windows, *window]))}

    return Answer.RESUMED if _carry_out(order, decide, replay=replay) else Answer.UNCHANGED


_How = Callable[[Mapping[str, str], int], "Mapping[str, str | int] | None"]


def _carry_out(order: Order, decide: _How, *, replay: bool = False) -> bool:
    token = secrets.token_hex(8)
    store = service.store(order.queue)
    for _ in range(TRIES):
        switch, now = Reader(store).switch(), to_ms(service.now(queue=order.queue))
        fields = decide(switch, now)
        if fields is None:
            return False
        line = order.line(now, until=fields["paused_until"], replay=replay or None)
        if Decisions(store).switch(switch.get("rev", ""), fields, line, token) == "ok":
            tell(order, whole_queue=True)
            return True
    raise RegistryUnavailable(f"Queue {order.queue!r}: its switch kept changing while it was looked at.", answered=True)


def _newest(holes: Holes) -> str:
    return str(Holes(holes.windows[-WINDOWS:]))
