"""``repeat cancel``."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
from collections.abc import Callable

import pytest
import redis
from django.core.management import CommandError

from django_repeat import service
from tests.commands.running import COMMAND, NOW, call, environment

Declare = Callable[..., None]


def test_a_dynamic_schedule_goes_for_good(declare_only: Declare, raw: redis.Redis) -> None:
    service.register("a", command="check", every="1h")
    assert call("cancel", "a") == ("Cancelled 'a' in queue 'default'.\n", "")
    assert raw.keys("emq:*") == []


def test_of_a_declared_one_it_is_said_that_it_comes_back(schedules: None) -> None:
    service.sync()
    out, err = call("cancel", "pulse")
    assert out == "Cancelled 'pulse' in queue 'default'.\n"
    assert err == (
        "It is declared in DJANGO_REPEAT['SCHEDULES']['pulse']: the next process start registers it again.\n"
    )
    assert [entry.name for entry in service.entries()] == ["phased", "reports.daily"]


def test_an_absent_name_is_refused_with_the_near_one_and_nothing_changes(declare_only: Declare) -> None:
    service.register("sessions.clear", command="check", every="1h")
    with pytest.raises(
        CommandError, match=r"No schedule 'session\.clear' .* Did you mean 'sessions\.clear'\?"
    ) as caught:
        call("cancel", "session.clear")
    assert caught.value.returncode == 1
    assert service.count() == 1


def test_only_the_queue_that_is_named_is_touched(declare_only: Declare) -> None:
    for queue in ("one", "default"):
        service.register("a", queue=queue, command="check", every="1h")
    call("cancel", "a", "--queue", "one")
    assert (service.count(queue="one"), service.count()) == (0, 1)


@pytest.mark.parametrize("name", ["-dash", "--yes", "two words", "任务", "👩‍💻", "a:b/{c}*", "<b>'\""])
def test_any_name_can_be_cancelled(declare_only: Declare, name: str) -> None:
    service.register(name, command="check", every="1h")
    call("cancel", "--", name)
    assert service.count() == 0


@pytest.mark.parametrize("fields", [{"every_ms": "5000"}, {"v": "1"}, None])
def test_what_others_wrote_or_broke_can_be_cancelled(
    declare_only: Declare, raw: redis.Redis, fields: dict[str, str] | None
) -> None:
    raw.zadd("emq:{default}:repeat", {"odd\n": NOW})
    if fields:
        raw.hset("emq:{default}:repeat:odd\n", mapping=fields)
    assert call("cancel", "odd\n")[0] == "Cancelled 'odd\\n' in queue 'default'.\n"
    assert raw.keys("emq:*") == []


def answer(question: bytes, *args: str) -> tuple[int, bytes]:
    """Run ``cancel`` at a terminal, type ``question``'s answer, and answer the exit code and what was shown."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "cancel", *args], env=environment(), stdin=theirs, stdout=theirs, stderr=theirs
    ) as run:
        os.close(theirs)
        seen = b""
        while question == b"\x03" and b"[y/N] " not in seen:
            seen += os.read(ours, 4096)
        if question == b"\x03":
            run.send_signal(signal.SIGINT)
        else:
            os.write(ours, question)
        try:
            while chunk := os.read(ours, 4096):
                seen += chunk
        except OSError:  # Linux answers EIO once the other end is closed
            pass
        os.close(ours)
        return run.wait(), seen


@pytest.mark.process
@pytest.mark.parametrize("typed, code, left", [(b"y\n", 0, 0), (b"\n", 1, 1)])
def test_at_a_terminal_it_asks_first(declare_only: Declare, typed: bytes, code: int, left: int) -> None:
    service.register("任务", command="check", every="1h")
    ended, seen = answer(typed, "任务")
    assert "Cancel schedule '任务' in queue 'default'? [y/N]" in seen.decode()
    assert (ended, service.count()) == (code, left)


@pytest.mark.process
@pytest.mark.parametrize("typed", [b"\x03", b"\x04"], ids=["Ctrl-C", "Ctrl-D"])
def test_at_a_terminal_leaving_the_question_cancels_nothing(declare_only: Declare, typed: bytes) -> None:
    service.register("a", command="check", every="1h")
    ended, seen = answer(typed, "a")
    assert (ended, service.count()) == (1, 1)
    shown = seen.decode().replace("^C", "").replace("^D\b\b", "")
    assert "Cancel schedule 'a' in queue 'default'? [y/N] \r\n" in shown
    assert "CommandError: Nothing was cancelled.\r\n" in shown
    assert "Traceback" not in shown


@pytest.mark.process
def test_at_a_terminal_yes_does_not_ask(declare_only: Declare) -> None:
    service.register("a", command="check", every="1h")
    ended, seen = answer(b"", "a", "--yes")
    assert b"[y/N]" not in seen
    assert (ended, service.count()) == (0, 0)
