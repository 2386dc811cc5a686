"""The scripts keep to their rules, and their headers say what is sent to them and what they answer."""

from __future__ import annotations

import itertools
import re
from importlib.resources import files

import pytest

from django_repeat.answer import Answer
from django_repeat.codec import NUMBERS
from django_repeat.registry import Outcome
from django_repeat.scripts import SHARED, VERBS
from tests.registry.sent import CALLS

FOLDER = files("django_repeat") / "lua"
TEXTS = {entry.name.removesuffix(".lua"): entry.read_text("utf-8") for entry in FOLDER.iterdir()}
PARTS = ("Purpose", "KEYS", "ARGV", "Answers", "Atomic")
UNDERSTOOD = {
    "register": {*Answer, "again"}, "upsert": {*Answer, "again"}, "cancel": set(Answer),
    "amend": {"ok", "again", *Answer}, "switch": {"ok", "again"},
    "settle": set(Outcome), "release": set(Outcome), "claim": {"won", "lost", "foreign", "broken"},
}  # fmt: skip


def header(verb: str) -> dict[str, str]:
    """Answer the parts of a header by name, each as one line."""
    lines = TEXTS[verb].split("\n\n", 1)[0].splitlines()
    assert all(line.startswith("-- ") for line in lines)
    parts: dict[str, str] = {}
    for line in lines:
        part = re.match(r"-- (\w+): +(.*)", line)
        if part and part[1] in PARTS:
            parts[part[1]] = part[2]
        else:
            name = next(reversed(parts))
            parts[name] += " " + line.removeprefix("--").strip()
    return parts


def code(verb: str) -> str:
    """Answer a script without comments."""
    return re.sub(r"--.*", "", TEXTS[verb])


def test_every_verb_has_its_file_and_every_file_its_verb():
    assert {*VERBS, "common", *itertools.chain(*SHARED.values())} == set(TEXTS)
    assert len(set(VERBS)) == len(VERBS)


@pytest.mark.parametrize("verb", VERBS)
def test_a_header_has_all_its_parts_in_order(verb):
    assert tuple(header(verb)) == PARTS
    assert all(header(verb).values())


@pytest.mark.parametrize("verb", VERBS)
def test_the_numbered_keys_and_arguments_are_those_that_the_script_reads(verb):
    for name in ("KEYS", "ARGV"):
        said = {int(number) for number in re.findall(r"(?<![\w.])(\d)…? ", header(verb)[name])}
        read = {int(number) for number in re.findall(rf"{name}\[(\d)\]", code(verb))}
        assert read <= said, (name, read, said)
        assert min(said) == 1


@pytest.mark.parametrize("verb", sorted(UNDERSTOOD))
def test_the_answers_are_those_of_the_header_and_all_are_understood(verb):
    said = set(re.findall(r"'(\w+)'", header(verb)["Answers"]))
    given = set(re.findall(r"(?:return|and|or) \{? ?'(\w+)'", code(verb))) - {"0"}
    given |= set(re.findall(r"insert\(answer, 1, '(\w+)'\)", code(verb)))
    assert {str(answer) for answer in UNDERSTOOD[verb]} >= said
    assert given - {"the", "none"} == said


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.id)
def test_as_many_keys_and_arguments_are_sent_as_the_header_says(registry, call):
    keys, args = call.made(registry)
    assert len(keys) == call.keys
    assert len(args) == call.args
    assert all(isinstance(key, bytes) for key in keys)


@pytest.mark.parametrize("verb", sorted(TEXTS))
def test_no_script_builds_a_key_or_touches_what_it_may_not(verb):
    text = code(verb)
    assert not re.search(r"cjson|cmsgpack|tostring\(|math\.random|loadstring|os\.", text)
    assert not re.search(r"'(KEYS|SCAN|EVAL|SELECT|FLUSHDB|FLUSHALL|SORT)'", text)
    for command, key in re.findall(r"redis\.call\((\w+|'\w+')(?:, ([^,)]+))?", text):
        assert key in {"KEYS[1]", "KEYS[2]", "KEYS[3]", "KEYS[i]", "key", "zset", ""}, (command, key)
    assert not re.search(r"\b(KEYS|key|runs)\b[^\n]*\.\.[^\n]*=|= *[^\n]*(KEYS\[\d\]|\bkey\b) *\.\.", text)


@pytest.mark.parametrize("verb", VERBS)
def test_only_the_clock_of_the_server_or_of_a_test_is_read(verb):
    assert "redis.call('TIME')" not in code(verb)
    assert code("common").count("redis.call('TIME')") == 1


def test_what_is_calculated_with_is_what_is_shown_as_damaged():
    (table,) = re.findall(r"local NUMBERS = \{(.*?)\}", code("common"), re.DOTALL)
    assert tuple(re.findall(r"'(\w+)'", table)) == NUMBERS
