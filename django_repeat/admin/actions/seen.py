"""What of the schedules a user saw and decided upon, as one short text that a form can carry."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django_repeat.entry import Entry
from django_repeat.models import RegisteredSchedule

# A record of another program has no digest; what it has instead is its definition.
DEFINITION = ("digest", "every_ms", "cron", "tz", "template")


def fingerprint(found: Sequence[RegisteredSchedule], now: datetime) -> str:
    """Answer another text if a definition or what an operator decided is another one; a fire changes nothing."""
    values = sorted([one.key, *_definition(one.entry), *_decided(one.entry, now)] for one in found)
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()


def _definition(entry: Entry) -> list[str]:
    return [entry.raw.get(field, "") for field in DEFINITION]


def _decided(entry: Entry, now: datetime) -> list[Any]:
    # Settling forgets what lies behind, so only what still lies ahead can be compared.
    ahead = [moment.isoformat() for moment in entry.skips if moment > now]
    pause = entry.pause
    if pause is None:
        return [ahead, ""]
    until = pause.until.isoformat() if pause.until else ""
    return [ahead, f"{pause.whole_queue} {pause.since.isoformat()} {until} {pause.by} {pause.reason}"]
