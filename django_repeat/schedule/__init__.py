"""A schedule: the immutable definition of recurring work.

The reading order is ``value`` (the schedule), ``reading`` (how each of its fields is read) and ``guarding`` (what is
said when that fails).
"""

from __future__ import annotations

from django_repeat.schedule.reading import OCCURRENCE
from django_repeat.schedule.value import Schedule

__all__ = ["OCCURRENCE", "Schedule"]
