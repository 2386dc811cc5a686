"""Print each figure beside its bare floor, taken in the same run: ``python -m bench``."""

from __future__ import annotations

import importlib
import os
import platform
import sys
from collections.abc import Callable, Iterator, Sequence

import django
import redis

from bench.figures import HEAD, Figure, row
from bench.options import Options, arguments, options
from django_repeat.testing.server import start_server

PARTS = {
    "register": "bench.registering",
    "tick": "bench.claiming",
    "memory": "bench.memory",
    "idle": "bench.idling",
    "lateness": "bench.lateness",
    "carry": "bench.carrying",
}
SCALE = """\
The floor is the same scripts with the same arguments, called from plain redis-py with nothing around them; a ratio is
ours as a part of the floor's rate, or ours to the floor's bytes. For scale, on a machine of two shared cores: redbeat
dispatches 1,700 a second with a send that does nothing, django-celery-beat 90 with 10,000 schedules; redbeat carries
on after 25 s with a lock of 25 s (its default is 25 minutes)."""


def main(argv: Sequence[str] | None = None) -> int:
    """Measure the chosen parts on a server of this run's own, and print the table."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "bench.settings"
    django.setup()
    given = arguments(list(PARTS), argv)
    with start_server() as server:
        if not server.ours:
            print("The benchmark empties its server: it runs on one of its own only; unset REPEAT_TEST_SERVER.")
            return 2
        print(environment(server.url), "\n")
        print(row(HEAD))
        for part in given.only:
            show(part, options(server.url, size=given.size, quick=given.quick))
    print(f"\n{SCALE}")
    load = os.getloadavg()[0]
    if load > (os.cpu_count() or 1):
        print(f"\nThe machine was busy (load {load:.1f}): trust ratios and processor time more than rates.")
    return 0


def show(part: str, chosen: Options) -> None:
    """Print the rows of one part; what keeps it from being measured is printed in their place."""
    measure: Callable[[Options], Iterator[Figure]] = importlib.import_module(PARTS[part]).measure
    try:
        for figure in measure(chosen):
            print(row(figure.cells), flush=True)
    except Exception as error:  # noqa: BLE001 - the other parts can still be measured
        print(f"{part}: not measured: {type(error).__name__}: {error}", flush=True)


def environment(url: str) -> str:
    """Answer a line about what the figures depend on."""
    with redis.Redis.from_url(url) as client:
        info = client.info("server")
    name = "valkey" if "valkey_version" in info else "redis"
    parser = redis.connection.DefaultParser.__name__
    return ", ".join(
        [
            f"Python {platform.python_version()}",
            f"Django {django.get_version()}",
            f"redis-py {redis.__version__} ({'with' if 'Hiredis' in parser else 'without'} hiredis)",
            f"{name} {info[f'{name}_version']}",
            f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
