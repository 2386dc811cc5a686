"""Printing: one line stays one line, columns line up, every stream can take it."""

from __future__ import annotations

import io
import json

import pytest
from django.core.management.base import OutputWrapper
from django.core.management.color import no_style

from django_repeat.management.output import Output, encodable, quoted, width
from django_repeat.showing import readable

EMOJI = "👩‍💻"


def output(encoding: str = "utf-8") -> tuple[Output, io.BytesIO]:
    raw = io.BytesIO()
    stream = OutputWrapper(io.TextIOWrapper(raw, encoding=encoding, write_through=True))
    return Output(stdout=stream, stderr=stream, style=no_style()), raw


@pytest.mark.parametrize("text, shown", [
    ("two\nlines", r"two\nlines"),
    ("\x1b[2J", r"\x1b[2J"),
    ("a\u202eb", r"a\u202eb"),
    ("\u2028", r"\u2028"),
    ("\udcff", r"\udcff"),
    (f"café 任务 {EMOJI}", f"café 任务 {EMOJI}"),
])  # fmt: skip
def test_what_a_terminal_would_obey_is_escaped(text: str, shown: str) -> None:
    assert readable(text) == shown
    assert quoted(text) == f"'{shown}'"


@pytest.mark.parametrize("text, columns", [("abc", 3), ("任务", 4), ("cafe\u0301", 4), ("ｆ", 2), ("a\u200db", 2)])
def test_width_counts_columns_of_a_terminal(text: str, columns: int) -> None:
    assert width(text) == columns


def test_columns_line_up_under_wide_characters() -> None:
    printer, raw = output()
    printer.table(["name", "state"], [["任务", "due"], ["abcdef", "failing"]])
    assert raw.getvalue().decode() == "name    state\n任务    due\nabcdef  failing\n"


def test_columns_line_up_where_the_stream_escapes() -> None:
    printer, raw = output("ascii")
    printer.table(["name", "state"], [["é", "due"], ["abcdef", "due"]])
    assert raw.getvalue() == b"name    state\n\\xe9    due\nabcdef  due\n"


def test_a_table_without_rows_prints_nothing() -> None:
    printer, raw = output()
    printer.table(["name"], [])
    assert raw.getvalue() == b""


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
@pytest.mark.parametrize("text", ["Sprawdź logi", EMOJI, "\udcff", "\x1b"])
def test_json_can_be_read_back_whatever_the_stream_can_encode(text: str, encoding: str) -> None:
    printer, raw = output(encoding)
    printer.json([text])
    assert json.loads(raw.getvalue().decode(encoding)) == [text]


HIDDEN = [
    *map(chr, range(0x20)), "\x7f", *map(chr, range(0x80, 0xA0)), "\u2028", "\u2029", "\ud800", "\udcff", "\udfff",
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
]  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_json_holds_nothing_that_a_terminal_would_obey(encoding: str) -> None:
    value = {f"a{one}b": [f"{one}é任务{EMOJI}"] for one in HIDDEN}
    printer, raw = output(encoding)
    printer.json(value)
    text = raw.getvalue().decode(encoding)
    assert set(HIDDEN) & set(text) == {"\n"}
    assert json.loads(text) == value
    assert (EMOJI in text) == (encoding == "utf-8")


def test_json_stays_readable_where_the_stream_can_encode_it() -> None:
    printer, raw = output()
    printer.json({"name": "任务"})
    assert "任务" in raw.getvalue().decode()


def test_a_stream_without_encoding_is_taken_for_utf_8() -> None:
    assert encodable("任务", io.StringIO()) == "任务"


def test_progress_is_silent_at_verbosity_0() -> None:
    printer, raw = output()
    Output(stdout=printer.stdout, stderr=printer.stderr, style=no_style(), verbosity=0).progress("x")
    assert raw.getvalue() == b""
