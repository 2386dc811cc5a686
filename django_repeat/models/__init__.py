"""What the admin sees of the registry, as Django's admin wants to see it: a model. It has no table."""

from __future__ import annotations

from django_repeat.models.registered import RegisteredSchedule

__all__ = ["RegisteredSchedule"]
