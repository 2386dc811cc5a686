"""The model without a table, as Django's own commands meet it, and its QuerySet."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.exceptions import FieldError
from django.core.management import call_command
from django.db import NotSupportedError
from django.db.models import Q
from hypothesis import given
from hypothesis import strategies as st

from django_repeat.exceptions import InvalidSchedule
from django_repeat.models import RegisteredSchedule
from django_repeat.models.identity import key_of, parse, readable
from django_repeat.models.queryset import REFUSED
from django_repeat.names import schedule_name
from tests.admin.conftest import add

objects = RegisteredSchedule.objects


def names(queryset: object) -> list[str]:
    return [one.name for one in queryset]  # type: ignore[attr-defined]


def test_migrations_are_complete() -> None:
    call_command("makemigrations", "django_repeat", check=True, dry_run=True, stdout=StringIO())


def test_checks_are_clean() -> None:
    call_command("check", "django_repeat", "admin", stdout=StringIO(), stderr=StringIO())


@pytest.mark.parametrize("all_rows", [True, False])
def test_dumpdata_leaves_schedules_out(all_rows: bool) -> None:
    add("nightly")
    out = StringIO()
    call_command("dumpdata", stdout=out, use_base_manager=all_rows)
    models = {row["model"] for row in json.loads(out.getvalue())}
    assert "auth.permission" in models
    assert "django_repeat.registeredschedule" not in models


def test_objects_are_what_the_registry_holds() -> None:
    add("b")
    add("a", first_in="2h")
    assert names(objects.all()) == ["b", "a"]
    assert names(objects.order_by("name")) == ["a", "b"]
    assert names(objects.order_by("-name")) == ["b", "a"]
    assert names(objects.order_by("-next", "-pk")) == ["a", "b"]
    assert names(objects.reverse()) == ["a", "b"]
    assert objects.first().name == "b"
    assert objects.last().name == "a"
    assert objects.count() == len(objects.all()) == 2
    assert objects.exists()
    assert not objects.none().exists()
    assert names(objects.iterator()) == ["b", "a"]
    assert str(objects.get(pk="default:a")) == "a"
    assert objects.get(key="default:a") == objects.last()


def test_slices() -> None:
    for number in range(7):
        add(str(number), first_in=f"{number + 1}h")
    digits = [str(number) for number in range(7)]
    for queryset in (objects.all(), objects.order_by("name"), objects.filter(pk__in=[f"default:{n}" for n in digits])):
        for part in (slice(0, 3), slice(2, None), slice(None, 4), slice(5, 99), slice(9, 12), slice(1, 6, 2)):
            assert names(queryset[part]) == digits[part], part
        assert names(queryset[1:6][2:]) == digits[1:6][2:]
        assert names(queryset[1:6][2:99]) == digits[1:6][2:99]
        assert queryset[2:5].count() == 3
        assert queryset[4].name == "4"
        with pytest.raises(IndexError):
            queryset[7]
        with pytest.raises(ValueError, match="Negative"):
            queryset[-1]


def test_filters() -> None:
    for name in ("a", "b", "c"):
        add(name)
    add("a", queue="other")
    wanted = objects.filter(pk__in=["default:c", "default:a", "default:gone", "nonsense", "other:a"])
    assert [one.key for one in wanted] == ["default:c", "default:a", "other:a"]
    assert wanted.count() == 3
    assert [one.key for one in wanted.filter(queue="other")] == ["other:a"]
    assert [one.key for one in wanted.filter(Q(pk="default:c"))] == ["default:c"]
    assert names(objects.filter(Q()).search("B")) == ["b"]
    assert objects.search("b").count() == 1
    with pytest.raises(RegisteredSchedule.DoesNotExist):
        objects.get(pk="default:d")
    with pytest.raises(RegisteredSchedule.MultipleObjectsReturned):
        objects.get()


def test_a_queryset_asks_again_when_it_is_copied() -> None:
    add("a")
    queryset = objects.search("a")
    assert queryset.count() == 1
    assert names(queryset) == ["a"]
    add("aa")
    assert names(queryset) == ["a"]
    assert set(names(queryset.all())) == {"a", "aa"}


@pytest.mark.parametrize("lookup", [{"name": "a"}, {"name__contains": "a"}, {"next__lt": 1}])
def test_what_the_registry_cannot_look_up_is_refused(lookup: dict[str, object]) -> None:
    with pytest.raises(FieldError):
        objects.filter(**lookup)


def test_what_is_no_plain_condition_is_refused() -> None:
    for condition in (~Q(pk="x"), Q(pk="x") | Q(pk="y"), Q(Q(pk="x") | Q(pk="y"), queue="q")):
        with pytest.raises(FieldError):
            objects.filter(condition)
    with pytest.raises(FieldError):
        objects.order_by("queue")


@pytest.mark.parametrize("verb", REFUSED.split())
def test_what_only_a_table_can_answer_is_refused(verb: str) -> None:
    with pytest.raises(NotSupportedError, match=verb):
        getattr(objects.all(), verb)()


def test_objects_are_not_saved_or_deleted() -> None:
    add("a")
    for verb in (objects.first().save, objects.first().delete):
        with pytest.raises(NotSupportedError):
            verb()
    assert objects.count() == 1


@given(st.text(st.characters(codec=None), max_size=12), st.sampled_from(["default", "a.b-c_d", "0"]))
def test_keys_come_back_and_can_be_sent(name: str, queue: str) -> None:
    name = name.encode("utf-8", "replace").decode()
    key = key_of(queue, name)
    assert parse(key) == (queue, name)
    try:
        plain = schedule_name(name) == name
    except InvalidSchedule:
        plain = False
    assert (key == f"{queue}:{name}") is plain
    assert len(readable(name).splitlines()) <= 1


@given(st.binary(max_size=12))
def test_bytes_come_back_whatever_they_are(stored: bytes) -> None:
    name = stored.decode("utf-8", "surrogateescape")
    key = key_of("default", name)
    key.encode()
    readable(name).encode()
    assert parse(key) == ("default", name)


@given(st.text(max_size=20))
def test_what_is_no_key_is_none(text: str) -> None:
    found = parse(text)
    assert found is None or key_of(*found) == text
