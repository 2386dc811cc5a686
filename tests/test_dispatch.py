from __future__ import annotations

import pytest
from django.db import InterfaceError, OperationalError, connection, connections

from django_repeat.dispatch import Dispatcher
from django_repeat.engines import engine_for
from django_repeat.exceptions import DispatchFailed
from django_repeat.occurrence import current_occurrence
from tests.engines import work
from tests.engines.making import occurrence


def given(settings, name):
    settings.DJANGO_REPEAT = {**settings.DJANGO_REPEAT, "ENGINE": f"tests.engines.work.{name}"}


def refusal(settings, monkeypatch, error):
    given(settings, "Refusing")
    monkeypatch.setattr(work.Refusing, "error", error)
    with pytest.raises(DispatchFailed) as caught:
        Dispatcher().fire(occurrence())
    assert current_occurrence.get() is None
    return caught.value


def test_answers_the_id_of_the_result():
    one = occurrence()
    assert Dispatcher().fire(one) in [result.id for result in work.add.get_backend().results]


def test_an_engine_that_answers_nothing_has_no_result_id(settings):
    given(settings, "Recording")
    one = occurrence()
    assert Dispatcher().fire(one) == ""
    assert engine_for(one.schedule).seen == [(one.id, one)]


@pytest.mark.parametrize("error", [RuntimeError("the broker is away"), SystemExit("the broker is away")])
def test_any_error_of_an_engine_is_an_uncertain_failure(settings, monkeypatch, error):
    failure = refusal(settings, monkeypatch, error)
    assert str(failure) == f"{type(error).__name__}: the broker is away"
    assert failure.__cause__ is error
    assert not failure.certain


def test_what_an_engine_says_itself_passes_unchanged(settings, monkeypatch):
    error = DispatchFailed("no", certain=True)
    assert refusal(settings, monkeypatch, error) is error


def test_an_interrupt_passes(settings, monkeypatch):
    given(settings, "Refusing")
    monkeypatch.setattr(work.Refusing, "error", KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        Dispatcher().fire(occurrence())


@pytest.mark.parametrize("name", ["Gone", "Mute", "NeedsArguments"])
def test_a_wrong_setting_is_a_certain_failure(settings, name):
    given(settings, name)
    with pytest.raises(DispatchFailed, match=r"DJANGO_REPEAT\['ENGINE'\]") as caught:
        Dispatcher().fire(occurrence())
    assert caught.value.certain


def test_a_module_that_exits_at_import_is_a_certain_failure(tmp_path, monkeypatch):
    (tmp_path / "tasks_that_exit.py").write_text("import sys\nsys.exit(1)\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DispatchFailed, match="SystemExit: 1") as caught:
        Dispatcher().fire(occurrence(task="tasks_that_exit.work"))
    assert caught.value.certain


@pytest.mark.parametrize("error", ["SystemExit(1)", "RuntimeError(1)", "GeneratorExit(1)"])
def test_so_is_one_that_raises_for_an_attribute(tmp_path, monkeypatch, error):
    name = f"lazy_tasks_{error.partition('(')[0].lower()}"
    (tmp_path / f"{name}.py").write_text(f"def __getattr__(name):\n    raise {error}\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(DispatchFailed, match=error.replace("(", ": ").rstrip(")")) as caught:
        Dispatcher().fire(occurrence(task=f"{name}.work"))
    assert caught.value.certain


@pytest.fixture
def old(db, tmp_path):
    """A connection to a database file that is open and past its age."""
    connections.settings["old"] = {**connections.settings["default"], "NAME": str(tmp_path / "old.sqlite3")}
    connections["old"].connect()
    yield connections["old"]
    connections["old"].close()
    del connections["old"], connections.settings["old"]


def test_a_batch_closes_stale_connections_before_and_after(old):
    with Dispatcher().batch():
        assert old.connection is None
        old.connect()
    assert old.connection is None


def test_a_batch_that_raises_closes_them_too(old):
    def fail():
        old.connect()
        raise RuntimeError

    with pytest.raises(RuntimeError), Dispatcher().batch():
        fail()
    assert old.connection is None


@pytest.mark.parametrize("error, is_open", [(OperationalError(), False), (InterfaceError(), False), (OSError(), True)])
def test_a_failure_of_the_database_closes_what_broke_before_the_next_occurrence(
    old, settings, monkeypatch, error, is_open
):
    refusal(settings, monkeypatch, error)
    assert (old.connection is not None) is is_open


def test_an_atomic_block_of_the_caller_is_left_alone(db):
    assert connection.in_atomic_block
    with Dispatcher().batch():
        Dispatcher().fire(occurrence())
    assert connection.in_atomic_block
    assert connection.is_usable()
