from __future__ import annotations

import unicodedata

import pytest
from django.db.models import TextChoices

from django_repeat.exceptions import InvalidSchedule
from django_repeat.names import hint, near, queue_name, schedule_name


class Names(TextChoices):
    REPORT = "report"


GOOD = [
    "a",
    "reports.daily",
    "with space inside",
    "a:b/c{d}\"e'f`g\\h?#%&=",
    "<script>alert(1)</script>",
    "Sprawdź logi",
    "任务",
    "👩‍👩‍👧‍👦 family",  # holds zero-width joiners
    "-leading-dash",
    "_5F_",
    "x" * 200,
]


@pytest.mark.parametrize("name", GOOD)
def test_a_name_may_hold_nearly_anything(name: str) -> None:
    assert schedule_name(name) == name


@pytest.mark.parametrize(
    "name",
    ["", "x" * 201, " a", "a ", "\u00a0a", "a\n", "a\nb", "a\tb", "a\0b", "a\x7fb", "a\x85b", "a\u2028b", "a\u2029b"]
    + ["a\ud800b"]
    + [f"a{character}b" for character in "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"],
    ids=ascii,
)
def test_what_could_forge_a_line_or_a_look_is_refused(name: str) -> None:
    with pytest.raises(InvalidSchedule, match="name: ") as caught:
        schedule_name(name)
    # The message can be printed on one line by any terminal.
    assert str(caught.value).isprintable()
    str(caught.value).encode()


@pytest.mark.parametrize("name", [None, 5, b"a", ["a"], object()], ids=repr)
def test_a_name_is_text(name: object) -> None:
    with pytest.raises(InvalidSchedule, match=r"name: .* is no text; give 1 to 200 characters"):
        schedule_name(name)


def test_both_spellings_of_a_name_are_one_name() -> None:
    composed = unicodedata.normalize("NFC", "café")
    decomposed = unicodedata.normalize("NFD", "café")
    assert composed != decomposed
    assert schedule_name(composed) == schedule_name(decomposed) == composed


def test_length_counts_after_normalisation() -> None:
    assert len(schedule_name("e\u0301" * 200)) == 200


def test_an_enum_member_becomes_plain_text() -> None:
    assert type(schedule_name(Names.REPORT)) is str
    assert type(queue_name(Names.REPORT)) is str
    assert schedule_name(Names.REPORT) == "report"


@pytest.mark.parametrize("queue", ["default", "a.b-c_D9", "x" * 200])
def test_queue_names(queue: str) -> None:
    assert queue_name(queue) == queue


@pytest.mark.parametrize("queue", ["", "a b", "a{b}", "a:b", "é", "٣", "a\n", "x" * 201, None, 5, b"a"], ids=ascii)
def test_a_queue_name_that_would_break_keys_is_refused(queue: object) -> None:
    with pytest.raises(InvalidSchedule, match="queue: "):
        queue_name(queue)


def test_the_near_name_is_found_or_none_is() -> None:
    assert near("repots", ["reports", "clean"]) == "reports"
    assert near("zzz", ["reports", "clean"]) is None
    assert near("REPORTS.Daily", ["reports.daily"]) == "reports.daily"
    assert near("pulse", ["shop.tasks.pulse", "shop.tasks.pulse.other"]) == "shop.tasks.pulse"
    assert near("ul", ["shop.tasks.pulse"]) is None
    assert hint("repots", ["reports", "clean"]) == "Did you mean 'reports'?"
    assert hint("zzz", ["reports", "clean"]) == "Known: reports, clean."
