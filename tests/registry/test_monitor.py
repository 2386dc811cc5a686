"""What the server sees: every key that a script touches is among its KEYS, and nothing walks the keyspace."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from django_repeat import service
from django_repeat.testing import freeze, recording, tick
from tests.registry.sent import CALLS
from tests.registry.support import DAY, T, hourly

NOT_ABOUT_A_KEY = {"TIME"}
THE_END = "that is all"
WORD = re.compile(r'"((?:[^"\\]|\\.)*)"')


@contextmanager
def watched(registry: Any) -> Iterator[list[tuple[bool, list[str]]]]:
    """Collect the commands of the block: (called by a script, words)."""
    seen: list[tuple[bool, list[str]]] = []
    address = registry.client.connection_pool.connection_kwargs
    with socket.create_connection((address["host"], address["port"]), timeout=10) as link, link.makefile("rb") as lines:
        link.sendall(b"MONITOR\r\n")
        assert lines.readline() == b"+OK\r\n"
        yield seen
        registry.client.echo(THE_END)
        for line in lines:
            text = line.decode()
            words = WORD.findall(text)
            if THE_END in words:
                return
            seen.append((" lua] " in text.split('"', 1)[0], words))


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.id)
def test_a_script_touches_the_keys_that_it_was_given_and_no_other(registry, call):
    with watched(registry) as seen:
        keys, _ = call.made(registry)
    ends = [
        n for n, (lua, words) in enumerate(seen) if not lua and words[0] == "EVALSHA" and _keys(words) == _text(keys)
    ]
    touched = set()
    for lua, words in seen[ends[-1] + 1 :]:
        if not lua:
            break
        if words[0].upper() not in NOT_ABOUT_A_KEY:
            touched.add(words[1])
    assert touched == set(_text(keys))
    assert len(set(keys)) == len(keys)


def test_nothing_walks_the_keyspace_or_grows_with_it(registry):
    for number in range(120):
        registry.put(hourly(f"s{number}"), T - DAY)
    with watched(registry) as seen, freeze("2026-06-03T10:00:00+00:00"), recording() as taken:
        tick("default")
        service.entries(limit=100)
        service.count()
        service.get("s1")
        service.tickers()
        service.runs("s1")
        service.cancel("s1")
    assert len(taken) == 120
    words = {words[0].upper() for _, words in seen}
    assert not words & {"KEYS", "SCAN", "SSCAN", "HSCAN", "ZSCAN", "SORT", "RANDOMKEY", "FLUSHDB"}
    outside = {words[0].upper() for lua, words in seen if not lua}
    assert outside <= {"EVALSHA", "SCRIPT", "HELLO", "CLIENT", "SELECT", "MONITOR"}, outside


def _keys(words: list[str]) -> list[str]:
    return words[3 : 3 + int(words[2])]


def _text(keys: Any) -> list[str]:
    return [key.decode() for key in keys]
