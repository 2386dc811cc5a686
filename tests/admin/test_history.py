"""Who cancelled a schedule can be looked up, whether the registry holds it again or not."""

from __future__ import annotations

from django.test import Client

from tests.admin.acting import choose, confirm
from tests.admin.conftest import LIST, add
from tests.admin.pages import read

HISTORY = f"{LIST}default_3Anightly/history/"


def test_one_that_is_gone_and_how_it_is_reached(operator: Client) -> None:
    page = confirm(operator, read(choose(operator, add("nightly"))))
    assert page.links["“nightly”"] == HISTORY
    response = operator.get(HISTORY)
    assert response.status_code == 200
    page = read(response)
    assert "The registry holds this schedule no more." in page.text
    [row] = [row for row in page.rows if "Cancelled." in row]
    assert row[1] == "user-view-cancel"
    assert page.crumbs == [
        ("Home", "/admin/"),
        ("Recurring schedules", "/admin/django_repeat/"),
        ("Schedules", LIST),
        ("nightly", ""),
        ("History", ""),
    ]


def test_one_that_came_back(operator: Client) -> None:
    confirm(operator, read(choose(operator, add("nightly"))))
    add("nightly")
    page = read(operator.get(HISTORY))
    assert any("user-view-cancel" in row and "Cancelled." in row for row in page.rows)
    assert "no more" not in page.text
    assert page.crumbs[3:] == [("nightly", f"{LIST}default_3Anightly/change/"), ("History", "")]


def test_each_of_a_few_has_its_link_and_many_have_none(operator: Client) -> None:
    few = confirm(operator, read(choose(operator, *(add(f"a{number}") for number in range(10)))))
    assert {f"“a{number}”" for number in range(10)} <= set(few.links)
    many = confirm(operator, read(choose(operator, *(add(f"b{number}") for number in range(11)))))
    assert len(many.banners) == 1
    assert "“b0”" not in many.links


def test_one_that_nobody_ever_cancelled_is_unknown(operator: Client) -> None:
    confirm(operator, read(choose(operator, add("other"))))
    response = operator.get(HISTORY, follow=True)
    assert response.redirect_chain == [("/admin/", 302)]
    assert "doesn’t exist" in read(response).text


def test_the_log_lends_no_other_page_to_one_that_is_gone(operator: Client) -> None:
    confirm(operator, read(choose(operator, add("nightly"))))
    assert operator.get(f"{LIST}default_3Anightly/change/").status_code == 302


def test_it_is_for_those_who_may_view_schedules(operator: Client, client: Client, django_user_model) -> None:
    confirm(operator, read(choose(operator, add("nightly"))))
    client.force_login(django_user_model.objects.create_user("nobody", is_staff=True))
    assert client.get(HISTORY).status_code == 403
