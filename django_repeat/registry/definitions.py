"""The verbs that write definitions: register, upsert, cancel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django_repeat.answer import Answer
from django_repeat.codec import encode
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.keys import raw, text
from django_repeat.registry.endings import superseded
from django_repeat.registry.pending import Seen, first, kept, moved, seen_of
from django_repeat.registry.store import Store
from django_repeat.schedule import Schedule

# A script blocks the server: 1,000 comparisons take it about a millisecond, 250 full definitions three.
COMPARE, WRITE = 1_000, 250
# An entry that is claimed and settled all the time can change between look and write; it does not stay so.
TRIES = 8

AGAIN = "again"
Sourced = tuple[Schedule, str]


class Definitions:
    """Register, upsert and cancel schedules of one queue."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def register(self, schedule: Schedule, source: str) -> Answer:
        """Put a schedule in the registry unless the name is taken; ``registered`` or ``exists``, never a change."""
        keys = self._store.keys
        fields = [part for pair in encode(schedule, source).items() for part in pair]
        for _ in range(TRIES):
            now = self._compare([])[0]
            begin = first(schedule, now)
            args = [raw(schedule.name), begin.text, begin.lag, *fields]
            answer = text(self._store.call("register", [keys.record(schedule.name)], args))
            if answer != AGAIN:
                return Answer(answer)
        message = f"Schedule {schedule.name!r}: its nominal time kept passing before it was stored."
        raise RegistryUnavailable(message, answered=True)

    def upsert(self, wanted: Iterable[Sourced]) -> dict[str, Answer]:
        """Make definitions current; answer per name. Those whose digest is stored already cost a comparison only.

        ``registered``, ``exists``, ``updated``, ``foreign``, ``broken``, ``conflict``; ``disabled`` for one that is
        declared so and not there, which is not written.
        """
        todo = list(wanted)
        answers: dict[str, Answer] = {}
        for _ in range(TRIES):
            again = []
            for start in range(0, len(todo), COMPARE):
                again += self._round(todo[start : start + COMPARE], answers)
            todo = again
            if not todo:
                return answers
        names = ", ".join(repr(schedule.name) for schedule, _ in todo[:3])
        message = f"Schedule {names}: the record kept changing before the definition was stored."
        raise RegistryUnavailable(message, answered=True)

    def cancel(self, name: str) -> Answer:
        """Take a schedule out: member, record and run log; ``cancelled`` or ``absent``."""
        keys = self._store.keys
        return Answer(text(self._store.call("cancel", [keys.record(name), keys.runs(name)], [raw(name)])))

    def _round(self, batch: Sequence[Sourced], answers: dict[str, Answer]) -> list[Sourced]:
        now, differing = self._compare(batch)
        if len(differing) < len(batch):
            answers.update((schedule.name, Answer.EXISTS) for schedule, _ in batch)
        todo = []
        for position, seen in differing:
            schedule = batch[position][0]
            if seen is None and not schedule.enabled:
                answers[schedule.name] = Answer.DISABLED
            else:
                todo.append((batch[position], seen))
        again = []
        for start in range(0, len(todo), WRITE):
            chunk = todo[start : start + WRITE]
            for (sourced, _), answer in zip(chunk, self._write(chunk, now), strict=True):
                if answer == AGAIN:
                    again.append(sourced)
                else:
                    answers[sourced[0].name] = Answer(answer)
        return again

    def _compare(self, batch: Sequence[Sourced]) -> tuple[int, list[tuple[int, Seen | None]]]:
        record = self._store.keys.record
        args = [f"{schedule.digest} {source}" for schedule, source in batch]
        reply = self._store.call("compare", [record(schedule.name) for schedule, _ in batch], args)
        return int(reply[0]), [(int(one[0]) - 1, _seen(one[1:])) for one in reply[1:]]

    def _write(self, chunk: Sequence[tuple[Sourced, Seen | None]], now: int) -> list[str]:
        keys: list[bytes] = []
        args: list[Any] = [self._store.history]
        for (schedule, source), seen in chunk:
            keys.append(self._store.keys.record(schedule.name))
            ended = [] if seen is None else superseded(schedule.name, seen, now)
            if ended:
                keys.append(self._store.keys.runs(schedule.name))
            args += [raw(schedule.name), schedule.digest, *_pending(schedule, seen, now)]
            args += [len(ended), *(part for one in ended for part in (one.count, one.line))]
            fields = [part for pair in encode(schedule, source).items() for part in pair]
            args += [len(fields), *fields]
        return [text(answer) for answer in self._store.call("upsert", keys, args)]


def _pending(schedule: Schedule, seen: Seen | None, now: int) -> list[Any]:
    """Answer what was seen to be pending, and what is to be where the recurrence stays and where it does not."""
    if seen is None:
        begin = first(schedule, now)
        return ["-", "", 0, begin.text, begin.lag]
    stays, moves = kept(schedule, seen, now), moved(schedule, seen, now)
    return [seen.text, stays.text, stays.lag, moves.text, moves.lag]


def _seen(values: Sequence[Any]) -> Seen | None:
    # values of a record of any state; nothing at all where there is no hash
    return seen_of([None if value is None else text(value) for value in values]) if values else None
