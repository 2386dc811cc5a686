from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.registry.support import Box, box


@pytest.fixture
def registry(repeat_registry: Any) -> Iterator[Box]:
    """The queue ``default`` of an empty registry."""
    found = box("default", repeat_registry.url)
    yield found
    keys = found.client.keys(f"{repeat_registry.prefix}*")
    if keys:
        found.client.delete(*keys)
    found.client.close()
