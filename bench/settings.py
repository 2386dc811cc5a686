"""Settings of the benchmark and of the tickers that it starts; those learn DJANGO_REPEAT from the environment."""

from __future__ import annotations

import json
import os

SECRET_KEY = "bench"
USE_TZ = True
TIME_ZONE = "UTC"
INSTALLED_APPS = ["django_repeat"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
# As in production: every signal has its receiver, and what is below WARNING is not written.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {
        "django_repeat": {"handlers": ["console"], "level": os.environ.get("BENCH_LOG", "WARNING"), "propagate": False}
    },
}
DJANGO_REPEAT = json.loads(os.environ.get("BENCH_SITE", "{}"))
