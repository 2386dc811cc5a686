"""``repeat trigger``."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.core.management import CommandError

from django_repeat import service
from tests.commands.running import call, call_json

Declare = Callable[..., None]
DOWN = "tests.commands.engines.Down"


def test_it_fires_at_once_and_the_next_run_stays(schedules: None, frozen: int) -> None:
    service.sync()
    before = service.get("phased")
    out, err = call("trigger", "phased", "--by", "anna", "--reason", "asked for")
    assert err == ""
    assert re.fullmatch(r"Fired 'phased' in queue 'default': phased![0-9a-f]{32}, result \w+\.\n", out)
    after = service.get("phased")
    assert (after.next, after.fired_count) == (before.next, before.fired_count)
    (line,) = [line for line in call("show", "phased")[0].splitlines() if line.startswith("  ")]
    assert "outcome=fired" in line
    assert '  trigger=manual  by="anna"  note="asked for"' in line


def test_twice_is_two_occurrences(schedules: None, frozen: int) -> None:
    service.sync()
    first, second = call_json("trigger", "pulse"), call_json("trigger", "pulse")
    assert list(first) == ["queue", "name", "id", "nominal", "result"]
    assert (first["queue"], first["name"], first["nominal"]) == ("default", "pulse", "2030-01-01T00:00:00Z")
    assert first["id"] != second["id"]
    assert first["result"] != second["result"]


@pytest.mark.parametrize("whom", ["phased", "--all"])
def test_it_works_while_it_is_paused(schedules: None, frozen: int, whom: str) -> None:
    service.sync()
    call("pause", whom)
    assert call("trigger", "phased")[0].startswith("Fired 'phased'")
    assert service.get("phased").state == "paused"


def test_the_refusal_of_the_engine_is_shown(declare_only: Declare, frozen: int) -> None:
    declare_only({"a": {"command": "check", "every": "1h", "phase": "0s"}}, ENGINE=DOWN)
    service.sync()
    with pytest.raises(CommandError, match="OSError: the broker is down") as caught:
        call("trigger", "a", "--reason", "try")
    assert caught.value.returncode == 1
    (run,) = call_json("show", "a")["runs"]
    assert (run["outcome"], run["trigger"], run["note"]) == ("failed", "manual", "try")


def test_nothing_is_fired_where_the_site_is_not_enabled(declare_only: Declare, frozen: int) -> None:
    service.register("a", command="check", every="1h")
    declare_only({}, ENABLED=False)
    with pytest.raises(CommandError, match=r"'a' is not fired: DJANGO_REPEAT\['ENABLED'\] is False"):
        call("trigger", "a")
