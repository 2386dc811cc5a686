"""What a page of many schedules costs the server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import redis
from django.test import Client

from tests.admin.conftest import LIST, add_many
from tests.admin.pages import read, result_rows

HOW_MANY, ON_A_PAGE = 1_000, 50


@pytest.fixture
def many(registry: redis.Redis) -> list[str]:
    return add_many(HOW_MANY)


@contextmanager
def counted(client: redis.Redis) -> Iterator[Counter[str]]:
    """Count commands by name; those inside scripts are counted one by one too."""
    calls: Counter[str] = Counter()
    client.config_resetstat()
    yield calls
    for name, found in client.info("commandstats").items():
        calls[name.removeprefix("cmdstat_").partition("|")[0]] += found["calls"]
    del calls["info"], calls["config"]


@pytest.mark.parametrize("page, first, size", [(1, 0, 50), (2, 50, 50), (20, 950, 50)])
def test_a_page_reads_its_own_records_only(
    operator: Client, registry: redis.Redis, many: list[str], page: int, first: int, size: int
) -> None:
    operator.get(LIST)
    with counted(registry) as calls:
        response = operator.get(f"{LIST}?p={page}")
    assert list(result_rows(read(response))) == many[first : first + size]
    assert "1000 schedules" in read(response).text
    assert calls["evalsha"] <= 3
    assert calls["hgetall"] == size
    assert calls["keys"] == calls["scan"] == 0
    assert calls.total() <= 3 * size + 20


def test_a_search_reads_names_and_the_records_of_its_page_only(
    operator: Client, registry: redis.Redis, many: list[str]
) -> None:
    operator.get(LIST)
    with counted(registry) as calls:
        response = operator.get(f"{LIST}?q=N0&p=2&o=1")
    assert list(result_rows(read(response))) == many[50:100]
    assert calls["evalsha"] <= 3
    assert calls["hgetall"] == ON_A_PAGE


def test_a_page_after_the_last_leads_back_to_the_list(operator: Client, many: list[str]) -> None:
    assert operator.get(f"{LIST}?p=21")["Location"] == f"{LIST}?e=1"


def test_all_on_one_page_is_not_offered(operator: Client, registry: redis.Redis, many: list[str]) -> None:
    with counted(registry) as calls:
        operator.get(f"{LIST}?all=")
    assert calls["hgetall"] == ON_A_PAGE
