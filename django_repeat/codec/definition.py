"""Between a Schedule and the fields of its record. What cannot be read raises InvalidSchedule, never anything else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django_repeat.codec.numbers import number
from django_repeat.exceptions import InvalidSchedule
from django_repeat.jsonvalues import canonical
from django_repeat.policies import DEFAULT, Policies
from django_repeat.recurrence import Cron, Every, Recurrence
from django_repeat.schedule import Schedule

FORMAT = "1"
CADENCE = ("every_ms", "phase_ms", "cron", "tz")
"""The fields that a recurrence is stored in."""


def encode(schedule: Schedule, source: str) -> dict[str, str]:
    """Answer the definition group of a record: what only register and upsert write."""
    recurrence = schedule.recurrence
    fields: dict[str, str] = {}
    if isinstance(recurrence, Every):
        fields["every_ms"] = str(recurrence.period_ms)
        if recurrence.phase_ms is not None:
            fields["phase_ms"] = str(recurrence.phase_ms)
    else:
        fields.update(cron=recurrence.text, tz=recurrence.timezone)
    if schedule.first_in:
        fields["first_in_ms"] = str(schedule.first_in // timedelta(milliseconds=1))
    if not schedule.enabled:
        fields["enabled"] = "0"
    if schedule.policies != DEFAULT:
        fields["policies"] = canonical(schedule.policies.stored())
    return {**fields, "template": schedule.template, "source": source, "digest": schedule.digest, "v": FORMAT}


def decode(name: str, queue: str, fields: Mapping[str, str]) -> Schedule:
    """Answer the schedule that a record defines; InvalidSchedule with the reason if it cannot be read."""
    work = _template(fields.get("template"))
    return Schedule(
        name,
        queue=queue,
        recurrence=decode_recurrence(fields),
        task=work.get("task"),
        command=work.get("command"),
        args=work.get("args", []),
        kwargs=work.get("kwargs", {}),
        options=work.get("options", {}),
        enabled=fields.get("enabled") != "0",
        first_in=timedelta(milliseconds=number(fields, "first_in_ms") or 0),
        policies=decode_policies(fields.get("policies")),
    )


def decode_policies(text: str | None) -> Policies:
    """Answer the policies that a record holds, the default ones if it holds none; InvalidSchedule as `decode`."""
    return DEFAULT if text is None else Policies.read(_object(text, "the policies are"))


def decode_recurrence(fields: Mapping[str, str]) -> Recurrence:
    """Answer the recurrence that the fields of a record say; InvalidSchedule as `decode`."""
    if "cron" in fields:
        return Cron(fields["cron"], fields.get("tz", ""))
    period = number(fields, "every_ms")
    if period is None:
        raise InvalidSchedule("the record holds neither every_ms nor cron")
    phase = number(fields, "phase_ms")
    return Every(timedelta(milliseconds=period), None if phase is None else timedelta(milliseconds=phase))


def _template(text: str | None) -> dict[str, Any]:
    if text is None:
        raise InvalidSchedule("the record holds no template")
    return _object(text, "the template is")


def _object(text: str, what: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidSchedule(f"{what} no JSON: {error}") from error
    if not isinstance(found, dict):
        raise InvalidSchedule(f"{what} no JSON object")
    return found
