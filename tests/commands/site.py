"""Settings of a site with schedules of its own, which a test hands to a process by environment."""

import json
import os

from tests.settings import *  # noqa: F403

# That the backend of TASKS only keeps tasks is what these tests want.
SILENCED_SYSTEM_CHECKS = ["django_repeat.W002"]
DJANGO_REPEAT = {"REDIS": "repeat", **json.loads(os.environ.get("REPEAT_TEST_SITE", "{}"))}
