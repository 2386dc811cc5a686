"""The two steps of a change: a page that names what is chosen, and the POST that confirms exactly that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from django.contrib import messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from django_repeat.admin.breadcrumbs import breadcrumbs
from django_repeat.models import RegisteredSchedule
from django_repeat.models.identity import parse, readable
from django_repeat.models.queryset import RegistryQuerySet

# One POST carries the keys of all, and Django takes 2.5 MB of it; each costs a round trip.
MOST = 2_000
# More banners than this are one banner that names all.
BANNERS = 10
# One field for all keys: Django takes no more than a thousand fields.
KEYS = "keys"

Item = TypeVar("Item")


@dataclass(frozen=True, kw_only=True)
class Change:
    """A change as its confirmation page words it; ``action`` is the admin action that carries it out."""

    action: str
    title: str
    question: str
    button: str


def is_confirmed(request: HttpRequest) -> bool:
    """Answer whether this POST comes from a confirmation page."""
    return KEYS in request.POST


def confirmed_keys(request: HttpRequest) -> list[str]:
    """Answer the keys that the confirmation page named."""
    try:
        keys = json.loads(request.POST[KEYS])
    except (ValueError, RecursionError) as error:
        raise BadRequest("the keys are no JSON") from error
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        raise BadRequest("the keys are no list of text")
    return list(dict.fromkeys(keys))[:MOST]


def chosen(model_admin: Any, request: HttpRequest, queryset: RegistryQuerySet) -> list[RegisteredSchedule]:
    """Answer what is chosen on the list, after a message for what is too much or there no more."""
    if queryset.selection.keys is None and queryset.count() > MOST:
        text = _("At most %(most)d schedules can be changed at once; search for fewer.") % {"most": MOST}
        model_admin.message_user(request, text, messages.ERROR)
        return []
    found = list(queryset)
    there = {one.key for one in found}
    if queryset.selection.keys is not None:
        gone = [key for key in queryset.selection.keys if key not in there]
        report_absent(model_admin, request, [name_in(key) for key in gone])
    return found


def page(
    model_admin: Any, request: HttpRequest, change: Change, found: Sequence[tuple[RegisteredSchedule, str]]
) -> HttpResponse:
    """Answer the page that asks for confirmation; each schedule comes with a remark, or ""."""
    context = {
        **model_admin.admin_site.each_context(request),
        **breadcrumbs(model_admin, ("", change.title)),
        "opts": model_admin.opts,
        "title": change.title,
        "change": change,
        "rows": [{"schedule": one, "remark": remark} for one, remark in found],
        "keys": json.dumps([one.key for one, _remark in found], ensure_ascii=False),
        # The stock machinery wants a selection; what is acted on are the keys.
        "first": found[0][0].key,
        "checkbox": ACTION_CHECKBOX_NAME,
        "back": request.get_full_path(),
    }
    request.current_app = model_admin.admin_site.name
    return TemplateResponse(request, "admin/django_repeat/confirmation.html", context)


def name_in(key: str) -> str:
    """Answer the name that a key holds, fit to be shown; the key itself where it is none."""
    found = parse(key)
    return readable(found[1] if found else key)


def report_absent(model_admin: Any, request: HttpRequest, shown: Sequence[str]) -> None:
    """Tell the user which schedules the registry does not hold."""
    for names in banners(shown):
        text = ngettext("%(names)s is not in the registry.", "%(names)s are not in the registry.", len(names))
        model_admin.message_user(request, text % {"names": quoted(names)}, messages.ERROR)


def banners(items: Sequence[Item]) -> list[Sequence[Item]]:
    """Answer the items as they share banners: one each, or all in one where they are many."""
    return [[one] for one in items] if len(items) <= BANNERS else [items]


def quoted(names: Iterable[str]) -> str:
    """Answer names as a sentence holds them."""
    return ", ".join(f"“{name}”" for name in names)
