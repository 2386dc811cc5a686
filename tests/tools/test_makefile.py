"""The first ``make`` in a clone says what it does before it takes its time."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

TOP = Path(__file__).resolve().parents[2]
# Stands in for an interpreter: makes an environment whose own python is this script again, and takes anything else.
PYTHON = """#!/bin/sh
case "$*" in
    *venv*) echo making; mkdir -p .venv/bin; cp "$0" .venv/bin/python;;
    *pip*-e*) echo installing;;
esac
"""


@pytest.mark.parametrize("target", ["demo", "test"])
def test_it_says_that_it_makes_an_environment_and_then_that_it_fills_it(tmp_path: Path, target: str) -> None:
    shutil.copy(TOP / "Makefile", tmp_path)
    (tmp_path / "pyproject.toml").touch()
    (tmp_path / "python").write_text(PYTHON)
    (tmp_path / "python").chmod(0o755)
    said = []
    for _ in range(2):
        done = subprocess.run(
            ["make", "--no-print-directory", target, "PYTHON=./python"],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=True,
        )
        said.append([line for line in done.stdout.splitlines() if "pytest" not in line])
    first, again = said
    assert first == ["Creating .venv ...", "making", f"Installing into .venv ({target}) ...", "installing"]
    assert again == []
