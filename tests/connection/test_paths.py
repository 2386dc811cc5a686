"""REDIS as the dotted path of a callable, which is other people's code."""

from __future__ import annotations

from pathlib import Path

import pytest
import redis
from django.test import override_settings

from django_repeat import connection, service
from django_repeat.exceptions import InvalidSettings, RegistryUnavailable
from tests.connection import factories

ECHO = "return {KEYS[1], ARGV[1]}"
PATH = factories.__name__


def test_a_dotted_path_is_called_once_and_only_when_needed(redis_server):
    factories.MADE.clear()
    found = connection.connect(f"{PATH}.client", 0.5)
    call = found.script(ECHO)
    assert factories.MADE == []
    assert call([b"k"], ["a"]) == call([b"k"], ["a"]) == [b"k", b"a"]
    assert found.command("PING")
    assert len(factories.MADE) == 1
    assert found.address == f"{PATH}.client"


@pytest.mark.parametrize("path", ["nosuch", ".a", "..", "no.such.callable", f"{PATH}.nosuch"])
def test_a_path_that_leads_nowhere_is_refused_and_the_aliases_named(path):
    with pytest.raises(InvalidSettings, match=rf"'{path}' is no URL, no alias of CACHES \(default, repeat\)"):
        connection.connect(path, 0.5)


@pytest.mark.parametrize("text, error", [("1 / 0", "ZeroDivisionError"), ("raise SystemExit(3)", "SystemExit: 3")])
def test_a_module_that_fails_is_said_with_its_error(tmp_path: Path, monkeypatch, text, error):
    (tmp_path / "failing_registry.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(InvalidSettings, match=rf"DJANGO_REPEAT\['REDIS'\]: 'failing_registry.client' .*{error}"):
        connection.connect("failing_registry.client", 0.5)


def test_a_path_to_something_that_cannot_be_called_is_refused():
    with pytest.raises(InvalidSettings, match="MADE is a list; name a callable"):
        connection.connect(f"{PATH}.MADE", 0.5)


REFUSED = {
    "no_client": r"answered str; give redis\.Redis",
    "asynchronous": r"answered Redis; give redis\.Redis",
    "pipeline": r"answered Pipeline; give redis\.Redis",
    "decoding": r"decode_responses=True and encoding='utf-8'; give it decode_responses=False",
    "decoding_cluster": "decode_responses=True",
    "encoding": r"encoding='utf-16'; give it decode_responses=False and encoding='utf-8'",
    "unencoding": "encoding='bogus'",
    "raising": "makes no client: LookupError: no such host in the vault",
    "leaving": "makes no client: SystemExit: 3",
    "needing": "makes no client: TypeError: .*argument",
    "misled": r"cannot be used \(TypeError\); correct its options",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_callable_that_gives_no_client_for_a_registry_is_named_with_the_reason(redis_server, name):
    with (
        override_settings(DJANGO_REPEAT={"REDIS": f"{PATH}.{name}"}),
        pytest.raises(InvalidSettings, match=REFUSED[name]) as caught,
    ):
        service.count()
    assert f"DJANGO_REPEAT['REDIS']: {'the client of ' if name == 'misled' else ''}{PATH}.{name}" in str(caught.value)
    assert "s3cret" not in str(caught.value)


def test_a_server_that_is_away_when_the_client_is_made_is_an_outage_and_no_mistake():
    with pytest.raises(RegistryUnavailable, match=f"{PATH}.unreachable: no node answers"):
        connection.connect(f"{PATH}.unreachable", 0.5).command("PING")


def test_a_stranger_s_name_that_is_no_text_is_no_harm(redis_server, raw: redis.Redis):
    raw.zadd("emq:{default}:repeat", {b"\xff": 1})
    with override_settings(DJANGO_REPEAT={"REDIS": f"{PATH}.client"}):
        assert [entry.state for entry in service.entries()] == ["broken"]
