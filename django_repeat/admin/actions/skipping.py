"""Drop the next runs of schedules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from django_repeat import control
from django_repeat.admin import texts
from django_repeat.admin.actions.action import Action, Done, Target, Words, foreign_remarks, is_readable, with_reason
from django_repeat.admin.actions.forms import SkipForm


def _words(count: int) -> Words:
    return Words(
        title=ngettext("Skip next runs of a schedule", "Skip next runs of schedules", count),
        question=ngettext(
            "Skip the next runs of this schedule? It goes on after them as if they had run.",
            "Skip the next runs of these schedules? Each goes on after them as if they had run.",
            count,
        ),
        button=_("Yes, skip"),
    )


def _done(count: int) -> str:
    return ngettext("{names} skips its next runs.", "{names} skip their next runs.", count)


def _carry_out(target: Target, data: Mapping[str, Any]) -> Done:
    count, reason = data["count"], data["reason"]
    said = _which(control.skip(target.name, count, queue=target.queue, by=target.by, reason=reason))
    return Done(note=with_reason(said, reason), detail=said)


def _which(dropped: Sequence[datetime]) -> str:
    text = ngettext(
        "Skipped: %(first)s.", "Skipped: %(count)d runs, from %(first)s to %(last)s.", len(dropped)
    )  # fmt: skip
    return text % {"count": len(dropped), "first": texts.wall(dropped[0]), "last": texts.wall(dropped[-1])}


SKIP = Action(
    name="skip",
    permission="pause",
    label=gettext_lazy("Skip next runs of selected %(verbose_name_plural)s"),
    tool=gettext_lazy("Skip next"),
    words=_words,
    done=_done,
    form=SkipForm,
    carry_out=_carry_out,
    applies=lambda entry: is_readable(entry) and entry.next is not None,
    remarks=foreign_remarks,
)
