"""What the engine of the measured tickers wrote, read back."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, kw_only=True)
class Run:
    """One enqueue: by which process, when (ms), of which nominal time and schedule."""

    pid: int
    at: float
    nominal: int
    name: str

    @property
    def late(self) -> float:
        """Answer by how many milliseconds."""
        return self.at - self.nominal


def read(path: Path) -> list[Run]:
    """Answer the enqueues in their order."""
    runs = []
    for line in path.read_text().splitlines():
        pid, at, nominal, name = line.split(" ", 3)
        runs.append(Run(pid=int(pid), at=float(at), nominal=int(nominal), name=name))
    return runs


def by_name(runs: Sequence[Run]) -> Mapping[str, list[Run]]:
    """Answer the enqueues of each schedule in their order."""
    found: dict[str, list[Run]] = defaultdict(list)
    for run in runs:
        found[run.name].append(run)
    return found


def missed(runs: Sequence[Run], period: int) -> int:
    """Answer how many nominal times between the first and the last of all never came."""
    first, last = min(run.nominal for run in runs), max(run.nominal for run in runs)
    expected = (last - first) // period + 1
    return sum(expected - len({run.nominal for run in one}) for one in by_name(runs).values())


def doubled(runs: Sequence[Run]) -> int:
    """Answer how many enqueues were of a nominal time that had been enqueued before."""
    return len(runs) - len({(run.name, run.nominal) for run in runs})


def quantile(values: Sequence[float], part: float) -> float:
    """Answer the value that ``part`` of them do not exceed."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]
