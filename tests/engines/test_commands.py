from __future__ import annotations

import logging

import pytest
from django.core.management import BaseCommand, CommandError, get_commands
from django.utils.module_loading import import_string

from django_repeat.engines import commands
from django_repeat.engines.commands import CommandEngine, LineLog
from django_repeat.exceptions import DispatchFailed
from tests.engines.making import DUMMY, IMMEDIATE, backend, occurrence, schedule

engine = CommandEngine()


class Shout(BaseCommand):
    def add_arguments(self, parser):
        parser.add_argument("words", nargs="*")
        parser.add_argument("--times", type=int, default=1)
        parser.add_argument("--status", type=int)

    def handle(self, *, words, times, status, **options):
        for word in words * times:
            self.stdout.write(self.style.SUCCESS(word))
        self.stderr.write("hoarse")
        if status is not None:
            raise SystemExit(status)


@pytest.fixture(autouse=True)
def shout(monkeypatch):
    monkeypatch.setitem(get_commands(), "shout", Shout(force_color=True))


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "django_repeat.command")
    return lambda: [
        (record.levelname, record.getMessage()) for record in caplog.records if record.name == "django_repeat.command"
    ]


def run(*args, **kwargs):
    import_string("django_repeat.engines.commands.run_command").call("shout", list(args), kwargs)


def test_is_enqueued_as_a_task_that_a_worker_can_import(settings):
    settings.TASKS = backend(DUMMY)
    identity = engine.enqueue(occurrence(command="shout", args=["hey"], kwargs={"times": 2}, options={"priority": 5}))
    task = import_string("django_repeat.engines.commands.run_command")
    [result] = task.get_backend().results
    assert result.id == identity
    assert result.task.module_path == "django_repeat.engines.commands.run_command"
    assert result.task.func is task.func
    assert (result.args, result.kwargs, result.task.priority) == (["shout", ["hey"], {"times": 2}], {}, 5)


@pytest.mark.parametrize(
    "tasks",
    [
        {"default": {"QUEUES": ["reports"]}},
        {"default": {"QUEUES": ["a", "default"]}},
        {"only": {"QUEUES": ["b", "a"]}},
    ],
)
def test_a_worker_can_import_it_whatever_the_queues_are(settings, tasks):
    path = f"{settings.TASKS_LIBRARY}.backends.{DUMMY}"
    settings.TASKS = {alias: {"BACKEND": path, **more} for alias, more in tasks.items()}
    [alias] = tasks
    task = import_string("django_repeat.engines.commands.run_command")
    assert task.using(backend=alias, queue_name=tasks[alias]["QUEUES"][0]).get_backend().alias == alias


def test_the_queue_of_the_options_is_used(settings):
    settings.TASKS = backend(DUMMY, QUEUES=["reports"])
    engine.enqueue(occurrence(command="shout", options={"queue_name": "reports"}))
    [result] = commands.run_command.get_backend().results
    assert result.task.queue_name == "reports"


def test_a_queue_that_is_not_there_is_a_certain_failure(settings):
    settings.TASKS = backend(DUMMY, QUEUES=["reports"])
    with pytest.raises(DispatchFailed, match="'default' is not valid") as caught:
        engine.enqueue(occurrence(command="shout"))
    assert caught.value.certain


def test_an_unknown_command_is_a_certain_failure_that_names_the_near_one():
    with pytest.raises(DispatchFailed, match="'shuot' is no management command; did you mean 'shout'") as caught:
        engine.enqueue(occurrence(command="shuot"))
    assert caught.value.certain


def test_the_module_has_no_other_lazy_names():
    with pytest.raises(AttributeError, match="run_comand"):
        _ = commands.run_comand


def test_output_is_logged_line_by_line_with_the_name_of_the_command(lines):
    run("hey", "line one\nline two", times=2)
    said = ["hey", "line one", "line two"] * 2
    assert lines() == [*[("INFO", f"command='shout' {line}") for line in said], ("WARNING", "command='shout' hoarse")]


