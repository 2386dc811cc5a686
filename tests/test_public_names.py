"""The public API is a signed list: a change of it is a change of this file."""

from __future__ import annotations

import pkgutil

import django_repeat

PUBLIC = [
    "Answer",
    "Cron",
    "Entry",
    "Every",
    "Occurrence",
    "Pause",
    "Schedule",
    "backfill",
    "cancel",
    "count",
    "declare",
    "entries",
    "explain",
    "get",
    "pause",
    "pause_all",
    "register",
    "repeat",
    "resume",
    "resume_all",
    "skip",
    "sync",
    "trigger",
    "upsert",
]


def test_the_public_names_are_these_in_this_order() -> None:
    assert django_repeat.__all__ == PUBLIC == sorted(PUBLIC)


def test_each_is_there_and_documented() -> None:
    assert [name for name in PUBLIC if not getattr(django_repeat, name).__doc__] == []


def test_no_public_name_is_a_module_too() -> None:
    assert {module.name for module in pkgutil.iter_modules(django_repeat.__path__)} & set(PUBLIC) == set()
