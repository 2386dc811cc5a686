"""``repeat backfill``."""

from __future__ import annotations

import io
import json
import os
import pty
import subprocess
from collections.abc import Callable, Iterator

import pytest
from django.core.management import CommandError, call_command

from django_repeat import Occurrence, clock, control, service
from tests.commands.running import COMMAND, NOW, call, call_json, environment

Declare = Callable[..., None]
HOUR = 3_600_000
MISSED = ("2030-01-01T02:00", "2030-01-01T04:00")


class Third:
    """An engine that refuses the third."""

    count = 0

    def enqueue(self, occurrence: Occurrence) -> str:
        Third.count += 1
        if Third.count == 3:
            raise OSError("the broker is down")
        return f"r{Third.count}"


class Left:
    """An engine at whose third occurrence the person at the terminal has had enough."""

    count = 0

    def enqueue(self, occurrence: Occurrence) -> str:
        Left.count += 1
        if Left.count == 3:
            raise KeyboardInterrupt
        return f"r{Left.count}"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def missed(declare_only: Declare) -> Iterator[None]:
    """A schedule whose times from 1 to 4 o'clock were missed, at half past 5."""
    with clock.freeze(NOW):
        service.register("a", command="check", cron="0 * * * *", timezone="Europe/Berlin", max_runs=100)
    with clock.freeze(NOW + 11 * HOUR // 2):
        call("tick", "--once")
        yield


def refused(*args: str) -> CommandError:
    with pytest.raises(CommandError) as caught:
        call("backfill", *args)
    return caught.value


def test_a_dry_run_lists_and_fires_nothing(missed: None) -> None:
    runs = service.runs("a")
    out, err = call("backfill", "a", *MISSED, "--dry-run")
    assert err == ""
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "wall time UTC missed",
        "Tue 2030-01-01 03:00:00 CET 2030-01-01T02:00:00Z yes",
        "Tue 2030-01-01 04:00:00 CET 2030-01-01T03:00:00Z yes",
        "Tue 2030-01-01 05:00:00 CET 2030-01-01T04:00:00Z yes",
    ]
    assert call_json("backfill", "a", *MISSED, "--dry-run")[0] == {
        "nominal": "2030-01-01T02:00:00Z",
        "wall": "2030-01-01T03:00:00+01:00",
        "missed": True,
    }
    assert service.runs("a") == runs


def test_times_fire_with_the_ids_of_the_schedule(missed: None) -> None:
    before = service.get("a")
    fired = call_json("backfill", "a", *MISSED, "--by", "anna", "--reason", "outage")
    assert [one["id"] for one in fired] == [f"a@{NOW + hour * HOUR}" for hour in (2, 3, 4)]
    assert list(fired[0]) == ["id", "nominal", "result"]
    assert fired[0]["nominal"] == "2030-01-01T02:00:00Z"
    after = service.get("a")
    assert (after.next, after.fired_count) == (before.next, before.fired_count)
    assert [(one.first, one.count) for one in after.missed_ranges] == [(before.missed_ranges[0].first, 1)]
    run = call_json("show", "a")["runs"][0]
    assert (run["outcome"], run["trigger"], run["by"], run["note"]) == ("fired", "backfill", "anna", "outage")


def test_it_is_said_in_one_line_without_a_bar(missed: None) -> None:
    assert call("backfill", "a", *MISSED) == (
        "Fired 3 nominal times of 'a' in queue 'default', 2030-01-01 02:00:00 UTC to 2030-01-01 04:00:00 UTC.\n", ""
    )  # fmt: skip


def test_at_a_terminal_a_bar_grows_on_one_line_of_stderr(missed: None) -> None:
    out, err = io.StringIO(), Terminal()
    call_command("repeat", "backfill", "a", *MISSED, "--json", "--no-color", stdout=out, stderr=err)
    assert len(json.loads(out.getvalue())) == 3
    shown = err.getvalue()
    assert shown.count("\n") == 1
    assert shown.endswith(f"] 2/3\r[{'#' * 30}] 3/3\n")
    quiet = Terminal()
    call_command("repeat", "backfill", "a", *MISSED, "--force", verbosity=0, stdout=io.StringIO(), stderr=quiet)
    assert quiet.getvalue() == ""


def test_what_was_not_missed_is_refused_unless_forced(missed: None) -> None:
    span = ("2030-01-01T01:00", "2030-01-01T05:00")
    error = refused("a", *span)
    assert "1 of 5 times are not known as missed" in str(error)
    assert str(error).endswith("give force=True (--force) to fire them all the same.")
    assert error.returncode == 1
    assert len(call_json("backfill", "a", *span, "--force")) == 5


def test_a_dry_run_marks_what_would_be_refused(missed: None) -> None:
    span = ("2030-01-01T01:00", "2030-01-01T05:00", "--dry-run")
    out, err = call("backfill", "a", *span)
    assert err == "1 of 5 nominal times not known as missed: --force fires them all the same.\n"
    assert [line.split("Z")[1].strip() for line in out.splitlines()[1:]] == ["yes"] * 4 + ["not known"]
    assert [one["missed"] for one in json.loads(call("backfill", "a", *span, "--json")[0])] == [True] * 4 + [False]
    assert call("backfill", "a", *span, "--force") == (out, "")


