"""Settings of the processes that the tests here start; where their registry is comes by environment."""

import os

from tests.settings import *  # noqa: F403

STATIC_ROOT = os.environ.get("REPEAT_TEST_STATIC", "")
CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}
SILENCED_SYSTEM_CHECKS = ["django_repeat.W002"]

DJANGO_REPEAT = {
    "REDIS": os.environ["REPEAT_TEST_REGISTRY"],
    "TIMEOUT": os.environ.get("REPEAT_TEST_TIMEOUT", "500ms"),
    "SCHEDULES": {"in settings": {"task": "tests.engines.work.add", "args": [1], "cron": "0 6 * * *"}},
}
