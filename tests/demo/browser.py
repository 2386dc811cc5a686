"""As much of a browser as the admin's forms need."""

from __future__ import annotations

from html.parser import HTMLParser
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener


class Browser:
    """Read pages of one site, and send the forms on them; HTTPError unless a page is answered with 200."""

    def __init__(self, site: str) -> None:
        self._site = site
        self._opener = build_opener(HTTPCookieProcessor(CookieJar()))
        self.text = ""

    def read(self, path: str) -> str:
        return self._open(path, None)

    def send(self, path: str, **fields: str) -> str:
        """Send the form of the page in hand, with its hidden fields and these."""
        return self._open(path, urlencode({**Hidden.of(self.text), **fields}).encode())

    def _open(self, path: str, body: bytes | None) -> str:
        with self._opener.open(self._site + path, body, timeout=30) as page:
            self.text = page.read().decode()
        return self.text


class Hidden(HTMLParser):
    """Collect hidden fields."""

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}

    @classmethod
    def of(cls, text: str) -> dict[str, str]:
        parser = cls()
        parser.feed(text)
        return parser.fields

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        if tag == "input" and named.get("type") == "hidden":
            self.fields[named["name"] or ""] = named.get("value") or ""
