"""For the tests of sites with schedules: ``freeze``, ``tick``, ``recording``, and the fixture ``repeat_registry``."""

from __future__ import annotations

from django_repeat.testing.moments import freeze, tick
from django_repeat.testing.recorder import recording
from django_repeat.testing.server import Server, start_server

__all__ = ["Server", "freeze", "recording", "start_server", "tick"]
