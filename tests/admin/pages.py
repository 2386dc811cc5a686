"""What the tests read off pages, as a browser would: parsed, not searched as text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser
from typing import Any


@dataclass
class Page:
    """The parts of a page: table rows (but for the menu's), links, form fields, elements, messages."""

    text: str = ""
    rows: list[list[str]] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    inputs: list[dict[str, str]] = field(default_factory=list)
    elements: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    banners: list[tuple[str, str]] = field(default_factory=list)
    crumbs: list[tuple[str, str]] = field(default_factory=list)

    def value(self, name: str) -> str:
        return next(one.get("value", "") for one in self.inputs if one.get("name") == name)


class _Parser(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Page()
        self._menus = 0
        self._open: list[tuple[str, dict[str, str], list[str]]] = []

    def handle_starttag(self, tag: str, attributes: Any) -> None:
        found = {key: value or "" for key, value in attributes}
        self.page.elements.append((tag, found))
        if tag in ("input", "button"):
            self.page.inputs.append(found)
        if tag == "nav":
            self._menus += 1
        if tag == "tr" and not self._menus:
            self.page.rows.append([])
        if tag in ("td", "th", "a", "li", "title"):
            self._open.append((tag, found, []))

    def handle_data(self, data: str) -> None:
        self.page.text += data
        for _, _, parts in self._open:
            parts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "nav":
            self._menus -= 1
        if not any(one[0] == tag for one in self._open):
            return
        while True:
            name, found, parts = self._open.pop()
            if name == tag:
                break
        text = " ".join("".join(parts).split())
        if tag in ("td", "th") and not self._menus:
            self.page.rows[-1].append(text)
        elif tag == "a":
            self.page.links[text] = found.get("href", "")
        elif tag == "li" and found.get("class") in ("success", "error", "warning"):
            self.page.banners.append((found["class"], text))


def read(response: Any) -> Page:
    parser = _Parser()
    parser.feed(response.content.decode())
    page = parser.page
    page.crumbs = crumbs(response.content.decode())
    page.text = " ".join(page.text.split())
    return page


def crumbs(body: str) -> list[tuple[str, str]]:
    """Answer the breadcrumbs, each with its address: a div with › between them, from Django 6.1 on a list."""
    found = re.search(r'<(div|ol) class="breadcrumbs">(.*?)</\1>', body, re.DOTALL)
    if not found:
        return []
    steps = re.split("</li>" if found[1] == "ol" else "&rsaquo;", found[2])
    pairs = ((re.sub("<[^>]*>", "", step).strip(), re.search('href="([^"]*)"', step)) for step in steps)
    return [(unescape(text), link[1] if link else "") for text, link in pairs if text]


def result_rows(page: Page) -> dict[str, list[str]]:
    """Answer the list's rows by name: the cells after it."""
    rows = [[cell for cell in row if cell] for row in page.rows]
    return {row[0]: row[1:] for row in rows if row[0] != "Name"}


def inline(response: Any) -> list[str]:
    """Answer inline scripts and styles, which a strict CSP refuses."""
    body = response.content.decode()
    scripts = [one for one in re.findall(r"<script([^>]*)>", body) if "src=" not in one]
    return scripts + re.findall(r"<style|<[^>]*\sstyle=", body)
