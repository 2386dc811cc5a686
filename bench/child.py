"""A process that ticks until its standard input ends: ``python -m bench.child package QUEUE`` or ``… bare QUEUE``.

It says "ready" before it begins, and answers each line that it reads with the processor seconds that it has used.
"""

from __future__ import annotations

import sys
import threading
import time

import django

from bench import bare
from django_repeat import ticking
from django_repeat.ticker import Stop


def main(kind: str, queue: str) -> None:
    """Tick ``queue`` with the package, or with the floor."""
    django.setup()
    stop = Stop()
    threading.Thread(target=_listen, args=[stop], daemon=True).start()
    print("ready", flush=True)
    if kind == "package":
        ticking.run(queues=[queue], stop=stop)
    else:
        bare.run(queue, stop)


def _listen(stop: Stop) -> None:
    for _ in sys.stdin:
        print(time.process_time(), flush=True)
    stop.set()


if __name__ == "__main__":
    main(*sys.argv[1:])
