"""What the run log says of a nominal time."""

from __future__ import annotations

from collections.abc import Sequence

from django_repeat.entry import State
from django_repeat.explaining.known import Known
from django_repeat.explaining.line import Line
from django_repeat.explaining.wording import because, named, quoted, said, sentence, span, wall_ms, whose
from django_repeat.instants import to_ms
from django_repeat.reason import Reason


def about(known: Known, nominal: int) -> list[Line]:
    """Answer the lines that decide on a nominal time, newest first; of those that span it only the narrowest."""
    found = [line for line in known.lines if line.is_about(nominal)]
    exact = [line for line in found if nominal in (line.nominal, line.start)]
    return exact or sorted(found, key=lambda line: line.width)[:1]


def decided(known: Known, nominal: int, lines: Sequence[Line]) -> str:
    """Answer what became of a nominal time by the lines about it, newest first: the newest says it."""
    newest, *older = lines
    if not _covers(known, nominal, newest):
        return _perhaps(known, nominal, newest)
    before = next((line for line in older if line.outcome != newest.outcome), None)
    return sentence(_newest(known, nominal, newest), _before(before))


def _covers(known: Known, nominal: int, line: Line) -> bool:
    """Answer whether a line that spans a nominal time is about it: it may be of another definition."""
    schedule = known.entry.schedule
    if nominal in (line.nominal, line.start):
        return True
    if schedule is None or line.nominal is None:
        return False
    total = 1 + schedule.grid.count_ms(line.start, line.nominal, line.nominal)
    # What was skipped within a row of missed times has a line of its own.
    return line.count in (total, total - sum(one.count for one in known.lines if _lies_within(one, line)))


def _lies_within(one: Line, line: Line) -> bool:
    passed = one.decides and one.outcome in ("missed", "skipped") and one.width < line.width
    return passed and line.start <= one.start and (one.nominal or 0) <= (line.nominal or 0)


def _perhaps(known: Known, nominal: int, line: Line) -> str:
    span_of = f"{line.count:,} from {wall_ms(known, line.start)} to {wall_ms(known, line.nominal or 0)}"
    what = f"the run log says {quoted(line.outcome)} of {span_of}: {because(line.reason)}"
    return sentence(f"Whether {named(known, nominal)} was one of them is not known", what)


def _newest(known: Known, nominal: int, line: Line) -> str:
    if line.outcome == "fired":
        return _fired(known, nominal, line)
    if line.outcome == "failed":
        return _failed(known, nominal, line)
    what = {"missed": "It missed", "skipped": "It skipped", "superseded": "It dropped"}.get(line.outcome)
    if what is None:
        return f"The run log says {quoted(line.outcome)} of {named(known, nominal)}"
    others = f", one of {line.count:,} in a row" if line.count > 1 else ""
    return f"{what} {named(known, nominal)}{others}: {because(line.reason)}{_detail(known, nominal, line)}"


def _fired(known: Known, nominal: int, line: Line) -> str:
    at = "" if line.at is None else f" at {wall_ms(known, line.at)}"
    result = f", as {quoted(line.result)}" if line.result else ""
    if line.by_hand:
        return f"It was fired by hand{at}{whose(line.by, line.note)}{result}"
    if line.trigger == "backfill":
        return f"It fired for {named(known, nominal)} afterwards{at}, by a backfill{whose(line.by, line.note)}{result}"
    late = f", {span(line.late)} after it fell due" if line.late else ", on time"
    ticker = f", by ticker {said(line.ticker)}" if line.ticker else ""
    return f"It fired for {named(known, nominal)}{at}{late}{ticker}{result}"


def _failed(known: Known, nominal: int, line: Line) -> str:
    at = "" if line.at is None else f" at {wall_ms(known, line.at)}"
    error = f": {quoted(line.error)}" if line.error else ""
    what = "It was to be fired by hand" if line.by_hand else f"It failed for {named(known, nominal)}"
    by = whose(line.by, line.note) if line.by_hand else ""
    return f"{what}{at}{by}: {because(line.reason)}{error}{_tried(known, nominal, line)}"


def _tried(known: Known, nominal: int, line: Line) -> str:
    """Answer what becomes of it: it is tried again for as long as it is pending."""
    if line.by_hand:
        return ""
    last = known.entry.last_nominal
    if last is not None and to_ms(last) == nominal:
        return "; it fired after that"
    if known.pending != nominal:
        return "; what became of it then the run log does not say"
    if known.entry.state in (State.FAILING, State.BROKEN) and (retry := known.stored("retry")) is not None:
        failures = known.entry.failures
        return f"; it has failed {failures:,} times in a row, and the next try is at {wall_ms(known, retry)}"
    return "; it is tried again"


def _detail(known: Known, nominal: int, line: Line) -> str:
    """Answer which one fired instead, or who took it out, where the run log has that too."""
    if line.reason == Reason.COALESCED:
        fired = [one.nominal for one in known.lines if one.outcome == "fired" and one.nominal and one.by_ticker]
        later = min((one for one in fired if one > nominal), default=None)
        return "" if later is None else f", that of {wall_ms(known, later)}"
    if line.reason == Reason.OPERATOR:
        told = (one for one in known.lines if one.verb == "skip" and one.nominal is not None)
        told = (one for one in told if one.start <= nominal <= (one.nominal or 0))
        return "".join(whose(one.by, one.note) for one in told if one.by or one.note)
    if line.reason == Reason.PAUSED:
        told = (one for one in known.lines if one.verb == "pause" and one.at is not None and one.at <= nominal)
        first = next(told, None)
        return "" if first is None else whose(first.by, first.note)
    return ""


def _before(line: Line | None) -> str:
    if line is None:
        return ""
    if line.outcome == "failed":
        return f"at first {because(line.reason)}{f': {quoted(line.error)}' if line.error else ''}"
    if line.outcome in ("missed", "skipped", "superseded"):
        return f"before that it was {line.outcome}: {because(line.reason)}"
    return ""
