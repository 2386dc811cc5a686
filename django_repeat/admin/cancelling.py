"""The action that takes schedules out of the registry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from django_repeat import declarations, service
from django_repeat.admin import confirming, gone, texts
from django_repeat.answer import Answer
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.models import RegisteredSchedule
from django_repeat.models.identity import key_of, parse
from django_repeat.models.queryset import RegistryQuerySet


def cancel(model_admin: Any, request: HttpRequest, queryset: RegistryQuerySet) -> HttpResponse | None:
    """Ask for confirmation, or with it cancel what the page named; None where the list is to be shown again."""
    if confirming.is_confirmed(request):
        _carry_out(model_admin, request, confirming.confirmed_keys(request))
        return None
    found = confirming.chosen(model_admin, request, queryset)
    if not found:
        return None
    change = confirming.Change(
        action="cancel",
        title=ngettext("Cancel schedule", "Cancel schedules", len(found)),
        question=ngettext(
            "Cancel this schedule? It is taken out of the registry with its counters and run log.",
            "Cancel these schedules? They are taken out of the registry with their counters and run logs.",
            len(found),
        ),
        button=_("Yes, cancel"),
    )
    declared = _declared()
    return confirming.page(model_admin, request, change, [(one, _remark(one, declared)) for one in found])


def _declared() -> set[tuple[str, str]]:
    found, _problems = declarations.everything()
    return {(one.schedule.queue, one.schedule.name) for one in found}


def _remark(one: RegisteredSchedule, declared: set[tuple[str, str]]) -> str:
    entry = one.entry
    if entry.source in ("settings", "code") or (entry.queue, entry.name) in declared:
        return _("Declared in code: the next process start registers it again.")
    return ""


def _carry_out(model_admin: Any, request: HttpRequest, keys: Sequence[str]) -> None:
    cancelled: list[RegisteredSchedule] = []
    absent: list[str] = []
    failure, done = "", 0
    for key in keys:
        found = parse(key)
        try:
            answer = _cancel(request, found) if found else Answer.ABSENT
        except RegistryUnavailable as error:
            failure = texts.plain(error)
            break
        done += 1
        name = confirming.name_in(key)
        if found and answer is Answer.CANCELLED:
            cancelled.append(RegisteredSchedule(key=key_of(*found), queue=found[0], name=name))
        else:
            absent.append(name)
    if cancelled:
        gone.log(request, cancelled)
        _report_success(model_admin, request, cancelled)
    confirming.report_absent(model_admin, request, absent)
    if failure:
        _report_failure(model_admin, request, keys[done:], failure)


def _cancel(request: HttpRequest, found: tuple[str, str]) -> Answer:
    queue, name = found
    return service.cancel(name, queue=queue, by=request.user.get_username())


def _report_success(model_admin: Any, request: HttpRequest, cancelled: Sequence[RegisteredSchedule]) -> None:
    for some in confirming.banners(cancelled):
        text = ngettext("{names} was cancelled.", "{names} were cancelled.", len(some))
        # One name leads to its history, which says by whom; a message that names thousands stays small.
        names = _history_link(model_admin, some[0]) if len(some) == 1 else confirming.quoted(one.name for one in some)
        model_admin.message_user(request, format_html(text, names=names), messages.SUCCESS)


def _history_link(model_admin: Any, schedule: RegisteredSchedule) -> SafeString:
    view = f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_history"
    url = reverse(view, args=[quote(schedule.key)], current_app=model_admin.admin_site.name)
    return format_html('<a href="{}">{}</a>', url, confirming.quoted([schedule.name]))


def _report_failure(model_admin: Any, request: HttpRequest, left: Sequence[str], failure: str) -> None:
    for some in confirming.banners([confirming.name_in(key) for key in left]):
        text = _("%(names)s: not known to be cancelled: the registry did not answer (%(error)s).")
        model_admin.message_user(request, text % {"names": confirming.quoted(some), "error": failure}, messages.ERROR)
