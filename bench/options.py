"""What one run of the benchmark measures, and how thoroughly."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Options:
    """``size`` schedules; ``rounds`` of what is repeated; ``seconds`` of what is watched; where the server is."""

    url: str
    size: int
    rounds: int
    seconds: int


def arguments(parts: Sequence[str], argv: Sequence[str] | None = None) -> argparse.Namespace:
    """Answer ``only`` (names of parts), ``size`` and ``quick`` of the command line."""

    def chosen(text: str) -> list[str]:
        names = text.split(",")
        if wrong := [name for name in names if name not in parts]:
            raise argparse.ArgumentTypeError(f"{', '.join(wrong)}: choose from {', '.join(parts)}")
        return names

    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure django-repeat beside its bare floor.")
    parser.add_argument("--only", type=chosen, default=list(parts), metavar="PARTS", help=f"some of {','.join(parts)}")
    parser.add_argument("--size", type=int, help="number of schedules (10,000)")
    parser.add_argument("--quick", action="store_true", help="fewer schedules, rounds and seconds: a look, no figure")
    return parser.parse_args(argv)


def options(url: str, *, size: int | None, quick: bool) -> Options:
    """Answer the options of a run on the server at ``url``."""
    if quick:
        return Options(url=url, size=size or 2_000, rounds=3, seconds=5)
    return Options(url=url, size=size or 10_000, rounds=5, seconds=30)
