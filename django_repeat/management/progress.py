"""A bar that grows, for who watches a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django_repeat.management.output import Output

CELLS = 30


@contextmanager
def progress(output: Output, total: int) -> Iterator[Bar]:
    """In the block, show on stderr how far it is; nothing where that is no terminal, or at verbosity 0."""
    bar = Bar(output, total)
    bar.draw()
    try:
        yield bar
    finally:
        bar.end()


class Bar:
    """One line on stderr, drawn over and over."""

    def __init__(self, output: Output, total: int) -> None:
        self._stream = output.stderr
        self._seen = bool(output.verbosity and total and output.stderr.isatty())
        self._total = total
        self.done = 0

    def step(self) -> None:
        """Count one more."""
        self.done += 1
        self.draw()

    def draw(self) -> None:
        """Show how far it is."""
        full = CELLS * self.done // self._total if self._total else 0
        self._write(f"\r[{'#' * full}{' ' * (CELLS - full)}] {self.done}/{self._total}")

    def end(self) -> None:
        """Leave the line as it is, and go to the next."""
        self._write("\n")

    def _write(self, text: str) -> None:
        if self._seen:
            self._stream.write(text, str, ending="")
            self._stream.flush()
