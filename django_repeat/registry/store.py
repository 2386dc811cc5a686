"""What every part of the registry works on: one queue's keys, and the scripts of one connection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django_repeat.keys import Keys
from django_repeat.scripts import Scripts


@dataclass(frozen=True, kw_only=True)
class Store:
    """One queue of the registry on one connection; ``history`` is the run log's length, 0 for none."""

    scripts: Scripts
    keys: Keys
    history: int = 20

    def call(self, verb: str, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
        """Answer the raw reply of a verb; every verb's first key is the queue's sorted set."""
        return self.scripts.call(verb, [self.keys.schedules, *keys], args)
