from __future__ import annotations

from collections.abc import Iterator

import pytest

from django_repeat import connection


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """Give every test connections of its own."""
    connection.forget()
    yield
    connection.forget()
