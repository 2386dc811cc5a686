"""The story: everything starts, things happen, everything ends."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from django_repeat.exceptions import RepeatError

from .asked import Asked
from .demo import Demo, Interrupted
from .part import PartDied
from .screen import Screen


def tell(asked: Asked, seconds: float | None) -> int:
    """Run a demo in a directory that is gone afterwards; answer the exit code."""
    screen = Screen(sys.stdout)
    with tempfile.TemporaryDirectory(prefix="greenhouse-", ignore_cleanup_errors=True) as home:
        demo = Demo(Path(home), screen, asked)
        try:
            return _run(demo, screen, seconds)
        finally:
            demo.stop()


def _run(demo: Demo, screen: Screen, seconds: float | None) -> int:
    try:
        demo.start()
        demo.watch(seconds)
        return 0 if demo.finish() else 1
    except Interrupted:
        return 0
    except PartDied as error:
        screen.trouble(error, error.lines)
    except (RepeatError, RuntimeError, TimeoutError) as error:
        screen.trouble(error)
    return 1
