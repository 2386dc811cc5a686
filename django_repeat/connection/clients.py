"""Which client the REDIS setting means; one per process and time-out."""

from __future__ import annotations

import threading
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django_redis.client import ShardClient
from django_redis.pool import ConnectionFactory, SentinelConnectionFactory, get_connection_factory
from redis import BlockingConnectionPool, ConnectionPool, Redis
from redis.backoff import NoBackoff
from redis.connection import parse_url
from redis.retry import Retry

from django_repeat.connection.addresses import address, primary
from django_repeat.connection.foreign import imported, made
from django_repeat.connection.limits import limited
from django_repeat.connection.link import Connection
from django_repeat.exceptions import InvalidSettings

BACKEND = "django_redis.cache.RedisCache"

_connections: dict[tuple[Any, ...], Connection] = {}
_lock = threading.Lock()


def connect(redis: str, timeout: float) -> Connection:
    """Answer the connection of the REDIS setting, one per process and time-out (seconds); does no I/O itself.

    ``redis`` is a URL if it contains ``://``, else an alias of CACHES, else the dotted path of a callable that answers
    a client. InvalidSettings if it is none of these.
    """
    # CACHES is part of the key so that a test that overrides it gets another client.
    key = (redis, timeout, repr(settings.CACHES.get(redis)))
    with _lock:
        if key not in _connections:
            _connections[key] = _build(redis, timeout)
        return _connections[key]


def forget() -> None:
    """Drop all connections of this process (for tests)."""
    with _lock:
        _connections.clear()


def _build(redis: str, timeout: float) -> Connection:
    if "://" in redis:
        return _from_url(redis, timeout, {})
    if redis in settings.CACHES:
        return _from_alias(redis, timeout)
    factory = imported(redis)
    return Connection(lambda: made(factory, redis), redis)


def _ours(timeout: float) -> dict[str, Any]:
    """Answer what the registry's client never takes from a URL or an alias."""
    return {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "decode_responses": False,
        "encoding": "utf-8",
        "encoding_errors": "strict",
    }


_POOLS = (ConnectionPool, BlockingConnectionPool)
# A query or a pool of an alias may hold them: they bring retries back, or belong to a pool that waits for a connection.
_DROPPED = ("retry_on_timeout", "retry_on_error", "timeout", "queue_class")


def _from_url(url: str, timeout: float, options: dict[str, Any]) -> Connection:
    where = address(url)
    parse: Any = parse_url  # untyped
    try:
        # Not ConnectionPool.from_url: there the query of the URL would win over ours.
        values = {**options, **parse(url), **_ours(timeout)}
        if "connection_class" in options:
            values["connection_class"] = options["connection_class"]
        pool: Any = ConnectionPool(**{key: value for key, value in values.items() if key not in _DROPPED})
        # Made and thrown away, without I/O: what it does not take must be said now, not at the first command.
        pool.connection_class(**pool.connection_kwargs)
        pool.connection_class = limited(pool.connection_class)
    except Exception as error:  # noqa: BLE001 - an option goes where it is named, whatever fails there
        # The error's text may hold the URL, and so the password.
        raise InvalidSettings(
            f"DJANGO_REPEAT['REDIS']: the URL of {where} or its options cannot be read ({type(error).__name__})."
        ) from None
    return Connection(lambda: Redis(connection_pool=pool), where)


def _from_alias(alias: str, timeout: float) -> Connection:
    try:
        config: dict[str, Any] = settings.CACHES[alias]
        options = dict(config.get("OPTIONS", {}))
        backend = caches[alias]
        if not hasattr(backend, "client") or not hasattr(backend.client, "get_client"):
            raise InvalidSettings(
                f"DJANGO_REPEAT['REDIS']: CACHES[{alias!r}] is {config.get('BACKEND')}; the registry needs {BACKEND}."
            )
        if isinstance(backend.client, ShardClient):
            raise InvalidSettings(
                f"DJANGO_REPEAT['REDIS']: CACHES[{alias!r}] shards over several servers; the registry needs one server."
            )
        return _from_factory(alias, primary(config.get("LOCATION", "")), options, timeout)
    except InvalidSettings:
        raise
    except (ImproperlyConfigured, ImportError) as error:
        raise InvalidSettings(f"DJANGO_REPEAT['REDIS']: CACHES[{alias!r}]: {error}") from error
    except (Exception, SystemExit) as error:  # noqa: BLE001 - of options that nobody checks, and classes of the site's
        raise InvalidSettings(
            f"DJANGO_REPEAT['REDIS']: CACHES[{alias!r}] cannot be used ({type(error).__name__}); correct its options."
        ) from None


def _of_cache(alias: str) -> Any:
    backend: Any = caches[alias]
    return backend.client.get_client(write=True)


def _from_factory(alias: str, url: str, options: dict[str, Any], timeout: float) -> Connection:
    factory: Any = get_connection_factory(options)
    kind, name = type(factory), f"CACHES[{alias!r}]"
    if kind is SentinelConnectionFactory:
        tight = {**options.get("CONNECTION_POOL_KWARGS", {}), **_ours(timeout)}
        asking = {**(options.get("SENTINEL_KWARGS") or {}), **_ours(timeout)}
        own: Any = kind({**options, "CONNECTION_POOL_KWARGS": tight, "SENTINEL_KWARGS": asking})
        pool = own.get_connection_pool(own.make_connection_params(url))
        for one in (pool, *(sentinel.connection_pool for sentinel in pool.sentinel_manager.sentinels)):
            one.connection_class = limited(one.connection_class)
        return Connection(lambda: Redis(connection_pool=pool), name)
    if kind is not ConnectionFactory or factory.pool_cls not in _POOLS or factory.redis_client_cls is not Redis:
        # Whatever its site made it for, it is used as it is, time-outs included.
        return Connection(lambda: made(lambda: _of_cache(alias), name), name)
    params = factory.make_connection_params(url)
    params.pop("url")
    return _from_url(url, timeout, {**params, **factory.pool_cls_kwargs})
