"""Settings for the tests.

A process that a test starts reads the same settings: the server's URL and the database file reach it by environment.
"""

import os

import django

SECRET_KEY = "tests"
DEBUG = False
ALLOWED_HOSTS = ["*"]
USE_TZ = True
TIME_ZONE = "UTC"
ROOT_URLCONF = "tests.urls"
STATIC_URL = "static/"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Django has Tasks from 6.0; before, the backport has them under another name.
TASKS_LIBRARY = "django.tasks" if django.VERSION >= (6, 0) else "django_tasks"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    *(["django_tasks"] if TASKS_LIBRARY == "django_tasks" else []),
    "django_tasks_db",
    "django_repeat",
]

MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
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

DATABASES = {
    "default": {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": os.environ.get("REPEAT_TEST_DATABASE", ":memory:"),
    },
}

# Without the fixture `redis_url` nothing listens here, so a test that forgot it fails at once.
CACHES = {
    "default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
    "repeat": {
        "BACKEND": "django_redis.cache.RedisCache",
        "LOCATION": os.environ.get("REPEAT_TEST_URL", "redis://127.0.0.1:1/0"),
    },
}

# No queue list: the backend then takes any queue.
TASKS = {"default": {"BACKEND": f"{TASKS_LIBRARY}.backends.dummy.DummyBackend", "QUEUES": []}}

DJANGO_REPEAT = {"REDIS": "repeat"}

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
