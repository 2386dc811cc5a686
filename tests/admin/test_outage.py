"""Redis away, or settings that are wrong: every page says so in the admin's chrome."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis
from django.test import Client

from django_repeat.testing.server import start_server
from tests.admin.conftest import LIST, add
from tests.admin.pages import inline, read

PAGES = [LIST, f"{LIST}?q=x", f"{LIST}default_3Anightly/change/", f"{LIST}default_3Anightly/history/"]
POST = {"action": "cancel", "_selected_action": "default:nightly", "keys": '["default:nightly"]'}


@pytest.fixture
def refused(settings: Any) -> None:
    settings.DJANGO_REPEAT = {"REDIS": "redis://user:hunter2@127.0.0.1:1/0"}


@pytest.fixture
def black_hole(settings: Any) -> Iterator[None]:
    """A listener that accepts nobody: its backlog is full, so a connection just hangs."""
    with socket.socket() as listener, socket.socket() as first, socket.socket() as second:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for one in (first, second):
            one.setblocking(False)
            one.connect_ex(listener.getsockname())
        settings.DJANGO_REPEAT = {"REDIS": f"redis://127.0.0.1:{listener.getsockname()[1]}/0"}
        yield


def check_notice(client: Client, url: str, title: str) -> str:
    started = time.monotonic()
    response = client.get(url)
    assert time.monotonic() - started < 1
    assert response.status_code == 503
    page = read(response)
    assert title in page.text
    assert "Log out" in page.text
    assert page.links["Recurring schedules"] == "/admin/django_repeat/"
    assert page.crumbs == [
        ("Home", "/admin/"),
        ("Recurring schedules", "/admin/django_repeat/"),
        ("Schedules", LIST),
        (title, ""),
    ]
    assert inline(response) == []
    return page.text


@pytest.mark.parametrize("url", PAGES)
@pytest.mark.usefixtures("refused")
def test_nobody_listens(operator: Client, url: str) -> None:
    text = check_notice(operator, url, "The registry does not answer")
    assert "127.0.0.1:1" in text
    assert "hunter2" not in text


@pytest.mark.parametrize("url", PAGES)
@pytest.mark.usefixtures("black_hole")
def test_nobody_answers(operator: Client, url: str) -> None:
    check_notice(operator, url, "The registry does not answer")


@pytest.mark.parametrize("url", PAGES)
@pytest.mark.parametrize(
    "given",
    [
        {"REDIS": "no.such.callable"},
        {"REDIS": "default"},
        {"REDIZ": "repeat"},
        {"REDIS": "redis://127.0.0.1:1/0", "TIMEOUT": "soon"},
        ["REDIS"],
    ],
)
def test_wrong_settings(operator: Client, settings: Any, url: str, given: Any) -> None:
    settings.DJANGO_REPEAT = given
    assert "DJANGO_REPEAT" in check_notice(operator, url, "The settings of the registry are wrong")


@pytest.mark.usefixtures("refused")
def test_an_action_says_so_too(operator: Client) -> None:
    assert operator.post(LIST, POST).status_code == 503


@pytest.mark.usefixtures("refused")
def test_permissions_come_first(user_with: Callable[..., Client]) -> None:
    for url in PAGES:
        assert user_with_none(user_with).get(url).status_code == 403
        assert Client().get(url).status_code == 302


@pytest.mark.usefixtures("refused")
def test_the_rest_of_the_admin_works(operator: Client) -> None:
    assert operator.get("/admin/").status_code == 200


def test_a_server_that_goes_while_a_page_is_made(operator: Client, settings: Any) -> None:
    with start_server() as server:
        settings.DJANGO_REPEAT = {"REDIS": server.url}
        add("nightly")
        assert operator.get(LIST).status_code == 200
        server.kill()
        check_notice(operator, LIST, "The registry does not answer")
        server.restart()
        assert operator.get(LIST).status_code == 200


def test_a_registry_key_of_a_wrong_type(operator: Client, registry: redis.Redis) -> None:
    registry.set("emq:{default}:repeat", "not a sorted set")
    assert "WRONGTYPE" in check_notice(operator, LIST, "The registry does not answer")


def user_with_none(user_with: Callable[..., Client]) -> Client:
    from django.contrib.auth.models import User

    User.objects.filter(username="user").delete()
    return user_with()
