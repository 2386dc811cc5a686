"""What an upsert saw may be over when it writes: it looks and plans once more."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from django_repeat import clock
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.registry import Definitions
from django_repeat.scripts import Scripts
from tests.registry.support import HOUR, MINUTE, Box, T, fired, hourly


@dataclass
class Between:
    """Real scripts, with something that happens just before a verb writes."""

    scripts: Scripts
    verb: str
    happens: list[Callable[[], Any]]
    called: list[str] = field(default_factory=list)

    def call(self, verb: str, keys: Sequence[bytes], args: Sequence[Any] = ()) -> Any:
        self.called.append(verb)
        if verb == self.verb and self.happens:
            self.happens.pop(0)()
        return self.scripts.call(verb, keys, args)


def meddled(registry: Box, *happens: Callable[[], Any], verb: str = "upsert") -> tuple[Definitions, Between]:
    between = Between(registry.store.scripts, verb, list(happens))
    return Definitions(replace(registry.store, scripts=between)), between


def put(definitions: Definitions, schedule: Any, at: int) -> str:
    with clock.freeze(at):
        return definitions.upsert([(schedule, "code")])[schedule.name]


def test_the_entry_fired_meanwhile(registry):
    registry.put(hourly())

    def fires() -> None:
        with clock.freeze(T + HOUR + 10 * MINUTE):
            (claim,) = registry.claims.claim("a:1", 30_000, registry.claims.due(0, 10).names)
            registry.claims.settle([fired(claim, T + 2 * HOUR)])

    definitions, between = meddled(registry, fires)
    assert put(definitions, hourly(cron="*/30 * * * *"), T + HOUR + 10 * MINUTE) == "updated"
    assert between.called == ["compare", "upsert"] * 2
    assert registry.outcomes("hourly") == ["fired"], "it was not superseded: it ran"
    assert registry.score("hourly") == T + HOUR + 30 * MINUTE


def test_another_start_was_first(registry):
    registry.put(hourly())
    changed = hourly(cron="*/30 * * * *")
    definitions, _ = meddled(registry, lambda: registry.put(changed))
    assert put(definitions, changed, T) == "exists"
    assert registry.score("hourly") == T + 30 * MINUTE


def test_an_older_process_wrote_its_own_meanwhile(registry):
    registry.put(hourly())
    definitions, _ = meddled(registry, lambda: registry.put(hourly(cron="5 * * * *")))
    assert put(definitions, hourly(cron="*/30 * * * *"), T) == "updated"
    assert registry.score("hourly") == T + 30 * MINUTE
    assert registry.record("hourly")["cron"] == "*/30 * * * *"


def test_somebody_cancelled_it_meanwhile(registry):
    registry.put(hourly())
    definitions, _ = meddled(registry, lambda: registry.cancel("hourly"))
    assert put(definitions, hourly(args=[1]), T) == "registered"
    assert registry.score("hourly") == T + HOUR


def test_somebody_registered_it_meanwhile(registry):
    definitions, _ = meddled(registry, lambda: registry.put(hourly(args=[1])))
    assert put(definitions, hourly(args=[2]), T) == "updated"
    assert '"args":[2]' in registry.record("hourly")["template"]
    assert registry.score("hourly") == T + HOUR


def test_the_new_nominal_time_passed_before_it_was_stored(registry):
    """The clock moves from 10:59:59 to 11:00:00 between looking and writing."""
    registry.put(hourly(cron="0 18 * * *"))

    late = clock.freeze(T + HOUR)
    definitions, between = meddled(registry, late.__enter__)
    try:
        with clock.freeze(T + HOUR - 1):
            answers = definitions.upsert([(hourly(), "code")])
    finally:
        late.__exit__(None, None, None)
    assert answers == {"hourly": "updated"}
    assert between.called == ["compare", "upsert"] * 2
    assert registry.score("hourly") == T + 2 * HOUR


@pytest.mark.parametrize("verb", ["register", "upsert"])
def test_the_first_nominal_time_passed_before_it_was_stored(registry, verb):
    late = clock.freeze(T + HOUR)
    definitions, between = meddled(registry, late.__enter__, verb=verb)
    try:
        with clock.freeze(T + HOUR - 1):
            if verb == "register":
                assert definitions.register(hourly(), "dynamic") == "registered"
            else:
                assert definitions.upsert([(hourly(), "code")]) == {"hourly": "registered"}
    finally:
        late.__exit__(None, None, None)
    assert between.called == ["compare", verb] * 2
    assert registry.score("hourly") == T + 2 * HOUR


def test_it_became_due_between_looking_and_writing(registry):
    """Seen as idle, due when written: it has no line for the run log yet, so it is planned once more."""
    registry.put(hourly())
    late = clock.freeze(T + HOUR)
    definitions, between = meddled(registry, late.__enter__)
    try:
        with clock.freeze(T + HOUR - 1):
            definitions.upsert([(hourly(cron="15 * * * *"), "code")])
    finally:
        late.__exit__(None, None, None)
    assert between.called == ["compare", "upsert"] * 2
    assert registry.outcomes("hourly") == ["superseded"]
    assert registry.score("hourly") == T + HOUR + 15 * MINUTE


def test_a_record_that_never_stands_still_is_said_and_does_not_hang(registry):
    registry.put(hourly())
    minutes = iter(range(1, 50))
    other = hourly(cron="*/30 * * * *")

    def changes() -> None:
        registry.put(hourly(cron=f"{next(minutes)} * * * *"))

    definitions, between = meddled(registry, *[changes] * 40)
    with pytest.raises(RegistryUnavailable, match="'hourly': the record kept changing"):
        put(definitions, other, T)
    assert len(between.called) == 16


def test_only_what_changed_is_planned_again(registry):
    for name in ("a", "b", "c"):
        registry.put(hourly(name))
    definitions, between = meddled(registry, lambda: registry.put(hourly("b", cron="7 * * * *")))
    with clock.freeze(T):
        answers = definitions.upsert([(hourly(name, cron="*/30 * * * *"), "code") for name in ("a", "b", "c")])
    assert answers == {"a": "updated", "b": "updated", "c": "updated"}
    assert [registry.score(name) for name in ("a", "b", "c")] == [T + 30 * MINUTE] * 3
    assert between.called == ["compare", "upsert"] * 2
