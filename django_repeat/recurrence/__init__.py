"""When a schedule is due: values that answer nominal times and know no clock.

The reading order is ``moments`` (the verbs), ``every``, ``cron``; below ``cron`` lie ``crontext`` (text to fields),
``walltimes`` (fields to wall-clock minutes), ``zones`` (a zone's offsets) and ``mapping`` (wall clock to instants).
``excluding`` takes nominal times away: ``exclusions`` reads what, ``remaining`` has the wall-clock minutes that are
left, ``kept`` and ``elapsed`` are its mappings for fixed times and for intervals. ``marks`` says what changes of the
clocks do to nominal times.
"""

from __future__ import annotations

from django_repeat.recurrence.cron import Cron
from django_repeat.recurrence.every import Every
from django_repeat.recurrence.excluding import Excluding
from django_repeat.recurrence.exclusions import Exclusions
from django_repeat.recurrence.moments import Moments

Recurrence = Every | Cron

__all__ = ["Cron", "Every", "Excluding", "Exclusions", "Moments", "Recurrence"]
