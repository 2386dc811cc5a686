"""Names, arguments and errors that somebody made up to do harm, or by accident."""

from __future__ import annotations

import json
from typing import Any

import pytest
import redis
from django.contrib.admin.models import LogEntry
from django.test import Client

from django_repeat import service
from django_repeat.keys import Keys
from tests.admin.acting import choose, confirm
from tests.admin.conftest import LIST, add
from tests.admin.pages import inline, read, result_rows

SCRIPT = "<script>alert(1)</script>"
IMAGE = "<img src=x onerror=alert(1)>"
VECTOR = '"><svg onload=alert(1)>'
NAMES = [
    SCRIPT,
    IMAGE,
    VECTOR,
    "'",
    '"quoted"',
    "a/b//c",
    "../../etc/passwd",
    "a:b::c:",
    ":",
    "_3A_5F",
    "__",
    "a_b",
    "50% off + more & less; ?q=#x",
    "back\\slash",
    "{braces} {{ template }} {% tag %}",
    "Sprawdź logi",
    "任务",
    "café",
    "👩‍👩‍👧",
    "%s %(name)s %d",
    "change",
    "history/",
    "x" * 200,
]
FOREIGN = [b"\xff\xfe", b"line\nbreak", b"nul\x00", b"\xe2\x80\xaeturned", b" space ", b"", b"cafe\xcc\x81", b"y" * 400]


def harmless(response: Any) -> None:
    """What is active on the page is Django's own."""
    for tag, attributes in read(response).elements:
        if tag in ("script", "img"):
            assert attributes.get("src", "").startswith(("/static/admin/", "/admin/jsi18n/")), (tag, attributes)
        assert not [name for name in attributes if name.startswith("on")], (tag, attributes)
        assert not attributes.get("href", "").startswith("javascript:")
    assert inline(response) == []


@pytest.mark.parametrize("name", NAMES)
def test_every_page_of_a_name(operator: Client, name: str) -> None:
    key = add(name)
    page = read(operator.get(LIST))
    [url] = [href for text, href in page.links.items() if href.endswith("/change/") and LIST in href]
    assert list(result_rows(page)) == [name]
    detail = operator.get(url)
    assert detail.status_code == 200
    assert name in read(detail).text
    history = operator.get(url.replace("/change/", "/history/"))
    assert history.status_code == 200
    question = choose(operator, key)
    assert read(question).links[name] == url
    for response in (operator.get(LIST), detail, history, question):
        harmless(response)
    assert confirm(operator, read(question)).banners == [("success", f"“{name}” was cancelled.")]
    harmless(operator.get("/admin/"))
    assert service.count() == 0
    assert LogEntry.objects.get().object_id == key


@pytest.mark.parametrize("name", FOREIGN)
def test_names_that_no_code_could_give_are_listed_shown_and_cancelled(
    operator: Client, registry: redis.Redis, name: bytes
) -> None:
    root = Keys("emq", "default").schedules
    registry.zadd(root, {name: 1})
    registry.hset(root + b":" + name, mapping={"every_ms": "5000", "template": b"\xff\x00{"})
    page = read(operator.get(LIST))
    [url] = [href for href in page.links.values() if href.endswith("/change/")]
    detail = operator.get(url)
    assert detail.status_code == 200
    key = next(one["value"] for one in read(detail).inputs if one.get("name") == "_selected_action")
    confirm(operator, read(choose(operator, key)))
    assert registry.zcard(root) == 0
    assert registry.exists(root + b":" + name) == 0
    assert "\x00" not in LogEntry.objects.get().object_repr


def test_arguments_errors_and_results_are_text(operator: Client, registry: redis.Redis) -> None:
    add("nightly", args=[SCRIPT, IMAGE, VECTOR, "'"], kwargs={SCRIPT: IMAGE}, options={"priority": VECTOR})
    keys = Keys("emq", "default")
    state = dict.fromkeys(("error", "last_outcome", "last_result", "source", "broken"), SCRIPT + VECTOR + "\x00\nnext")
    registry.hset(keys.record("nightly"), mapping=state)
    line = dict.fromkeys(("nominal", "at", "outcome", "reason", "result", "late", "count"), IMAGE)
    registry.lpush(keys.runs("nightly"), json.dumps(line), IMAGE)
    url = f"{LIST}default_3Anightly/change/"
    for response in (operator.get(LIST), operator.get(url), choose(operator, "default:nightly")):
        assert response.status_code == 200
        harmless(response)
    assert SCRIPT in read(operator.get(url)).text


def test_hand_written_records_are_text(operator: Client, registry: redis.Redis) -> None:
    keys = Keys("emq", "default")
    registry.zadd(keys.schedules, {SCRIPT: 1})
    fields = {"v": "1", "cron": SCRIPT, "tz": IMAGE, "template": json.dumps({"task": SCRIPT}), IMAGE: VECTOR}
    registry.hset(keys.record(SCRIPT), mapping=fields)
    page = read(operator.get(LIST))
    [url] = [href for href in page.links.values() if href.endswith("/change/")]
    for response in (operator.get(LIST), operator.get(url)):
        assert response.status_code == 200
        harmless(response)


@pytest.mark.parametrize("kind", ["string", "list", "set", "missing"])
def test_records_of_a_wrong_type_are_cancelled(operator: Client, registry: redis.Redis, kind: str) -> None:
    keys = Keys("emq", "default")
    registry.zadd(keys.schedules, {"nightly": 1})
    write = {"string": registry.set, "list": registry.lpush, "set": registry.sadd}
    if kind != "missing":
        write[kind](keys.record("nightly"), "x")
    assert operator.get(f"{LIST}default_3Anightly/change/").status_code == 200
    confirm(operator, read(choose(operator, "default:nightly")))
    assert registry.dbsize() == 0


def test_search_terms_are_text(operator: Client) -> None:
    add("nightly")
    response = operator.get(LIST, {"q": VECTOR + SCRIPT})
    assert response.status_code == 200
    harmless(response)
