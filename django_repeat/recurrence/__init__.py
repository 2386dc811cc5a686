"""When a schedule is due: values that answer nominal times and know no clock.

The reading order is ``moments`` (the verbs), ``every``, ``cron``; below ``cron`` lie ``crontext`` (text to fields),
``walltimes`` (fields to wall-clock minutes), ``zones`` (a zone's offsets) and ``mapping`` (wall clock to instants).
"""

from __future__ import annotations

from django_repeat.recurrence.cron import Cron
from django_repeat.recurrence.every import Every

Recurrence = Every | Cron

__all__ = ["Cron", "Every", "Recurrence"]
