"""The parts of an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from django_repeat.admin import texts
from django_repeat.admin.actions.forms import VerbForm
from django_repeat.entry import Entry, State


@dataclass(frozen=True, kw_only=True)
class Words:
    """What the page says that asks for confirmation."""

    title: str
    question: str
    button: str


@dataclass(frozen=True, kw_only=True)
class Target:
    """What an action is carried out on, and by whom."""

    name: str
    queue: str
    by: str


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was done to one schedule: ``note`` for the admin's log, and a ``detail`` that the message may add."""

    note: str
    detail: str = ""


@dataclass(frozen=True, kw_only=True)
class Action:
    """An action as the list, the detail page and the page between know it.

    ``words`` and ``done`` take the number of schedules; ``done`` answers a text with ``{names}`` in it. ``carry_out``
    takes the form's cleaned data and raises RepeatError, or ValueError for an instant that has passed meanwhile.
    ``remarks`` answers what the page says beside each schedule, "" for nothing. ``applies`` is asked for the detail
    page only. ``instead`` is another action that the page offers if it says something beside a schedule.
    """

    name: str
    permission: str
    label: Any
    tool: Any
    words: Callable[[int], Words]
    done: Callable[[int], str]
    form: type[VerbForm]
    carry_out: Callable[[Target, Mapping[str, Any]], Done]
    applies: Callable[[Entry], bool]
    remarks: Callable[[Sequence[Entry]], list[str]]
    removes: bool = False
    instead: Action | None = None

    def is_allowed(self, model_admin: Any, request: HttpRequest) -> bool:
        """Answer whether the user holds the permission."""
        return bool(getattr(model_admin, f"has_{self.permission}_permission")(request))


def is_ours(entry: Entry) -> bool:
    """Answer whether operators' verbs other than cancel work on the entry."""
    return entry.state is not State.FOREIGN


def is_readable(entry: Entry) -> bool:
    """Answer whether the entry has a definition to act on."""
    return is_ours(entry) and entry.schedule is not None


def is_paused(entry: Entry) -> bool:
    """Answer whether the schedule itself is paused; its queue may be, all the same."""
    return entry.pause is not None and not entry.pause.whole_queue


def foreign_remarks(entries: Sequence[Entry]) -> list[str]:
    """Answer why an entry will be refused, "" for one that is ours."""
    said = _("Registered by another program: only cancel works on it.")
    return ["" if is_ours(entry) else said for entry in entries]


def with_reason(said: str, reason: str) -> str:
    """Answer a note for the admin's log that ends in the operator's reason, if there is one."""
    return f"{said} {_('Reason: %(reason)s') % {'reason': texts.plain(reason)}}" if reason else said
