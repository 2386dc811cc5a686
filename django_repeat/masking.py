"""Secrets among the arguments of a schedule are not shown."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

MASK = "********"

# The first group anywhere in a key; the second as a word of its own, so that "monkey" and "author" stay readable.
_SECRET = re.compile(
    r"passw|passphrase|token|secret|credential|api_?key|private_?key|(?:^|[^a-z])(?:keys?|pwd|auth|authorization)(?:$|[^a-z])"
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OPTION = re.compile(r"(--?[\w-]+)(=?)(.*)", re.DOTALL)


def masked(value: Any) -> Any:
    """Answer a JSON value with what stands under a key that looks like a secret's replaced by ``MASK``.

    In a list, options of a command line count as keys: ``--token=x``, and ``--token`` with the item after it.
    """
    if isinstance(value, Mapping):
        return {key: MASK if _hidden(key, item) else masked(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _items(value)
    return value


def is_secret(key: str) -> bool:
    """Tell whether a key looks like that of a secret."""
    return _SECRET.search(_CAMEL.sub("_", key).replace("-", "_").lower()) is not None


def _hidden(key: str, item: Any) -> bool:
    # What is no secret even under such a key is left readable: a flag, or that nothing was given.
    return item is not None and not isinstance(item, bool) and is_secret(key)


def _items(values: Sequence[Any]) -> list[Any]:
    shown, follows = [], False
    for value in values:
        match = _OPTION.fullmatch(value) if isinstance(value, str) else None
        secret = match is not None and is_secret(match[1].lstrip("-"))
        if match and secret and match[2]:
            shown.append(f"{match[1]}={MASK}")
        elif follows and not match:
            shown.append(MASK)
        else:
            shown.append(masked(value))
        follows = bool(match and secret and not match[2])
    return shown
