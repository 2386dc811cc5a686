"""Run log lines: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

# json.dumps would build an encoder for every line.
_compact = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode

LETTERS = {"fired": "f", "skipped": "s", "missed": "m", "failed": "x", "superseded": "u"}
"""What the record keeps of each outcome."""


def line(**values: Any) -> str:
    """Answer one run log line as JSON; what says nothing (None, empty, zero) is left out, instants stay."""
    kept = {key: value for key, value in values.items() if value not in (None, "") and (value != 0 or key == "nominal")}
    return _compact(kept)


def skip(reason: str, first: int, count: int, **values: Any) -> str:
    """Answer the line of nominal times in a row that were skipped.

    What it begins with stands in this order, by which ``progress.lua`` makes one line of two in a row.
    """
    return _compact({"outcome": "skipped", "reason": reason, "first": first, "count": count, **values})


def lines(stored: Sequence[str]) -> list[dict[str, Any]]:
    """Answer run log lines as dicts; one that cannot be read is answered as its text under ``unreadable``."""
    answer: list[dict[str, Any]] = []
    for text in stored:
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            value = None
        answer.append(value if isinstance(value, dict) else {"unreadable": text})
    return answer
