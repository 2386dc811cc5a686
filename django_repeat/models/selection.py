"""Which entries a queryset means, as a value."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.core.exceptions import FieldError
from django.db.models import Q

from django_repeat import service
from django_repeat.models.identity import parse

ORDERS = {"next": "next", "name": "name", "key": "name", "pk": "name"}


@dataclass(frozen=True, kw_only=True)
class Selection:
    """Entries of one queue, or of the given keys; those whose name holds ``term``; a window of them in an order.

    ``queue`` None is the first queue that this code knows. ``order`` is ``next`` (the registry's own order, by score:
    a window of it costs the same however many entries there are) or ``name``.
    """

    queue: str | None = None
    keys: tuple[str, ...] | None = None
    term: str = ""
    order: str = "next"
    descending: bool = False
    start: int = 0
    stop: int | None = None

    def narrowed(self, lookups: dict[str, Any]) -> Selection:
        """Answer the part that the lookups leave; FieldError for one that the registry cannot answer."""
        answer = self
        for lookup, value in lookups.items():
            if lookup in ("pk", "key"):
                answer = answer._of([value])
            elif lookup in ("pk__in", "key__in"):
                answer = answer._of(value)
            elif lookup == "queue":
                answer = replace(answer, queue=str(value))
            else:
                raise FieldError(f"the registry cannot look up {lookup!r}")
        return answer

    def ordered(self, fields: Iterable[str]) -> Selection:
        """Answer the same in the order of the first field; no field leaves the order."""
        for field in fields:
            name = field.removeprefix("-")
            if name not in ORDERS:
                raise FieldError(f"the registry cannot order by {name!r}")
            return replace(self, order=ORDERS[name], descending=field.startswith("-"))
        return self

    def window(self, start: int | None, stop: int | None) -> Selection:
        """Answer the part from ``start`` to ``stop``, counted from where this one starts."""
        if (start or 0) < 0 or (stop or 0) < 0:
            raise ValueError("Negative indexing is not supported.")
        last = self.stop if stop is None else self.start + stop
        if last is not None and self.stop is not None:
            last = min(last, self.stop)
        return replace(self, start=self.start + (start or 0), stop=last)

    @property
    def is_plain(self) -> bool:
        """Whether the server alone can cut the window: a whole queue in its own order."""
        return self.keys is None and not self.term and self.order == "next"

    def total(self) -> int:
        """Answer how many entries a plain selection holds before its window is cut, in constant time."""
        return service.count(queue=self.place())

    def names(self) -> list[tuple[str, str]]:
        """Answer (queue, name) of every entry in the window; of a plain selection only those are fetched."""
        if self.is_plain:
            limit = -1 if self.stop is None else max(0, self.stop - self.start)
            queue = self.place()
            found = service.names_of(queue=queue, offset=self.start, limit=limit, descending=self.descending)
            return [(queue, name) for name in found]
        return self.matches()[self.start : self.stop]

    def matches(self) -> list[tuple[str, str]]:
        """Answer (queue, name) of every entry, whatever the window."""
        if self.keys is None:
            queue = self.place()
            backwards = self.descending and self.order == "next"
            found = [(queue, name) for name in service.names_of(queue=queue, descending=backwards)]
        else:
            parsed = (parse(key) for key in self.keys)
            found = [one for one in parsed if one is not None and self.queue in (None, one[0])]
        if self.term:
            term = _folded(self.term)
            found = [one for one in found if term in _folded(one[1])]
        if self.order == "name":
            found.sort(key=lambda one: (_folded(one[1]), one[1]), reverse=self.descending)
        return found

    def place(self) -> str:
        """Answer the queue."""
        return service.queues()[0] if self.queue is None else self.queue

    def _of(self, keys: Iterable[Any]) -> Selection:
        wanted = tuple(dict.fromkeys(str(key) for key in keys))
        if self.keys is not None:
            wanted = tuple(key for key in wanted if key in self.keys)
        return replace(self, keys=wanted)


def lookups_of(conditions: Iterable[Any]) -> dict[str, Any]:
    """Answer the lookups of plain ``Q`` objects; FieldError for one with OR, NOT or nesting."""
    lookups: dict[str, Any] = {}
    for one in conditions:
        plain = isinstance(one, Q) and one.connector == Q.AND and not one.negated
        if not plain or any(isinstance(child, Q) for child in one.children):
            raise FieldError("the registry answers plain lookups only")
        lookups.update(one.children)
    return lookups


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()
