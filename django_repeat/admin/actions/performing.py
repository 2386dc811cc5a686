"""The way of every action: ask, look whether what was shown is still so, carry out."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from django_repeat import service
from django_repeat.admin.actions import asking, carrying, reporting
from django_repeat.admin.actions.action import Action
from django_repeat.admin.actions.seen import fingerprint
from django_repeat.models.queryset import RegistryQuerySet


def perform(action: Action, model_admin: Any, request: HttpRequest, queryset: RegistryQuerySet) -> HttpResponse | None:
    """Ask for confirmation, or with it carry out; None where the list is to be shown again.

    The page is shown again for wrong input, and with a notice if a definition or an operator's decision changed since.
    """
    found = asking.chosen(model_admin, request, queryset)
    if not found:
        return None
    now = service.now(queue=found[0].entry.queue)
    state = fingerprint(found, now)
    confirmed = asking.is_confirmed(request)
    changed = confirmed and request.POST[asking.STATE] != state
    form = action.form(request.POST if confirmed else None, now=now)
    if not confirmed or changed or not form.is_valid():
        question = asking.Question(action=action, found=found, form=form, state=state, changed=changed)
        return asking.page(model_admin, request, question)
    # A page of its own is where the user goes on, as long as there is one.
    back = asking.origin(model_admin, request, found)
    reporting.report(model_admin, request, action, carrying.carry_out(action, request, found, form.cleaned_data))
    return HttpResponseRedirect(back) if back and not action.removes else None
