"""A site with recurring schedules. What django-repeat needs is in the last third; the rest is any Django site."""

import os
from datetime import timedelta
from pathlib import Path

import django

BASE_DIR = Path(__file__).resolve().parent.parent

SECRET_KEY = "an example has no secrets"
DEBUG = True
ALLOWED_HOSTS = ["127.0.0.1", "localhost"]
ROOT_URLCONF = "config.urls"
STATIC_URL = "static/"
USE_TZ = True
TIME_ZONE = "Europe/Berlin"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Tasks are part of Django from 6.0 on; before, the package django-tasks has them.
TASKS_APPS = [] if django.VERSION >= (6, 0) else ["django_tasks"]

INSTALLED_APPS = [
    "greenhouse",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    *TASKS_APPS,
    "django_tasks_db",
    "django_repeat",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

# Site, ticker and worker write at the same time: a write-ahead log lets readers go on, and a transaction that takes
# its lock at the start waits for its turn instead of failing.
DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": BASE_DIR / "db.sqlite3",
        "OPTIONS": {
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
            "transaction_mode": "IMMEDIATE",
            "timeout": 20,
        },
    },
}

# What runs the tasks: `manage.py db_worker`. With this id function an occurrence that is handed over twice, say after
# a ticker died, is one row and runs once.
TASKS = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "OPTIONS": {"id_function": "django_repeat.occurrence.result_id"},
    },
}

# The registry has a Redis database of its own: clearing a cache empties the whole database that it lives in.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "repeat": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/1"),
    },
}

# Schedules may be declared here, above the task (greenhouse/tasks.py), or when an app is ready (greenhouse/apps.py).
# `manage.py repeat tick` fires them.
DJANGO_REPEAT = {
    "REDIS": "repeat",
    "PREFIX": "greenhouse",
    "SCHEDULES": {
        "greenhouse.water": {
            "task": "greenhouse.tasks.water",
            "every": timedelta(seconds=10),
            "kwargs": {"below": 40},
        },
        "greenhouse.prune": {
            "command": "prune_readings",
            "every": "30s",
            "kwargs": {"keep": 200},
        },
    },
}
