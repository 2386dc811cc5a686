"""A registry for the tests' process and its forks, and children that are ended whatever becomes of the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from tests.processes.children import Children
from tests.processes.engines import PATH


@pytest.fixture
def children(tmp_path: Path) -> Iterator[Children]:
    found = Children(tmp_path)
    try:
        yield found
    finally:
        found.end()


@pytest.fixture
def choose(raw: redis.Redis, settings: Any) -> Callable[..., None]:
    """Answer a function that sets DJANGO_REPEAT for this process and its forks."""

    def choose(**further: Any) -> None:
        settings.DJANGO_REPEAT = {"REDIS": "repeat", "ENGINE": PATH, **further}

    choose()
    return choose
