"""Whatever a stranger wrote into a record, a run log or a switch, there is one sentence, on one line."""

from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from django_repeat.codec import NUMBERS, entry, lines
from django_repeat.explaining import Known, present, then
from django_repeat.instants import from_ms
from django_repeat.showing import is_hidden
from tests.explaining.saying import UTC, ms, record

NOW = ms("06:30")
instants = st.one_of(
    st.integers(NOW - 5 * 3_600_000, NOW + 5 * 3_600_000).map(lambda one: one - one % 1_800_000),
    st.sampled_from([0, 1, NOW, 253_402_300_799_999, 10**15 - 1]),
)
texts = st.one_of(instants.map(str), st.text(max_size=8), st.sampled_from(["-1", "01", "inf", "nan", "1e99", "9" * 30]))
holes = st.lists(
    st.one_of(instants.map("s{}".format), st.tuples(instants, instants).map("p{0[0]}-{0[1]}".format)), max_size=3
)
STATE = {
    **dict.fromkeys((*NUMBERS, "last_fired", "missed", "fence", "broken", "error", "paused_by", "enabled", "v"), texts),
    "holes": holes.map(" ".join),
    "template": st.just("?"),
    "policies": st.sampled_from(["{}", "?", '{"max_runs":2}', '{"end_at":"2030-01-01T07:00:00Z"}', '{"spread":"59m"}']),
}
records = st.builds(
    lambda base, changes: {**base, **changes},
    st.sampled_from([
        record({"nominal": "06:00", "last_nominal": "05:00", "last_fired": "05:00", "fired_count": 1}),
        record({"nominal": "06:00"}, every="30m", exclude=["* 4 * * *"], exclude_zone="UTC"),
        record({"nominal": "06:00"}, cron="30 2 * * *", timezone="Europe/Berlin", overlap="queue_one"),
        {},
    ]),
    st.fixed_dictionaries({}, optional=STATE),
)  # fmt: skip
values = st.one_of(
    instants, st.text(max_size=5), st.none(), st.booleans(), st.floats(), st.lists(st.integers(), max_size=2)
)
LINE = (
    "nominal",
    "first",
    "at",
    "late",
    "count",
    "reason",
    "error",
    "trigger",
    "ticker",
    "result",
    "verb",
    "by",
    "note",
)
outcomes = st.one_of(values, st.sampled_from(["fired", "missed", "skipped", "failed", "superseded"]))
logs = st.lists(st.fixed_dictionaries({"outcome": outcomes}, optional=dict.fromkeys(LINE, values)), max_size=4)


@settings(max_examples=200)
@given(fields=records, log=logs, switch=st.fixed_dictionaries({}, optional={"paused": texts, "paused_until": texts}),
       score=st.one_of(st.none(), texts), instant=instants, history=st.integers(0, 5))  # fmt: skip
def test_it_is_explained(
    fields: dict[str, str],
    log: list[dict[str, Any]],
    switch: dict[str, str],
    score: str | None,
    instant: int,
    history: int,
) -> None:
    found = entry("s", "default", (score, "hash", fields), NOW, switch)
    known = Known(entry=found, log=log, now=from_ms(NOW), zone=UTC, history=history, switch=switch)
    for text in (present(known), then(known, min(instant, 253_402_300_799_999))):
        assert text.endswith(".")
        assert not any(map(is_hidden, text))
        assert len(text) < 3_000


def test_lines_that_are_no_json_say_nothing() -> None:
    found = entry("s", "default", (str(NOW), "hash", record({"nominal": "06:00"})), NOW)
    known = Known(entry=found, log=lines(["?", "[]", "null"]), now=from_ms(NOW), zone=UTC, history=20)
    assert then(known, ms("06:00")).startswith("It has not fired ")


def test_an_entry_without_a_record_is_explained() -> None:
    for kind in ("none", "list"):
        found = entry("s", "default", (str(NOW), kind, {}), NOW)
        known = Known(entry=found, log=[], now=from_ms(NOW), zone=UTC, history=20)
        assert present(known).startswith("It cannot fire: the record is ")
        assert "cannot be read (the record is " in then(known, NOW)
