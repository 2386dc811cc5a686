"""The ticker: claims due entries and hands occurrences to an engine. Any number may run; none is a leader."""

from __future__ import annotations

from django_repeat.ticker.loop import Loop
from django_repeat.ticker.skew import Skew
from django_repeat.ticker.stop import Stop
from django_repeat.ticker.tick import QueueTicker, Ticked

__all__ = ["Loop", "QueueTicker", "Skew", "Stop", "Ticked"]
