"""Instants as people type them: with an offset as given, without one in the site's zone, or refused with the fix."""

from __future__ import annotations

from argparse import ArgumentTypeError
from datetime import UTC, datetime, timedelta

import pytest
from django.test import override_settings

from django_repeat.management.moments import moment, moment_or_span


@pytest.mark.parametrize("text, found", [
    ("2030-01-31T06:00:00Z", "2030-01-31T06:00:00"),
    ("2030-01-31T06:00:00+05:30", "2030-01-31T00:30:00"),
    ("2030-01-31T06:00", "2030-01-31T05:00:00"),
    ("2030-07-31 06:00:00.250", "2030-07-31T04:00:00.250"),
    ("2030-01-31", "2030-01-30T23:00:00"),
    # The offset is what the wall time alone lacks.
    ("2030-03-31T02:30:00+01:00", "2030-03-31T01:30:00"),
    ("2030-10-27T02:30:00+02:00", "2030-10-27T00:30:00"),
    # Right before and right after a change nothing is in doubt.
    ("2030-03-31T01:59:59", "2030-03-31T00:59:59"),
    ("2030-03-31T03:00", "2030-03-31T01:00:00"),
    ("2030-10-27T01:59:59", "2030-10-26T23:59:59"),
    ("2030-10-27T03:00", "2030-10-27T02:00:00"),
])  # fmt: skip
@override_settings(TIME_ZONE="Europe/Berlin")
def test_an_instant_is_read(text: str, found: str) -> None:
    read = moment(text)
    assert read == datetime.fromisoformat(found).replace(tzinfo=UTC)
    assert read.tzinfo is UTC


@pytest.mark.parametrize("zone, text, complaint, choices", [
    ("Europe/Berlin", "2030-03-31T02:30", "is left out by the clocks in Europe/Berlin",
     ["2030-03-31T02:30:00+01:00", "2030-03-31T02:30:00+02:00"]),
    ("Europe/Berlin", "2030-10-27T02:30", "comes twice in Europe/Berlin",
     ["2030-10-27T02:30:00+02:00", "2030-10-27T02:30:00+01:00"]),
    ("Australia/Lord_Howe", "2030-04-07T01:45", "comes twice", ["2030-04-07T01:45:00+11:00",
     "2030-04-07T01:45:00+10:30"]),
    ("Pacific/Apia", "2011-12-30T12:00", "is left out", ["2011-12-30T12:00:00-10:00", "2011-12-30T12:00:00+14:00"]),
])  # fmt: skip
def test_a_wall_time_that_is_none_or_two_is_refused_with_instants_that_are_taken(
    zone: str, text: str, complaint: str, choices: list[str]
) -> None:
    with override_settings(TIME_ZONE=zone):
        with pytest.raises(ArgumentTypeError) as caught:
            moment(text)
        assert complaint in str(caught.value)
        assert str(caught.value).partition("give its offset: ")[2].split(" or ") == choices
        assert len({moment(choice) for choice in choices}) == 2


@pytest.mark.parametrize("text", [
    "", "soon", "2030-13-01", "2030-01-01T25:00", "2h", "1893456000", "1969-12-31T23:59:59Z", "0001-01-01T00:00+02:00",
    "9999-12-31T23:59-05:00", "2030-01-01T00:00+99:00", "2" * 5_000, "\x1b[2J", "２０３０-01-01",
])  # fmt: skip
def test_what_is_no_instant_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError):
        moment(text)


@pytest.mark.parametrize("text, found", [
    ("90m", timedelta(minutes=90)),
    ("1w", timedelta(days=7)),
    ("2030-01-31T06:00Z", datetime(2030, 1, 31, 6, tzinfo=UTC)),
])  # fmt: skip
def test_a_span_is_told_from_an_instant(text: str, found: timedelta | datetime) -> None:
    assert moment_or_span(text) == found


@pytest.mark.parametrize("text", ["2", "2y", "-2h", "1.5h", "2h30m", "999999999999w", "9" * 400 + "h"])
def test_what_is_neither_is_refused(text: str) -> None:
    with pytest.raises(ArgumentTypeError):
        moment_or_span(text)


@pytest.mark.parametrize("text", ["5", "yesterday", "", "2030-13-01", "1969-12-31T23:59:59Z", "-2h", "1.5h", "2y"])
def test_where_a_span_will_do_the_refusal_names_one(text: str) -> None:
    with pytest.raises(ArgumentTypeError, match="; a duration such as 2h"):
        moment_or_span(text)
    with pytest.raises(ArgumentTypeError) as caught:
        moment(text)
    assert "duration" not in str(caught.value)
