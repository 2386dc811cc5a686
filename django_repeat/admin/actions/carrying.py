"""Carry an action out, one schedule after the other, and note each in the admin's log."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.contrib.admin.models import CHANGE, DELETION, LogEntry
from django.http import HttpRequest

from django_repeat.admin import texts
from django_repeat.admin.actions.action import Action, Done, Target
from django_repeat.exceptions import Conflict, DispatchFailed, RegistryUnavailable, ScheduleNotFound
from django_repeat.models import RegisteredSchedule


@dataclass(kw_only=True)
class Tally:
    """What became of each: done, refused (with the reason), absent, not answered for (with the reason), not tried."""

    done: list[tuple[RegisteredSchedule, Done]] = field(default_factory=list)
    refused: list[tuple[RegisteredSchedule, str]] = field(default_factory=list)
    absent: list[RegisteredSchedule] = field(default_factory=list)
    unanswered: list[tuple[RegisteredSchedule, str]] = field(default_factory=list)
    untried: list[RegisteredSchedule] = field(default_factory=list)


def carry_out(
    action: Action, request: HttpRequest, found: Sequence[RegisteredSchedule], data: Mapping[str, Any]
) -> Tally:
    """Answer what became of each; it ends where the registry does not answer."""
    tally = Tally()
    try:
        for at, one in enumerate(found):
            if not _one(action, request, one, data, tally):
                tally.untried = list(found[at + 1 :])
                break
    finally:
        # What was done is known, whatever ended it.
        _log(request, DELETION if action.removes else CHANGE, tally.done)
    return tally


def _one(action: Action, request: HttpRequest, one: RegisteredSchedule, data: Mapping[str, Any], tally: Tally) -> bool:
    """Carry out on one; answer False where there is no use in going on."""
    target = Target(name=one.entry.name, queue=one.entry.queue, by=request.user.get_username())
    try:
        tally.done.append((one, action.carry_out(target, data)))
    except ScheduleNotFound:
        tally.absent.append(one)
    except (Conflict, DispatchFailed, ValueError) as error:
        tally.refused.append((one, texts.plain(error)))
    except RegistryUnavailable as error:
        tally.unanswered.append((one, texts.plain(error)))
        return error.answered
    return True


def _log(request: HttpRequest, flag: int, done: Sequence[tuple[RegisteredSchedule, Done]]) -> None:
    notes = defaultdict(list)
    for one, what in done:
        notes[what.note].append(one)
    entries: Any = LogEntry.objects
    for note, some in notes.items():
        # A note is needed: the stock one says nothing in words, and the history page would be blank there.
        entries.log_actions(request.user.pk, some, flag, note)
