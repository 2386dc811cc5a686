"""Checks of what the site declares: settings, schedules, and whether the task engine would take them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.core.checks import CheckMessage

from django_repeat import conditions, conf, durations, engines
from django_repeat.checks.backends import of_backends
from django_repeat.checks.kinds import KINDS
from django_repeat.declarations import Declared, declarations, everything
from django_repeat.engines.base import said
from django_repeat.exceptions import InvalidSettings
from django_repeat.policies import Overlap
from django_repeat.recurrence import Every
from django_repeat.schedule import Schedule

SECOND_MS = 1_000
# Which engine the setting ENGINE names shows only when one is asked for; this asks.
PROBE = Schedule("probe", every="1h", command="check")


def check_settings(**_: Any) -> list[CheckMessage]:
    """Answer what is wrong with DJANGO_REPEAT itself."""
    wrong = conf.problems()
    if not wrong and conf.current().engine is not None:
        try:
            engines.engine_for(PROBE)
        except InvalidSettings as error:
            wrong = [str(error)]
    return [KINDS["E001"].message(error=text) for text in wrong]


def check_declared(**_: Any) -> list[CheckMessage]:
    """Answer what is wrong with the declarations; nothing while DJANGO_REPEAT is wrong, which is said elsewhere."""
    if check_settings():
        return []
    declared, problems = everything()
    declarations.checked(*problems)
    declarations.awaited = False
    messages = [KINDS["E002"].message(problem.where, problem=problem.message) for problem in problems]
    for one in declared:
        messages += _of_schedule(one)
    return [*messages, *of_backends([one.schedule for one in declared])]


def check_modules(**_: Any) -> list[CheckMessage]:
    """Answer the modules that could not be imported: a mistake, or an installed package's for what is not installed."""
    declarations.checked(*declarations.unread.values())
    return [
        KINDS["W006" if one.excused else "E005"].message(
            module, module=module, error=one.error, where=one.where, fix=one.fix
        )
        for module, one in sorted(declarations.unread.items())
    ]


def _of_schedule(one: Declared) -> Iterator[CheckMessage]:
    schedule, recurrence = one.schedule, one.schedule.recurrence
    # That its module does not import is said once, of the module.
    unread = (schedule.task or "").rpartition(".")[0] in declarations.unread
    refused = [] if unread else _engine_problems(schedule)
    for problem in refused:
        yield KINDS["E003"].message(one.where, name=schedule.name, problem=problem)
    for kind in _of_overlap(schedule, refused=unread or bool(refused)):
        yield KINDS[kind].message(one.where, name=schedule.name, overlap=str(schedule.policies.overlap))
    for problem in conditions.problems(schedule):
        yield KINDS["E006"].message(one.where, name=schedule.name, problem=problem)
    if isinstance(recurrence, Every) and recurrence.period_ms < SECOND_MS:
        period = durations.describe(recurrence.period_ms)
        yield KINDS["W003"].message(one.where, name=schedule.name, period=period)


def _of_overlap(schedule: Schedule, *, refused: bool) -> Iterator[str]:
    """Answer the ids of what is to be said of ``overlap``; what is refused has no engine that could be asked."""
    if schedule.policies.overlap is Overlap.ALLOW:
        return
    if not refused and not engines.tells(schedule):
        yield "E007"
    if schedule.policies.max_runtime_ms is None:
        yield "W008"


def _engine_problems(schedule: Schedule) -> list[str]:
    try:
        return engines.problems(schedule)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - an engine of the site's own may raise anything
        return [f"task: the engine could not tell whether it takes it ({said(error)}); correct the engine or the task."]
