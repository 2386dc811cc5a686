"""Django's application configuration: what happens when a process has loaded its apps."""

from __future__ import annotations

import os
import sys

from django.apps import AppConfig

from django_repeat import checks, log, startup
from django_repeat.declarations import declarations
from django_repeat.process import role_of


class RepeatConfig(AppConfig):
    """Connect checks and log lines, and hand the start of the process to ``startup``."""

    name = "django_repeat"
    verbose_name = "Recurring schedules"

    def ready(self) -> None:
        checks.connect()
        log.connect()
        declarations.awaited = checks.follow(sys.argv)
        startup.begin(role_of(sys.argv, os.environ))
