"""The messages after an action: each schedule is named in one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from django_repeat.admin.actions.action import Action, Done
from django_repeat.admin.actions.carrying import Tally
from django_repeat.models import RegisteredSchedule

# More banners than this are one banner that names all.
BANNERS = 10

Item = TypeVar("Item")


def report(model_admin: Any, request: HttpRequest, action: Action, tally: Tally) -> None:
    """Tell the user what became of each schedule."""
    for some in _banners(tally.done):
        model_admin.message_user(request, _done(model_admin, action, some), messages.SUCCESS)
    _report_refused(model_admin, request, tally.refused)
    report_absent(model_admin, request, [one.name for one in tally.absent])
    for failed in _banners(tally.unanswered):
        text = _("%(names)s: the registry did not answer, so look whether it was done (%(error)s).")
        said = {"names": quoted(one.name for one, _why in failed), "error": failed[0][1]}
        model_admin.message_user(request, text % said, messages.ERROR)
    for left in _banners(tally.untried):
        text = _("%(names)s: not tried.") % {"names": quoted(one.name for one in left)}
        model_admin.message_user(request, text, messages.ERROR)


def report_absent(model_admin: Any, request: HttpRequest, shown: Sequence[str]) -> None:
    """Tell the user which schedules the registry does not hold."""
    for names in _banners(shown):
        text = ngettext("%(names)s is not in the registry.", "%(names)s are not in the registry.", len(names))
        model_admin.message_user(request, text % {"names": quoted(names)}, messages.ERROR)


def quoted(names: Iterable[str]) -> str:
    """Answer names as a sentence holds them."""
    return ", ".join(f"“{name}”" for name in names)


def _banners(items: Sequence[Item]) -> list[Sequence[Item]]:
    """Answer the items as they share banners: one each, or all in one where they are many."""
    return [[one] for one in items] if len(items) <= BANNERS else [items]


def _report_refused(model_admin: Any, request: HttpRequest, refused: Sequence[tuple[RegisteredSchedule, str]]) -> None:
    for one, why in refused[:BANNERS]:
        model_admin.message_user(request, f"{quoted([one.name])}: {why}", messages.ERROR)
    others = [one.name for one, _why in refused[BANNERS:]]
    if others:
        text = _("Refused as well: %(names)s.") % {"names": quoted(others)}
        model_admin.message_user(request, text, messages.ERROR)


def _done(model_admin: Any, action: Action, some: Sequence[tuple[RegisteredSchedule, Done]]) -> SafeString:
    text = action.done(len(some))
    if len(some) > 1:
        # A message that names thousands stays small.
        return format_html(text, names=quoted(one.name for one, _what in some))
    [(schedule, what)] = some
    said = format_html(text, names=_link(model_admin, action, schedule))
    return format_html("{} {}", said, what.detail) if what.detail else said


def _link(model_admin: Any, action: Action, schedule: RegisteredSchedule) -> SafeString:
    """Answer the name as a link to its page; to its history, which says by whom, if it has no other any more."""
    page = "history" if action.removes else "change"
    view = f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_{page}"
    url = reverse(view, args=[quote(schedule.key)], current_app=model_admin.admin_site.name)
    return format_html('<a href="{}">{}</a>', url, quoted([schedule.name]))
