"""The list: its filter by queue, and what the stock ChangeList cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from django_repeat import names, service
from django_repeat.exceptions import InvalidSchedule
from django_repeat.models.queryset import RegistryQuerySet

QUEUE = "queue"


def queues_for(request: HttpRequest) -> tuple[str, ...]:
    """Answer the queues to choose from: those that this code knows, and the one that the address names."""
    known = service.queues()
    named = request.GET.get(QUEUE)
    return known if named is None or named in known else (*known, named)


class QueueFilter(admin.SimpleListFilter):
    """Choose the one queue that is listed; not shown where there is only one."""

    title = _("queue")
    parameter_name = QUEUE

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        named = self.used_parameters.get(QUEUE)
        if named is not None:
            try:
                names.queue_name(named)
            except InvalidSchedule as error:
                raise IncorrectLookupParameters(error) from error
        return [(queue, queue) for queue in queues_for(request)]

    def has_output(self) -> bool:
        return len(self.lookup_choices) > 1

    def value(self) -> str:
        return str(super().value() or self.lookup_choices[0][0])

    def queryset(self, request: HttpRequest, queryset: Any) -> RegistryQuerySet:
        found: RegistryQuerySet = queryset.filter(queue=self.value())
        return found

    def choices(self, changelist: Any) -> Iterator[Any]:
        for queue, title in self.lookup_choices:
            yield {
                "selected": queue == self.value(),
                "query_string": changelist.get_query_string({QUEUE: queue}),
                "display": title,
            }


class ScheduleList(ChangeList):
    """The stock list, without actions where there is nothing to act on, or a way back to where one is already."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        self.show_admin_actions = bool(self.result_count)
        # The search form links to all unless both counts agree, and its link leaves the queue that was chosen.
        if not self.query or QUEUE in self.params:
            self.full_result_count = self.result_count
