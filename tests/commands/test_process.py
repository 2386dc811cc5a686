"""``python -m django repeat …`` as a process: exit codes, streams, encodings."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable

import pytest
import redis

from django_repeat import service
from tests.commands.running import COMMAND, TIMEOUT, environment, process

pytestmark = pytest.mark.process

EVERY_HOUR = {"command": "check", "every": "1h"}
NAMES = ["Sprawdź logi", "任务", "café", "👩‍💻"]


@pytest.fixture
def named(declare_only: Callable[..., None]) -> None:
    for name in NAMES:
        service.register(name, **EVERY_HOUR)


def test_wrong_usage_is_exit_code_2_with_the_usage() -> None:
    done = process("next", "x", "-n", "0")
    assert done.returncode == 2
    assert b"usage:" in done.stderr
    assert b"not '0'" in done.stderr


def test_an_unknown_name_is_exit_code_1_with_the_near_one_on_stderr(named: None) -> None:
    done = process("cancel", "cafe")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode() == "CommandError: No schedule 'cafe' in queue 'default'. Did you mean 'café'?\n"


def test_redis_away_is_exit_code_1_and_one_line_without_password() -> None:
    done = process("list", REPEAT_TEST_URL="redis://user:hunter2@127.0.0.1:1/3")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"CommandError: The registry is unavailable: redis://127.0.0.1:1/3: ")
    assert done.stderr.count(b"\n") == 1
    assert b"hunter2" not in done.stderr
    assert b"Traceback" in process("list", "--traceback", REPEAT_TEST_URL="redis://127.0.0.1:1/3").stderr


@pytest.mark.parametrize("subcommand", ["sync", "tick"])
def test_an_error_of_the_checks_is_exit_code_1_and_nothing_is_registered(raw: redis.Redis, subcommand: str) -> None:
    site = {"SCHEDULES": {"good": EVERY_HOUR, "bad": {"command": "check", "cron": "61 * * * *"}}}
    done = process(subcommand, site=site)
    assert done.returncode == 1
    assert b"SystemCheckError" in done.stderr
    assert done.stderr.count(b"Schedule 'bad'") == 1
    assert raw.keys("*") == []


def test_where_the_checks_are_skipped_what_is_left_out_is_logged(raw: redis.Redis) -> None:
    site = {"SCHEDULES": {"good": EVERY_HOUR, "bad": {"command": "check", "cron": "61 * * * *"}}}
    done = process("tick", "--once", "--skip-checks", site=site)
    assert done.returncode == 0
    assert done.stdout.startswith(b"good@")
    assert done.stderr.startswith(b"schedule not registered: Schedule 'bad': cron: ")
    assert done.stderr.count(b"\n") == 1


def test_an_error_of_the_checks_hides_nothing_from_who_looks_for_it(named: None) -> None:
    done = process("list", site={"SCHEDULES": {"bad": {"command": "check", "cron": "61 * * * *"}}})
    assert done.returncode == 0
    assert "任务" in done.stdout.decode()


def test_settings_can_be_named_after_the_sub_command(raw: redis.Redis) -> None:
    done = process("sync", "--settings", "tests.settings", site={"SCHEDULES": {"a": EVERY_HOUR}})
    assert (done.returncode, done.stdout) == (0, b"Nothing is declared.\n")


@pytest.mark.parametrize("variables", [
    {"PYTHONIOENCODING": "ascii"},
    {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
])  # fmt: skip
def test_a_terminal_without_unicode_gets_escapes_and_valid_json(named: None, variables: dict[str, str]) -> None:
    done = process("list", **variables)
    assert (done.returncode, done.stderr.isascii()) == (0, True)
    assert rb"\u4efb\u52a1" in done.stdout
    listed = process("list", "--json", **variables)
    assert sorted(entry["name"] for entry in json.loads(listed.stdout)) == sorted(NAMES)
    shown = process("show", "Sprawdź logi".encode(), **variables)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert rb"Sprawd\u017a logi" in shown.stdout
    assert process("cancel", "👩‍💻".encode(), **variables).returncode == 0
    assert sorted(service.names_of()) == sorted(NAMES[:3])


def test_a_reader_that_leaves_ends_it_quietly(named: None) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [*COMMAND, "list"], env=environment(), stdout=writing, stderr=subprocess.PIPE, timeout=TIMEOUT, check=False
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("args", [
    ("pause",), ("pause", "a", "--all"), ("pause", "a", "--until", "soon"), ("pause", "a", "--until", "0s"),
    ("pause", "a", "--until", "2020-01-01T00:00Z"), ("skip", "a", "--count", "0"),
    ("backfill", "a", "2020-01-02", "2020-01-01"), ("backfill", "a", "2020-01-02"),
    ("backfill", "a", "2020-01-01", "2020-01-02", "--rate", "0"),
])  # fmt: skip
def test_wrong_usage_of_an_operator_is_exit_code_2(declare_only: Callable[..., None], args: tuple[str, ...]) -> None:
    service.register("a", **EVERY_HOUR)
    done = process(*args)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"Traceback" not in done.stderr
    assert service.runs("a") == []


def test_an_operator_s_orders_survive_a_terminal_without_unicode(named: None) -> None:
    poor = {"LANG": "C", "LC_ALL": "C", "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = process("pause", "任务".encode(), "--by", "Łucja".encode(), "--reason", "月末".encode(), **poor)
    assert (done.returncode, done.stderr) == (0, b"")
    pause = service.get("任务").pause
    assert pause is not None
    assert (pause.by, pause.reason) == ("Łucja", "月末")
    assert service.runs("任务")[0]["note"] == "月末"


@pytest.mark.parametrize("args", [
    ("pause", "a"), ("pause", "--all"), ("resume", "a"), ("resume", "--all"), ("skip", "a"), ("trigger", "a"),
    ("backfill", "a", "2020-01-01", "2020-01-02"),
])  # fmt: skip
def test_an_operator_is_told_that_redis_is_away(args: tuple[str, ...]) -> None:
    done = process(*args, REPEAT_TEST_URL="redis://user:hunter2@127.0.0.1:1/3")
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"CommandError: The registry is unavailable: redis://127.0.0.1:1/3: ")
    assert b"hunter2" not in done.stderr
