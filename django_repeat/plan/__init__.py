"""What becomes of the nominal times that are due: pure functions of instants.

The reading order is ``deciding`` (the plan), ``value`` (what it answers), ``due`` (the times from the pending one on),
``holes`` (what an operator took out).
"""

from __future__ import annotations

from django_repeat.plan.deciding import plan, upcoming
from django_repeat.plan.holes import WHOLE, Holes
from django_repeat.plan.value import Gap, Plan

__all__ = ["WHOLE", "Gap", "Holes", "Plan", "plan", "upcoming"]
