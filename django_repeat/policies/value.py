"""The policies of one schedule, as a value."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import Any, Self

from django_repeat.exceptions import InvalidSchedule
from django_repeat.instants import iso
from django_repeat.names import hint
from django_repeat.policies.given import POLICIES, CatchUp, Overlap
from django_repeat.recurrence import Every, Excluding, Exclusions, Moments, Recurrence

_NOTHING = Exclusions()


@dataclass(frozen=True, kw_only=True, slots=True)
class Policies:
    """The policies of one schedule, in whole milliseconds. InvalidSchedule names the field and the fix."""

    catch_up: CatchUp = CatchUp.LATEST
    window_ms: int | None = None
    limit: int = 100
    grace_ms: int = 60_000
    start_ms: int | None = None
    end_ms: int | None = None
    max_runs: int | None = None
    spread_ms: int = 0
    exclude: Exclusions = _NOTHING
    exclude_zone: str | None = None
    overlap: Overlap = Overlap.ALLOW
    max_runtime_ms: int | None = None
    when: str | None = None
    pass_occurrence: bool = False

    def __post_init__(self) -> None:
        for field, goes, owner in (
            ("limit", self.catch_up is CatchUp.ALL, "catch_up='all'"),
            ("grace_ms", self.catch_up is CatchUp.NONE, "catch_up='none'"),
            ("max_runtime_ms", self.overlap is not Overlap.ALLOW, "overlap='skip' or 'queue_one'"),
            ("exclude_zone", bool(self.exclude), "a schedule with exclude"),
        ):
            if not goes and getattr(self, field) != _DEFAULTS[field]:
                name = field.removesuffix("_ms")
                raise InvalidSchedule(f"{name}: only {owner} has one; give that, or leave {name} out.")
        if self.start_ms is not None and self.end_ms is not None and self.end_ms < self.start_ms:
            raise InvalidSchedule(f"end_at: {iso(self.end_ms)} lies before start_at; give a later one.")

    @classmethod
    def read(cls, given: Mapping[str, Any], base: Self | None = None) -> Self:
        """Answer the policies that users give or a record holds; ``base`` has those that are not ``given``.

        Spans are timedeltas, seconds or text, instants aware datetimes or ISO text with an offset.
        """
        values: dict[str, Any] = {}
        for name, value in given.items():
            policy = POLICIES.get(name)
            if policy is None:
                raise InvalidSchedule(f"{str(name)[:40]!r} is no policy. {hint(str(name)[:40], POLICIES)}")
            if value is None and _DEFAULTS[policy.field] is None:
                values[policy.field] = None
                continue
            try:
                values[policy.field] = policy.read(value)
            except InvalidSchedule as error:
                raise InvalidSchedule(f"{name}: {error}") from error
        return replace(cls() if base is None else base, **values)

    def stored(self) -> dict[str, Any]:
        """Answer those that are not the default as JSON values, which ``read`` takes back."""
        return {
            name: policy.write(getattr(self, policy.field))
            for name, policy in POLICIES.items()
            if getattr(self, policy.field) != _DEFAULTS[policy.field]
        }

    def grid(self, recurrence: Recurrence) -> Moments:
        """Answer what the nominal times lie on: without what is excluded, anchored by ``start_at``.

        InvalidSchedule if ``exclude`` leaves nothing.
        """
        whole = self._anchored(recurrence)
        return Excluding(whole, self.exclude, self.exclude_zone) if self.exclude else whole

    def excludes(self, recurrence: Recurrence, ms: int) -> bool:
        """Answer whether ``exclude`` takes this time away from the recurrence, which has it."""
        if not self.exclude:
            return False
        whole = self._anchored(recurrence)
        return bool(whole.count_ms(ms - 1, ms, ms)) and not self.grid(recurrence).count_ms(ms - 1, ms, ms)

    def _anchored(self, recurrence: Recurrence) -> Recurrence:
        if self.start_ms is None or not isinstance(recurrence, Every) or recurrence.phase_ms is not None:
            return recurrence
        return Every(recurrence.period, timedelta(milliseconds=self.start_ms % recurrence.period_ms))

    def after_ms(self, grid: Moments, ms: int, anchor: int | None = None) -> int | None:
        """Answer the first nominal time later than ``ms`` that ``start_at`` and ``end_at`` allow."""
        floor = ms if self.start_ms is None else max(ms, self.start_ms - 1)
        found = grid.after_ms(floor, anchor)
        return None if found is None or self.is_past_end(found) else found

    def is_past_end(self, ms: int) -> bool:
        """Answer whether ``end_at`` lies before ``ms``."""
        return self.end_ms is not None and ms > self.end_ms

    def is_used_up(self, fired: int) -> bool:
        """Answer whether ``max_runs`` allows nothing more after ``fired`` occurrences."""
        return self.max_runs is not None and fired >= self.max_runs

    def offset(self, name: str) -> int:
        """Answer by how many milliseconds ``spread`` puts off a schedule of that name, the same on every machine."""
        if not self.spread_ms:
            return 0
        return int.from_bytes(hashlib.sha256(name.encode()).digest()[:8]) % self.spread_ms


def effective(grid: Moments, nominal: int, offset: int) -> int:
    """Answer when a nominal time falls due: ``offset`` later, but before the next one."""
    if not offset:
        return nominal
    following = grid.after_ms(nominal, nominal)
    return nominal + offset if following is None else min(nominal + offset, following - 1)


_DEFAULTS: dict[str, Any] = {field.name: field.default for field in fields(Policies)}

DEFAULT = Policies()
"""Those of a schedule that gives none."""
