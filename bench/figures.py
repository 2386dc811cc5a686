"""What was measured, as a table of plain text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Aim:
    """What a figure ought to be, and whether it is; ``floor`` says whether the floor is, where that tells something."""

    text: str
    met: bool
    floor: bool = True

    def __str__(self) -> str:
        missed = "MISSED" if self.floor else "MISSED (by the floor too)"
        return self.text if self.met else f"{self.text} {missed}"


@dataclass(frozen=True, kw_only=True)
class Figure:
    """One row: ours, the bare floor if there is one, how ours compares with it, and the aims."""

    what: str
    ours: str
    floor: str = ""
    ratio: float | None = None
    aims: tuple[Aim, ...] = ()

    @property
    def cells(self) -> tuple[str, ...]:
        """Answer the row as texts; a missed aim is in capitals."""
        aims = ", ".join(map(str, self.aims))
        return self.what, self.ours, self.floor, "" if self.ratio is None else f"{self.ratio:.2f}", aims


HEAD = ("", "ours", "bare floor", "ratio", "aim")
# Fixed, so that a row can be printed as soon as it is measured.
WIDTHS = (62, 14, 14, 5)


def at_least(value: float, least: float, unit: str = "") -> Aim:
    """Answer the aim of a figure that is better when it is larger."""
    return Aim(text=f">= {least:,g}{unit}", met=value >= least)


def at_most(value: float, most: float, unit: str = "") -> Aim:
    """Answer the aim of a figure that is better when it is smaller."""
    return Aim(text=f"<= {most:,g}{unit}", met=value <= most)


def below(value: float, bound: float, unit: str = "", *, floor: float | None = None) -> Aim:
    """Answer the aim of a figure that must stay under a bound."""
    return Aim(text=f"< {bound:,g}{unit}", met=value < bound, floor=floor is None or floor < bound)


def row(cells: tuple[str, ...]) -> str:
    """Answer one line of the table: the first column to the left, figures to the right, the aims as they are."""
    what, *figures, aims = cells
    texts = [text.rjust(width) for text, width in zip(figures, WIDTHS[1:], strict=True)]
    return "  ".join([what.ljust(WIDTHS[0]), *texts, aims]).rstrip()
