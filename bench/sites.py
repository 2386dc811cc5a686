"""The site that is measured: its schedules and its settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.test import override_settings

NOTHING = "bench.engines.Nothing"
WRITER = "bench.engines.Writer"
DEFAULT, BARE = "default", "bare"


def schedules(count: int, **fields: Any) -> dict[str, dict[str, Any]]:
    """Answer so many declarations such as a site has them; every minute and due at once, unless ``fields`` differ."""
    queue = fields.get("queue", DEFAULT)
    return {
        f"{queue}.region-{number:05d}": {
            "task": "reports.tasks.refresh",
            "every": "1m",
            "kwargs": {"region": number, "deep": False},
            **fields,
        }
        for number in range(count)
    }


def site(url: str, **changes: Any) -> dict[str, Any]:
    """Answer DJANGO_REPEAT of the site; its engine does nothing unless ``changes`` name another."""
    return {"REDIS": url, "ENGINE": NOTHING, **changes}


@contextmanager
def settings(url: str, declared: Mapping[str, Any], **changes: Any) -> Iterator[None]:
    """Let this process be one of the site's, with these SCHEDULES."""
    with override_settings(DJANGO_REPEAT=site(url, SCHEDULES=declared, **changes)):
        yield


def empty(client: Any) -> None:
    """Empty the server, and return when its memory is free: Valkey would free it behind what is measured next."""
    client.execute_command("FLUSHALL", "SYNC")
