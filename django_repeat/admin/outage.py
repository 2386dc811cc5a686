"""What the pages show when the registry cannot be read."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import SimpleTemplateResponse, TemplateResponse
from django.utils.translation import gettext as _

from django_repeat.admin import texts
from django_repeat.admin.breadcrumbs import breadcrumbs
from django_repeat.exceptions import InvalidSettings, RegistryUnavailable

View = Callable[..., Any]


def reads_registry(view: View) -> View:
    """Let a view of a ModelAdmin answer 503 in the admin's chrome when Redis or the settings fail it.

    It is rendered in here: templates read the registry too. Who may not see schedules is refused first, without I/O.
    """

    @wraps(view)
    def guarded(self: Any, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            response = view(self, request, *args, **kwargs)
            if isinstance(response, SimpleTemplateResponse):
                response.render()
        except (RegistryUnavailable, InvalidSettings) as error:
            return _notice(self, request, error)
        return response

    return guarded


def _notice(model_admin: Any, request: HttpRequest, error: Exception) -> HttpResponse:
    away = isinstance(error, RegistryUnavailable)
    request.current_app = model_admin.admin_site.name
    title = _("The registry does not answer") if away else _("The settings of the registry are wrong")
    context = {
        **model_admin.admin_site.each_context(request),
        **breadcrumbs(model_admin, ("", title)),
        "opts": model_admin.opts,
        "title": title,
        "away": away,
        "error": texts.plain(error),
    }
    return TemplateResponse(request, "admin/django_repeat/unavailable.html", context, status=503)
