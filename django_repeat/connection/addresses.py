"""What may be said of a URL: never its user, password or query."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import SplitResult, urlsplit

from django_repeat.exceptions import InvalidSettings

SCHEMES = ("redis", "rediss", "unix")

_UNREADABLE = (
    "DJANGO_REPEAT['REDIS']: the URL cannot be read; it ends with the number of a database, and special characters of "
    "user and password are percent-encoded (# is %23, / is %2F, ? is %3F, @ is %40)."
)


def address(url: str) -> str:
    """Answer scheme, host, port and database of a URL, never its user, password or query."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        raise InvalidSettings(_UNREADABLE) from None
    if parts.scheme not in SCHEMES:
        hint = " (redis:// works with Valkey)" if parts.scheme.startswith("valkey") else ""
        raise InvalidSettings(f"DJANGO_REPEAT['REDIS']: scheme {parts.scheme!r}: use {', '.join(SCHEMES)}{hint}.")
    if _cut_short(parts):
        raise InvalidSettings(_UNREADABLE)
    host = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path}"


def _cut_short(parts: SplitResult) -> bool:
    """Answer whether a #, / or ? in a password ended the host's part, so that what follows is some of the password."""
    if parts.scheme == "unix":
        return bool(parts.fragment)
    return (
        bool(parts.fragment)
        or not re.fullmatch(r"(/\d*)?", parts.path)
        or ("@" in parts.query and "@" not in parts.netloc)
    )


def primary(location: Any) -> str:
    """Answer the first URL of a LOCATION, a list or text with commas: django-redis takes it for the primary."""
    if isinstance(location, str):
        return location.split(",")[0].strip()
    return str(location[0]) if location else ""
