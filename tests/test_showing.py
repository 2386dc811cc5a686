"""Foreign values in texts."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db.models import TextChoices
from django.utils.functional import SimpleLazyObject

from django_repeat.showing import is_a, is_hidden, kind, readable, shown


class Colour(TextChoices):
    RED = "red"


class Crooked(int):
    def __repr__(self) -> str:
        return "two\nlines"


TEXTS: list[tuple[Any, str]] = [
    (None, "None"), (True, "True"), (5, "5"), (-1.5, "-1.5"), (float("nan"), "nan"), ("a'b", '"a\'b"'),
    (Colour.RED, "'red'"), (date(2026, 1, 1), "datetime.date(2026, 1, 1)"),
    (timedelta(1), "datetime.timedelta(days=1)"),
    (datetime(2026, 1, 1, tzinfo=UTC), "datetime.datetime(2026, 1, 1, 0, 0, tzinfo=datetime.timezone.utc)"),
    (["a", 1], "['a', 1]"), (("a",), "['a']"), ([], "[]"), (list(range(9)), "[0, 1, 2, 3, 4, …]"),
    ([[1]], "a value of type list"), ({"a": 1}, "a value of type dict"), (b"x", "a value of type bytes"),
    (object(), "a value of type object"), (object, "a value of type type"), (10**5_000, "a value of type int"),
    (Crooked(5), r"two\nlines"), ("\u202e\n\ud800", r"'\u202e\n\ud800'"), ("任务", "'任务'"),
    (readable, "the function django_repeat.showing.readable"), (type("a\nb", (), {})(), r"a value of type a\nb"),
]  # fmt: skip
LONG = ["x" * 10**6, "\n" * 10**6, ["x" * 10**6] * 9, 10**4_000, type("T" * 10**6, (), {})()]


@pytest.mark.parametrize("value, text", TEXTS, ids=[text for _, text in TEXTS])
def test_a_value_is_shown_as_python_writes_it_or_by_its_type(value: Any, text: str) -> None:
    assert shown(value) == text


@pytest.mark.parametrize("value", LONG, ids=range(len(LONG)))
@pytest.mark.parametrize("most", [20, 80])
def test_it_is_short(value: Any, most: int) -> None:
    assert shown(value, most).endswith("…")
    assert len(shown(value, most)) == most


@pytest.mark.parametrize("claimed", [str, int, dict])
def test_a_value_is_what_its_type_is_whatever_it_says(claimed: type) -> None:
    lazy: Any = SimpleLazyObject(claimed)
    assert isinstance(lazy, claimed)
    assert not is_a(lazy, claimed)
    assert kind(lazy) == "SimpleLazyObject"
    assert is_a(Colour.RED, str)


def test_readable_text_keeps_what_can_be_read() -> None:
    assert readable("café 任务 👩‍💻\u00a0") == "café 任务 👩‍💻\u00a0"
    assert readable("\x00\x7f\x85\u2028\u202e\ud800") == r"\x00\x7f\x85\u2028\u202e\ud800"
    assert not any(map(is_hidden, readable("".join(map(chr, range(0x11000))))))
