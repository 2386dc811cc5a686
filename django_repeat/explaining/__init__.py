"""Why a schedule did or did not run, in one sentence. Pure: what is known goes in, a text comes out.

The reading order is ``known`` (what is known), ``present`` (what it is doing now) and ``then`` (what became of one
instant). ``then`` asks, in this order: ``decided`` (a line of the run log says it), ``undecided`` (a nominal time that
no line is about), ``coming`` (one ahead), ``nowhere`` (none is there). ``line`` reads lines of the run log, ``wording``
has the words.

What is not known is said to be not known.
"""

from __future__ import annotations

from django_repeat.explaining.known import Known
from django_repeat.explaining.present import present
from django_repeat.explaining.then import then
from django_repeat.explaining.wording import REASONS

__all__ = ["REASONS", "Known", "present", "then"]
