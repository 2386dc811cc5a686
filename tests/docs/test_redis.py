"""The layout in Redis is as it is written: keys, record, run log, scripts, permissions."""

from __future__ import annotations

import ast
import re

from django_repeat.keys import Keys
from django_repeat.scripts import VERBS
from tests.docs.reading import TOP, blocks, code, prose, rows, section
from tests.registry.acl import COMMANDS, OPTIONAL

PAGE = "docs/reference/redis.md"
LUA = {path.stem: path.read_text(encoding="utf-8") for path in (TOP / "django_repeat" / "lua").glob("*.lua")}
# What clients fall back on; not sent by any verb.
SPARE = {"script|exists"}


def first(heading: str) -> list[str]:
    return [name for row in rows(section(PAGE, heading)) for name in code(row[0])]


def lists(pattern: str, text: str) -> set[str]:
    return {field for found in re.findall(pattern, text, re.DOTALL) for field in re.findall(r"'(\w+)'", found)}


def test_the_keys_are_those_of_the_code() -> None:
    keys = Keys("P", "q")
    every = [
        keys.schedules,
        keys.record("<name>"),
        keys.runs("<name>"),
        keys.tickers,
        keys.ticker("<id>"),
        keys.switch,
        keys.log,
    ]
    assert first("Keys") == [key.decode() for key in every]


def test_the_definition_is_what_an_upsert_replaces() -> None:
    replaced = lists(r"local DEFINITION = \{(.*?)\}", LUA["upsert"])
    text = prose(PAGE).partition("Written by tickers")[0]
    written = [name for row in rows(text[text.index("## Record") :]) for name in code(row[0])]
    assert set(written) == replaced


def test_the_record_has_the_fields_that_scripts_write() -> None:
    calls = re.findall(r"redis\.call\('(?:HSET|HINCRBY|HDEL)', \w+, ([^\n]*(?:\n +'[^\n]*)?)", "".join(LUA.values()))
    fields = {field for call in calls for field in re.findall(r"'([a-z_]+)'", call)} - {"fired", "skipped", "failed"}
    assert fields, "no writes were found"
    # What is decided outside comes to the scripts as pairs; what they read of it is named in them.
    fields |= lists(r"redis\.call\('HMGET', key, ('holes'.*?)\)", LUA["claim"]) | {"poll"}
    assert "poll" in lists(r"local record = redis\.call\('HMGET', key, (.*?)\)", LUA["common"])
    assert fields <= set(first("Record")) | {"started", "last_tick"}
    definition = lists(r"local DEFINITION = \{(.*?)\}", LUA["upsert"])
    assert set(first("Record")) - definition <= fields


def test_the_run_log_has_the_keys_that_are_written() -> None:
    given = set()
    for path in (TOP / "django_repeat").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("line", "self._line", "order.line"):
                given |= {keyword.arg for keyword in node.keywords if keyword.arg}
    assert set(first("Run log lines")) == given


def test_the_scripts_are_all_of_them() -> None:
    assert first("Scripts") == [verb for verb in first("Scripts") if verb in VERBS]
    assert set(first("Scripts")) == set(VERBS)


def test_the_permissions_are_those_that_are_needed() -> None:
    (block,) = [block.text for block in blocks(PAGE) if "ACL SETUSER" in block.text]
    assert set(re.findall(r"\+(\S+)", block)) == set(COMMANDS) | SPARE
    assert "~emq:*" in block
    assert set(OPTIONAL) <= set(code(section(PAGE, "Permissions")))
