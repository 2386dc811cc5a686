"""The registry: one sorted set and one hash per schedule, per queue, changed by Lua verbs only."""

from __future__ import annotations

from django_repeat.registry.claims import Claim, Claims, Due, Refusal
from django_repeat.registry.decisions import AGAIN, Decision, Decisions, refusal
from django_repeat.registry.definitions import Definitions
from django_repeat.registry.endings import Ended, ended
from django_repeat.registry.heartbeats import Heartbeats, Ticker
from django_repeat.registry.reader import Reader
from django_repeat.registry.store import Store
from django_repeat.registry.written import Outcome, Progress, Release, Settlement

__all__ = [
    "AGAIN",
    "Claim",
    "Claims",
    "Decision",
    "Decisions",
    "Definitions",
    "Due",
    "Ended",
    "Heartbeats",
    "Outcome",
    "Progress",
    "Reader",
    "Refusal",
    "Release",
    "Settlement",
    "Store",
    "Ticker",
    "ended",
    "refusal",
]
