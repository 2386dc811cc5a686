"""Take schedules out of the registry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from django_repeat import declarations, service
from django_repeat.admin.actions.action import Action, Done, Target, Words
from django_repeat.admin.actions.forms import VerbForm
from django_repeat.admin.actions.pausing import PAUSE
from django_repeat.answer import Answer
from django_repeat.entry import Entry
from django_repeat.exceptions import ScheduleNotFound


def _words(count: int) -> Words:
    return Words(
        title=ngettext("Cancel schedule", "Cancel schedules", count),
        question=ngettext(
            "Cancel this schedule? It is taken out of the registry with its counters and run log.",
            "Cancel these schedules? They are taken out of the registry with their counters and run logs.",
            count,
        ),
        button=_("Yes, cancel"),
    )


def _done(count: int) -> str:
    return ngettext("{names} was cancelled.", "{names} were cancelled.", count)


def _carry_out(target: Target, data: Mapping[str, Any]) -> Done:
    if service.cancel(target.name, queue=target.queue, by=target.by) is Answer.ABSENT:
        raise ScheduleNotFound
    return Done(note=_("Cancelled."))


def _remarks(entries: Sequence[Entry]) -> list[str]:
    found, _problems = declarations.everything()
    here = {(one.schedule.queue, one.schedule.name) for one in found}
    said = _("Declared in code: the next process start registers it again.")
    declared = (one.source in ("settings", "code") or (one.queue, one.name) in here for one in entries)
    return [said if comes_back else "" for comes_back in declared]


CANCEL = Action(
    name="cancel",
    permission="cancel",
    label=gettext_lazy("Cancel selected %(verbose_name_plural)s"),
    tool=gettext_lazy("Cancel schedule"),
    words=_words,
    done=_done,
    form=VerbForm,
    carry_out=_carry_out,
    applies=lambda entry: True,
    remarks=_remarks,
    removes=True,
    instead=PAUSE,
)
