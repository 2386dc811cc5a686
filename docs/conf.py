"""Sphinx, for `make docs`. The pages read well without it; it adds a search and a table of contents."""

from __future__ import annotations

import re
from importlib.metadata import version as installed

from sphinx.application import Sphinx

project = "django-repeat"
author = "The django-repeat authors"
copyright = author
release = version = installed(project)

extensions = ["myst_parser"]
html_theme = "furo"
html_title = project
myst_heading_anchors = 3


def setup(app: Sphinx) -> None:
    app.connect("source-read", add_contents)


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Make the table of contents from the links of the index, which a reader of the plain text has anyway."""
    if page == "index":
        pages = "\n".join(re.findall(r"^\* \[.*?\]\(([\w/]+)\.md\)", source[0], re.MULTILINE))
        source[0] += f"\n```{{toctree}}\n:hidden:\n\n{pages}\n```\n"
