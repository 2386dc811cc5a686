"""Inside ticker and worker: tell the demo what fires and what runs, as lines of JSON on a pipe of their own."""

import json
import os
from typing import Any

from django.apps import AppConfig

from django_repeat import signals

try:
    from django.tasks.signals import task_finished
except ImportError:  # Django 5.2
    from django_tasks.signals import task_finished

PIPE = "DEMO_EVENTS"


class DemoConfig(AppConfig):
    name = "demo"

    def ready(self) -> None:
        if PIPE not in os.environ:  # a command by hand
            return
        signals.ticker_started.connect(_ticking)
        signals.occurrence_fired.connect(_fired)
        signals.occurrences_missed.connect(_missed)
        signals.dispatch_failed.connect(_refused)
        task_finished.connect(_ran)
        _tell("loaded")


def _ticking(**_: Any) -> None:
    _tell("ticking")


def _fired(*, occurrence: Any, result_id: str, late_ms: int, **_: Any) -> None:
    _tell("fired", name=occurrence.schedule.name, nominal=occurrence.nominal_ms, late=late_ms, result=result_id)


def _missed(*, name: str, count: int, reason: str, **_: Any) -> None:
    _tell("missed", name=name, count=count, reason=reason)


def _refused(*, name: str, error: object, **_: Any) -> None:
    _tell("refused", name=name, error=str(error))


def _ran(*, task_result: Any, **_: Any) -> None:
    took = task_result.finished_at - task_result.started_at
    error = task_result.errors[0].exception_class_path if task_result.errors else ""
    answer = "" if error or task_result.return_value is None else str(task_result.return_value)
    _tell("ran", result=task_result.id, ms=round(took.total_seconds() * 1000), error=error, answer=answer)


def _tell(event: str, **fields: Any) -> None:
    os.write(int(os.environ[PIPE]), json.dumps({"event": event, **fields}).encode() + b"\n")