def test_output_has_no_colours_unless_they_are_asked_for(lines):
    run("hey", force_color=True)
    assert "\x1b[" in lines()[0][1]


@pytest.mark.parametrize(
    "chunks", [["a\r", "\nb"], ["a", "\nb\n"], ["a\x85b"], ["a\u2028", "b"], ["", "a\n\n \nb\r\n"]]
)
def test_no_line_end_stays_inside_a_line(lines, chunks):
    log = LineLog("shout", logging.INFO)
    for chunk in chunks:
        assert log.write(chunk) == len(chunk)
    log.close()
    assert [text for _, text in lines()] == ["command='shout' a", "command='shout' b"]


def test_a_line_is_logged_as_soon_as_it_is_complete(lines):
    log = LineLog("shout", logging.INFO)
    log.write("50 %")
    assert lines() == []
    log.write(" done\nnext")
    assert lines() == [("INFO", "command='shout' 50 % done")]
    log.close()


def test_exit_status_zero_is_success():
    run("hey", status=0)


def test_another_exit_status_fails_the_task_and_keeps_the_output(lines):
    with pytest.raises(CommandError, match="shout ended with exit status 3"):
        run("hey", status=3)
    assert ("INFO", "command='shout' hey") in lines()


def test_an_error_of_the_command_fails_the_task(db):
    with pytest.raises(CommandError, match="nosuch"):
        commands.run_command.call("loaddata", ["nosuch"], {})
    with pytest.raises(TypeError, match="Unknown option"):
        run(wrong=1)


def problems(command="shout", **fields):
    return engine.problems(schedule(command=command, **fields))


def test_a_right_schedule_has_no_problems(lines):
    assert problems(args=["hey"], kwargs={"times": 2}) == []
    assert problems(args=["hey", "--times=2"], options={"queue_name": "any", "priority": 1}) == []
    assert problems("clearsessions") == []
    assert lines() == []


@pytest.mark.parametrize(
    "fields, start, text",
    [
        ({"command": "shuot"}, "command: 'shuot'", "did you mean 'shout'?"),
        ({"command": "zzzzzz"}, "command: 'zzzzzz'", "`manage.py help` lists them"),
        ({"args": ["--tims=2"]}, "args: ", "unrecognized arguments"),
        ({"args": ["--times=two"]}, "args: ", "invalid int value: 'two'"),
        ({"kwargs": {"tims": 2}}, "args: ", "Unknown option(s)"),
        ({"command": "loaddata"}, "args: ", "No database fixture specified"),
        ({"kwargs": {"stdout": "x"}}, "kwargs['stdout']: ", "remove it"),
        ({"options": {"queue": "x"}}, "options['queue']: ", "did you mean 'queue_name'?"),
    ],
)
def test_a_problem_names_the_field_and_the_fix(fields, start, text):
    [problem] = problems(**fields)
    assert problem.startswith(start)
    assert text in problem


def test_the_default_queue_must_be_there(settings):
    settings.TASKS = backend(DUMMY, QUEUES=["reports"])
    [text] = problems()
    assert "'default' is not in TASKS['default']['QUEUES']; add it there or use 'reports'" in text
    assert problems(options={"queue_name": "reports"}) == []


def test_without_a_tasks_library_the_text_says_what_to_install(monkeypatch):
    monkeypatch.setattr(commands, "LIBRARIES", ("no_tasks_library",))
    commands._library.cache_clear()
    try:
        [text] = problems()
        with pytest.raises(DispatchFailed, match="install django-repeat") as caught:
            engine.enqueue(occurrence(command="shout"))
    finally:
        commands._library.cache_clear()
    assert "install django-repeat[tasks]" in text
    assert caught.value.certain


def test_checking_a_command_does_not_change_it():
    problems()
    assert "execute" not in vars(get_commands()["shout"])


def test_says_whether_the_command_would_run_inside_the_ticker(settings):
    assert not engine.runs_inline(schedule(command="shout"))
    settings.TASKS = backend(IMMEDIATE)
    assert engine.runs_inline(schedule(command="shout"))
