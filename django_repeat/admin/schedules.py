"""The ModelAdmin of the registry's schedules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from django_repeat import service
from django_repeat.admin import actions, columns, details, gone, texts, timeline
from django_repeat.admin.actions.asking import name_in
from django_repeat.admin.breadcrumbs import breadcrumbs
from django_repeat.admin.listing import QUEUE, QueueFilter, ScheduleList, queues_for
from django_repeat.admin.outage import reads_registry
from django_repeat.masking import masked
from django_repeat.models import RegisteredSchedule
from django_repeat.why import explain_entry

if TYPE_CHECKING:
    Base = admin.ModelAdmin[RegisteredSchedule]
else:
    Base = admin.ModelAdmin


@admin.register(RegisteredSchedule)
class RegisteredScheduleAdmin(Base):
    """List schedules, show them, and let operators act on them: each action has a permission, and asks first."""

    actions = actions.for_list()
    list_display = ["name", columns.state, columns.recurrence, columns.next_run, columns.last_run]
    list_filter = [QueueFilter]
    list_max_show_all = 50
    list_per_page = 50
    ordering = ["next"]
    search_fields = ["name"]
    search_help_text = _("Part of a name")
    show_facets = admin.ShowFacets.NEVER
    show_full_result_count = False
    sortable_by = ["name", columns.next_run]  # type: ignore[list-item]

    class Media:
        css = {"all": ["django_repeat/admin.css"]}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        # No form saves anything: what the permission is for are verbs, each with its page.
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_cancel_permission(self, request: HttpRequest) -> bool:
        return self._may(request, "cancel")

    def has_pause_permission(self, request: HttpRequest) -> bool:
        return self._may(request, "pause")

    def has_trigger_permission(self, request: HttpRequest) -> bool:
        return self._may(request, "trigger")

    def _may(self, request: HttpRequest, verb: str) -> bool:
        return bool(request.user.has_perm(f"{self.opts.app_label}.{verb}_{self.opts.model_name}"))

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        name, *others = self.list_display
        return [name, "queue", *others] if len(queues_for(request)) > 1 else [name, *others]

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ScheduleList]:
        return ScheduleList

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        return queryset.search(search_term), False

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return details.fieldsets(obj.entry) if obj is not None else []

    @reads_registry
    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> Any:
        if request.method == "POST":
            # The stock view answers a forbidden action with a page, as if nothing had been asked.
            wanted, allowed = set(filter(None, request.POST.getlist("action"))), set(self.get_actions(request))
            if not allowed or not wanted <= allowed:
                raise PermissionDenied
        return super().changelist_view(request, extra_context)

    @reads_registry
    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().changeform_view(request, *args, **kwargs)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        raise PermissionDenied

    @reads_registry
    def history_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> Any:
        name = name_in(unquote(object_id))
        steps = breadcrumbs(self, ("", name), ("", gettext("History")))
        return super().history_view(request, object_id, {**steps, **(extra_context or {})})

    def get_object(self, request: HttpRequest, object_id: str, from_field: str | None = None) -> Any:
        found = super().get_object(request, object_id, from_field)
        # The stock history turns away who asks for an object that is gone.
        return gone.stand_in(object_id) if found is None and gone.is_history(request) else found

    def render_change_form(self, request: HttpRequest, context: Any, **kwargs: Any) -> Any:  # type: ignore[override]
        """Add what the stock page has no place for: what it does and why, times to come, the run log, the actions."""
        entry = kwargs["obj"].entry
        log = service.runs(entry.name, queue=entry.queue)
        moments, note = timeline.upcoming(entry, service.now(queue=entry.queue))
        context.update(
            sentence=texts.plain(masked(explain_entry(entry, log=log))),
            upcoming=moments,
            upcoming_note=note,
            runs=timeline.run_log(entry, log),
            tools=actions.tools(self, request, entry),
            list_url=self._list_url(entry.queue),
        )
        return super().render_change_form(request, context, **kwargs)

    def _list_url(self, queue: str) -> str:
        view = f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist"
        return f"{reverse(view, current_app=self.admin_site.name)}?{urlencode({QUEUE: queue})}"
