from __future__ import annotations

from dataclasses import FrozenInstanceError
from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

from django_repeat import conf
from django_repeat.exceptions import InvalidSettings


def test_everything_has_a_default() -> None:
    with override_settings():
        from django.conf import settings

        del settings.DJANGO_REPEAT
        assert conf.current() == conf.Settings()


def test_settings_are_read_at_each_use() -> None:
    with override_settings(DJANGO_REPEAT={"PREFIX": "a"}):
        assert conf.current().prefix == "a"
        with override_settings(DJANGO_REPEAT={"PREFIX": "b"}):
            assert conf.current().prefix == "b"
        assert conf.current().prefix == "a"


def test_settings_are_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        conf.current().prefix = "b"  # type: ignore[misc]


@pytest.mark.parametrize(
    "key, hint",
    [
        ("PREFIXX", "Did you mean 'PREFIX'"),
        ("prefix", "Did you mean 'PREFIX'"),
        ("SCHEDULE", "Did you mean 'SCHEDULES'"),
        ("TIMEOUT_S", "Did you mean 'TIMEOUT'"),
        ("ZZZZZZ", "Known: REDIS"),
        (5, "Known: REDIS"),
    ],
)
def test_an_unknown_key_is_refused_with_the_near_one(key: Any, hint: str) -> None:
    with override_settings(DJANGO_REPEAT={key: 1}), pytest.raises(InvalidSettings, match=hint) as caught:
        conf.current()
    assert f"DJANGO_REPEAT[{key!r}]" in str(caught.value)
    assert isinstance(caught.value, ImproperlyConfigured)


READ = [
    ("REDIS", "redis://h/1", "redis", "redis://h/1"),
    ("QUEUES", ["a", "b", "a"], "queues", ("a", "b")),
    ("ENGINE", "a.B", "engine", "a.B"),
    ("ENGINE", None, "engine", None),
    ("LEASE", "1m", "lease", 60_000),
    ("LEASE", timedelta(seconds=3), "lease", 3_000),
    ("BATCH", 1, "batch", 1),
    ("TIMEOUT", "250ms", "timeout", 0.25),
    ("TIMEOUT", 0.5, "timeout", 0.5),
    ("HISTORY", 0, "history", 0),
    ("REGISTER", "manual", "register", "manual"),
    ("ENABLED", False, "enabled", False),
]


@pytest.mark.parametrize("key, given, field, value", READ)
def test_a_value_is_read(key: str, given: Any, field: str, value: Any) -> None:
    with override_settings(DJANGO_REPEAT={key: given}):
        assert getattr(conf.current(), field) == value


WRONG: dict[str, list[Any]] = {
    "REDIS": [None, "", 5, b"redis://h", "redis://h\udcff/0", "\ud800"],
    "PREFIX": ["", "a{b}", "a b", "a\nb", "x" * 101, None, 5, "a\udcff", "\ud800"],
    "SCHEDULES": [None, [], "a", [("a", {})]],
    "QUEUES": ["default", None, 5, ["a b"], [5], (name for name in ["a"])],
    "ENGINE": ["Engine", 5, ""],
    "LEASE": [0, "1s", 2.9, "2h", None, True, "long", -30, float("nan")],
    "BATCH": [0, 1_001, 1.5, True, "100", None],
    "TIMEOUT": [0, 0.001, 61, None, True, "0.5s", float("inf")],
    "HISTORY": [-1, 1_001, True, None, "20"],
    "REGISTER": ["", "never", None, True, ["auto"]],
    "ENABLED": [None, 0, 1, "false"],
}


@pytest.mark.parametrize("key, value", [(key, value) for key, values in WRONG.items() for value in values], ids=str)
def test_a_wrong_value_is_refused_by_its_key(key: str, value: Any) -> None:
    with override_settings(DJANGO_REPEAT={key: value}), pytest.raises(InvalidSettings) as caught:
        conf.current()
    assert f"DJANGO_REPEAT['{key}']: " in str(caught.value)


@pytest.mark.parametrize("key", ["REDIS", "PREFIX"])
def test_half_a_surrogate_pair_is_named_with_what_to_do_and_written_readably(key: str) -> None:
    with override_settings(DJANGO_REPEAT={key: "s\udcffcret"}), pytest.raises(InvalidSettings) as caught:
        conf.current()
    assert str(caught.value).isascii()
    assert "'\\udcff'" in str(caught.value)
    assert "UTF-8" in str(caught.value)
    assert "cret" not in str(caught.value)


def test_every_setting_is_tested_with_wrong_values() -> None:
    assert {key.lower() for key in WRONG} == set(conf.Settings.__dataclass_fields__)


@pytest.mark.parametrize("value", [None, [], "redis://h", 5])
def test_the_whole_is_a_dict(value: Any) -> None:
    with override_settings(DJANGO_REPEAT=value), pytest.raises(InvalidSettings, match="is a dict") as caught:
        conf.current()
    with override_settings(DJANGO_REPEAT=value):
        assert conf.problems() == [str(caught.value)]


def test_all_that_is_wrong_is_said_and_the_first_of_it_raised() -> None:
    wrong = {"LEASE": "1s", "PREFIX": "fine", "QUEUE": ["a"], "BATCH": 0}
    with override_settings(DJANGO_REPEAT=wrong), pytest.raises(InvalidSettings) as caught:
        conf.current()
    with override_settings(DJANGO_REPEAT=wrong):
        assert conf.problems() == [
            "DJANGO_REPEAT['LEASE']: use a duration from 3s to 1h, not '1s'",
            "DJANGO_REPEAT['QUEUE'] is unknown. Did you mean 'QUEUES'?",
            "DJANGO_REPEAT['BATCH']: use a whole number from 1 to 1000, not 0",
        ]
        assert str(caught.value) == conf.problems()[0]
    with override_settings(DJANGO_REPEAT={"PREFIX": "fine"}):
        assert conf.problems() == []
