"""End the pause of schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from django_repeat import control
from django_repeat.admin.actions.action import (
    Action,
    Done,
    Target,
    Words,
    foreign_remarks,
    is_ours,
    is_paused,
    with_reason,
)
from django_repeat.admin.actions.forms import ResumeForm
from django_repeat.answer import Answer
from django_repeat.entry import Entry
from django_repeat.exceptions import Conflict


def _words(count: int) -> Words:
    return Words(
        title=ngettext("Resume schedule", "Resume schedules", count),
        question=ngettext(
            "Resume this schedule? It goes on with its next nominal time.",
            "Resume these schedules? They go on with their next nominal times.",
            count,
        ),
        button=_("Yes, resume"),
    )


def _done(count: int) -> str:
    return ngettext("{names} was resumed.", "{names} were resumed.", count)


def _carry_out(target: Target, data: Mapping[str, Any]) -> Done:
    replay, reason = data["replay"], data["reason"]
    answer = control.resume(target.name, queue=target.queue, replay=replay, by=target.by, reason=reason)
    if answer is Answer.UNCHANGED:
        raise Conflict(_("It is not paused."))
    said = _("Resumed; the times that passed count as missed.") if replay else _("Resumed.")
    return Done(note=with_reason(said, reason))


def _remarks(entries: Sequence[Entry]) -> list[str]:
    return [foreign or _remark(entry) for entry, foreign in zip(entries, foreign_remarks(entries), strict=True)]


def _remark(entry: Entry) -> str:
    if is_paused(entry):
        return ""
    return _("The whole queue is paused, not this schedule alone.") if entry.pause else _("It is not paused.")


RESUME = Action(
    name="resume",
    permission="pause",
    label=gettext_lazy("Resume selected %(verbose_name_plural)s"),
    tool=gettext_lazy("Resume"),
    words=_words,
    done=_done,
    form=ResumeForm,
    carry_out=_carry_out,
    applies=lambda entry: is_ours(entry) and is_paused(entry),
    remarks=_remarks,
)
