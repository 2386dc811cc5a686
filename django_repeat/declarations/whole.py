"""All that this process declares: the settings first, then the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings

from django_repeat import conf
from django_repeat.declarations.collected import Declared, Problem, declarations, duplicate
from django_repeat.declarations.declaring import build, called, problem
from django_repeat.exceptions import InvalidSchedule
from django_repeat.showing import kind

SCHEDULES = f"{conf.NAME}['SCHEDULES']"


def everything() -> tuple[list[Declared], list[Problem]]:
    """Answer all that this process declares, in settings and in code, and all that is wrong; InvalidSettings passes."""
    in_settings, problems = _from_settings(conf.current().schedules, settings.TIME_ZONE)
    in_code, more = declarations.collected()
    declared = {(one.schedule.queue, one.schedule.name): one for one in in_settings}
    problems = [*problems, *more]
    for one in in_code:
        first = declared.setdefault((one.schedule.queue, one.schedule.name), one)
        if first.schedule != one.schedule:
            problems.append(duplicate(first, one))
    declarations.log(*problems, *declarations.unread.values())
    return list(declared.values()), problems


def find(queue: str, *names: str) -> Declared | None:
    """Answer this code's declaration of one of these names, None if there is none; InvalidSettings passes."""
    declared, _ = everything()
    return next((one for one in declared if one.schedule.queue == queue and one.schedule.name in names), None)


_parsed: tuple[Any, str, list[Declared], list[Problem]] | None = None


def _from_settings(schedules: Mapping[str, Any], time_zone: str) -> tuple[list[Declared], list[Problem]]:
    # Ten thousand cron texts take a second to parse, and every sync asks: kept for as long as the same object is set.
    global _parsed
    if _parsed is None or _parsed[0] is not schedules or _parsed[1] != time_zone:
        _parsed = schedules, time_zone, *_parse(schedules)
    return _parsed[2], _parsed[3]


def _parse(schedules: Mapping[str, Any]) -> tuple[list[Declared], list[Problem]]:
    declared: dict[tuple[str, str], Declared] = {}
    problems: list[Problem] = []
    for name, fields in _items(schedules, problems):
        where = f"{SCHEDULES}[{called(name)}]"
        try:
            one = Declared(schedule=build(name, fields), source="settings", where=where)
        except InvalidSchedule as error:
            problems.append(problem(name, str(error), where))
        else:
            # The keys of a dict differ, and still two of them can be one name in Unicode normal form C.
            first = declared.setdefault((one.schedule.queue, one.schedule.name), one)
            if first is not one:
                problems.append(duplicate(first, one))
    return list(declared.values()), problems


def _items(schedules: Mapping[str, Any], problems: list[Problem]) -> list[tuple[Any, Any]]:
    try:
        return list(schedules.items())
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a mapping of the site's own may raise anything
        message = f"{SCHEDULES}: it cannot be read ({kind(error)}); give a dict of name to definition."
        problems.append(Problem(name="", message=message, where=SCHEDULES))
        return []
