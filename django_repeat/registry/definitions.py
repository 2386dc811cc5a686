"""The verbs that write definitions: register, upsert, cancel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django_repeat.answer import Answer
from django_repeat.codec import encode, line, milliseconds
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.keys import raw, text
from django_repeat.recurrence import Every
from django_repeat.registry.store import Store
from django_repeat.schedule import Schedule

# A script blocks the server: 1,000 comparisons take it about a millisecond, 250 full definitions three.
COMPARE, WRITE = 1_000, 250
# An entry that is claimed and settled all the time can change between look and write; it does not stay so.
TRIES = 8

AGAIN = "again"
_MILLISECOND = timedelta(milliseconds=1)
Sourced = tuple[Schedule, str]


@dataclass(frozen=True)
class Seen:
    """What a comparison saw of one record: instants in milliseconds, None for what it does not hold."""

    nominal: int | None = None
    last_nominal: int | None = None


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
            args = [raw(schedule.name), first(schedule, now), *fields]
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
            superseded = _superseded(seen, now)
            if superseded:
                keys.append(self._store.keys.runs(schedule.name))
            fields = [part for pair in encode(schedule, source).items() for part in pair]
            pending = "" if seen is None or seen.nominal is None else seen.nominal
            moved = "" if seen is None else _moved(schedule, seen, now)
            args += [raw(schedule.name), schedule.digest, first(schedule, now), pending, moved, superseded]
            args += [len(fields), *fields]
        return [text(answer) for answer in self._store.call("upsert", keys, args)]


def first(schedule: Schedule, now: int) -> str:
    """Answer the first nominal time of a registration: milliseconds, ``+`` and a delay from now, or "" for never.

    A registration never looks back. An interval without phase starts ``first_in`` from now; everything else waits for
    its grid, at least ``first_in`` away.
    """
    recurrence = schedule.recurrence
    wait = schedule.first_in // _MILLISECOND
    if isinstance(recurrence, Every) and recurrence.phase_ms is None:
        return f"+{wait}"
    upcoming = recurrence.after_ms(now + wait)
    return "" if upcoming is None else str(upcoming)


def _moved(schedule: Schedule, seen: Seen, now: int) -> str:
    """Answer the first nominal time of a changed recurrence: after now, after what is due and after what fired last."""
    due = seen.nominal if seen.nominal is not None and seen.nominal <= now else 0
    floor = max(now, due, seen.last_nominal or 0)
    anchor = seen.last_nominal if seen.last_nominal is not None else seen.nominal
    upcoming = schedule.recurrence.after_ms(floor, now if anchor is None else anchor)
    return "" if upcoming is None else str(upcoming)


def _superseded(seen: Seen | None, now: int) -> str:
    if seen is None or seen.nominal is None or seen.nominal > now:
        return ""
    return line(nominal=seen.nominal, at=now, outcome="superseded", reason="recurrence_changed")


def _seen(values: Sequence[Any]) -> Seen | None:
    # [nominal, last_nominal] of a record of any state; nothing at all where there is no hash
    if not values:
        return None
    return Seen(*(milliseconds(text(value)) if value else None for value in values[:2]))
