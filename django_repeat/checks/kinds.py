"""Every message that the checks can give, in one table, by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.checks import ERROR, WARNING, CheckMessage, Error, Warning

TAG = "django_repeat"


@dataclass(frozen=True, kw_only=True)
class Kind:
    """One message: id, level, text and hint with ``{places}`` to fill; ``deploy`` if only ``--deploy`` gives it."""

    id: str
    level: int
    text: str
    hint: str
    deploy: bool = False

    def message(self, obj: Any = None, **values: object) -> CheckMessage:
        """Answer the message with its places filled."""
        make = Error if self.level == ERROR else Warning
        return make(self.text.format(**values), hint=self.hint.format(**values), obj=obj, id=f"{TAG}.{self.id}")


KINDS: dict[str, Kind] = {
    kind.id: kind
    for kind in (
        Kind(
            id="E001",
            level=ERROR,
            text="{error}",
            hint="Correct DJANGO_REPEAT in the settings; nothing is registered or fired until then.",
        ),
        Kind(
            id="E002",
            level=ERROR,
            text="{problem}",
            hint="Correct the declaration; nothing is registered for it until then.",
        ),
        Kind(
            id="E003",
            level=ERROR,
            text="Schedule {name!r}: {problem}",
            hint="The task engine would refuse it each time that it is due.",
        ),
        Kind(
            id="E004",
            level=ERROR,
            text="The registry has no usable Redis client: {error}",
            hint="Let DJANGO_REPEAT['REDIS'] be a redis:// URL, an alias of CACHES with the backend of django-redis, "
            "or the dotted path of a callable that answers a client.",
        ),
        Kind(
            id="E005",
            level=ERROR,
            text="{module} could not be imported: {error} ({where})",
            hint="{fix} Until then nothing that it declares is known.",
        ),
        Kind(
            id="E006",
            level=ERROR,
            text="The condition of schedule {name!r}: {problem}",
            hint="The condition could not be asked, and the schedule would fire each time.",
        ),
        Kind(
            id="E007",
            level=ERROR,
            text="Schedule {name!r} has overlap={overlap!r}, and its engine cannot tell whether a run has ended.",
            hint="Use a backend that keeps results, such as django-tasks-db, give an engine of the site's own tells() "
            "and run_of(), or leave overlap out.",
        ),
        Kind(
            id="W001",
            level=WARNING,
            text="{schedules}: the backend of TASKS runs the task at once, so it would run inside the ticker and hold "
            "up all others.",
            hint="Give TASKS a backend that stores tasks for a worker.",
        ),
        Kind(
            id="W002",
            level=WARNING,
            text="{schedules}: the backend of TASKS is DummyBackend, which keeps tasks for tests and runs none.",
            hint="Give TASKS a backend that stores tasks for a worker.",
        ),
        Kind(
            id="W003",
            level=WARNING,
            text="Schedule {name!r}: every {period} is shorter than a second.",
            hint="A tick that takes longer than the period counts what became due meanwhile as missed.",
        ),
        Kind(
            id="W004",
            level=WARNING,
            text="The registry is in the Redis database of CACHES[{alias!r}]: clearing that cache would erase every "
            "schedule.",
            hint="Give the registry a database of its own; cache.clear() is FLUSHDB there.",
        ),
        Kind(
            id="W005",
            level=WARNING,
            text="The registry uses CACHES['default'], the cache of everything else: cache.clear() would erase every "
            "schedule.",
            hint="Add an alias with a database of its own to CACHES and name it in DJANGO_REPEAT['REDIS'].",
        ),
        Kind(
            id="W006",
            level=WARNING,
            text="{module} was passed over: {error} ({where})",
            hint="{fix} If the site does not use its tasks, silence this check.",
        ),
        Kind(
            id="W007",
            level=WARNING,
            text="{schedules}: TASKS[{alias!r}] is django-tasks-db without an id_function, so an occurrence that is "
            "enqueued twice runs twice.",
            hint="Let its OPTIONS['id_function'] be 'django_repeat.occurrence.result_id'.",
        ),
        Kind(
            id="W008",
            level=WARNING,
            text="Schedule {name!r} has overlap={overlap!r} without max_runtime: a run whose worker was lost would "
            "hold it up for ever.",
            hint="Give it a max_runtime: longer than any run takes, with the wait for a worker.",
        ),
        Kind(
            id="W101",
            level=WARNING,
            text="The registry's Redis server does not answer: {error}",
            hint="Start it, or correct DJANGO_REPEAT['REDIS'].",
            deploy=True,
        ),
        Kind(
            id="W102",
            level=WARNING,
            text="The registry's server is Redis {version}; django-repeat needs 6.2 or later.",
            hint="Upgrade to a current Redis or Valkey.",
            deploy=True,
        ),
        Kind(
            id="W103",
            level=WARNING,
            text="The registry's server evicts keys of any kind (maxmemory-policy {policy}): schedules would be lost.",
            hint="Set maxmemory-policy to noeviction or one of volatile-*; schedules have no time to live.",
            deploy=True,
        ),
        Kind(
            id="W104",
            level=WARNING,
            text="Could not determine {what} of the registry's server: {error}",
            hint="Allow the user INFO or CONFIG|GET, or look yourself; nothing else needs them.",
            deploy=True,
        ),
        Kind(
            id="W105",
            level=WARNING,
            text="The registry's server refuses scripts: {error}",
            hint="Allow the user EVALSHA and SCRIPT|LOAD; every change of a schedule is a script.",
            deploy=True,
        ),
    )
}
