"""The Lua verbs: one file each in ``lua/``, loaded once, called by name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Protocol
from weakref import WeakKeyDictionary

from django_repeat import clock

VERBS = (
    "register", "compare", "upsert", "cancel",
    "due", "claim", "settle", "release", "heartbeat",
    "amend", "switch",
    "page", "records", "runs",
)  # fmt: skip
# What else than common.lua is put before a verb.
SHARED = {
    "upsert": ("runlog",), "amend": ("runlog",), "switch": ("runlog",),
    "settle": ("runlog", "progress"), "release": ("runlog", "progress"),
}  # fmt: skip


class Scriptable(Protocol):
    """What can turn Lua text into a callable of (keys, args)."""

    def script(self, text: str) -> Callable[[Sequence[bytes], Sequence[Any]], Any]:
        """Answer the callable."""


@cache
def source(verb: str) -> str:
    """Answer the Lua text of a verb, with the functions before it that it shares with others."""
    folder = files("django_repeat") / "lua"
    return "\n".join((folder / f"{name}.lua").read_text("utf-8") for name in ("common", *SHARED.get(verb, ()), verb))


class Scripts:
    """Call verbs on one connection. The first argument of every script is the clock: empty for the server's own."""

    def __init__(self, connection: Scriptable) -> None:
        self._calls = {verb: connection.script(source(verb)) for verb in VERBS}

    def call(self, verb: str, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
        """Answer the raw reply of a verb; RegistryUnavailable if there is none."""
        frozen = clock.frozen()
        return self._calls[verb](keys, ["" if frozen is None else frozen, *args])


_scripts: WeakKeyDictionary[Any, Scripts] = WeakKeyDictionary()
_lock = threading.Lock()


def scripts_of(connection: Scriptable) -> Scripts:
    """Answer the scripts of a connection, made once."""
    with _lock:
        if connection not in _scripts:
            _scripts[connection] = Scripts(connection)
        return _scripts[connection]
