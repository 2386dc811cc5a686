"""Reading the documentation: pages, fenced blocks, tables, headings, links."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
PAGES = [TOP / "README.md", *sorted((TOP / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(TOP)) for page in PAGES]

_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
_CODE = re.compile(r"`([^`]+)`")
# A bar between two cells has an even number of backticks after it.
_CELLS = re.compile(r"\|(?=(?:[^`]*`[^`]*`)*[^`]*$)")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A fenced block: its language, what else its first line says, and where it stands."""

    page: str
    line: int
    language: str
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def file(self) -> str:
        """Answer the file that the block is to be written to, or ""."""
        return self.kind.removeprefix("file=") if self.kind.startswith("file=") else ""


def source(name: str) -> str:
    return (TOP / name).read_text(encoding="utf-8")


def blocks(name: str) -> Iterator[Block]:
    """Answer the fenced blocks of a page in order."""
    text = source(name)
    for match in _FENCE.finditer(text):
        language, _, kind = match["info"].strip().partition(" ")
        line = text.count("\n", 0, match.start()) + 1
        yield Block(page=name, line=line, language=language, kind=kind, text=match["text"])


def prose(name: str) -> str:
    """Answer a page without its fenced blocks."""
    return _FENCE.sub("", source(name))


def section(name: str, heading: str) -> str:
    """Answer what stands below a heading, up to the next one of its level or a higher one."""
    text = prose(name)
    start = re.search(rf"^(#+) {re.escape(heading)}$", text, re.MULTILINE)
    assert start, f"{name} has no heading {heading!r}"
    following = re.compile(rf"^#{{1,{len(start[1])}}} ", re.MULTILINE).search(text, start.end())
    return text[start.end() : following.start() if following else len(text)]


def rows(text: str) -> list[list[str]]:
    """Answer the cells of all tables in a text, without their heads."""
    found: list[list[str]] = []
    head = True
    for line in text.splitlines():
        if not line.startswith("|"):
            head = True
        elif re.fullmatch(r"\|( ?-+ ?\|)+", line):
            head = False
        elif not head:
            found.append([cell.strip() for cell in _CELLS.split(line)[1:-1]])
    return found


def code(text: str) -> list[str]:
    """Answer what stands in backticks."""
    return _CODE.findall(text)


def links(name: str) -> list[str]:
    return _LINK.findall(prose(name))


def anchors(path: Path) -> set[str]:
    """Answer the anchors of a page's headings, as GitHub and MyST make them."""
    text = _FENCE.sub("", path.read_text(encoding="utf-8"))
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
