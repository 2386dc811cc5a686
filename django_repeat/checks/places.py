"""Checks of where the registry lives, as far as settings tell: a usable client, a database of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from django.conf import settings
from django.core.checks import CheckMessage
from django.utils.module_loading import import_string

from django_repeat import conf, connection
from django_repeat.checks.kinds import KINDS
from django_repeat.exceptions import InvalidSettings

SCHEMES = frozenset({"redis", "rediss", "valkey", "valkeys", "unix"})
LOOPBACK = frozenset({"", "localhost", "127.0.0.1", "::1"})

REDIS = f"{conf.NAME}['REDIS']"

Place = tuple[str, int, int]
"""Host (or path of a socket), port (0 for a socket) and database."""


def check_place(**_: Any) -> list[CheckMessage]:
    """Answer whether the REDIS setting can be used, and which caches would erase the registry when they are cleared."""
    try:
        wanted = conf.current()
    except InvalidSettings:
        return []  # said by the check of the settings
    try:
        _try(wanted.redis, wanted.timeout)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - cache backends and factories are other people's
        said = str(error) if isinstance(error, InvalidSettings) else f"{type(error).__name__}: {error}"
        return [KINDS["E004"].message(error=said)]
    return list(_shared(wanted.redis))


def place_of(location: Any, options: Mapping[str, Any]) -> Place | None:
    """Answer the place that a LOCATION of CACHES names first, as redis-py reads it; None if it is no URL of one."""
    try:
        first = re.split("[;,]", location)[0].strip() if isinstance(location, str) else next(iter(location), "")
        parts = urlsplit(str(first))
        if parts.scheme not in SCHEMES:
            return None
        database = _database(parts, options)
        if parts.scheme == "unix":
            return unquote(parts.path), 0, database
        host = unquote(parts.hostname or "").lower()
        return "localhost" if host in LOOPBACK else host, parts.port or 6379, database
    except (TypeError, ValueError):
        return None


def _database(parts: SplitResult, options: Mapping[str, Any]) -> int:
    # The query goes before the path, and both before the options: DB of Django's backend, a pool's of django-redis.
    path = unquote(parts.path).replace("/", "") if parts.scheme != "unix" else ""
    option = options.get("db", options.get("DB", options.get("CONNECTION_POOL_KWARGS", {}).get("db", 0)))
    return int(dict(parse_qsl(parts.query)).get("db") or (path if path.isdecimal() else option))


def _try(redis: str, timeout: float) -> None:
    # A client that is made by a factory of the site's own may connect as it is made, as those of a cluster do; the
    # checks that need no server must not, so that is only imported. A callable is not called before it is needed.
    _, options = _configured(redis)
    factory = options.get("CONNECTION_FACTORY", getattr(settings, "DJANGO_REDIS_CONNECTION_FACTORY", None))
    if redis in settings.CACHES and factory:
        import_string(factory)
    else:
        connection.connect(redis, timeout)


def _shared(redis: str) -> Iterator[CheckMessage]:
    if redis == "default":
        yield KINDS["W005"].message(REDIS)
    ours = place_of(redis, {}) if "://" in redis else _of_alias(redis)
    for alias in settings.CACHES:
        if alias != redis and ours is not None and _of_alias(alias) == ours:
            yield KINDS["W004"].message(REDIS, alias=alias)


def _of_alias(alias: str) -> Place | None:
    return place_of(*_configured(alias))


def _configured(alias: str) -> tuple[Any, Mapping[str, Any]]:
    config: Mapping[str, Any] = settings.CACHES.get(alias, {})
    return config.get("LOCATION", ""), config.get("OPTIONS", {})
