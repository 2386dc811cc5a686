"""What cron text means, and how the rest is refused."""

import time
from calendar import isleap
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.recurrence import Cron
from django_repeat.showing import shown

START = datetime(2025, 6, 1, tzinfo=UTC)


def instants(text: str, count: int, start: datetime = START) -> list[str]:
    def walk() -> Any:
        moment = Cron(text, "UTC").after(start)
        while moment:
            yield f"{moment:%m-%d %H:%M}"
            moment = Cron(text, "UTC").after(moment)

    return list(islice(walk(), count))


def refusal(text: Any) -> str:
    with pytest.raises(InvalidSchedule) as caught:
        Cron(text, "UTC")
    return str(caught.value)


@pytest.mark.parametrize(
    "nickname, text",
    [
        ("@hourly", "0 * * * *"),
        ("@daily", "0 0 * * *"),
        ("@midnight", "0 0 * * *"),
        ("@weekly", "0 0 * * 0"),
        ("@monthly", "0 0 1 * *"),
        ("@yearly", "0 0 1 1 *"),
        ("@annually", "0 0 1 1 *"),
        ("@Daily", "0 0 * * *"),
        (" @MONTHLY\t", "0 0 1 * *"),
    ],
)
def test_a_nickname_reads_as_its_five_fields_in_any_case(nickname: str, text: str) -> None:
    assert instants(nickname, 5) == instants(text, 5)


@pytest.mark.parametrize(
    "text, same",
    [
        ("0 0 * * FRI-SUN", "0 0 * * 0,5,6"),
        ("0 0 * * mon-Sun/2", "0 0 * * 1,3,5,7"),
        ("0 0 * * SUN-TUE", "0 0 * * 0-2"),
        ("0 0 * * Sun-sun", "0 0 * * 0"),
        ("0 0 * * SUN", "0 0 * * 7"),
        ("0 0 * * 5-7", "0 0 * * 0,5,6"),
        ("0 0 * * 0-7", "0 0 * * *"),
        ("0 0 * * TUE-5", "0 0 * * 2-5"),
        ("0 0 1 feb-APR,12 *", "0 0 1 2,3,4,12 *"),
        ("*/20,5 * * * *", "0,5,20,40 * * * *"),
        ("*/60 */24 * * *", "0 0 * * *"),
        ("000000005 0 * * *", "5 0 * * *"),
    ],
)
def test_two_spellings_are_one_rule(text: str, same: str) -> None:
    assert instants(text, 10) == instants(same, 10)


def test_the_written_star_decides_between_and_and_or() -> None:
    assert instants("0 0 13 * 5", 4) == ["06-06 00:00", "06-13 00:00", "06-20 00:00", "06-27 00:00"]
    assert instants("0 0 13 * 5", 4, datetime(2025, 8, 11, tzinfo=UTC)) == [
        "08-13 00:00",
        "08-15 00:00",
        "08-22 00:00",
        "08-29 00:00",
    ]
    assert instants("0 0 1-31 * 5", 2) == ["06-02 00:00", "06-03 00:00"]


@pytest.mark.parametrize("text", ["0 0 */2 * 1", "0 0 */2,31 * 1"])
def test_a_leading_stepped_star_in_a_day_field_means_and(text: str) -> None:
    assert instants(text, 3) == ["06-09 00:00", "06-23 00:00", "07-07 00:00"]


def test_a_star_further_on_in_a_list_does_not_mean_and() -> None:
    assert instants("0 0 31,*/2 * 1", 3) == ["06-02 00:00", "06-03 00:00", "06-05 00:00"]


def test_only_a_leading_star_makes_a_wildcard_rule() -> None:
    # one run of 02:00 or two of them in the repeated hour of Berlin
    hour = datetime(2025, 10, 25, 23, 30, tzinfo=UTC), datetime(2025, 10, 26, 1, 30, tzinfo=UTC)
    assert Cron("0,*/30 2 * * *", "Europe/Berlin").count(*hour) == 2
    assert Cron("*/30,0 2 * * *", "Europe/Berlin").count(*hour) == 4


def test_five_fields_are_minute_first() -> None:
    assert instants("30 6 * * *", 2) == ["06-01 06:30", "06-02 06:30"]


def test_six_fields_are_refused_with_both_readings() -> None:
    message = refusal("0 0 12 * * *")
    assert "'0 12 * * *'" in message
    assert "'0 0 12 * *'" in message


