"""Importing the modules of installed apps in which declarations stand."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from traceback import walk_tb

from django.apps import AppConfig
from django.utils.module_loading import module_has_submodule

from django_repeat.declarations.collected import Unread, declarations

MODULES = ("schedules", "tasks")
PACKAGES = frozenset({"site-packages", "dist-packages"})

_HERE = Path(__file__).parents[1]
_STDLIB = Path(os.__file__).parent
# Libraries of tasks that one version of Django has, or needs, and another one has not.
_TASKS = {
    "django.tasks": "On Django 5.2 the library is called django_tasks (`from django_tasks import task`); it is "
    "installed with Python 3.11, or by the extra `tasks`: pip install 'django-repeat[tasks]'.",
    "django_tasks": "The extra `tasks` installs it: pip install 'django-repeat[tasks]'. From Django 6.0 on no library "
    "is needed: `from django.tasks import task`.",
}


def discover(apps: Iterable[AppConfig]) -> None:
    """Import the ``schedules`` and ``tasks`` modules of ``apps``; one that fails is kept for the checks.

    An exit is a failure too; an interrupt passes. Called again, it tries again what failed before.
    """
    declarations.unread.clear()
    for app in apps:
        for name in MODULES:
            # As autodiscover_modules does it, one by one, so that the others are imported when one fails.
            if module_has_submodule(app.module, name):
                _read(app, f"{app.name}.{name}")


def _read(app: AppConfig, module: str) -> None:
    try:
        import_module(module)
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a mistake in one module must not keep a process down
        text = f"{type(error).__name__}: {error}".removesuffix(": ")
        absent = _absent(error)
        excused = bool(absent) and module.endswith(".tasks") and _is_installed(app.path)
        where = _place(error) or module
        declarations.miss(
            Unread(module=module, error=text, where=where, fix=_fix(error, absent, excused), excused=excused)
        )


def _absent(error: BaseException) -> str:
    """Answer what is not installed and was to be imported, ``""`` if something else is wrong."""
    name = (isinstance(error, ModuleNotFoundError) and error.name) or ""
    top = name.partition(".")[0]
    try:
        return name if name in _TASKS or (top and find_spec(top) is None) else ""
    except (ImportError, ValueError):
        return ""


def _fix(error: BaseException, absent: str, excused: bool) -> str:
    if absent in _TASKS:
        return _TASKS[absent]
    if absent:
        return f"Install the package that has {absent!r}{'' if excused else ', or correct the import'}."
    return "Correct the import." if isinstance(error, ImportError) else "Correct the code at that line."


def _place(error: BaseException) -> str:
    """Answer file and line of what went wrong: of the code closest to it that belongs to the site, if some does."""
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    if isinstance(error, SyntaxError):
        frames.append((error.filename or "", error.lineno or 1))
    theirs = [(file, line) for file, line in frames if _is_theirs(file)]
    own = [(file, line) for file, line in theirs if not _is_installed(file)]
    return "".join(f"{file}:{line}" for file, line in (own or theirs)[-1:])


def _is_theirs(file: str) -> bool:
    path = Path(file)
    # A name in angle brackets is a frozen module's: the import system itself.
    if not file or file.startswith("<") or path.is_relative_to(_HERE):
        return False
    return _is_installed(file) or not path.is_relative_to(_STDLIB)


def _is_installed(path: str) -> bool:
    return not PACKAGES.isdisjoint(PurePath(path).parts)
