"""The settings for ``make demo``: a database in DEMO_DIR, keys of its own in Redis, and lines for the screen."""

import os
from pathlib import Path

from .settings import *  # noqa: F403
from .settings import DATABASES, DJANGO_REPEAT, INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "demo.apps.DemoConfig"]

if "DEMO_DIR" in os.environ:
    DATABASES["default"]["NAME"] = Path(os.environ["DEMO_DIR"]) / "db.sqlite3"

# REDIS_URL may name a server that others use too.
DJANGO_REPEAT = {**DJANGO_REPEAT, "PREFIX": "greenhouse-demo"}

# The demo shows what fires and what runs; of the logs, only what went wrong.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"short": {"format": "{levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "errors": {"class": "logging.StreamHandler", "formatter": "short", "level": "ERROR"},
        "warnings": {"class": "logging.StreamHandler", "formatter": "short", "level": "WARNING"},
    },
    "root": {"handlers": ["errors"]},
    "loggers": {
        "django": {"handlers": ["errors"], "propagate": False},
        "django.server": {"handlers": ["errors"], "propagate": False},
        "django_repeat": {"handlers": ["warnings"], "propagate": False},
    },
}
