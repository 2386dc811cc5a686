"""A task database that is locked or replaced under a ticker that runs: one row for each occurrence."""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
import redis

from django_repeat import service
from django_repeat.occurrence import Occurrence
from tests.processes.children import Children, until
from tests.processes.programs import MANAGE, TICK, environment, log_lines
from tests.processes.rounds import assert_books_balance

pytestmark = pytest.mark.process

SECOND = 1_000
SITE = {
    "HISTORY": 1_000,
    "SCHEDULES": {f"schedule {number}": {"command": "check", "every": "1s"} for number in range(5)},
}


@pytest.fixture(scope="module")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("migrated") / "site.sqlite3"
    migrate = [*MANAGE, "migrate", "--verbosity=0"]
    subprocess.run(migrate, env=environment({}, REPEAT_TEST_DATABASE=str(path)), check=True, timeout=60)
    return path


@pytest.fixture
def database(raw: redis.Redis, choose: Callable[..., None], migrated: Path, tmp_path: Path) -> Path:
    """An empty database with all tables."""
    choose(HISTORY=1_000)
    return Path(shutil.copy(migrated, tmp_path))


@contextmanager
def ticking(children: Children, database: Path) -> Iterator[None]:
    """Let a ticker run for the time of the block, and end well."""
    process = children.program(TICK, environment(SITE, REPEAT_TEST_DATABASE=str(database)), "ticker")
    yield
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0


def rows(database: Path) -> list[uuid.UUID]:
    query = "SELECT id FROM django_tasks_database_dbtaskresult"
    with closing(sqlite3.connect(database, timeout=20)) as connection:
        return [uuid.UUID(str(one)) for (one,) in connection.execute(query)]


def assert_each_has_its_row(found: list[uuid.UUID]) -> None:
    """Hold that what the registry says was fired, and nothing else, is what the database holds."""
    expected = set()
    for entry in service.entries():
        assert entry.schedule
        runs = [run for run in service.runs(entry.name) if run["outcome"] == "fired"]
        nominals = {run["nominal"] for run in runs}
        assert len(runs) == len(nominals) == entry.fired_count
        assert_books_balance(entry, nominals, min(nominals), SECOND)
        expected |= {Occurrence(schedule=entry.schedule, nominal_ms=one, fired_ms=one).uuid for one in nominals}
    assert len(found) == len(set(found))
    assert set(found) == expected


def failures(children: Children) -> list[str]:
    return [text for _, text in log_lines(children.lines("ticker")) if text.startswith("dispatch failed")]


def test_a_locked_database_is_waited_out(database: Path, children: Children) -> None:
    with ticking(children, database):
        until(lambda: len(rows(database)) >= 10)
        with closing(sqlite3.connect(database, timeout=20, isolation_level=None)) as writer:
            writer.execute("BEGIN IMMEDIATE")
            # The second failure in a row of one entry: it has backed off once.
            until(lambda: any("attempt=2" in line for line in failures(children)))
            count = len(rows(database))
            assert any(entry.error for entry in service.entries())
            writer.execute("ROLLBACK")
        until(lambda: len(rows(database)) >= count + 15)
        until(lambda: not any(entry.error for entry in service.entries()))
    assert all("database is locked" in line for line in failures(children))
    assert_each_has_its_row(rows(database))
    print(f"{len(rows(database))} rows, {len(failures(children))} failures logged")


def test_a_replaced_database_is_found(database: Path, migrated: Path, children: Children, tmp_path: Path) -> None:
    """As after a restore: a connection that stays open would write to a file that nobody reads any more."""
    fresh, old = tmp_path / "fresh.sqlite3", tmp_path / "old.sqlite3"
    shutil.copy(migrated, fresh)
    os.link(database, old)
    with ticking(children, database):
        until(lambda: len(rows(database)) >= 10)
        os.replace(fresh, database)
        until(lambda: len(rows(database)) >= 10)
    assert failures(children) == []
    assert_each_has_its_row(rows(old) + rows(database))
