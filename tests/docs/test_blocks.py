"""The code on the pages compiles, and what is marked for it runs."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from typing import Any

import pytest
from django.test import override_settings

import django_repeat
from django_repeat import conf, connection, engines
from django_repeat.declarations import everything
from tests.docs.reading import NAMES, Block, blocks

KINDS = {"", "run", "settings", "signature"}
PYTHON = [block for name in NAMES for block in blocks(name) if block.language == "python"]


def of(kind: str) -> list[Block]:
    return [block for block in PYTHON if block.kind == kind]


def execute(block: Block, space: dict[str, Any] | None = None) -> dict[str, Any]:
    space = {"__name__": "docs"} if space is None else space
    exec(compile("\n" * block.line + block.text, block.page, "exec"), space)
    return space


@pytest.mark.parametrize("block", PYTHON, ids=str)
def test_every_block_compiles(block: Block) -> None:
    compile(block.text, str(block), "exec")
    assert block.kind in KINDS or block.file, f"{block} is of an unknown kind"


@pytest.mark.parametrize("block", of("run"), ids=str)
def test_a_block_that_is_marked_runs(block: Block, repeat_registry: object) -> None:
    space = execute(block)
    for name, value in list(space.items()):
        if name.startswith("test_"):
            test: Callable[[object], None] = value
            test(repeat_registry)


@pytest.mark.parametrize("block", of("settings"), ids=str)
def test_settings_are_right(block: Block) -> None:
    found = {key: value for key, value in execute(block).items() if key.isupper()}
    assert found
    found.pop("INSTALLED_APPS", None)
    with override_settings(**found):
        wanted = conf.current()
        declared, problems = everything()
        assert problems == []
        if "DJANGO_REPEAT" in found and (wanted.redis != "repeat" or "CACHES" in found):
            connection.connect(wanted.redis, wanted.timeout)
        for one in declared:
            assert one.schedule.command is None or engines.problems(one.schedule) == []


@pytest.mark.parametrize("block", of("signature"), ids=str)
def test_signatures_are_those_of_the_code(block: Block) -> None:
    written = ast.parse(block.text).body[0]
    assert isinstance(written, ast.FunctionDef)
    space: dict[str, Any] = {"timedelta": __import__("datetime").timedelta, **vars(django_repeat)}
    exec(f"from __future__ import annotations\n{block.text}", space)
    assert shape(space[written.name]) == shape(getattr(django_repeat, written.name))


def test_every_public_callable_has_its_signature_on_the_page() -> None:
    written = {ast.parse(block.text).body[0].name for block in of("signature")}  # type: ignore[attr-defined]
    values = {"Answer", "Entry", "Occurrence", "Pause"}  # made by the package alone
    assert written == set(django_repeat.__all__) - values


def shape(function: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    return [(one.name, one.kind, written(one.default)) for one in inspect.signature(function).parameters.values()]


def written(default: Any) -> Any:
    """Answer a default as a page writes it: a function is three dots."""
    return ... if inspect.isroutine(default) else default