@pytest.mark.parametrize(
    "text, field, part, offender",
    [
        ("*/0 * * * *", "minute", "*/0", "from 1 to 60"),
        ("*/61 * * * *", "minute", "*/61", "every="),
        ("0 */90 * * *", "hour", "*/90", "from 1 to 24"),
        ("0 0 * * */8", "weekday", "*/8", "from 1 to 7"),
        ("0 24 * * *", "hour", "24", "0-23"),
        ("0 0 L * *", "day-of-month", "L", "'L' (the last one) is Quartz"),
        ("0 0 15w * *", "day-of-month", "15w", "'w' (the nearest working day) is Quartz"),
        ("0 0 * * 5#2", "weekday", "5#2", "'#' (the n-th weekday) is Quartz"),
        ("0 0 * * FRI#2", "weekday", "FRI#2", "'#'"),
        ("0 0 ? * 1", "day-of-month", "?", "'?' (no value) is Quartz"),
        ("0 0 * * MONDAY", "weekday", "MONDAY", "SUN, MON"),
        ("0 0 1 JUX *", "month", "JUX", "JAN, FEB"),
        ("0 0 * * frı", "weekday", "frı", "LATIN SMALL LETTER DOTLESS I"),
        ("0 0 * * ſun", "weekday", "ſun", "LATIN SMALL LETTER LONG S"),
        ("MON * * * *", "minute", "MON", "0-59"),
        ("１ * * * *", "minute", "１", "FULLWIDTH DIGIT ONE"),
        ("1_0 * * * *", "minute", "1_0", "'_'"),
        ("+5 * * * *", "minute", "+5", "'+'"),
        ("-5 * * * *", "minute", "-5", "'-'"),
        ("1- * * * *", "minute", "1-", "'-'"),
        ("5/15 * * * *", "minute", "5/15", "5-59/15"),
        ("*/ * * * *", "minute", "*/", "a number is missing"),
        ("/5 * * * *", "minute", "/5", "'/'"),
        ("1,,2 * * * *", "minute", "1,,2", "','"),
        ("1, * * * *", "minute", "1,", "','"),
        ("*,5 * * * *", "minute", "*,5", "alone"),
        ("5,* * * * *", "minute", "5,*", "alone"),
        ("** * * * *", "minute", "**", "'*'"),
        ("*-5 * * * *", "minute", "*-5", "'*'"),
        ("50-10 * * * *", "minute", "50-10", "10-50"),
        ("0 0 * * 5-0", "weekday", "5-0", "reversed"),
        ("0 0 * * SAT-MON", "weekday", "SAT-MON", "reversed"),
        ("0 0 * dec-jan *", "month", "dec-jan", "reversed"),
        ("\0 * * * *", "minute", "\0", "'\\x00'"),
    ],
)
def test_a_refusal_names_field_part_and_fix(text: str, field: str, part: str, offender: str) -> None:
    message = refusal(text)
    assert f"{field} field {part!r}" in message
    assert offender in message


@pytest.mark.parametrize(
    "text", ["", " \t ", "*", "0 0 * *", "0 0 * * * * *", "@", "@reboot", "@fortnightly", "@daily 5", "@ daily"]
)
def test_other_shapes_are_refused(text: str) -> None:
    assert repr(text.strip()) in refusal(text)


@pytest.mark.parametrize("blank", ["\n", "\r\n", "\v", "\u00a0", "\u2003", "\x1c"])
def test_only_blanks_and_tabs_separate(blank: str) -> None:
    assert "separates nothing" in refusal(f"0 6{blank}* * *")
    assert "separates nothing" in refusal(f"0 6 * * *{blank}")


@pytest.mark.parametrize("value", [None, True, 5, 1.5, b"* * * * *", ["*"] * 5, START])
def test_a_rule_is_text(value: Any) -> None:
    assert refusal(value) == f"{shown(value)} is no cron rule; give text such as '0 6 * * *'"


@pytest.mark.parametrize("text", ["0 0 30 2 *", "0 0 31 4 *", "* * 31 2,4,6,9,11 *", "0 0 30-31 2 *", "0 0 30 2 */2"])
def test_what_never_matches_is_refused(text: str) -> None:
    assert "never matches" in refusal(text)


@pytest.mark.parametrize("text", ["0 0 30 2 1", "0 0 */30,30 2 1", "0 0 31 */2,9,11 *", "0 0 29 2 *"])
def test_what_matches_rarely_is_not(text: str) -> None:
    assert instants(text, 1)


def test_a_rare_rule_is_found() -> None:
    sundays = [
        day for year in range(2028, 2500, 4) if isleap(year) and (day := datetime(year, 2, 29)).isoweekday() == 7
    ]
    assert max(later.year - earlier.year for earlier, later in pairwise(sundays)) == 40
    cron, moment = Cron("0 0 29 2 */7", "UTC"), START
    for sunday in sundays:
        following = cron.after(moment)
        assert following == sunday.replace(tzinfo=UTC)
        assert cron.count(moment, following) == 1
        moment = following


@pytest.mark.parametrize(
    "text", ["*/0 * * * *", "0 0 30 2 *", "," * 999, "9" * 1000, "*" * 10_000_000, "1-" * 499, " " * 999]
)
def test_refusing_is_quick(text: str) -> None:
    begin = time.perf_counter()
    message = refusal(text)
    assert time.perf_counter() - begin < 0.05
    assert len(message) < 4000


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text(st.sampled_from("0123456789*/,-#@ LWMONFRIsunjan?_.\t\n１٣é"), max_size=24) | st.text(max_size=12))
def test_any_text_is_a_rule_or_refused(text: str) -> None:
    try:
        cron = Cron(text, "UTC")
    except InvalidSchedule:
        return
    assert cron.text == " ".join(text.split())
    assert cron.after(START) is not None
