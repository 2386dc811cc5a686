"""What an operator can do in the admin. An action is a permission, words, a form, and what carries it out.

Each goes the same way: ``performing`` asks on a page of ``asking``, and with the answer lets ``carrying`` do it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse

from django_repeat.admin.actions.action import Action
from django_repeat.admin.actions.cancelling import CANCEL
from django_repeat.admin.actions.pausing import PAUSE
from django_repeat.admin.actions.performing import perform
from django_repeat.admin.actions.resuming import RESUME
from django_repeat.admin.actions.skipping import SKIP
from django_repeat.admin.actions.triggering import TRIGGER
from django_repeat.entry import Entry

__all__ = ["ACTIONS", "for_list", "tools"]

ACTIONS = (PAUSE, RESUME, TRIGGER, SKIP, CANCEL)


def for_list() -> list[Any]:
    """Answer the actions as a ModelAdmin takes them."""
    return [_function(action) for action in ACTIONS]


def tools(model_admin: Any, request: HttpRequest, entry: Entry) -> list[Action]:
    """Answer the actions that this user may choose for this entry, and that would not be refused."""
    return [action for action in ACTIONS if action.applies(entry) and action.is_allowed(model_admin, request)]


def _function(action: Action) -> Callable[..., HttpResponse | None]:
    @admin.action(description=action.label, permissions=[action.permission])
    def chosen(model_admin: Any, request: HttpRequest, queryset: Any) -> HttpResponse | None:
        return perform(action, model_admin, request, queryset)

    chosen.__name__ = action.name
    return chosen
