"""Names: ours of every kind, and bytes that strangers wrote."""

from __future__ import annotations

import pytest
from redis.crc import key_slot

from django_repeat import service
from django_repeat.exceptions import ScheduleNotFound
from django_repeat.keys import Keys, raw, text
from django_repeat.names import schedule_name
from tests.registry.support import HOUR, T, hourly

HOSTILE = [
    "a",
    ":",
    "::",
    "a:b",
    "runs:a",
    ".runs:a",
    "x.runs:y",
    ".tickers",
    ".ticker:me",
    "tickers",
    "repeat",
    "{a}",
    "{",
    "}",
    "{}",
    "}:repeat",
    "{default}",
    "a b",
    "*",
    "?",
    "[a]",
    "\\",
    "%s",
    "%00",
    "../../etc/passwd",
    "'",
    '"',
    "<script>alert(1)</script>",
    "--",
    "1",
    "0x1",
    "1e5",
    "inf",
    "nil",
    "false",
    "café",
    "Sprawdź logi",
    "任务",
    "👩‍👩‍👧",
    "#",
    "@",
    "!",
    "a@1",
    "é" * 200,
]
STRANGE = [
    b"\xff\xfe",
    b"\x00",
    b"a\nb",
    b"caf\xc3",
    b"cafe\xcc\x81",
    b" a ",
    b"\xed\xa0\x80",
    b"x" * 3000,
    b"",
    b"\r\n$3",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_lives_a_whole_life(registry, name):
    assert schedule_name(name) == name
    registry.put(hourly("neighbour"))
    assert registry.put(hourly(name)) == "registered"
    claim = registry.win(T + HOUR, "a:1", name)
    assert registry.settle(T + HOUR, claim, T + 2 * HOUR) == "ok"
    assert registry.outcomes(name) == ["fired"]
    assert service.get(name).name == name
    assert sorted(service.names_of()) == sorted(["neighbour", name])
    assert service.cancel(name) == "cancelled"
    assert set(registry.everything()) == {registry.keys.schedules, registry.keys.record("neighbour")}


@pytest.mark.parametrize("name", STRANGE)
def test_a_name_that_only_a_stranger_would_write_is_listed_and_cancellable(registry, name):
    registry.client.zadd(registry.keys.schedules, {name: T})
    registry.client.hset(registry.keys.schedules + b":" + name, mapping={"every_ms": 5, b"\xff": b"\xfe"})
    (entry,) = registry.reader.page(0, 10)
    assert raw(entry.name) == name
    assert entry.state == "foreign"
    assert entry.raw["\udcff"] == "\udcfe"
    assert [one.why for one in registry.claim(T, "a:1")] == ["foreign"]
    assert service.get(entry.name).name == entry.name
    assert service.cancel(entry.name) == "cancelled"
    assert registry.everything() == {}


def test_both_spellings_of_an_accent_are_one_schedule(registry):
    registry.put(hourly("cafe\u0301"))
    assert registry.reader.names() == ["caf\u00e9"]
    assert service.get("cafe\u0301").name == "caf\u00e9"
    assert service.cancel("cafe\u0301") == "cancelled"
    assert service.cancel("cafe\u0301") == "absent"


def test_half_a_surrogate_pair_is_a_name_that_nobody_has(registry):
    with pytest.raises(ScheduleNotFound):
        service.get("\ud83d")
    assert service.cancel("\ud83d") == "absent"


def test_an_error_with_half_a_surrogate_pair_is_stored(registry):
    registry.put(hourly())
    assert (
        registry.release(
            T + HOUR, registry.win(T + HOUR, "a:1"), backoff=5, error="bad \ud83d\udcff", lines=['"\ud83d"']
        )
        == "ok"
    )
    assert service.get("hourly").error.startswith("bad ")


@pytest.mark.parametrize("queue", ["default", "a-b_c.D", "0"])
@pytest.mark.parametrize("name", HOSTILE)
def test_all_keys_of_a_queue_are_in_its_slot(queue, name):
    keys = Keys("emq", queue)
    slot = key_slot(queue.encode())
    for key in (keys.schedules, keys.record(name), keys.runs(name), keys.tickers, keys.ticker(name)):
        assert key_slot(key) == slot
        assert key.startswith(b"emq:{%s}:repeat" % queue.encode())


def test_no_two_things_share_a_key():
    keys = Keys("emq", "default")
    found = [keys.schedules, keys.tickers]
    for name in HOSTILE:
        found += [keys.record(name), keys.runs(name), keys.ticker(name)]
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("value", [b"", b"plain", b"\xff\x00", "任务".encode(), b"\xed\xa0\x80"])
def test_bytes_come_back_as_they_were(value):
    assert raw(text(value)) == value
