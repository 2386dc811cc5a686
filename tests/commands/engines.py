"""Engines for sites under test, by dotted path."""

from __future__ import annotations

from django_repeat import Occurrence


class Down:
    """An engine whose broker does not answer."""

    def enqueue(self, occurrence: Occurrence) -> str:
        raise OSError("the broker is down")
