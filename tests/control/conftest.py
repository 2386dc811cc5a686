from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.ticker import support


@pytest.fixture(autouse=True)
def script(repeat_registry: object) -> Iterator[support.Script]:
    """The engine of every test here; it takes everything unless the test says otherwise."""
    support.SCRIPT.__init__()  # type: ignore[misc]
    with support.scripted():
        yield support.SCRIPT
