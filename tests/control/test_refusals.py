"""Each verb on what is not there, not ours, damaged, or changes all the time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import redis

from django_repeat import cancel, get, pause, resume, service, skip, trigger, upsert
from django_repeat.control import times_of
from django_repeat.exceptions import Conflict, RegistryUnavailable, ScheduleNotFound
from django_repeat.keys import Keys
from tests.control.looking import entry_at, frozen, moment
from tests.ticker.minutely import put

VERBS: dict[str, Callable[[str], Any]] = {
    "pause": pause,
    "resume": resume,
    "skip": skip,
    "trigger": trigger,
    "backfill": lambda name: times_of(name, moment(0), moment(1), force=True),
}
verbs = pytest.mark.parametrize("verb", VERBS)


@pytest.fixture
def client(repeat_registry: Any):
    with redis.Redis.from_url(repeat_registry.url) as found:
        yield found


@pytest.fixture
def keys() -> Keys:
    return service.store("default").keys


def picture(client: redis.Redis, keys: Keys) -> dict[bytes, Any]:
    return {key: client.dump(key) for key in client.keys(f"{keys.prefix}*")}


@verbs
def test_an_unknown_name_writes_nothing(verb: str, client: redis.Redis, keys: Keys) -> None:
    put()
    before = picture(client, keys)
    with pytest.raises(ScheduleNotFound, match="nosuch"):
        VERBS[verb]("nosuch")
    assert picture(client, keys) == before


@verbs
def test_another_programs_entry_is_left_alone(verb: str, client: redis.Redis, keys: Keys) -> None:
    client.zadd(keys.schedules, {"s": 1})
    client.hset(keys.record("s"), mapping={"every_ms": "1000", "template": "{}"})
    before = picture(client, keys)
    with pytest.raises(Conflict):
        VERBS[verb]("s")
    assert picture(client, keys) == before


@pytest.mark.parametrize("verb", [verb for verb in VERBS if verb != "resume"])
@pytest.mark.parametrize("damage", ["string", "gone", "number"])
def test_a_damaged_record_is_refused(verb: str, damage: str, client: redis.Redis, keys: Keys) -> None:
    put()
    if damage == "number":
        client.hset(keys.record("s"), "nominal", "soon")
    else:
        client.delete(keys.record("s"))
    if damage == "string":
        client.set(keys.record("s"), "x")
    before = picture(client, keys)
    readable = damage == "number" and verb in ("trigger", "backfill")
    with frozen(2):
        if readable:
            VERBS[verb]("s")
        else:
            with pytest.raises(Conflict):
                VERBS[verb]("s")
            assert picture(client, keys) == before


@pytest.mark.parametrize("verb", ["pause", "skip"])
def test_a_record_that_changes_between_look_and_write_is_looked_at_again(
    verb: str, monkeypatch: pytest.MonkeyPatch, client: redis.Redis, keys: Keys
) -> None:
    put()
    now, times = service.now, iter(range(3))

    def meddle(**given: Any) -> Any:
        # Between the look at the record and the write the verbs ask for the time.
        if next(times, None) is not None:
            client.hincrby(keys.record("s"), "rev", 1)
        return now(**given)

    monkeypatch.setattr(service, "now", meddle)
    with frozen(-0.5):
        VERBS[verb]("s")
    entry = entry_at(-0.5)
    assert entry.pause if verb == "pause" else len(entry.skips) == 1
    assert len(service.runs("s")) == 1


def test_one_that_never_holds_still_is_an_outage(
    monkeypatch: pytest.MonkeyPatch, client: redis.Redis, keys: Keys
) -> None:
    put()
    now = service.now

    def meddle(**given: Any) -> Any:
        client.hincrby(keys.record("s"), "rev", 1)
        return now(**given)

    monkeypatch.setattr(service, "now", meddle)
    with pytest.raises(RegistryUnavailable, match="kept changing"):
        pause("s")
    assert get("s").pause is None


def test_one_that_is_cancelled_meanwhile_is_not_found(monkeypatch: pytest.MonkeyPatch) -> None:
    put()
    now = service.now

    def meddle(**given: Any) -> Any:
        cancel("s")
        return now(**given)

    monkeypatch.setattr(service, "now", meddle)
    with pytest.raises(ScheduleNotFound):
        pause("s")


@pytest.mark.parametrize("name", ["café", "日:本/{語}", "<script>", "a b"])
def test_any_name_will_do(name: str) -> None:
    with frozen(-1):
        upsert(name, task="a.b", cron="* * * * *", timezone="UTC")
        assert pause(name) == "paused"
        assert resume(name) == "resumed"
        assert len(skip(name)) == 1
        assert trigger(name).id.startswith(f"{name}!")


def test_both_spellings_name_one_schedule() -> None:
    upsert("café", task="a.b", every="1m")
    assert pause("café") == "paused"
    assert get("café").state == "paused"


def test_who_and_why_may_be_any_text_and_are_cut() -> None:
    put()
    odd = "\udcff<b>\n\x00"
    pause("s", by=odd + "a" * 300, reason="r" * 900)
    found = get("s").pause
    assert found is not None
    assert (len(found.by), len(found.reason)) == (200, 500)
    assert found.by.endswith("a")
    assert resume("s") == "resumed"
