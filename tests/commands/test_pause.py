"""``repeat pause`` and ``repeat resume``."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis
from django.core.management import CommandError

from django_repeat import clock, service
from tests.commands.running import NOW, SiteSettings, call, call_json

Declare = Callable[..., None]
HOUR = 3_600_000
HOSTILE = ["a\nb  outcome=fired", "\x1b[2J", "\u202eabc", '"quoted" \\', "任务 👩‍💻", "%s {0}", "\udcff", "x" * 600]


@pytest.fixture
def a(declare_only: Declare, frozen: int) -> None:
    service.register("a", command="check", every="1h", phase="0s")


def refused(*args: str, code: int = 1) -> str:
    with pytest.raises(CommandError) as caught:
        call(*args)
    assert caught.value.returncode == code
    return str(caught.value)


def test_a_pause_lasts_until_it_is_resumed(a: None) -> None:
    assert call("pause", "a", "--by", "anna", "--reason", "month end") == (
        "Paused 'a' in queue 'default' until it is resumed.\n", ""
    )  # fmt: skip
    assert call("list")[0].splitlines()[1].endswith("  paused (by anna: month end)")
    assert (
        "\npause          since 2030-01-01 00:00:00 UTC, until it is resumed, by anna: month end\n"
        in call("show", "a")[0]
    )
    with clock.freeze(NOW + 10 * HOUR + 1):
        assert call("tick", "--once")[0] == ""
        assert call("resume", "a") == ("Resumed 'a' in queue 'default'.\n", "")
        assert service.get("a").pause is None
        assert call("tick", "--once")[0] == ""
    with clock.freeze(NOW + 11 * HOUR):
        assert call("tick", "--once")[0] == f"a@{NOW + 11 * HOUR}\n"


@pytest.mark.parametrize("fields", [{"every": "1h", "phase": "0s", "args": [1]}, {"cron": "30 * * * *"}])
def test_no_deploy_ends_a_pause_and_a_cancel_does(declare_only: Declare, frozen: int, fields: dict[str, Any]) -> None:
    declare_only({"a": {"command": "check", "every": "1h", "phase": "0s"}})
    call("sync")
    call("pause", "a", "--by", "anna")
    declare_only({"a": {"command": "check", **fields}})
    assert "updated" in call("sync")[0]
    assert call("list")[0].endswith("  paused (by anna)\n")
    call("cancel", "a")
    call("sync")
    assert call("list")[0].endswith("  scheduled\n")


@pytest.mark.parametrize("given, until", [
    ("90m", timedelta(minutes=90)),
    ("2030-01-01T01:30:00Z", timedelta(minutes=90)),
    ("2030-01-01T02:30", timedelta(minutes=90)),
])  # fmt: skip
def test_it_ends_by_itself_where_that_is_asked(a: None, settings: SiteSettings, given: str, until: timedelta) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    out, _ = call("pause", "a", "--until", given, "--by", "")
    assert out == "Paused 'a' in queue 'default' until 2030-01-01 02:30:00 CET.\n"
    pause = service.get("a").pause
    assert pause is not None
    assert pause.until == datetime(2030, 1, 1, tzinfo=UTC) + until
    assert call("list")[0].splitlines()[1].endswith("  paused (until 2030-01-01 02:30:00 CET)")


@pytest.mark.parametrize("args", [("--until", "0s"), ("--until", "2029-12-31T23:59Z"), ("--until", "416000w")])
@pytest.mark.parametrize("whom", ["a", "--all"])
def test_an_end_that_has_passed_is_wrong_usage(a: None, whom: str, args: tuple[str, str]) -> None:
    assert refused("pause", whom, *args, code=2).startswith("until: ")
    assert service.get("a").pause is None


def test_an_end_that_the_clocks_leave_out_is_refused(a: None, settings: SiteSettings) -> None:
    settings.TIME_ZONE = "Europe/Berlin"
    message = refused("pause", "a", "--until", "2030-03-31T02:30")
    assert "2030-03-31T02:30:00+01:00 or 2030-03-31T02:30:00+02:00" in message


def test_who_does_it_is_the_user_of_the_system_unless_said(a: None, monkeypatch: pytest.MonkeyPatch) -> None:
    call("pause", "a")
    assert service.get("a").raw["paused_by"] == getpass.getuser()

    def nobody() -> str:
        raise OSError("no user")

    monkeypatch.setattr(getpass, "getuser", nobody)
    call("pause", "a")
    assert service.get("a").raw["paused_by"] == "command"


def test_json_tells_what_was_done(a: None) -> None:
    assert call_json("pause", "a", "--until", "2h") == {
        "queue": "default", "name": "a", "answer": "paused", "until": "2030-01-01T02:00:00Z"
    }  # fmt: skip
    assert call_json("resume", "a") == {"queue": "default", "name": "a", "answer": "resumed"}
    assert call_json("resume", "a") == {"queue": "default", "name": "a", "answer": "unchanged"}
    assert call_json("pause", "--all", "--queue", "default") == {
        "queue": "default", "name": None, "answer": "paused", "until": None
    }  # fmt: skip
    assert call_json("resume", "--all") == {"queue": "default", "name": None, "answer": "resumed"}


def test_what_was_not_paused_is_no_error(a: None) -> None:
    assert call("resume", "a") == ("It was not paused: 'a' in queue 'default'.\n", "")
    assert call("resume", "--all") == ("It was not paused: the whole queue 'default'.\n", "")


def test_a_whole_queue_is_paused_with_what_comes_later_and_alone(a: None) -> None:
    service.register("a", queue="other", command="check", every="1h", phase="0s")
    out, err = call("pause", "--all", "--by", "anna", "--reason", "move")
    assert (out, err) == ("Paused the whole queue 'default' until it is resumed.\n", "")
    service.register("b", command="check", every="1h", phase="0s")
    states = {row.split()[0]: row.rpartition("  ")[2] for row in call("list")[0].splitlines()[1:]}
    assert states == dict.fromkeys(("a", "b"), "paused (the whole queue, by anna: move)")
    assert call_json("show", "b")["pause"] == {
        "since": "2030-01-01T00:00:00Z", "until": None, "by": "anna", "reason": "move", "whole_queue": True
    }  # fmt: skip
    assert service.get("a", queue="other").pause is None
    with clock.freeze(NOW + HOUR):
        assert call("tick", "--once", "--queue", "default", "--queue", "other")[0] == f"a@{NOW + HOUR}\n"


def test_resuming_one_of_a_paused_queue_is_refused_and_resuming_the_queue_leaves_the_one(a: None) -> None:
    call("pause", "--all")
    assert refused("resume", "a") == "Queue 'default' is paused as a whole, not 'a' alone; resume the queue."
    call("pause", "a")
    assert call("resume", "--all")[0] == "Resumed the whole queue 'default'.\n"
    assert call_json("list")[0]["pause"]["whole_queue"] is False
    call("pause", "--all")
    out, err = call("resume", "a")
    assert (out, err) == (
        "Resumed 'a' in queue 'default'.\n",
        "Queue 'default' is still paused as a whole: `manage.py repeat resume --all` ends that.\n",
    )


def test_a_queue_that_no_code_names_is_said(a: None) -> None:
    for verb in ("pause", "resume"):
        assert call(verb, "--all", "--queue", "defualt")[1] == (
            "Nothing is declared for queue 'defualt'. Did you mean 'default'?\n"
        )


@pytest.mark.parametrize("whom", ["a", "--all"])
def test_with_replay_the_times_of_the_pause_count(a: None, whom: str) -> None:
    call("pause", whom)
    with clock.freeze(NOW + 3 * HOUR):
        call("resume", whom, "--replay")
        assert call("tick", "--once")[0] == f"a@{NOW + 3 * HOUR}\n"
        entry = service.get("a")
        assert (entry.missed_count, entry.skipped_count) == (2, 0)


@pytest.mark.parametrize("verb", ["pause", "resume"])
def test_one_or_all_is_to_be_said(a: None, verb: str) -> None:
    assert "NAME --all is required" in refused(verb)
    assert "not allowed with argument" in refused(verb, "a", "--all")


def test_options_may_stand_on_either_side_of_the_name(a: None) -> None:
    call("pause", "--by", "x", "a", "--reason", "y")
    assert service.get("a").raw["paused_reason"] == "y"
    call("resume", "--replay", "--by", "x", "a")
    assert service.get("a").pause is None


@pytest.mark.parametrize("verb", ["pause", "resume", "skip", "trigger"])
@pytest.mark.parametrize("name", ["-dash", "--all", "two words", "任务", "👩‍💻", "a:b/{c}*", "<b>'\"", "%s"])
def test_any_name_can_be_given(declare_only: Declare, frozen: int, verb: str, name: str) -> None:
    service.register(name, command="check", every="1h")
    assert f"'{name}'" in call(verb, "--", name)[0]
    assert service.runs(name) or verb == "resume"


@pytest.mark.parametrize("verb, further", [
    ("pause", []), ("resume", []), ("skip", []), ("trigger", []), ("backfill", ["2029-12-31", "2030-01-01"])
])  # fmt: skip
def test_an_unknown_name_is_refused_with_what_helps(a: None, verb: str, further: list[str]) -> None:
    service.register("sessions.clear", command="check", every="1h")
    assert refused(verb, "session.clear", *further).endswith("Did you mean 'sessions.clear'?")
    assert refused(verb, "a\nb", *further) == r"No schedule 'a\nb' in queue 'default'."
    assert refused(verb, "a", *further, "--queue", "other").endswith("add --queue default.")


@pytest.mark.parametrize("verb, further", [
    ("pause", []), ("pause", ["--until", "2h"]), ("resume", []), ("skip", []), ("trigger", []),
    ("backfill", ["2029-12-31", "2030-01-01"]),
])  # fmt: skip
def test_what_others_wrote_or_broke_is_refused(
    declare_only: Declare, raw: redis.Redis, verb: str, further: list[str]
) -> None:
    raw.zadd("emq:{default}:repeat", {"odd\n": NOW})
    raw.hset("emq:{default}:repeat:odd\n", mapping={"every_ms": "5000"})
    before: Any = raw.hgetall("emq:{default}:repeat:odd\n")
    assert r"'odd\n'" in refused(verb, "odd\n", *further)
    assert raw.hgetall("emq:{default}:repeat:odd\n") == before


@pytest.mark.parametrize("text", HOSTILE)
def test_what_an_operator_writes_stays_on_its_line_and_comes_back(a: None, text: str) -> None:
    call("pause", "a", "--by", text, "--reason", text)
    for args in (("list",), ("show", "a"), ("next", "a")):
        out, err = call(*args)
        assert not {"\x1b", "\u202e", "\udcff"} & set(out + err)
    lines = call("show", "a")[0].splitlines()
    assert [line for line in lines if line.startswith("  ")] == lines[-1:]
    shown = call_json("show", "a")
    assert (shown["pause"]["by"], shown["pause"]["reason"]) == (text[:200], text[:500])
    assert (shown["runs"][0]["by"], shown["runs"][0]["note"]) == (text[:200], text[:500])


def test_next_says_that_it_is_paused(a: None) -> None:
    call("pause", "a", "--until", "2h", "--by", "anna", "--reason", "x")
    out, err = call("next", "a", "-n", "1")
    assert out
    assert err == (
        "Schedule 'a' is paused (since 2030-01-01 00:00:00 UTC, until 2030-01-01 02:00:00 UTC, by anna: x): "
        "nothing fires before that ends.\n"
    )
