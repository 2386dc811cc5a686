"""Between values and what Redis holds: definitions, entries, run log lines."""

from __future__ import annotations

from django_repeat.codec.definition import CADENCE, FORMAT, decode, decode_policies, decode_recurrence, encode
from django_repeat.codec.numbers import FURTHEST_MS, NUMBERS, count, milliseconds
from django_repeat.codec.operators import holes_of, pause_of
from django_repeat.codec.runlog import LETTERS, line, lines, skip
from django_repeat.codec.view import entry

__all__ = [
    "CADENCE",
    "FORMAT",
    "FURTHEST_MS",
    "LETTERS",
    "NUMBERS",
    "count",
    "decode",
    "decode_policies",
    "decode_recurrence",
    "encode",
    "entry",
    "holes_of",
    "line",
    "lines",
    "milliseconds",
    "pause_of",
    "skip",
]
