"""What sub-commands print, fit for any terminal, pipe and locale."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.management.base import OutputWrapper
from django.core.management.color import Style

from django_repeat.showing import is_hidden, readable

_NO_WIDTH = frozenset({"Mn", "Me", "Cf"})
_GAP = "  "


@dataclass(frozen=True, kw_only=True)
class Output:
    """Results go to ``stdout``, everything that is said about them to ``stderr``."""

    stdout: OutputWrapper
    stderr: OutputWrapper
    style: Style
    verbosity: int = 1

    def line(self, text: str) -> None:
        """Print one line of a result."""
        self.stdout.write(encodable(readable(text), self.stdout))

    def progress(self, text: str) -> None:
        """Print one line at once, unless verbosity is 0."""
        if self.verbosity:
            self.line(text)
            self.stdout.flush()

    def note(self, text: str) -> None:
        """Print one line beside the result."""
        styled = self.style.WARNING if self.stderr.isatty() else str
        self.stderr.write(encodable(readable(text), self.stderr), styled)

    def table(self, head: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Print columns as wide as their widest cell; nothing at all without rows."""
        if not rows:
            return
        cells = [[encodable(readable(cell), self.stdout) for cell in row] for row in [head, *rows]]
        widths = [max(map(width, column)) for column in zip(*cells, strict=True)]
        self.stdout.write("\n".join(_row(row, widths) for row in cells))

    def json(self, value: Any) -> None:
        """Print a value as JSON; what is hidden, or what the stream cannot encode, is escaped as JSON does."""
        text = _visible(json.dumps(value, indent=2, ensure_ascii=False))
        if encodable(text, self.stdout) != text:
            text = _visible(json.dumps(value, indent=2))
        self.stdout.write(text)


def encodable(text: str, stream: object) -> str:
    """Answer ``text`` with what the stream's encoding lacks as a backslash escape."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return text.encode(encoding, "backslashreplace").decode(encoding)


def quoted(name: str) -> str:
    """Answer a name for the middle of a sentence; unlike ``repr`` it leaves the joiners of emoji whole."""
    return f"'{readable(name)}'"


def width(text: str) -> int:
    """Answer how many columns a terminal gives ``text`` (UAX #11: wide and fullwidth take two)."""
    return sum(_columns(character) for character in text)


def _columns(character: str) -> int:
    if unicodedata.category(character) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (cell + " " * (wide - width(cell)) for cell, wide in zip(cells, widths, strict=True))
    return _GAP.join(padded).rstrip()


def _visible(text: str) -> str:
    # Outside of strings JSON has no hidden characters but its own line ends, and inside of them those are escaped.
    return "".join(f"\\u{ord(one):04x}" if one != "\n" and is_hidden(one) else one for one in text)
