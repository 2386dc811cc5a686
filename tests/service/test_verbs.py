"""The verbs that users call."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from django.test import override_settings

from django_repeat import Schedule, declare, service, signals
from django_repeat.exceptions import Conflict, InvalidSchedule, InvalidSettings, ScheduleNotFound
from django_repeat.testing import freeze, recording, tick

pytestmark = pytest.mark.usefixtures("repeat_registry")
NOW = datetime(2026, 6, 3, 10, tzinfo=UTC)
TASK = "shop.tasks.count"


@pytest.fixture(autouse=True)
def clock():
    with freeze(NOW):
        yield


@pytest.fixture
def heard():
    """Answer (name, answer, by) of every announcement."""
    told: list[tuple[str, str, str]] = []

    def hear(*, name, answer, by, **_):
        told.append((name, answer, by))

    signals.schedule_registered.connect(hear)
    yield told
    signals.schedule_registered.disconnect(hear)


def test_a_schedule_is_given_whole_or_as_a_name_with_fields():
    assert service.register("a", every="1m", task=TASK) == "registered"
    assert service.register(Schedule("a", every="1m", task=TASK)) == "exists"
    assert service.upsert(Schedule("a", every="1m", task=TASK)) == "exists"
    with pytest.raises(TypeError, match="not both"):
        service.register(Schedule("b", every="1m", task=TASK), args=[1])
    with pytest.raises(InvalidSchedule, match=r"'b'.*every"):
        service.upsert("b", every=0, task=TASK)
    assert service.names_of() == ["a"]


def test_what_is_made_at_run_time_is_dynamic():
    service.register("a", every="1m", task=TASK)
    service.upsert("b", every="1m", task=TASK)
    assert [entry.source for entry in service.entries()] == ["dynamic", "dynamic"]


def test_a_name_that_code_declares_cannot_be_changed_at_run_time():
    declare("a", every="1m", task=TASK)
    with pytest.raises(Conflict, match="'a' is declared in code"):
        service.upsert("a", every="2m", task=TASK)
    assert service.count() == 0
    assert service.upsert("a", every="2m", task=TASK, queue="other") == "registered"
    service.cancel("a", queue="other")


def test_a_name_that_another_process_declares_cannot_either():
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "SCHEDULES": {"a": {"every": "1m", "task": TASK}}}):
        service.sync()
    with pytest.raises(Conflict, match="'a' is declared in the code of some process"):
        service.upsert("a", every="2m", task=TASK)
    assert service.get("a").source == "settings"


def test_foreign_and_damaged_records_are_conflicts_until_they_are_cancelled(repeat_registry):
    store = service.store("default")
    store.call("register", [store.keys.record("echo")], ["echo", "+0", 0, "every_ms", "5", "template", "{}"])
    store.call("register", [store.keys.record("hurt")], ["hurt", "+0", 0, "v", "1", "failures", "many"])
    with pytest.raises(Conflict, match="'echo' was registered by another program"):
        service.upsert("echo", every="2m", task=TASK)
    with pytest.raises(Conflict, match="'hurt' has a damaged record"):
        service.upsert("hurt", every="2m", task=TASK)
    for name in ("echo", "hurt"):
        assert service.cancel(name) == "cancelled"
        assert service.upsert(name, every="2m", task=TASK) == "registered"


def test_get_answers_an_entry_or_the_near_name():
    service.register("reports.daily", cron="0 6 * * *", timezone="Europe/Berlin", task=TASK, args=[1])
    entry = service.get("reports.daily")
    assert (entry.name, entry.queue, entry.state, entry.source) == ("reports.daily", "default", "scheduled", "dynamic")
    assert entry.next == datetime(2026, 6, 4, 4, tzinfo=UTC)
    assert entry.schedule == Schedule("reports.daily", cron="0 6 * * *", timezone="Europe/Berlin", task=TASK, args=[1])
    with pytest.raises(ScheduleNotFound, match=r"'reports\.dayly' in queue 'default'\. Did you mean 'reports\.daily'"):
        service.get("reports.dayly")
    with pytest.raises(LookupError, match="in queue 'other'"):
        service.get("reports.daily", queue="other")


def test_cancel_answers_what_it_found(heard):
    service.register("a", every="1m", task=TASK, by="ann")
    assert service.cancel("a", by="ann") == "cancelled"
    assert service.cancel("a", by="ann") == "absent"
    assert service.cancel("nosuch") == "absent"
    assert heard[:2] == [("a", "registered", "ann"), ("a", "cancelled", "ann")]


def test_what_changes_nothing_is_not_announced(heard):
    for _ in range(3):
        service.upsert("a", every="1m", task=TASK, by="ann")
    service.upsert("a", every="1m", task=TASK, args=[1], by="bob")
    assert heard == [("a", "registered", "ann"), ("a", "updated", "bob")]


def test_entries_are_pages_by_score():
    for minutes in (3, 1, 2):
        service.register(f"in{minutes}", every="1h", first_in=f"{minutes}m", task=TASK)
    assert [entry.name for entry in service.entries()] == ["in1", "in2", "in3"]
    assert [entry.name for entry in service.entries(offset=1, limit=1)] == ["in2"]
    assert service.entries(offset=3) == service.entries(limit=0) == []
    assert service.names_of(descending=True) == ["in3", "in2", "in1"]
    assert service.names_of(offset=1) == ["in2", "in3"]
    assert [entry.name for entry in service.entries_of(["in3", "nosuch", "in1"])] == ["in3", "in1"]
    assert service.count() == 3


def test_more_entries_than_one_script_reads():
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "SCHEDULES": {
        f"s{n:04}": {"every": "1h", "first_in": f"{n + 1}s", "task": TASK} for n in range(1_100)
    }}):  # fmt: skip
        service.sync()
    assert [entry.name for entry in service.entries(limit=2_000)] == [f"s{n:04}" for n in range(1_100)]


def test_a_site_that_is_not_enabled_registers_nothing():
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "ENABLED": False}):
        assert service.register("a", every="1m", task=TASK) == "disabled"
        assert service.upsert("a", every="1m", task=TASK) == "disabled"
        declare("b", every="1m", task=TASK)
        assert service.sync() == {("default", "b"): "disabled"}
    assert service.count() == 0
    assert service.register("a", every="1m", task=TASK, enabled=False) == "disabled"
    assert service.count() == 0


@pytest.mark.parametrize("queue", ["", "a b", "a:b", "{a}", "ä", "a" * 201, None])
def test_a_queue_is_a_plain_word(queue):
    with pytest.raises(InvalidSchedule, match="queue"):
        service.count(queue=queue)


def test_bad_settings_are_named():
    with override_settings(DJANGO_REPEAT={"REDIS": "nowhere"}), pytest.raises(InvalidSettings, match="nowhere"):
        service.count()


def test_queues_are_those_of_the_code():
    assert service.queues() == ("default",)
    declare("a", every="1m", task=TASK, queue="mail")
    with override_settings(DJANGO_REPEAT={**settings.DJANGO_REPEAT, "QUEUES": ["dyn"]}):
        assert service.queues() == ("mail", "dyn", "default")


def test_runs_and_now(heard):
    service.register("a", every="1m", task=TASK)
    with recording() as taken:
        tick("default")
    (line,) = service.runs("a")
    assert (line["nominal"], line["outcome"], line["result"]) == (
        taken[0].nominal_ms, "fired", str(taken[0].uuid),
    )  # fmt: skip
    assert service.runs("nosuch") == []
    assert service.now() == NOW
    with freeze(NOW + timedelta(milliseconds=1)):
        assert service.now() - NOW == timedelta(milliseconds=1)
