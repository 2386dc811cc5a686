"""What sites write for settings."""

from __future__ import annotations

import os
from typing import Any

import redis
import redis.asyncio
from django_redis.pool import ConnectionFactory
from redis.cluster import RedisCluster

MADE: list[redis.Redis] = []


def client() -> redis.Redis:
    """Answer a client for a dotted path in REDIS."""
    MADE.append(redis.Redis.from_url(os.environ["REPEAT_TEST_URL"]))
    return MADE[-1]


def no_client() -> str:
    return "not a client"


def asynchronous() -> redis.asyncio.Redis:
    return redis.asyncio.Redis.from_url(os.environ["REPEAT_TEST_URL"])


def pipeline() -> Any:
    return client().pipeline()


def decoding() -> redis.Redis:
    return redis.Redis.from_url(os.environ["REPEAT_TEST_URL"], decode_responses=True)


def encoding() -> redis.Redis:
    return redis.Redis.from_url(os.environ["REPEAT_TEST_URL"], encoding="utf-16")


def unencoding() -> redis.Redis:
    return redis.Redis.from_url(os.environ["REPEAT_TEST_URL"], encoding="bogus")


def decoding_cluster() -> Any:
    """A cluster's client that has not asked its nodes."""
    made = RedisCluster.__new__(RedisCluster)
    made.encoder = redis.Redis(decode_responses=True).get_encoder()
    return made


def misled() -> redis.Redis:
    return redis.Redis.from_url(os.environ["REPEAT_TEST_URL"], socket_type="s3cret")


def raising() -> None:
    raise LookupError("no such host in the vault")


def leaving() -> None:
    raise SystemExit(3)


def unreachable() -> None:
    raise redis.ConnectionError("no node answers")


def needing(argument: str) -> None: ...


class Special(redis.Redis):
    """A client class of a site's own."""


class Decoding(redis.Redis):
    """A client class of a site's own, which answers text."""

    def get_encoder(self) -> Any:
        return redis.Redis(decode_responses=True).get_encoder()


class Broken(ConnectionFactory):  # type: ignore[type-arg]
    """A factory of a site's own that cannot be made."""

    def __init__(self, options: Any) -> None:
        raise ZeroDivisionError


class Pool(redis.ConnectionPool):
    """A pool class of a site's own."""


class ClusterFactory(ConnectionFactory):  # type: ignore[type-arg]
    """The cluster recipe of django-redis."""

    def connect(self, url: str) -> Any:
        return RedisCluster.from_url(url)
