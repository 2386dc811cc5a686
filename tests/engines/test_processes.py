"""The enqueueing and the working half in processes of their own, with a database file between them."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.engines.making import occurrence

pytestmark = pytest.mark.process


@pytest.fixture
def run(tmp_path):
    """Answer what a Python process prints; it sees an empty database with all tables."""
    database = tmp_path / "tasks.sqlite3"
    variables = {"DJANGO_SETTINGS_MODULE": "tests.engines.worker_settings", "REPEAT_TEST_DATABASE": str(database)}

    def python(*arguments):
        command = [sys.executable, "-m", *arguments]
        done = subprocess.run(
            command,
            cwd=Path(__file__).parents[2],
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done

    python("django", "migrate", "--verbosity=0")
    python.rows = lambda: rows(database)
    return python


def rows(database):
    connection = sqlite3.connect(database)
    try:
        query = "SELECT id, status, exception_class_path, traceback FROM django_tasks_database_dbtaskresult"
        return {str(uuid.UUID(identity)): rest for identity, *rest in connection.execute(query)}
    finally:
        connection.close()


def test_sixteen_threads_that_race_make_one_row(run):
    expected = str(occurrence(command="clearsessions").uuid)
    assert json.loads(run("tests.engines.race").stdout) == [expected] * 16
    assert list(run.rows()) == [expected]


def test_a_worker_runs_commands_and_sees_which_fail(run):
    wanted = [["check", [], {"verbosity": 1}], ["loaddata", ["nosuch.json"], {}], ["check", ["--tag", "nosuch"], {}]]
    good, bad, worse = json.loads(run("tests.engines.send", json.dumps(wanted)).stdout)
    worker = run(
        "django", "db_worker", "--batch", "--queue-name=*", "--interval=0", "--no-startup-delay", "--no-reload"
    )
    found = run.rows()
    assert found[good][0] == "SUCCESSFUL"
    assert found[bad][:2] == ["FAILED", "django.core.management.base.CommandError"]
    assert "No fixture named 'nosuch' found" in found[bad][2]
    assert found[worse][:2] == ["FAILED", "django.core.management.base.CommandError"]
    assert "command='check' System check identified no issues (0 silenced)." in worker.stderr.splitlines()
