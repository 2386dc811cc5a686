"""Checks of the registry's server, for ``manage.py check --deploy``. They ask it, and give warnings at most."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage

from django_repeat import conf, connection
from django_repeat.checks.kinds import KINDS
from django_repeat.connection import Connection
from django_repeat.exceptions import InvalidSettings, RegistryUnavailable

OLDEST = (6, 2)


def check_server(**_: Any) -> list[CheckMessage]:
    """Answer whether the registry's server answers, is recent enough, keeps its keys and takes scripts."""
    try:
        settings = conf.current()
        server = connection.connect(settings.redis, settings.timeout)
    except InvalidSettings:
        return []  # said by other checks
    try:
        return list(_of_server(server))
    except (InvalidSettings, RegistryUnavailable) as error:
        # What is wrong with a client of the site's own shows only when it is made.
        return [KINDS["W101"].message(error=error)]


def _of_server(server: Connection) -> Iterator[CheckMessage]:
    for check in (_version, _eviction, _scripts):
        found = check(server)
        if found is not None:
            yield found


def _version(server: Connection) -> CheckMessage | None:
    try:
        info = _flat(server.command("INFO", "server"))
    except RegistryUnavailable as error:
        return _refused("the version", error)
    # Valkey, too, says here which Redis it is compatible with; only its name is another.
    version = str(info.get("redis_version", ""))
    numbers = tuple(int(number) for number in re.findall(r"\d+", version)[:2])
    if len(numbers) < 2:
        return KINDS["W104"].message(what="the version", error="INFO has no redis_version")
    return KINDS["W102"].message(version=version) if numbers < OLDEST else None


def _eviction(server: Connection) -> CheckMessage | None:
    # Services that forbid CONFIG still answer INFO.
    error: object = "INFO has no maxmemory_policy"
    for ask in (_policy_by_info, _policy_by_config):
        try:
            policy = ask(server)
        except RegistryUnavailable as refusal:
            error = refusal
            _pass_unless_refused(refusal)
        else:
            if policy:
                return KINDS["W103"].message(policy=policy) if policy.startswith("allkeys-") else None
    return KINDS["W104"].message(what="the eviction policy", error=error)


def _policy_by_info(server: Connection) -> str:
    return str(_flat(server.command("INFO", "memory")).get("maxmemory_policy", ""))


def _policy_by_config(server: Connection) -> str:
    return str(_flat(server.command("CONFIG", "GET", "maxmemory-policy")).get("maxmemory-policy", ""))


def _scripts(server: Connection) -> CheckMessage | None:
    try:
        server.script("return 1")([], [])
    except RegistryUnavailable as error:
        _pass_unless_refused(error)
        return KINDS["W105"].message(error=error)
    return None


def _refused(what: str, error: RegistryUnavailable) -> CheckMessage:
    _pass_unless_refused(error)
    return KINDS["W104"].message(what=what, error=error)


def _pass_unless_refused(error: RegistryUnavailable) -> None:
    # A server that refuses a command answers, and the next question makes sense; one that is away does not.
    if not any(cause.__name__ == "ResponseError" for cause in type(error.__cause__).__mro__):
        raise error


def _flat(reply: Any) -> dict[str, Any]:
    """Answer a reply as a dict with text keys; that of the first node where a cluster answers one for each."""
    if isinstance(reply, (list, tuple)):
        reply = dict(zip(reply[::2], reply[1::2], strict=False))
    if not isinstance(reply, dict):
        return {}
    first = next(iter(reply.values()), None)
    if isinstance(first, dict):
        reply = first
    return {_text(key): _text(value) for key, value in reply.items()}


def _text(value: Any) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
