"""A QuerySet over the registry: as much of one as Django's admin uses."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import NotSupportedError, models

from django_repeat import service
from django_repeat.entry import Entry, State
from django_repeat.models.selection import Selection, lookups_of

if TYPE_CHECKING:
    from django_repeat.models.registered import RegisteredSchedule

# In these states the pending nominal time may lie ahead or behind; the others say it.
UNCERTAIN = frozenset({State.FOREIGN, State.FAILING, State.DISPATCHING, State.BROKEN})
# Each would be answered from a table that does not exist, or not be heeded at all.
REFUSED = """
    aggregate alias annotate bulk_create bulk_update complex_filter create dates datetimes defer delete difference
    earliest exclude extra get_or_create in_bulk intersection latest only prefetch_related raw select_for_update union
    update update_or_create values values_list
"""


class RegistryQuerySet(models.QuerySet["RegisteredSchedule"]):
    """Filter (by key or queue), search, order (by score or name), slice, count and iterate over entries.

    Reads through ``service`` when it is evaluated, at most the records of its slice. What a table alone could answer
    raises FieldError or NotSupportedError.
    """

    _matches: list[tuple[str, str]] | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._selection = Selection()

    @property
    def selection(self) -> Selection:
        """The entries that it means."""
        return self._selection

    @property
    def ordered(self) -> bool:
        return True

    def filter(self, *args: Any, **kwargs: Any) -> RegistryQuerySet:
        return self._with(self._selection.narrowed({**lookups_of(args), **kwargs}))

    def search(self, term: str) -> RegistryQuerySet:
        """Answer those whose name holds ``term``, in letters of either case."""
        return self._with(replace(self._selection, term=term.strip()))

    def order_by(self, *fields: Any) -> RegistryQuerySet:
        return self._with(self._selection.ordered(fields))

    def reverse(self) -> RegistryQuerySet:
        return self._with(replace(self._selection, descending=not self._selection.descending))

    def none(self) -> RegistryQuerySet:
        return self._with(replace(self._selection, keys=()))

    def using(self, alias: str | None) -> RegistryQuerySet:
        """Answer none: no database holds an entry, and what asks one (``dumpdata``) wants rows of a table."""
        return self.none()

    def distinct(self, *fields: str) -> RegistryQuerySet:
        return self._with(self._selection)

    def select_related(self, *fields: Any) -> RegistryQuerySet:
        return self._with(self._selection)

    def count(self) -> int:
        if self._result_cache is not None:
            return len(self._result_cache)
        selection = self._selection
        if selection.keys is not None:
            return len(self)
        if selection.is_plain:
            total = selection.total()
        else:
            # The names are kept for the slice that a paginator takes next.
            self._matches = selection.matches()
            total = len(self._matches)
        stop = total if selection.stop is None else min(selection.stop, total)
        return max(0, stop - selection.start)

    def exists(self) -> bool:
        return self.count() > 0

    def get(self, *args: Any, **kwargs: Any) -> RegisteredSchedule:
        found = list(self.filter(*args, **kwargs)[:2])
        if not found:
            raise self.model.DoesNotExist("The registry has no such schedule.")
        if len(found) > 1:
            raise self.model.MultipleObjectsReturned("The registry has more than one such schedule.")
        only: RegisteredSchedule = found[0]
        return only

    def iterator(self, chunk_size: int | None = None) -> Iterator[RegisteredSchedule]:
        return iter(self._with(self._selection))

    def __getitem__(self, key: Any) -> Any:
        if self._result_cache is not None:
            return super().__getitem__(key)
        if not isinstance(key, slice):
            return list(self[key : key + 1])[0]  # noqa: RUF015 - IndexError is the answer where there is none
        part = self._with(self._selection.window(key.start, key.stop))
        part._matches = self._matches
        return list(part)[:: key.step] if key.step else part

    def _with(self, selection: Selection) -> RegistryQuerySet:
        clone = self._clone()
        clone._selection = selection
        return clone

    def _clone(self) -> RegistryQuerySet:
        clone: RegistryQuerySet = super()._clone()  # type: ignore[misc]
        clone._selection = self._selection
        return clone

    def _fetch_all(self) -> None:
        if self._result_cache is None:
            window = slice(self._selection.start, self._selection.stop)
            names = self._selection.names() if self._matches is None else self._matches[window]
            self._result_cache = [self.model.of(entry, overdue=late) for entry, late in _entries(names)]


def _entries(names: list[tuple[str, str]]) -> list[tuple[Entry, bool]]:
    """Answer the entries of these names in this order, each with whether its next nominal time has come."""
    wanted: dict[str, list[str]] = defaultdict(list)
    for queue, name in names:
        wanted[queue].append(name)
    found = {}
    for queue, some in wanted.items():
        entries = service.entries_of(some, queue=queue)
        unsure = any(one.state in UNCERTAIN and one.next for one in entries)
        now = service.now(queue=queue) if unsure else None
        for one in entries:
            behind = now is not None and one.state in UNCERTAIN and one.due is not None and one.due <= now
            found[queue, one.name] = one, one.state is State.DUE or behind
    return [found[one] for one in names if one in found]


def _refuse(verb: str) -> Any:
    def refused(self: RegistryQuerySet, *args: Any, **kwargs: Any) -> Any:
        raise NotSupportedError(f"the registry is no table: {verb}() is not supported; see django_repeat's own verbs")

    refused.__name__ = verb
    return refused


for _verb in REFUSED.split():
    setattr(RegistryQuerySet, _verb, _refuse(_verb))
