"""Let schedules not fire for a while."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from django_repeat import control
from django_repeat.admin import texts
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
from django_repeat.admin.actions.forms import PauseForm
from django_repeat.entry import Entry


def _words(count: int) -> Words:
    return Words(
        title=ngettext("Pause schedule", "Pause schedules", count),
        question=ngettext(
            "Pause this schedule? Nothing of it fires before the pause ends, and no deploy ends it. "
            "What a ticker has in hand still runs.",
            "Pause these schedules? Nothing of them fires before the pause ends, and no deploy ends it. "
            "What a ticker has in hand still runs.",
            count,
        ),
        button=_("Yes, pause"),
    )


def _done(count: int) -> str:
    return ngettext("{names} was paused.", "{names} were paused.", count)


def _carry_out(target: Target, data: Mapping[str, Any]) -> Done:
    until, reason = data["until"], data["reason"]
    control.pause(target.name, queue=target.queue, until=until, by=target.by, reason=reason)
    said = _("Paused until %(when)s.") % {"when": texts.wall(until)} if until else _("Paused.")
    return Done(note=with_reason(said, reason))


def _remarks(entries: Sequence[Entry]) -> list[str]:
    said = _("Paused already: its end and its reason are replaced.")
    pairs = zip(entries, foreign_remarks(entries), strict=True)
    return [foreign or (said if is_paused(entry) else "") for entry, foreign in pairs]


PAUSE = Action(
    name="pause",
    permission="pause",
    label=gettext_lazy("Pause selected %(verbose_name_plural)s"),
    tool=gettext_lazy("Pause"),
    words=_words,
    done=_done,
    form=PauseForm,
    carry_out=_carry_out,
    applies=lambda entry: is_ours(entry) and not is_paused(entry),
    remarks=_remarks,
)
