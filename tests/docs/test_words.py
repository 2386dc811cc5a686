"""One word for each idea: the words that the project does not use are not on its pages."""

from __future__ import annotations

import re

import pytest

from tests.docs.reading import NAMES, PAGES, prose

# "jobs" and the like stand where a text explains the origin, and only there.
ORIGIN = re.compile(r"^## Origin\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)
FOREIGN_WORDS = re.compile(r"\b(jobs?|events?|timers?|beats?|pumps?|crons?tabs?|periodic)\b", re.IGNORECASE)
# Texts about a thing speak of the thing.
VAGUE = re.compile(r"\b(we|our|us|easily|simply|just|powerful|blazing\w*|seamless\w*|robust)\b", re.IGNORECASE)


def words(name: str, pattern: re.Pattern[str]) -> list[str]:
    text = re.sub(r"`[^`]*`", "", ORIGIN.sub("", prose(name)))
    return [match[0] for match in pattern.finditer(text)]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_uses_the_words_of_the_project(name: str) -> None:
    assert words(name, FOREIGN_WORDS) == []


@pytest.mark.parametrize("name", NAMES)
def test_a_page_says_what_is_and_praises_nothing(name: str) -> None:
    assert words(name, VAGUE) == []


def test_lines_fit_a_screen() -> None:
    long = [
        f"{page.name}:{number}"
        for page in PAGES
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 120 and not line.startswith(("|", " "))
    ]
    assert long == []
