"""Which engine takes a schedule."""

from __future__ import annotations

import threading
from contextlib import suppress

import pytest

from django_repeat.engines import engine_for, problems, runs_inline
from django_repeat.engines.commands import CommandEngine
from django_repeat.engines.tasks import TasksEngine
from django_repeat.exceptions import DispatchFailed, InvalidSettings
from tests.engines import work
from tests.engines.making import IMMEDIATE, backend, schedule


def given(settings, name):
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "ENGINE": f"tests.engines.work.{name}"}


def test_a_task_of_django_tasks():
    assert isinstance(engine_for(schedule()), TasksEngine)


def test_a_command():
    assert isinstance(engine_for(schedule(command="clearsessions")), CommandEngine)


def test_one_engine_serves_all_schedules():
    assert engine_for(schedule("a")) is engine_for(schedule("b"))


@pytest.mark.parametrize(
    "name, fix",
    [
        ("ad", "did you mean 'add'?"),
        ("in_contxt", "did you mean 'in_context'?"),
        # Near to no task: "plain" is a function, "calls" a list.
        ("plan", "correct the path."),
        ("call", "correct the path."),
    ],
)
def test_a_path_that_is_nearly_that_of_a_task_is_told_the_task(name, fix):
    [problem] = problems(schedule(task=f"tests.engines.work.{name}"))
    assert problem == f"task: tests.engines.work has no {name!r}; {fix}"


def test_a_module_that_holds_what_cannot_be_looked_at_is_searched_all_the_same(monkeypatch):
    class Lazy:
        def __getattr__(self, name):
            raise LookupError("not set up")

    monkeypatch.setattr(work, "adding", Lazy(), raising=False)
    assert problems(schedule(task="tests.engines.work.adds"))[0].endswith("did you mean 'add'?")


@pytest.mark.parametrize(
    "path, text", [("tests.nowhere.add", "No module named"), ("tests.engines.work.plain", "'function', no task")]
)
def test_what_no_engine_takes_is_a_certain_failure(path, text):
    with pytest.raises(DispatchFailed, match=text) as caught:
        engine_for(schedule(task=path))
    assert caught.value.certain
    assert problems(schedule(task=path)) == [str(caught.value)]
    assert not runs_inline(schedule(task=path))


def test_the_setting_takes_everything(settings):
    given(settings, "Recording")
    engine = engine_for(schedule(task="not.in.this.process"))
    assert isinstance(engine, work.Recording)
    assert engine_for(schedule(command="clearsessions")) is engine
    assert problems(schedule(task="not.in.this.process")) == []
    assert not runs_inline(schedule())


def test_one_instance_a_process_also_when_threads_race(settings, monkeypatch):
    barrier = threading.Barrier(8)
    second = threading.Barrier(2)
    made, seen = [], []

    class Slow(work.Recording):
        def __init__(self):
            made.append(self)
            with suppress(threading.BrokenBarrierError):
                second.wait(timeout=0.1)
            super().__init__()

    monkeypatch.setattr(work, "Slow", Slow, raising=False)
    given(settings, "Slow")

    def ask():
        barrier.wait()
        seen.append(engine_for(schedule()))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 1
    assert seen == made * 8


@pytest.mark.parametrize(
    "name, text",
    [
        ("Gone", "no attribute 'Gone'"),
        ("NeedsArguments", "missing 1 required positional argument"),
        ("Mute", "has no enqueue"),
        ("calls", "not callable"),
    ],
)
def test_a_wrong_setting_says_what_it_takes(settings, name, text):
    given(settings, name)
    with pytest.raises(InvalidSettings, match=text) as caught:
        engine_for(schedule())
    assert "DJANGO_REPEAT['ENGINE']" in str(caught.value)
    assert "enqueue(occurrence)" in str(caught.value)


def test_problems_and_inline_come_from_the_engine(settings):
    settings.TASKS = backend(IMMEDIATE)
    assert runs_inline(schedule())
    assert runs_inline(schedule(command="clearsessions"))
    assert problems(schedule()) == []
    assert problems(schedule(args=[]))[0].startswith("args: ")
