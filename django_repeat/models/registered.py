"""The model that stands for an entry."""

from __future__ import annotations

from typing import Any, NoReturn, Self

from django.db import NotSupportedError, models
from django.utils.translation import gettext_lazy as _

from django_repeat.entry import Entry
from django_repeat.models.identity import key_of, readable
from django_repeat.models.queryset import RegistryQuerySet


class RegisteredSchedule(models.Model):
    """One entry of the registry; ``entry`` holds all of it. Read only, and no database has a table of it.

    The migration makes it known to Django, so that there are a content type and permissions that groups can hold.
    """

    key = models.CharField(_("key"), primary_key=True, max_length=500)
    queue = models.CharField(_("queue"), max_length=200)
    name = models.CharField(_("name"), max_length=200)
    next = models.DateTimeField(_("next run"), null=True)

    entry: Entry
    overdue: bool

    objects = RegistryQuerySet.as_manager()

    class Meta:
        managed = False
        base_manager_name = "objects"
        verbose_name = _("schedule")
        verbose_name_plural = _("schedules")
        default_permissions = ("view", "change")
        permissions = [
            ("cancel_registeredschedule", "Can cancel schedule"),
            ("pause_registeredschedule", "Can pause schedule"),
            ("trigger_registeredschedule", "Can trigger schedule"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotSupportedError("a schedule is registered by code or by register(), not by a model")

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise NotSupportedError("a schedule is taken out by cancel(), not by a model")

    @classmethod
    def of(cls, entry: Entry, *, overdue: bool = False) -> Self:
        """Answer the object of an entry; ``overdue`` if its next nominal time has come."""
        answer = cls(key=key_of(entry.queue, entry.name), queue=entry.queue, name=readable(entry.name), next=entry.next)
        answer.entry, answer.overdue = entry, overdue
        answer._state.adding = False
        return answer
