"""Put a ticker together from the settings, and run it."""

from __future__ import annotations

import logging
import os
import socket
import uuid
from collections.abc import Sequence
from functools import partial

from django_repeat import conf, connection, service
from django_repeat.dispatch import Dispatcher
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.occurrence import Occurrence
from django_repeat.registry import Claims, Heartbeats, Ticker
from django_repeat.ticker import Loop, QueueTicker, Skew, Stop

logger = logging.getLogger("django_repeat")


def run(*, queues: Sequence[str] | None = None, stop: Stop) -> None:
    """Register what this code declares, then tick until ``stop`` is set; Redis away is waited out.

    ``queues`` are those of declared schedules and QUEUES unless given. With ``"ENABLED": False`` it only waits.
    InvalidSettings if DJANGO_REPEAT is wrong.
    """
    settings = conf.current()
    if not settings.enabled:
        logger.info("ticker idle: %s['ENABLED'] is False, so nothing fires", conf.NAME)
        while not stop.wait(3_600):
            pass
        return
    name, skew = uuid.uuid4().hex, Skew()
    pairs = [
        (_queue_ticker(name, queue, skew, stop), Heartbeats(service.store(queue, timeout=service.PATIENCE)))
        for queue in queues or service.queues()
    ]
    Loop(
        ticker=Ticker(id=name, host=socket.gethostname(), pid=os.getpid()),
        queues=pairs,
        register=partial(_register, settings.register, queues, connection.Limit(check=stop.check)),
        stop=stop,
    ).run()


def once(*, queues: Sequence[str] | None = None) -> list[Occurrence]:
    """Register what this code declares, tick each queue once, and answer what fired; RegistryUnavailable passes."""
    settings = conf.current()
    if not settings.enabled:
        return []
    _register(settings.register, queues, connection.Limit())
    return tick(queues=queues)


def tick(*, queues: Sequence[str] | None = None) -> list[Occurrence]:
    """Tick each queue once, without registering, and answer what fired; RegistryUnavailable passes."""
    name, skew = uuid.uuid4().hex, Skew()
    fired = []
    for queue in queues or service.queues():
        fired += _queue_ticker(name, queue, skew).tick().fired
    return fired


def _queue_ticker(name: str, queue: str, skew: Skew, stop: Stop | None = None) -> QueueTicker:
    settings = conf.current()
    return QueueTicker(
        queue=queue,
        ticker=name,
        claims=Claims(service.store(queue, timeout=service.PATIENCE)),
        dispatcher=Dispatcher(lasting=stop is not None),
        lease=settings.lease,
        batch=settings.batch,
        stopped=(lambda: False) if stop is None else stop.is_set,
        skew=skew,
    )


def _register(mode: str, queues: Sequence[str] | None, limit: connection.Limit) -> None:
    if mode == "manual":
        return
    trouble = None
    for queue in queues or service.queues():
        try:
            with limit.in_force():
                service.sync(queue=queue, timeout=service.PATIENCE)
        except RegistryUnavailable as error:
            # One queue whose key is of another type does not keep the others out.
            if not error.answered:
                raise
            trouble = error
    if trouble:
        raise trouble
