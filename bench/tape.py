"""The floor: the calls that the package made, made again from plain redis-py with nothing around them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import redis

from django_repeat import clock, service
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.registry import Store
from django_repeat.scripts import Scripts, source


@dataclass
class Tape:
    """Calls of verbs in their order, with all their arguments."""

    calls: list[tuple[str, list[bytes], list[Any]]] = field(default_factory=list)

    def player(self, client: redis.Redis) -> Callable[[], None]:
        """Answer what makes the calls again through ``register_script``, and throws the replies away."""
        scripts = {verb: client.register_script(source(verb)) for verb in {verb for verb, _, _ in self.calls}}
        for script in scripts.values():
            client.script_load(script.script)
        calls = [(scripts[verb], keys, args) for verb, keys, args in self.calls]

        def play() -> None:
            for script, keys, args in calls:
                script(keys=keys, args=args)

        return play


class Recording(Scripts):
    """Scripts that note on a tape what they are asked, and do it."""

    def __init__(self, scripts: Scripts, tape: Tape) -> None:
        self._scripts = scripts
        self._tape = tape

    def call(self, verb: str, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
        """Note the call, the clock's argument included, and make it."""
        frozen = clock.frozen()
        self._tape.calls.append((verb, list(keys), ["" if frozen is None else frozen, *args]))
        return self._scripts.call(verb, keys, args)


def recorded(tape: Tape) -> Store:
    """Answer the default queue's store as the service gives it, with every call of it noted on ``tape``."""
    store = service.store(DEFAULT_QUEUE, timeout=service.PATIENCE)
    return Store(scripts=Recording(store.scripts, tape), keys=store.keys, history=store.history)
