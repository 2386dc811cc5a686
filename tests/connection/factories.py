"""What sites write for settings."""

from __future__ import annotations

import os
from typing import Any

import redis
from django_redis.pool import ConnectionFactory
from redis.cluster import RedisCluster

MADE: list[redis.Redis] = []


def client() -> redis.Redis:
    """Answer a client for a dotted path in REDIS."""
    MADE.append(redis.Redis.from_url(os.environ["REPEAT_TEST_URL"]))
    return MADE[-1]


def no_client() -> str:
    return "not a client"


class Special(redis.Redis):
    """A client class of a site's own."""


class Pool(redis.ConnectionPool):
    """A pool class of a site's own."""


class ClusterFactory(ConnectionFactory):  # type: ignore[type-arg]
    """The cluster recipe of django-redis."""

    def connect(self, url: str) -> Any:
        return RedisCluster.from_url(url)
