"""``python -m example_project.demo``; DEMO_SECONDS=20 ends it by itself, REDIS_URL names a server to use."""

from __future__ import annotations

import os
import sys

from .asked import Asked


def main() -> int:
    """Run the demo; answer 0 if it ended as asked, 1 if a part died or the counts differ, 2 for bad DEMO_SECONDS."""
    try:
        seconds = duration(os.environ.get("DEMO_SECONDS", ""))
    except ValueError:
        print("DEMO_SECONDS: a number of seconds above zero, such as 20.", file=sys.stderr)
        return 2
    asked = Asked()
    # Django takes a while to load, and somebody may ask in that time already.
    from .story import tell

    return tell(asked, seconds)


def duration(text: str) -> float | None:
    """Answer the seconds that ``text`` says, None for an empty one; ValueError."""
    if not text:
        return None
    seconds = float(text)
    if not 0 < seconds < 1e6:
        raise ValueError(text)
    return seconds


if __name__ == "__main__":
    sys.exit(main())
