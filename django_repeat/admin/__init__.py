"""Django's admin of the registry: the stock list, detail and history pages over ``RegisteredSchedule``."""

from __future__ import annotations

from django_repeat.admin.schedules import RegisteredScheduleAdmin

__all__ = ["RegisteredScheduleAdmin"]
