"""Running the command: in this process, or in one of its own."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from django.core.management import call_command

COMMAND = [sys.executable, "-m", "django", "repeat"]
TIMEOUT = 60
SiteSettings = Any  # pytest-django names the type of its fixture otherwise from version to version
# 2030-01-01T00:00:00Z, a Tuesday.
NOW = 1_893_456_000_000


def call(*args: str, **options: Any) -> tuple[str, str]:
    """Answer what ``call_command`` printed on stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    call_command("repeat", *args, stdout=out, stderr=err, **options)
    return out.getvalue(), err.getvalue()


def call_json(subcommand: str, *args: str, **options: Any) -> Any:
    """Answer the JSON that it printed, having said nothing else."""
    out, err = call(subcommand, "--json", *args, **options)
    assert err == ""
    return json.loads(out)


def environment(site: Mapping[str, Any] | None = None, **variables: str) -> dict[str, str]:
    """Answer the environment of a process of a site with these DJANGO_REPEAT settings."""
    chosen = {"DJANGO_SETTINGS_MODULE": "tests.commands.site", "REPEAT_TEST_SITE": json.dumps(site or {})}
    return {**os.environ, **chosen, **variables}


def process(
    *args: str | bytes, site: Mapping[str, Any] | None = None, **variables: str
) -> subprocess.CompletedProcess[bytes]:
    """Run ``python -m django repeat …`` to its end."""
    return subprocess.run(
        [*COMMAND, *args],
        env=environment(site, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
