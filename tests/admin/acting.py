"""What a user does with actions: choose on the list, press the button of the page that asks."""

from __future__ import annotations

from typing import Any

from django.test import Client

from tests.admin.conftest import LIST
from tests.admin.pages import Page, read


def choose(client: Client, *keys: str, action: str = "cancel", url: str = LIST, everything: bool = False) -> Any:
    data = {"action": action, "_selected_action": keys, "index": "0", "select_across": "1" if everything else "0"}
    return client.post(url, data)


def press(client: Client, page: Page, url: str = LIST, **values: str) -> Any:
    """Press the button of the page that asks, with these values in its form; answer what comes back."""
    kept = ("hidden", "text", "number", "datetime-local")
    data = {one["name"]: one.get("value", "") for one in page.inputs if one.get("type") in kept and "name" in one}
    data.pop("csrfmiddlewaretoken")
    return client.post(url, {**data, **values})


def confirm(client: Client, page: Page, url: str = LIST, **values: str) -> Page:
    """Press the button, and answer the list with its messages."""
    response = press(client, page, url, **values)
    assert response.status_code == 302
    assert response["Location"] == url
    return read(client.get(url))


def act(client: Client, action: str, *keys: str, **values: str) -> Page:
    """Choose and confirm; answer the list with its messages."""
    return confirm(client, read(choose(client, *keys, action=action)), **values)
