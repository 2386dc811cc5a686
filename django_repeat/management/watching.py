"""What a ticker does, line by line, for who watches it: ``repeat tick -v 2``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.dispatch import Signal

from django_repeat import durations, signals
from django_repeat.instants import from_ms
from django_repeat.management import times
from django_repeat.management.output import Output
from django_repeat.masking import masked
from django_repeat.occurrence import Occurrence


@contextmanager
def watched(output: Output) -> Iterator[None]:
    """In the block, print a line for whatever fires, is missed, is skipped, is refused or is found broken."""
    watcher = _Watcher(output)
    receivers: dict[Signal, Callable[..., None]] = {
        signals.occurrence_fired: watcher.fired,
        signals.occurrences_missed: watcher.missed,
        signals.occurrences_skipped: watcher.skipped,
        signals.dispatch_failed: watcher.failed,
        signals.entry_broken: watcher.broken,
    }
    for signal, receiver in receivers.items():
        signal.connect(receiver)
    try:
        yield
    finally:
        for signal, receiver in receivers.items():
            signal.disconnect(receiver)


class _Watcher:
    def __init__(self, output: Output) -> None:
        self._output = output

    def fired(self, *, occurrence: Occurrence, late_ms: int, **_: Any) -> None:
        self._line("fired", f"{occurrence.id}  late {durations.span(late_ms)}")

    def missed(self, **values: Any) -> None:
        self._passed("missed", **values)

    def skipped(self, **values: Any) -> None:
        self._passed("skipped", **values)

    def _passed(self, what: str, *, name: str, first: int, last: int, count: int, reason: str, **_: Any) -> None:
        spread = f"{count} times, {times.wall(from_ms(first))} to" if count > 1 else "1 time,"
        self._line(what, f"{name}  {spread} {times.wall(from_ms(last))}: {reason}")

    def failed(self, *, name: str, nominal: int, error: object, attempt: int, retry_ms: int, **_: Any) -> None:
        said = masked(str(error))
        self._line("failed", f"{name}@{nominal}  attempt {attempt}, next in {durations.span(retry_ms)}: {said}")

    def broken(self, *, name: str, reason: str, attempt: int, **_: Any) -> None:
        self._line("broken", f"{name}  attempt {attempt}: {masked(reason)}")

    def _line(self, what: str, text: str) -> None:
        self._output.progress(f"{times.wall(times.host_now())}  {what:<6}  {text}")
