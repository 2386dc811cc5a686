"""What was fired, by the ticker's own word, against what was run, by the database's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

DONE = ("SUCCESSFUL", "FAILED")


class Tally:
    """Know each occurrence by the id of its task result, which is the same however often it is handed over."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._early: dict[str, Mapping[str, Any]] = {}

    def fired(self, event: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Take a firing; answer the run that was heard of before it, if any: two processes, two pipes."""
        self._names[event["result"]] = event["name"]
        return self._early.pop(event["result"], None)

    def ran(self, event: Mapping[str, Any]) -> str:
        """Take a run; answer the schedule's name, or ``""`` if its firing is still to be heard of."""
        if event["result"] not in self._names:
            self._early[event["result"]] = event
            return ""
        return self._names[event["result"]]

    def summary(self, results: Mapping[str, str]) -> str:
        """Answer both counts in words; ``results`` is the status of every result in the database by its id."""
        ran, failed = self._ran(results), [one for one in results.values() if one == "FAILED"]
        failures = f", {len(failed)} of them failed" if failed else ""
        return f"{len(self._names)} occurrences fired, {len(ran)} run{failures}."

    def adds_up(self, results: Mapping[str, str]) -> bool:
        """Answer whether something was fired, and exactly that was run, without failures."""
        return bool(self._names) and self._ran(results) == set(self._names) and "FAILED" not in results.values()

    @staticmethod
    def _ran(results: Mapping[str, str]) -> set[str]:
        return {result for result, status in results.items() if status in DONE}
