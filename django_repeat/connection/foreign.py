"""Clients that a site makes itself: taken as they are, if they can serve at all."""

from __future__ import annotations

import codecs
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.utils.module_loading import import_string
from redis import Redis, RedisCluster
from redis.client import Pipeline
from redis.cluster import ClusterPipeline
from redis.exceptions import RedisClusterException, RedisError

from django_repeat.exceptions import InvalidSettings, RepeatError


def imported(path: str) -> Callable[[], Any]:
    """Answer the callable of a dotted path; InvalidSettings if there is none, or its module fails."""
    try:
        found = import_string(path)
    except (Exception, SystemExit) as error:
        raise InvalidSettings(
            f"DJANGO_REPEAT['REDIS']: {path!r} is no URL, no alias of CACHES ({', '.join(settings.CACHES)}) "
            f"and no dotted path of a callable: {_text(error)}"
        ) from error
    if not callable(found):
        raise InvalidSettings(
            f"DJANGO_REPEAT['REDIS']: {path} is a {type(found).__name__}; name a callable that answers a client."
        )
    return found  # type: ignore[no-any-return]


def made(make: Callable[[], Any], name: str) -> Any:
    """Answer the client that ``make`` answers; InvalidSettings if it is none, or cannot hold a registry.

    What says that the server is away passes: a client of a cluster asks its nodes as it is made.
    """
    try:
        client = make()
    except (RepeatError, RedisError, RedisClusterException, OSError):
        raise
    except (Exception, SystemExit) as error:
        raise InvalidSettings(f"DJANGO_REPEAT['REDIS']: {name} makes no client: {_text(error)}") from error
    # One of another library, or an asynchronous one, has the same verbs and other errors or replies.
    if not isinstance(client, (Redis, RedisCluster)) or isinstance(client, (Pipeline, ClusterPipeline)):
        raise InvalidSettings(
            f"DJANGO_REPEAT['REDIS']: {name} answered {type(client).__name__}; give redis.Redis or redis.RedisCluster."
        )
    encoder: Any = client.get_encoder()
    if encoder.decode_responses or not _is_utf_8(encoder.encoding):
        # A name that another program wrote may be any bytes, and reading it must not fail.
        raise InvalidSettings(
            f"DJANGO_REPEAT['REDIS']: {name} answered a client with decode_responses={encoder.decode_responses} and "
            f"encoding={encoder.encoding!r}; give it decode_responses=False and encoding='utf-8'."
        )
    return client


def _text(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _is_utf_8(encoding: Any) -> bool:
    try:
        return codecs.lookup(encoding).name == "utf-8"
    except (LookupError, TypeError, ValueError):
        return False
