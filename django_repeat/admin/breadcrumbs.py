"""The way from the front page to a page that Django's own templates do not lead to."""

from __future__ import annotations

from typing import Any

import django
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

Step = tuple[str, str]

# From 6.1 on the admin styles an ordered list, before it a div; neither has a style for the other's form.
LISTED = django.VERSION >= (6, 1)


def breadcrumbs(model_admin: Any, *last: Step) -> dict[str, Any]:
    """Answer front page, app, list, then ``last``, as a template's context; each with its address, "" for none."""
    opts, site = model_admin.opts, model_admin.admin_site.name
    label = opts.app_label
    home = reverse("admin:index", current_app=site)
    app = reverse("admin:app_list", kwargs={"app_label": label}, current_app=site)
    schedules = reverse(f"admin:{label}_{opts.model_name}_changelist", current_app=site)
    steps = [
        (home, _("Home")),
        (app, str(opts.app_config.verbose_name)),
        (schedules, capfirst(str(opts.verbose_name_plural))),
        *last,
    ]
    return {"steps": steps, "listed": LISTED}
