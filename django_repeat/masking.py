"""Secrets among the arguments of a schedule, and in the texts of errors, are not shown."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

MASK: Final = "********"

# The first line anywhere in a key; the others as a word or the end of one, so that "monkey", "compass" and "author"
# stay readable.
_SECRET: Final = re.compile(
    r"passw|passphrase|pwd|token|secret|credential|cookie|authori[sz]ation|api_?key|private|signature|session_?id|jwt"
    r"|(?:^|[^a-z])(?:keys?|pass|pw)(?:$|[^a-z])"
    r"|auth(?:$|[^a-z])"
)
_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OPTION: Final = re.compile(r"(--?[\w-]+)(=?)(.*)", re.DOTALL)
_ASSIGNMENT: Final = re.compile(r"(-{0,2}[\w.-]+=)(.*)", re.DOTALL)

# Of what stands inside a text. Lengths are bounded: a stranger's text may be long.
_KEY: Final = r"[\w.-]{1,60}"
_VALUE: Final = re.compile(r"(?:\"[^\"]*\"?|'[^']*'?)?\S*")
_URL: Final = re.compile(
    # A port is no password, and an "@" after it is of the path.
    r"((?<![a-z0-9+.-])[a-z][a-z0-9+.-]{0,30}://[^\s/?#:@\[]{0,200}:)(?!\d{1,5}(?:[/?#,\s]|$))\S{0,2000}@",
    re.IGNORECASE,
)
_BEARER: Final = re.compile(r"\b(Bearer\s+)[\w.~+/=-]+", re.IGNORECASE)
# What leads to a value, and that value.
_PAIRS: Final = (
    # A query, a DSN, --token=x; then --token x.
    (re.compile(rf"(?<![\w.-])-{{0,2}}({_KEY})\s?=\s?"), _VALUE),
    (re.compile(rf"(?<![\w-])--?({_KEY})\s+(?!--)"), _VALUE),
    # JSON, or a dict as Python writes it.
    (re.compile(rf"[\"']({_KEY})[\"']\s?[:=]\s?"), re.compile(rf"[\[{{].*|{_VALUE.pattern}")),
    # A header, or what is called by its whole name; a "key: x" in a sentence is mostly another kind of key.
    (
        re.compile(
            r"(?<![\w-])(\w{1,60}(?:-\w{1,60}){1,9}|\w{0,60}(?:authorization|cookie|password|passwd|secret))\s?:\s?",
            re.IGNORECASE,
        ),
        re.compile(r"[^\r\n]+"),
    ),
)


def masked(value: Any) -> Any:
    """Answer a JSON value with what looks like a secret replaced by ``MASK``.

    That is what stands under a key that looks like a secret's, also in a text: as an assignment, an option of a command
    line (in a list also the item after it), JSON or an HTTP header; and the password of a URL.
    """
    if isinstance(value, Mapping):
        return {key: MASK if _hidden(key, item) else masked(item) for key, item in value.items()}
    if isinstance(value, str):
        return _text(value)
    return _items(value) if isinstance(value, Sequence) else value


def is_secret(key: str) -> bool:
    """Tell whether a key looks like that of a secret."""
    return _SECRET.search(re.sub(r"[\W_]+", "_", _CAMEL.sub("_", key)).lower()) is not None


def _hidden(key: str, item: Any) -> bool:
    # What is no secret even under such a key is left readable: a flag, or that nothing was given.
    return item is not None and not isinstance(item, bool) and is_secret(key)


def _items(values: Sequence[Any]) -> list[Any]:
    shown, follows = [], False
    for value in values:
        match = _OPTION.fullmatch(value) if isinstance(value, str) else None
        is_option = match is not None and match[1].startswith("--")
        # A value may begin with a dash; only with two of them it is the next option.
        shown.append(MASK if follows and not is_option else masked(value))
        follows = match is not None and not match[2] and not match[3] and is_secret(match[1])
    return shown


def _text(text: str) -> str:
    whole = _ASSIGNMENT.fullmatch(text)
    if whole and is_secret(whole[1]):
        return f"{whole[1]}{MASK}"
    if text[:1] in ("{", "["):
        return _document(text)
    return _parts(text)


def _document(text: str) -> str:
    try:
        value = json.loads(text)
        found = masked(value)
    except (ValueError, RecursionError):
        return _parts(text)
    return text if found == value else json.dumps(found, ensure_ascii=False)


def _parts(text: str) -> str:
    text = _BEARER.sub(rf"\1{MASK}", _URL.sub(rf"\1{MASK}@", text))
    for lead, value in _PAIRS:
        text = "".join(_pieces(text, lead, value))
    return text


def _pieces(text: str, lead: re.Pattern[str], value: re.Pattern[str]) -> Iterator[str]:
    at = 0
    while found := lead.search(text, at):
        yield text[at : found.end()]
        at = found.end()
        # What follows another key is searched in its turn: "page=1&token=x".
        if is_secret(found[1]) and (held := value.match(text, at)):
            yield MASK
            at = held.end()
    yield text[at:]
