"""Policies: what a schedule does about missed times, its bounds, its load and its condition.

Values without a clock. The reading order is ``value`` (what a schedule holds) and ``given`` (how each one is read).
"""

from __future__ import annotations

from django_repeat.policies.given import POLICIES, CatchUp, Overlap, PolicyFields
from django_repeat.policies.value import DEFAULT, Policies, effective

NAMES = tuple(POLICIES)
"""The names under which users give them."""

__all__ = ["DEFAULT", "NAMES", "CatchUp", "Overlap", "Policies", "PolicyFields", "effective"]