@pytest.mark.parametrize("span, complaint, code", [
    (("2030-01-01T04:00", "2030-01-01T02:00"), "lies before start", 2),
    (("2030-01-01T04:00", "2030-01-01T06:00"), "lies ahead", 1),
    (("yesterday", "2030-01-01T06:00"), "an instant such as", 1),  # argparse, as call_command has it
])  # fmt: skip
def test_a_wrong_span_is_refused(missed: None, span: tuple[str, str], complaint: str, code: int) -> None:
    error = refused("a", *span)
    assert complaint in str(error)
    assert error.returncode == code


def test_a_span_without_nominal_times_fires_nothing(missed: None) -> None:
    empty = ("2030-01-01T02:01", "2030-01-01T02:59")
    assert call("backfill", "a", *empty) == (
        "", "Schedule 'a' has no nominal times from 2030-01-01 02:01:00 UTC to 2030-01-01 02:59:00 UTC.\n"
    )  # fmt: skip
    assert call("backfill", "a", *empty, "--json")[0] == "[]\n"


def test_what_fired_before_a_refusal_is_said(missed: None, declare_only: Declare) -> None:
    declare_only({}, ENGINE=f"{__name__}.Third")
    Third.count = 0
    out, err = io.StringIO(), io.StringIO()
    with pytest.raises(CommandError, match="the broker is down") as caught:
        call_command("repeat", "backfill", "a", *MISSED, "--json", stdout=out, stderr=err)
    assert caught.value.returncode == 1
    assert [one["result"] for one in json.loads(out.getvalue())] == ["r1", "r2"]
    assert err.getvalue() == "Fired 2 of 3 nominal times. The next is 2030-01-01T04:00:00Z.\n"
    assert len(call_json("backfill", "a", "2030-01-01T04:00:00Z", "2030-01-01T04:00:00Z")) == 1


def test_ctrl_c_ends_it_and_what_fired_is_noted(missed: None, declare_only: Declare) -> None:
    declare_only({}, ENGINE=f"{__name__}.Left")
    Left.count = 0
    err = io.StringIO()
    with pytest.raises(CommandError, match="Interrupted") as caught:
        call_command("repeat", "backfill", "a", *MISSED, stdout=io.StringIO(), stderr=err)
    assert caught.value.returncode == 1
    assert err.getvalue() == "Fired 2 of 3 nominal times. The next is 2030-01-01T04:00:00Z.\n"
    assert [run.get("trigger") for run in service.runs("a")[:2]] == ["backfill", "backfill"]


@pytest.mark.parametrize("given, seconds", [([], 0.5), (["--rate", "40"], 0.25)])
def test_it_waits_between_groups_of_ten(
    missed: None, monkeypatch: pytest.MonkeyPatch, given: list[str], seconds: float
) -> None:
    slept: list[float] = []
    monkeypatch.setitem(control.backfill.__kwdefaults__, "sleep", slept.append)
    call("backfill", "a", "2029-12-31T00:00", "2029-12-31T20:00", "--force", *given)
    assert slept == [seconds, seconds]


@pytest.mark.parametrize("rate", ["0", "1001", "fast"])
def test_a_rate_out_of_bounds_is_refused(missed: None, rate: str) -> None:
    assert "from 1 to 1000" in str(refused("a", *MISSED, "--rate", rate))


def at_a_terminal(typed: bytes, *args: str) -> tuple[int, str]:
    ours, theirs = pty.openpty()
    with subprocess.Popen([*COMMAND, *args], env=environment(), stdin=theirs, stdout=theirs, stderr=theirs) as run:
        os.close(theirs)
        os.write(ours, typed)
        seen = b""
        try:
            while chunk := os.read(ours, 4096):
                seen += chunk
        except OSError:  # Linux answers EIO once the other end is closed
            pass
        os.close(ours)
        return run.wait(), seen.decode()


@pytest.mark.process
@pytest.mark.parametrize("typed, further, code", [(b"y\n", [], 0), (b"\n", [], 1), (b"", ["--no-input"], 0)])
def test_at_a_terminal_it_asks_first(missed: None, typed: bytes, further: list[str], code: int) -> None:
    span = ("2024-01-01T01:00Z", "2024-01-01T02:00Z")
    ended, seen = at_a_terminal(typed, "backfill", "a", *span, "--force", *further)
    question = (
        "Fire 2 nominal times of 'a' in queue 'default', 2024-01-01 01:00:00 UTC to 2024-01-01 02:00:00 UTC? [y/N] "
    )
    assert (question in seen) == (not further)
    assert ended == code
    assert ("] 2/2" in seen) == (code == 0)
    assert ("Nothing was fired." in seen) == (code == 1)
