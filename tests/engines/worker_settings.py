"""Settings of the processes in test_processes: django-tasks-db as the one backend, without a queue called default."""

from tests.settings import *  # noqa: F403
from tests.settings import DATABASES

DATABASES["default"]["OPTIONS"] = {"timeout": 20, "transaction_mode": "IMMEDIATE"}

TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": ["reports"],
        "OPTIONS": {"id_function": "django_repeat.occurrence.result_id"},
    }
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"console": {"class": "logging.StreamHandler"}},
    "loggers": {"django_repeat": {"handlers": ["console"], "level": "INFO"}},
}
