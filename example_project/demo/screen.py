"""What the demo prints: one line for each thing that happens."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from io import TextIOWrapper
from typing import Any, TextIO

BOLD, DIM, RED, GREEN, YELLOW, CYAN = "1", "2", "31", "32", "33", "36"
COLOURS = {"fired": CYAN, "ran": GREEN, "failed": RED, "missed": YELLOW, "refused": RED}
NAME_WIDTH = 20


class Screen:
    """Print on a stream; in colour on a terminal, unless NO_COLOR is set. ``gone``: nobody reads it any more."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._colour = stream.isatty() and "NO_COLOR" not in os.environ
        self.gone = False
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")

    def line(self, text: str = "", colour: str = "") -> None:
        """Print one line, unless nobody is there to read it."""
        if self.gone:
            return
        try:
            print(self._paint(text, colour), file=self._stream)
        except OSError:
            self.gone = True
            # What is left in the buffer would be a traceback at exit.
            os.dup2(os.open(os.devnull, os.O_WRONLY), self._stream.fileno())

    def happened(self, what: str, name: str, details: str) -> None:
        """Print the line of one event: ``21:45:03 fired  greenhouse.measure  …``."""
        verb = self._paint(f"{what:<7}", COLOURS[what])
        self.line(f"{time.strftime('%H:%M:%S')} {verb} {name:<{NAME_WIDTH}} {self._paint(details, DIM)}".rstrip())

    def said(self, part: str, line: str) -> None:
        """Print a line that a part printed."""
        self.line(f"{part:>8} | {line}", YELLOW)

    def trouble(self, error: Exception, lines: Sequence[str] = ()) -> None:
        """Print what went wrong, and the last lines of the part that it went wrong in."""
        self.line()
        self.line(str(error), RED)
        for line in lines:
            self.line(f"    {line}", DIM)

    def opening(self, addresses: Mapping[str, str], tips: Sequence[str]) -> None:
        """Print where everything is and what to try."""
        self.line()
        self.line("The greenhouse is open.", BOLD)
        self.line()
        for what, address in addresses.items():
            self.line(f"  {what:<10} {self._paint(address, CYAN)}")
        self.line()
        for tip in tips:
            self.line(f"  * {tip}")
        self.line()
        self.line("Ctrl-C ends everything.", BOLD)
        self.line()

    def _paint(self, text: str, colour: str) -> str:
        return f"\x1b[{colour}m{text}\x1b[0m" if self._colour and colour and text else text


def fired_details(event: Mapping[str, Any]) -> str:
    """Answer when an occurrence was due and how late it was fired."""
    nominal = time.strftime("%H:%M:%S", time.localtime(event["nominal"] / 1000))
    return f"nominal {nominal}, {event['late']} ms late"


def ran_details(event: Mapping[str, Any]) -> str:
    """Answer how long a task ran, and what came of it."""
    return f"{event['ms']} ms, {event['error'] or event['answer'] or 'done'}"
