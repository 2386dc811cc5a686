"""The verbs that admin, commands and users call."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django_repeat import conf, connection, declarations, engines, names, signals
from django_repeat.answer import Answer
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict, ScheduleNotFound
from django_repeat.instants import from_ms
from django_repeat.keys import Keys
from django_repeat.names import DEFAULT_QUEUE
from django_repeat.registry import Definitions, Reader, Store
from django_repeat.run import Run
from django_repeat.schedule import Schedule
from django_repeat.scripts import scripts_of

# The ticker's socket time-out in seconds: it can wait longer than a web request, and a slow server is no outage.
PATIENCE = 5.0


def store(queue: str, *, timeout: float | None = None) -> Store:
    """Answer a queue of the registry as the settings name it now; ``timeout`` in seconds, else TIMEOUT. No I/O."""
    settings = conf.current()
    scripts = scripts_of(connection.connect(settings.redis, settings.timeout if timeout is None else timeout))
    return Store(scripts=scripts, keys=Keys(settings.prefix, names.queue_name(queue)), history=settings.history)


def queues() -> tuple[str, ...]:
    """Answer the queues that this code knows: those of declared schedules, sorted, then QUEUES, then ``default``."""
    declared, _ = declarations.everything()
    of_schedules = sorted({one.schedule.queue for one in declared})
    return tuple(dict.fromkeys([*of_schedules, *conf.current().queues, DEFAULT_QUEUE]))


def register(schedule: Schedule | str, *, by: str = "", **fields: Any) -> Answer:
    """Register a dynamic schedule, given whole or as a name with its fields, unless the name is taken.

    ``registered``, or ``exists``: then nothing is written, even if the definition differs. ``disabled`` if it, or the
    site, is not enabled. Not rolled back with a database transaction. InvalidSchedule, RegistryUnavailable.
    """
    wanted = _schedule(schedule, fields)
    if not (wanted.enabled and conf.current().enabled):
        return Answer.DISABLED
    answer = Definitions(store(wanted.queue)).register(wanted, "dynamic")
    _announce(wanted.queue, {wanted.name: answer}, by)
    return answer


def upsert(schedule: Schedule | str, *, by: str = "", **fields: Any) -> Answer:
    """Make a dynamic schedule current: ``registered``, ``updated``, ``exists`` (same digest: nothing written), or
    ``disabled``.

    The cadence stays unless the recurrence changed. Conflict for a name that code declares, that is foreign or whose
    record is damaged; InvalidSchedule, RegistryUnavailable.
    """
    wanted = _schedule(schedule, fields)
    if declarations.find(wanted.queue, wanted.name):
        raise Conflict(f"Schedule {wanted.name!r} is declared in code; change it there, or choose another name.")
    if not conf.current().enabled:
        return Answer.DISABLED
    answer = Definitions(store(wanted.queue)).upsert([(wanted, "dynamic")])[wanted.name]
    if answer in _REFUSALS:
        raise Conflict(f"Schedule {wanted.name!r} {_REFUSALS[answer]}")
    _announce(wanted.queue, {wanted.name: answer}, by)
    return answer


def sync(
    *, queue: str | None = None, name: str | None = None, by: str = "", timeout: float | None = None
) -> dict[tuple[str, str], Answer]:
    """Make everything that this code declares current, in a few round trips; answer per (queue, name).

    ``queue`` and ``name`` choose some of it. What is declared wrongly is left out (``manage.py check`` says why).
    RegistryUnavailable, InvalidSettings.
    """
    declared, _ = declarations.everything()
    wanted: dict[str, list[tuple[Schedule, str]]] = defaultdict(list)
    for one in declared:
        if queue in (None, one.schedule.queue) and name in (None, one.schedule.name):
            wanted[one.schedule.queue].append((one.schedule, one.source))
    answers: dict[tuple[str, str], Answer] = {}
    for place, schedules in wanted.items():
        if conf.current().enabled:
            found = Definitions(store(place, timeout=timeout)).upsert(schedules)
        else:
            found = {schedule.name: Answer.DISABLED for schedule, _ in schedules}
        _announce(place, found, by)
        answers.update(((place, key), answer) for key, answer in found.items())
    signals.sync_completed.send_robust(sync, answers=answers)
    return answers


def cancel(name: str, *, queue: str = DEFAULT_QUEUE, by: str = "") -> Answer:
    """Take a schedule out of the registry, whoever put it there: ``cancelled``, or ``absent``.

    What a ticker has in hand already still runs. Both spellings of "café" name one schedule. A name that code declares
    is registered again by the next process start.
    """
    definitions = Definitions(store(queue))
    answer = definitions.cancel(name)
    if answer is Answer.ABSENT and (normal := names.normal(name)) != name:
        name, answer = normal, definitions.cancel(normal)
    _announce(queue, {name: answer}, by)
    return answer


def get(name: str, *, queue: str = DEFAULT_QUEUE) -> Entry:
    """Answer one entry; ScheduleNotFound, with the near name, if the registry has none."""
    reader = Reader(store(queue))
    found = reader.entries([name]) or reader.entries([names.normal(name)])
    if found:
        return found[0]
    like = names.near(name, reader.names(0, 10_000))
    hint = f" Did you mean {like!r}?" if like else ""
    raise ScheduleNotFound(f"No schedule {name!r} in queue {queue!r}.{hint}")


def entries(*, queue: str = DEFAULT_QUEUE, offset: int = 0, limit: int = 100) -> list[Entry]:
    """Answer a page of entries by score, which is the order in which tickers look at them."""
    return Reader(store(queue)).page(offset, limit)


def entries_of(wanted: Sequence[str], *, queue: str = DEFAULT_QUEUE) -> list[Entry]:
    """Answer the entries of these names, in this order; names that the registry lacks are left out."""
    return Reader(store(queue)).entries(wanted)


def names_of(*, queue: str = DEFAULT_QUEUE, offset: int = 0, limit: int = -1, descending: bool = False) -> list[str]:
    """Answer names by score, all of them from ``offset`` on with ``limit`` -1."""
    return Reader(store(queue)).names(offset, limit, descending=descending)


def count(*, queue: str = DEFAULT_QUEUE) -> int:
    """Answer the number of entries, in constant time."""
    return Reader(store(queue)).count()


def runs(name: str, *, queue: str = DEFAULT_QUEUE) -> list[dict[str, Any]]:
    """Answer the run log of an entry, newest first; instants in milliseconds."""
    return Reader(store(queue)).runs(name)


def task_runs(entry: Entry, log: Sequence[Mapping[str, Any]]) -> dict[str, Run]:
    """Answer what the engine tells now of the runs in a run log, by result id; {} if it cannot. Imports no task."""
    results = (line.get("result") for line in log)
    ids = list(dict.fromkeys(one for one in results if isinstance(one, str) and one))
    return engines.runs_of(entry.schedule, ids) if entry.schedule is not None and ids else {}


def tickers(*, queue: str = DEFAULT_QUEUE) -> list[dict[str, Any]]:
    """Answer the tickers that live: id, host, pid, started and last_tick (milliseconds)."""
    return Reader(store(queue)).tickers()


def now(*, queue: str = DEFAULT_QUEUE) -> datetime:
    """Answer the registry's clock, which is the Redis server's."""
    return from_ms(Reader(store(queue)).now())


_REFUSALS = {
    Answer.FOREIGN: "was registered by another program; cancel it first, or choose another name.",
    Answer.BROKEN: "has a damaged record; cancel it, then register it anew.",
    Answer.CONFLICT: "is declared in the code of some process; change it there, or choose another name.",
}


def _schedule(schedule: Schedule | str, fields: dict[str, Any]) -> Schedule:
    if isinstance(schedule, Schedule):
        if fields:
            raise TypeError("give a Schedule, or a name with the fields of one, not both")
        return schedule
    return declarations.build(schedule, fields)


def _announce(queue: str, answers: dict[str, Answer], by: str) -> None:
    for name, answer in answers.items():
        if answer is not Answer.EXISTS:
            signals.schedule_registered.send_robust(sync, queue=queue, name=name, answer=answer, by=by)
