"""What the page says about single cron texts is so."""

from __future__ import annotations

import re

import pytest

from django_repeat import Cron
from django_repeat.exceptions import InvalidSchedule
from tests.docs.reading import code, rows, section

PAGE = "docs/declaring.md"
REFUSED = [text for row in rows(section(PAGE, "Refused")) for text in code(row[0])]
DECISIONS = [(text, row[1]) for row in rows(section(PAGE, "Decisions")) for text in code(row[0]) if text != "mon"]
FIELDS = {row[0]: re.findall(r"(\d+)-(\d+)", row[1])[0] for row in rows(section(PAGE, "Cron")) if "-" in row[1][:5]}


@pytest.mark.parametrize("text", REFUSED)
def test_what_is_called_refused_is(text: str) -> None:
    with pytest.raises(InvalidSchedule):
        Cron(text, "UTC")


@pytest.mark.parametrize("text, decision", DECISIONS)
def test_what_is_decided_holds(text: str, decision: str) -> None:
    if decision.startswith("refused"):
        with pytest.raises(InvalidSchedule):
            Cron(text, "UTC")
    else:
        assert Cron(text, "UTC").text == text


def test_the_fields_take_what_is_written() -> None:
    names = ("minute", "hour", "day of month", "month", "weekday")
    assert tuple(FIELDS) == names
    for place, (low, high) in enumerate(FIELDS.values()):
        for value, fits in ((int(low) - 1, False), (int(low), True), (int(high), True), (int(high) + 1, False)):
            text = " ".join(str(value) if position == place else "*" for position in range(5))
            if fits:
                Cron(text, "UTC")
            else:
                with pytest.raises(InvalidSchedule):
                    Cron(text, "UTC")
