"""What an operator can do about schedules: pause, resume, skip, trigger, backfill.

Each verb looks at the entry, decides, and writes if the entry is still as it was seen. ``deciding`` is that loop; the
other modules have a verb or two each.
"""

from __future__ import annotations

from django_repeat.control.backfilling import backfill, marked_times, times_of
from django_repeat.control.pausing import pause, resume
from django_repeat.control.queues import pause_all, resume_all
from django_repeat.control.skipping import skip
from django_repeat.control.triggering import trigger

__all__ = ["backfill", "marked_times", "pause", "pause_all", "resume", "resume_all", "skip", "times_of", "trigger"]
