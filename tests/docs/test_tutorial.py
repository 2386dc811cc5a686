"""The tutorial, done as it is written: its files, its commands, and what they print."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import django
import pytest

from django_repeat.testing.server import start_server
from tests.docs.reading import TOP, Block, blocks

PAGE = "docs/tutorial.md"
BEFORE_6 = django.VERSION < (6, 0)


@pytest.mark.process
def test_the_tutorial_works(tmp_path: Path) -> None:
    with start_server() as server:
        printed = ""
        for block in blocks(PAGE):
            if block.file:
                add(tmp_path / block.file, adapted(block.text, server.url))
            elif block.language == "sh" and block.kind == "run":
                printed = run(block, tmp_path)
            elif block.kind == "like":
                lines = [alike(line) for line in printed.splitlines()]
                assert [line for line in map(alike, block.text.splitlines()) if line not in lines] == [], printed


def add(path: Path, text: str) -> None:
    path.parent.mkdir(exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def adapted(text: str, url: str) -> str:
    """Answer a file with this test's server, and on Django 5.2 as the top of the page says."""
    text = text.replace("redis://localhost:6379/1", url)
    if BEFORE_6:
        text = text.replace("from django.tasks", "from django_tasks").replace('+= ["', '+= ["django_tasks", "')
    return text


def run(block: Block, place: Path) -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("DJANGO_", "PYTEST_"))}
    done = subprocess.run(
        ["sh", "-ec", block.text],
        cwd=place,
        env={**kept, "PATH": path, "PYTHONPATH": str(TOP), "PYTHONDONTWRITEBYTECODE": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    assert "warning" not in done.stderr.lower(), f"{block}\n{done.stderr}"
    return done.stdout


def alike(line: str) -> str:
    """Answer a line without what differs from run to run: numbers, weekday, summer time, width of columns."""
    line = re.sub(r"\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun) ", "", line).replace("CEST", "CET")
    line = re.sub(r"(\b\d+[dhms] ?)+$", "span", line)
    return " ".join(re.sub(r"\d+(\.\d+)?", "0", line).split())
