"""A task that no process of the tests knows: nothing imports this module."""

from __future__ import annotations

from tests.engines.work import task


@task
def unknown() -> None:
    """Do nothing."""
