"""What a Redis user needs for the registry: the one list, which the scripts and the documentation are compared with."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django_repeat.scripts import VERBS, source

# Sent by the client for us. HELLO and AUTH need no permission.
CLIENT = ("eval", "evalsha", "script|load", "select")
# Called by the scripts.
SCRIPTS = (
    "del",
    "exists",
    "hdel",
    "hget",
    "hgetall",
    "hincrby",
    "hmget",
    "hset",
    "hsetnx",
    "lindex",
    "lpush",
    "lrange",
    "lrem",
    "lset",
    "ltrim",
    "pexpire",
    "time",
    "type",
    "zadd",
    "zcard",
    "zmscore",
    "zrange",
    "zrangebyscore",
    "zrem",
    "zremrangebyscore",
    "zrevrange",
    "zscore",
)
COMMANDS = (*CLIENT, *SCRIPTS)
# Asked by `check --deploy`, which says what it could not determine without.
OPTIONAL = ("config|get", "info")


def called() -> set[str]:
    """Answer the commands that the scripts call."""
    text = "".join(re.sub(r"--.*", "", source(verb)) for verb in VERBS)
    direct = re.findall(r"redis\.p?call\('(\w+)'", text)
    chosen = re.findall(r"local verb = [^\n]*'(\w+)' or '(\w+)'", text)
    return {command.lower() for command in [*direct, *(one for pair in chosen for one in pair)] if command != "desc"}


def rules(prefix: str, password: str, commands: Iterable[str] = COMMANDS) -> list[str]:
    """Answer the arguments after the name in ACL SETUSER."""
    return ["reset", "on", f">{password}", f"~{prefix}:*", *(f"+{command}" for command in commands)]
