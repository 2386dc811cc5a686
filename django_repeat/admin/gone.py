"""Schedules that the registry holds no more, and the admin's log still knows: who cancelled one can be looked up."""

from __future__ import annotations

from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.http import HttpRequest

from django_repeat.models import RegisteredSchedule
from django_repeat.models.identity import parse, readable


def is_history(request: HttpRequest) -> bool:
    """Answer whether the page asked for is a history."""
    match = request.resolver_match
    return match is not None and (match.url_name or "").endswith("_history")


def stand_in(key: str) -> RegisteredSchedule | None:
    """Answer an object, without an entry, for a key that the log knows; None for any other."""
    found = parse(key)
    kind = ContentType.objects.get_for_model(RegisteredSchedule)
    if found is None or not LogEntry.objects.filter(content_type=kind, object_id=key).exists():
        return None
    queue, name = found
    return RegisteredSchedule(key=key, queue=queue, name=readable(name))
