"""How the demo is asked to end."""

from __future__ import annotations

import signal
from types import FrameType


class Asked:
    """Count Ctrl-C, SIGTERM and a closed terminal: the first lets everything end well, the second ends it at once."""

    def __init__(self) -> None:
        self.count = 0
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._take)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as nohup has it
            signal.signal(signal.SIGHUP, self._take)

    def _take(self, number: int, frame: FrameType | None) -> None:
        self.count += 1
