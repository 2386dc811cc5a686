"""An engine of the site's own may raise anything: that is a message of the checks, not their end."""

from __future__ import annotations

import pytest

from django_repeat.schedule import Schedule
from tests.checks.conftest import Said


class Wordless(Exception):
    def __str__(self) -> str:
        raise ValueError("no words")


class Raising:
    """An engine that raises when it is asked about a schedule."""

    error: BaseException

    def enqueue(self, occurrence: object) -> None: ...

    def problems(self, schedule: Schedule) -> list[str]:
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("no"), SystemExit(1), Wordless()], ids=lambda one: type(one).__name__)
def test_what_an_engine_raises_is_an_error_of_the_schedule(
    said: Said, error: BaseException, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Raising, "error", error, raising=False)
    engine = f"{__name__}.Raising"
    [message] = said(ENGINE=engine, SCHEDULES={"n": {"task": "tests.engines.work.add", "every": "5m"}})
    assert message.id == "django_repeat.E003"
    assert f"could not tell whether it takes it ({type(error).__name__}" in message.msg
