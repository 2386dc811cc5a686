from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client

from tests.admin.acting import choose, confirm
from tests.admin.conftest import LIST, add, names
from tests.admin.pages import read

MakeUser = Callable[..., Client]


def post_cancel(client: Client, key: str, *, confirmed: bool = False) -> int:
    data = {"action": "cancel", "_selected_action": key}
    if confirmed:
        data |= {"keys": f'["{key}"]', "state": "x"}
    return client.post(LIST, data).status_code


def test_permissions_exist_without_a_table() -> None:
    found = Permission.objects.filter(content_type__app_label="django_repeat").values_list("codename", flat=True)
    verbs = ("cancel", "change", "pause", "trigger", "view")
    assert sorted(found) == [f"{verb}_registeredschedule" for verb in verbs]
    assert not [table for table in connection.introspection.table_names() if "repeat" in table]


def test_anonymous_is_sent_to_the_login() -> None:
    for url in (LIST, f"{LIST}default_3Ax/change/", f"{LIST}default_3Ax/history/"):
        response = Client().get(url)
        assert response.status_code == 302
        assert response["Location"].startswith("/admin/login/")


def test_staff_without_permission_see_nothing(user_with: MakeUser) -> None:
    key = add("nightly")
    client = user_with()
    for url in (LIST, f"{LIST}default_3Anightly/change/", f"{LIST}default_3Anightly/history/", f"{LIST}add/"):
        assert client.get(url).status_code == 403, url
    assert post_cancel(client, key, confirmed=True) == 403
    assert LIST not in read(client.get("/admin/")).links.values()
    assert names() == {"nightly"}


def test_users_who_are_no_staff_are_sent_to_the_login(user_with: MakeUser) -> None:
    assert user_with("view", "cancel", staff=False).get(LIST).status_code == 302


def test_view_permission_shows_and_changes_nothing(viewer: Client) -> None:
    key = add("nightly")
    page = read(viewer.get(LIST))
    assert page.links["nightly"] == f"{LIST}default_3Anightly/change/"
    assert not [one for one in page.inputs if one.get("name") in ("action", "_selected_action")]
    detail = read(viewer.get(page.links["nightly"]))
    assert not [one for one in detail.inputs if one.get("name") in ("action", "_save", "_continue")]
    assert viewer.get(f"{LIST}default_3Anightly/history/").status_code == 200
    assert LIST in read(viewer.get("/admin/")).links.values()
    assert post_cancel(viewer, key) == 403
    assert post_cancel(viewer, key, confirmed=True) == 403
    assert viewer.post(LIST).status_code == 403
    assert names() == {"nightly"}


def test_change_permission_alone_also_shows_but_does_not_cancel(user_with: MakeUser) -> None:
    key = add("nightly")
    client = user_with("change", "pause", "trigger")
    assert client.get(LIST).status_code == 200
    assert post_cancel(client, key, confirmed=True) == 403
    assert names() == {"nightly"}


def test_cancel_permission_wants_view_permission_too(user_with: MakeUser) -> None:
    key = add("nightly")
    client = user_with("cancel")
    assert client.get(LIST).status_code == 403
    assert post_cancel(client, key, confirmed=True) == 403


def test_operator_may_cancel(operator: Client) -> None:
    key = add("nightly")
    assert post_cancel(operator, key) == 200
    assert names() == {"nightly"}
    assert post_cancel(operator, key, confirmed=True) == 200
    assert names() == {"nightly"}
    confirm(operator, read(choose(operator, key)))
    assert names() == set()


def test_an_action_that_does_not_exist_is_forbidden(operator: Client) -> None:
    key = add("nightly")
    data = {"action": "delete_selected", "_selected_action": key, "post": "yes"}
    assert operator.post(LIST, data).status_code == 403
    assert names() == {"nightly"}


@pytest.mark.parametrize("path", ["add/", "default_3Anightly/delete/"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_even_a_superuser_neither_adds_nor_deletes(admin_client: Client, path: str, method: str) -> None:
    add("nightly")
    assert getattr(admin_client, method)(LIST + path).status_code == 403
    assert names() == {"nightly"}


def test_even_a_superuser_saves_nothing(admin_client: Client) -> None:
    add("nightly")
    assert admin_client.post(f"{LIST}default_3Anightly/change/", {"name": "other"}).status_code == 403
    assert names() == {"nightly"}


def test_a_post_without_the_token_is_refused() -> None:
    key = add("nightly")
    client = Client(enforce_csrf_checks=True)
    client.force_login(User.objects.create_superuser("root"))
    assert post_cancel(client, key, confirmed=True) == 403
    assert names() == {"nightly"}
