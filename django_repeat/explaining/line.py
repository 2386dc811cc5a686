"""Lines of a run log, which a stranger may have written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django_repeat.codec import FURTHEST_MS


@dataclass(frozen=True, kw_only=True, slots=True)
class Line:
    """One line, with None or "" for what it does not say, or says in a form that it cannot have. Milliseconds."""

    nominal: int | None = None
    first: int | None = None
    at: int | None = None
    count: int = 1
    late: int | None = None
    outcome: str = ""
    reason: str = ""
    error: str = ""
    trigger: str = ""
    ticker: str = ""
    result: str = ""
    verb: str = ""
    by: str = ""
    note: str = ""

    @classmethod
    def read(cls, values: Mapping[str, Any]) -> Line:
        """Answer the line of these values, whatever they are."""
        numbers = {key: _number(values.get(key)) for key in ("nominal", "first", "at", "late")}
        texts = {
            key: value
            for key in ("outcome", "reason", "error", "trigger", "ticker", "result", "verb", "by", "note")
            if isinstance(value := values.get(key), str)
        }
        return cls(**numbers, **texts, count=_number(values.get("count")) or 1)  # type: ignore[arg-type]

    @property
    def decides(self) -> bool:
        """Answer whether it is about nominal times, and not only about what an operator said."""
        return self.nominal is not None and bool(self.outcome)

    @property
    def start(self) -> int:
        """Answer the first nominal time that it is about."""
        last = self.nominal or 0
        return last if self.first is None else min(self.first, last)

    @property
    def width(self) -> int:
        """Answer how far apart the first and the last are: the narrower line says more of what lies in it."""
        return (self.nominal or 0) - self.start

    def is_about(self, nominal: int) -> bool:
        """Answer whether it decides on this nominal time, if that is one."""
        return self.decides and self.start <= nominal <= (self.nominal or 0)

    @property
    def by_hand(self) -> bool:
        """Answer whether an operator had it fired at that instant: no nominal time of the schedule."""
        return self.trigger == "manual"

    @property
    def by_ticker(self) -> bool:
        """Answer whether the decision was a ticker's, in the order of nominal times."""
        return self.decides and self.trigger not in ("manual", "backfill")


def _number(value: Any) -> int | None:
    is_one = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= FURTHEST_MS
    return value if is_one else None
