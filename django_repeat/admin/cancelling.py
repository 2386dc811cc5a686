"""The action that takes schedules out of the registry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from django_repeat import declarations, service
from django_repeat.admin import confirming, texts
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
        title=_("Cancel schedules"),
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
        model_admin.log_deletions(request, cancelled)
    for names in confirming.banners(one.name for one in cancelled):
        text = ngettext("%(names)s was cancelled.", "%(names)s were cancelled.", len(names))
        model_admin.message_user(request, text % {"names": ", ".join(names)}, messages.SUCCESS)
    confirming.report_absent(model_admin, request, absent)
    if failure:
        _report_failure(model_admin, request, keys[done:], failure)


def _cancel(request: HttpRequest, found: tuple[str, str]) -> Answer:
    queue, name = found
    return service.cancel(name, queue=queue, by=request.user.get_username())


def _report_failure(model_admin: Any, request: HttpRequest, left: Sequence[str], failure: str) -> None:
    for some in confirming.banners(map(confirming.name_in, left)):
        text = _("%(names)s: not known to be cancelled: the registry did not answer (%(error)s).")
        model_admin.message_user(request, text % {"names": ", ".join(some), "error": failure}, messages.ERROR)
