"""``repeat tick``: the process that fires what is due."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

from django.core.management.base import CommandParser

from django_repeat import conf, connection, service, ticking
from django_repeat.management import lookup
from django_repeat.management.arguments import add_queues
from django_repeat.management.output import Output
from django_repeat.management.watching import watched
from django_repeat.ticker import Stop

HELP = "Fire what is due, until it is told to end."
DESCRIPTION = (
    "Register what this code declares, then hand every occurrence that is due to the task engine, until SIGTERM or "
    "SIGINT (Ctrl-C); a second signal ends it at once. Any number may run. Refuses to start on an Error of the checks. "
    "With -v 2 it prints a line for each occurrence. Changed code takes effect when it is started anew."
)
CHECKED = True
WATCHED = 2
"""The verbosity from which on each occurrence has a line."""
DISABLED = f"{conf.NAME}['ENABLED'] is False: nothing is registered and nothing fires."


def add_arguments(parser: CommandParser) -> None:
    """Take ``--once`` and ``--queue``."""
    parser.add_argument("--once", action="store_true", help="Make one pass, print the id of what fired, and end.")
    add_queues(parser)


def run(output: Output, options: Mapping[str, Any]) -> None:
    """Tick once, or until a signal comes."""
    if not conf.current().enabled:
        output.note(DISABLED)
    queues = options["queue"] or None
    for queue in queues or ():
        if complaint := lookup.unknown_queue(queue):
            output.note(f"{complaint} What is registered for it at run time will fire.")
    with watched(output) if output.verbosity >= WATCHED else nullcontext():
        if options["once"]:
            _run_once(output, queues)
        else:
            _run_until_stopped(output, queues)


def _run_once(output: Output, queues: Sequence[str] | None) -> None:
    for occurrence in ticking.once(queues=queues):
        if output.verbosity < WATCHED:
            output.line(occurrence.id)


def _run_until_stopped(output: Output, queues: Sequence[str] | None) -> None:
    stop = Stop()
    with stopped_by_signals(stop):
        address = connection.connect(conf.current().redis, service.PATIENCE).address
        output.progress(f"Ticking {', '.join(queues or service.queues())} on {address}; pid {os.getpid()}.")
        ticking.run(queues=queues, stop=stop)
        output.progress("Ended.")
        # Python collects garbage as it exits, and would walk all that is declared: seconds for many thousands.
        gc.freeze()


@contextmanager
def stopped_by_signals(stop: Stop) -> Iterator[None]:
    """Let the first SIGTERM or SIGINT set ``stop``, and the second end the process without another word."""

    def receive(number: int, frame: object) -> None:
        if stop.is_set():
            # As pid 1 the default disposition would do nothing, and an exception could be caught on its way up.
            os._exit(1)
        stop.set()

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, receive) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
