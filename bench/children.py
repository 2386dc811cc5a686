"""Starting tickers as processes of their own, and ending them whatever happens."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 30.0


class Child:
    """A ticker's process, ready to tick. It ends when this process does, because its standard input ends then."""

    def __init__(self, kind: str, queue: str, site: Mapping[str, Any], **variables: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "bench.child", kind, queue],
            cwd=ROOT,
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "bench.settings", "BENCH_SITE": json.dumps(site), **variables},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._heard("ready")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    @property
    def pid(self) -> int:
        """Answer the process id."""
        return self.process.pid

    def cpu(self) -> float:
        """Answer the processor seconds that it has used so far."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return float(self._heard())

    def end(self) -> None:
        """Let it end as on a signal, and wait for that; kill it when it does not."""
        try:
            self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()

    def _heard(self, expected: str = "") -> str:
        assert self.process.stdout
        line = self.process.stdout.readline().strip()
        if not line or (expected and line != expected):
            self.process.kill()
            raise RuntimeError(f"A ticker that was to be measured ended with {self.process.wait()}.")
        return line


@contextmanager
def both(site: Mapping[str, Any], queues: tuple[str, str], **variables: str) -> Iterator[tuple[Child, Child]]:
    """Run a ticker of the package and a bare one, each on its queue."""
    with Child("package", queues[0], site, **variables) as ours, Child("bare", queues[1], site, **variables) as floor:
        yield ours, floor
