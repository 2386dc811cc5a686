"""The page of commands names each sub-command, argument and default that the parser has."""

from __future__ import annotations

import argparse

import pytest
from django.core.management import load_command_class

from django_repeat.management.faces import FACES
from tests.docs.reading import code, rows, section, source

PAGE = "docs/reference/commands.md"


def parser_of(subcommand: str) -> argparse.ArgumentParser:
    whole = load_command_class("django_repeat", "repeat").create_parser("manage.py", "repeat")
    action = next(one for one in whole._actions if isinstance(one, argparse._SubParsersAction))
    found: argparse.ArgumentParser = action.choices[subcommand]
    return found


def is_common(action: argparse.Action) -> bool:
    return action.default is argparse.SUPPRESS or isinstance(action, argparse._VersionAction)


def names(action: argparse.Action) -> set[str]:
    return set(action.option_strings) or {str(action.metavar)}


def test_every_subcommand_has_a_section() -> None:
    headings = [line.removeprefix("## repeat ") for line in source(PAGE).splitlines() if line.startswith("## repeat ")]
    assert headings == list(FACES)


@pytest.mark.parametrize("subcommand", FACES)
def test_the_options_are_those_of_the_parser(subcommand: str) -> None:
    own = [action for action in parser_of(subcommand)._actions if not is_common(action)]
    written = {option.split()[0] for row in rows(section(PAGE, f"repeat {subcommand}")) for option in code(row[0])}
    assert written == set().union(*map(names, own))


@pytest.mark.parametrize("subcommand", FACES)
def test_the_defaults_are_those_of_the_parser(subcommand: str) -> None:
    defaults = {name: action.default for action in parser_of(subcommand)._actions for name in names(action)}
    for row in rows(section(PAGE, f"repeat {subcommand}")):
        default = defaults[code(row[0])[0].split()[0]]
        written = code(row[1])
        assert written == ([] if default is None or default is False else [str(default)]), row


def test_the_common_options_are_named() -> None:
    common = [action for action in parser_of("tick")._actions if is_common(action)]
    long = {name for action in common for name in action.option_strings if name.startswith("--")}
    assert long - {"--help"} == {
        word for word in code(source(PAGE).partition("| exit code")[0]) if word.startswith("--")
    }
