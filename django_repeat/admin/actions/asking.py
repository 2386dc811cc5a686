"""The page that names what is chosen and asks, and the POST that confirms exactly that."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import quote
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from django_repeat.admin import columns
from django_repeat.admin.actions.action import Action
from django_repeat.admin.actions.forms import VerbForm
from django_repeat.admin.actions.reporting import report_absent
from django_repeat.admin.breadcrumbs import breadcrumbs
from django_repeat.models import RegisteredSchedule
from django_repeat.models.identity import parse, readable
from django_repeat.models.queryset import RegistryQuerySet

# One POST carries the keys of all, and Django takes 2.5 MB of it; each costs a round trip.
MOST = 2_000
# The page names no more than these, and says how many more there are.
SHOWN = 100
# One field for all keys: Django takes no more than a thousand fields.
KEYS = "keys"
# Only the page's own button sends this.
STATE = "state"
# Whether the user came from the page of the one schedule.
ORIGIN = "from_page"


@dataclass(frozen=True, kw_only=True)
class Question:
    """What the page asks: ``state`` is what of the schedules it shows, ``changed`` if it showed something else."""

    action: Action
    found: Sequence[RegisteredSchedule]
    form: VerbForm
    state: str
    changed: bool = False


def is_confirmed(request: HttpRequest) -> bool:
    """Answer whether this POST is the answer to a question, with the state that was shown."""
    return KEYS in request.POST and STATE in request.POST


def chosen(model_admin: Any, request: HttpRequest, queryset: RegistryQuerySet) -> list[RegisteredSchedule]:
    """Answer what a page named, else what is chosen on the list, after a message for what is too much or gone."""
    if KEYS in request.POST:
        queryset = model_admin.get_queryset(request).filter(pk__in=_named(request))
    elif queryset.selection.keys is None and queryset.count() > MOST:
        text = _("At most %(most)d schedules can be changed at once; search for fewer.") % {"most": MOST}
        model_admin.message_user(request, text, messages.ERROR)
        return []
    found = list(queryset)
    there = {one.key for one in found}
    if queryset.selection.keys is not None:
        gone = [key for key in queryset.selection.keys if key not in there]
        report_absent(model_admin, request, [name_in(key) for key in gone])
    return found


def origin(model_admin: Any, request: HttpRequest, found: Sequence[RegisteredSchedule]) -> str:
    """Answer the address of the one schedule's page if the user came from there, else ""."""
    if ORIGIN not in request.POST or len(found) != 1:
        return ""
    view = f"admin:{model_admin.opts.app_label}_{model_admin.opts.model_name}_change"
    return reverse(view, args=[quote(found[0].key)], current_app=model_admin.admin_site.name)


def page(model_admin: Any, request: HttpRequest, question: Question) -> HttpResponse:
    """Answer the page that asks for confirmation."""
    action, found = question.action, question.found
    words = action.words(len(found))
    remarks = action.remarks([one.entry for one in found])
    instead = action.instead if any(remarks) else None
    rows = zip(found[:SHOWN], remarks, strict=False)
    back = origin(model_admin, request, found)
    context = {
        **model_admin.admin_site.each_context(request),
        **breadcrumbs(model_admin, ("", words.title)),
        "opts": model_admin.opts,
        "title": words.title,
        "action": action,
        "words": words,
        "question": question,
        "rows": [{"schedule": one, "state": columns.pill(one.entry), "remark": remark} for one, remark in rows],
        "count": len(found),
        "more": max(0, len(found) - SHOWN),
        "keys": json.dumps([one.key for one in found], ensure_ascii=False),
        "instead": instead if instead and instead.is_allowed(model_admin, request) else None,
        # The stock machinery wants a selection; what is acted on are the keys.
        "first": found[0].key,
        "checkbox": ACTION_CHECKBOX_NAME,
        "origin": ORIGIN if back else "",
        "back": back or request.get_full_path(),
    }
    request.current_app = model_admin.admin_site.name
    return TemplateResponse(request, "admin/django_repeat/confirmation.html", context)


def name_in(key: str) -> str:
    """Answer the name that a key holds, fit to be shown; the key itself where it is none."""
    found = parse(key)
    return readable(found[1] if found else key)


def _named(request: HttpRequest) -> list[str]:
    """Answer the keys that the page named."""
    try:
        keys = json.loads(request.POST[KEYS])
    except (ValueError, RecursionError) as error:
        raise BadRequest("the keys are no JSON") from error
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise BadRequest("the keys are no list of text")
    return list(dict.fromkeys(keys))[:MOST]
