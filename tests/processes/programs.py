"""The programs of a site under test, and their environment."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from tests.processes.children import REPOSITORY

MANAGE = [sys.executable, "-m", "django"]
TICK = [*MANAGE, "repeat", "tick"]


def environment(site: Mapping[str, Any], **variables: str) -> dict[str, str]:
    """Answer the environment of a process of a site with these DJANGO_REPEAT settings, in any directory."""
    return {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "tests.processes.site",
        "PYTHONPATH": str(REPOSITORY),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "REPEAT_TEST_SITE": json.dumps(site),
        **variables,
    }


def log_lines(printed: Iterable[str]) -> list[tuple[str, str]]:
    """Answer the level and text of the lines of our own logger."""
    found = []
    for line in printed:
        level, _, rest = line.partition(" ")
        if rest.startswith("django_repeat "):
            found.append((level, rest.partition(" ")[2]))
    return found
