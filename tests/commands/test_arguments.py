"""What the command line may look like."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.management import CommandError

from django_repeat.management.arguments import whole
from django_repeat.management.commands.repeat import Command
from django_repeat.management.faces import FACES
from tests.commands.running import call


def parse(*args: str) -> dict[str, Any]:
    return vars(Command().create_parser("manage.py", "repeat").parse_args(args))


@pytest.mark.parametrize("given, option, value", [
    (["-v", "0"], "verbosity", 0),
    (["--verbosity=3"], "verbosity", 3),
    (["--settings", "site.settings"], "settings", "site.settings"),
    (["--pythonpath", "/srv"], "pythonpath", "/srv"),
    (["--traceback"], "traceback", True),
    (["--no-color"], "no_color", True),
    (["--force-color"], "force_color", True),
    (["--skip-checks"], "skip_checks", True),
])  # fmt: skip
def test_common_options_stand_before_or_after_the_name_of_the_sub_command(
    given: list[str], option: str, value: Any
) -> None:
    assert parse(*given, "list")[option] == value
    assert parse("list", *given)[option] == value


def test_without_common_options_those_of_django_hold() -> None:
    options = parse("list")
    assert (options["verbosity"], options["settings"], options["traceback"]) == (1, None, False)


@pytest.mark.parametrize("name", ["-dash", "--yes", "-5", "two words", "任务", "👩‍💻", "a:b/{c}", "--"])
def test_any_name_can_be_given_after_two_dashes(name: str) -> None:
    assert parse("show", "--json", "--", name)["name"] == name


@pytest.mark.parametrize("args, complaint", [
    ([], "SUBCOMMAND"),
    (["lst"], "invalid choice: 'lst'"),
    (["show"], "NAME"),
    (["list", "--queue", "a b"], "'a b'"),
    (["list", "--limit", "0"], "from 1"),
    (["list", "--offset", "-1"], "from 0"),
    (["next", "x", "-n", "many"], "not 'many'"),
])  # fmt: skip
def test_wrong_usage_from_code_is_a_command_error(args: list[str], complaint: str) -> None:
    with pytest.raises(CommandError, match=complaint):
        call(*args)


def test_every_sub_command_explains_itself(capsys: pytest.CaptureFixture[str]) -> None:
    for name in FACES:
        with pytest.raises(SystemExit) as ended:
            parse(name, "--help")
        assert ended.value.code == 0
        assert f"repeat {name}" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["", "+5", "5.0", "٥", "1e3", "9" * 5_000])
def test_a_whole_number_is_ascii_digits_within_bounds(text: str) -> None:
    with pytest.raises(Exception, match="a whole number from 1 to 9 is needed"):
        whole(1, 9)(text)
