"""What the style sheet promises: each state has its colour, and its text can be read on it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from django_repeat.admin import texts
from django_repeat.entry import State
from django_repeat.run import RunState
from tests.admin.acting import choose, confirm
from tests.admin.conftest import LIST, add
from tests.admin.pages import read

SHEET = "django_repeat/admin.css"
AA = 4.5


def rules() -> dict[str, dict[str, str]]:
    """Answer the declarations by selector."""
    text = re.sub(r"/\*.*?\*/", "", Path(finders.find(SHEET)).read_text(), flags=re.DOTALL)
    found: dict[str, dict[str, str]] = {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
        pairs = (line.split(":", 1) for line in body.split(";") if ":" in line)
        values = {key.strip(): value.strip() for key, value in pairs}
        for selector in selectors.split(","):
            found.setdefault(selector.strip(), {}).update(values)
    return found


def luminance(colour: str) -> float:
    """Answer the relative luminance of ``#rrggbb`` (WCAG 2.2)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("state", [*State, *RunState])
def test_every_state_has_a_text_and_a_colour_that_it_can_be_read_on(state: State | RunState) -> None:
    assert str((texts.RUNS if isinstance(state, RunState) else texts.STATES)[state])  # type: ignore[index]
    text, ground = rules()[".django-repeat-state"]["color"], rules()[f".django-repeat-{state}"]["background"]
    assert contrast(text, ground) >= AA


def test_a_state_is_text_in_an_element_of_its_class(operator: Client) -> None:
    add("nightly")
    for url in (LIST, f"{LIST}default_3Anightly/change/"):
        page = read(operator.get(url))
        assert [one for tag, one in page.elements if "django-repeat-state" in one.get("class", "")] == [
            {"class": "django-repeat-state django-repeat-scheduled"}
        ]
        assert "scheduled" in page.text


def test_long_names_break_and_times_do_not() -> None:
    found = rules()
    assert found["#content time"]["white-space"] == "nowrap"
    assert found[".django-repeat-wide"]["overflow-x"] == "auto"
    name = found["#result_list .field-name"]
    assert name["overflow-wrap"] == "anywhere"
    assert {"min-width", "max-width"} <= set(name)


def test_every_page_has_the_style_sheet(operator: Client) -> None:
    key = add("nightly")
    question = choose(operator, key)
    pages = [operator.get(LIST), operator.get(f"{LIST}default_3Anightly/change/"), question]
    confirm(operator, read(question))
    pages.append(operator.get(f"{LIST}default_3Anightly/history/"))
    for response in pages:
        hrefs = [one.get("href") for tag, one in read(response).elements if tag == "link"]
        assert f"/static/{SHEET}" in hrefs


def test_the_confirmation_page_says_where_it_is(operator: Client) -> None:
    one = read(choose(operator, add("nightly")))
    assert one.crumbs == [
        ("Home", "/admin/"),
        ("Recurring schedules", "/admin/django_repeat/"),
        ("Schedules", LIST),
        ("Cancel schedule", ""),
    ]
    assert read(choose(operator, "default:nightly", add("hourly"))).crumbs[-1] == ("Cancel schedules", "")
