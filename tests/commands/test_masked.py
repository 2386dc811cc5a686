"""No sub-command prints a secret, wherever it stands in what the registry holds."""

from __future__ import annotations

import io
from contextlib import suppress
from typing import Any

import pytest
import redis
from django.core.management import CommandError
from django.core.management.base import OutputWrapper
from django.core.management.color import no_style

from django_repeat import service, signals
from django_repeat.codec import line
from django_repeat.management.output import Output
from django_repeat.management.watching import watched
from tests.commands.running import NOW, call

RECORD = "emq:{default}:repeat:a"
ERROR = "no route to redis://u:s3cret@h, Authorization: Basic s3cret"


@pytest.fixture
def entry(declare_only: Any, frozen: int, raw: redis.Redis) -> redis.Redis:
    service.register(
        "a",
        task="tests.commands.tasks.pulse",
        cron="@daily",
        args=["--password", "-s3cret", "--token s3cret", "amqp://u:s3cret@h"],
        kwargs={"cookie": "s3cret", "line": "pwd=s3cret", "deep": [{"api_key": "s3cret"}]},
        options={"auth": {"inner": "s3cret"}},
    )
    run = line(nominal=NOW, at=NOW, outcome="failed", reason=ERROR, error=ERROR)
    raw.rpush("emq:{default}:repeat.runs:a", run, f"password=s3cret {run}")
    return raw


@pytest.mark.parametrize("state", [
    {},
    {"error": ERROR, "failures": 1},
    {"error": ERROR, "broken": ERROR, "failures": 1},
    {"template": '{"password": "s3cret"'},
    {"template": "s3cret"},
])  # fmt: skip
def test_no_face_prints_it(entry: redis.Redis, state: dict[str, Any]) -> None:
    if state:
        entry.hset(RECORD, mapping=state)
    shown = ""
    for args in (("show", "a"), ("show", "a", "--json"), ("list",), ("list", "--json"), ("next", "a")):
        with suppress(CommandError):
            shown += "".join(call(*args))
    assert "********" in shown
    assert "s3cret" not in shown


def test_nor_does_a_watched_ticker() -> None:
    stream = io.StringIO()
    output = Output(stdout=OutputWrapper(stream), stderr=OutputWrapper(stream), style=no_style())
    with watched(output):
        failed = {"queue": "default", "name": "a", "nominal": NOW, "attempt": 1, "retry_ms": 1000}
        signals.dispatch_failed.send_robust(None, error=ValueError(ERROR), **failed)
        signals.entry_broken.send_robust(None, queue="default", name="a", reason=ERROR, attempt=1)
    assert stream.getvalue().count("********") == 4
    assert "s3cret" not in stream.getvalue()
