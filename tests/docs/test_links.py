"""Links between pages lead somewhere, and no page stands alone."""

from __future__ import annotations

import re

import pytest

from tests.docs.reading import NAMES, PAGES, TOP, anchors, links, source


@pytest.mark.parametrize("name", NAMES)
def test_links_lead_to_a_file_and_a_heading(name: str) -> None:
    broken = []
    for link in links(name):
        if re.match(r"https?://", link):
            continue
        path, _, anchor = link.partition("#")
        target = (TOP / name).parent / path if path else TOP / name
        if not target.is_file() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert broken == []


def test_index_and_readme_lead_to_every_page() -> None:
    pages = {page for page in PAGES if page.name not in ("README.md", "index.md")}
    for name in ("README.md", "docs/index.md"):
        reached = {((TOP / name).parent / link.partition("#")[0]).resolve() for link in links(name)}
        assert pages - reached == set()


def test_every_image_is_shown() -> None:
    shown = "".join(source(name) for name in NAMES)
    assert [image.name for image in (TOP / "docs" / "images").iterdir() if image.name not in shown] == []


def test_every_heading_of_a_page_has_an_anchor_of_its_own() -> None:
    for page in PAGES:
        titles = re.findall(r"^#+ .+$", re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S), re.M)
        assert len(titles) == len(anchors(page)), page
