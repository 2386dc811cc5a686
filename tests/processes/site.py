"""Settings of a site in processes of its own: what a test hands over by environment, and log lines with their level."""

import ctypes
import json
import os
import signal
import sys

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES, MIDDLEWARE

if os.environ.get("RUN_MAIN") == "true" and sys.platform == "linux":
    # The child of runserver's autoreloader would outlive a parent that is killed; 1 is PR_SET_PDEATHSIG.
    ctypes.CDLL(None).prctl(1, signal.SIGKILL.value)

ROOT_URLCONF = "tests.processes.web"
WSGI_APPLICATION = "tests.processes.wsgi.application"
MIDDLEWARE = [*MIDDLEWARE, "tests.processes.web.AsSuperuser"]

# A writer that has to wait gives up soon: the default of five seconds is longer than a test.
DATABASES["default"]["OPTIONS"] = {"timeout": 0.3, "transaction_mode": "IMMEDIATE"}
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": [],
        "OPTIONS": {"id_function": "django_repeat.occurrence.result_id"},
    }
}

DJANGO_REPEAT = {"REDIS": "repeat", **json.loads(os.environ.get("REPEAT_TEST_SITE", "{}"))}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"levels": {"format": "%(levelname)s %(name)s %(message)s"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "levels"}},
    "loggers": {"django_repeat": {"handlers": ["console"], "level": "INFO"}},
}
