"""Fire schedules by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from django_repeat import control
from django_repeat.admin import texts
from django_repeat.admin.actions.action import Action, Done, Target, Words, foreign_remarks, is_readable, with_reason
from django_repeat.admin.actions.forms import ReasonForm


def _words(count: int) -> Words:
    return Words(
        title=ngettext("Run schedule now", "Run schedules now", count),
        question=ngettext(
            "Run this schedule now? It goes to the task engine at once. Its next run, counters and limits stay as they "
            "are, and its condition is not asked.",
            "Run these schedules now? They go to the task engine at once. Their next runs, counters and limits stay as "
            "they are, and their conditions are not asked.",
            count,
        ),
        button=_("Yes, run now"),
    )


def _done(count: int) -> str:
    return ngettext("{names} was handed to its engine.", "{names} were handed to their engines.", count)


def _carry_out(target: Target, data: Mapping[str, Any]) -> Done:
    reason = data["reason"]
    occurrence = control.trigger(target.name, queue=target.queue, by=target.by, reason=reason)
    detail = _("Task id: %(id)s.") % {"id": texts.plain(occurrence.result_id)} if occurrence.result_id else ""
    return Done(note=with_reason(f"{_('Run by hand.')} {detail}".strip(), reason), detail=detail)


TRIGGER = Action(
    name="trigger",
    permission="trigger",
    label=gettext_lazy("Run selected %(verbose_name_plural)s now"),
    tool=gettext_lazy("Run now"),
    words=_words,
    done=_done,
    form=ReasonForm,
    carry_out=_carry_out,
    applies=is_readable,
    remarks=foreign_remarks,
)
