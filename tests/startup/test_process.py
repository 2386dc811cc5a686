"""What a process is, by its arguments and environment. The arguments were seen in real processes."""

from __future__ import annotations

import pytest

from django_repeat.process import SERVERS, WORKERS, Role, role_of

PACKAGES = "/venv/lib/python3.12/site-packages"

SERVING = [
    ["/venv/bin/gunicorn", "-w", "4", "site.wsgi:application"],
    [f"{PACKAGES}/gunicorn/__main__.py", "-w", "4", "site.wsgi"],
    ["/usr/bin/gunicorn3", "--preload", "site.wsgi"],
    # Spawned children of --workers and --reload have the arguments of their parent.
    ["/venv/bin/uvicorn", "--workers", "2", "site.asgi:application"],
    [f"{PACKAGES}/uvicorn/__main__.py", "--reload", "site.asgi:application"],
    ["C:\\venv\\Scripts\\uvicorn.exe", "site.asgi:application"],
    ["C:\\venv\\Scripts\\waitress-serve-script.py", "site.wsgi:application"],
    ["hypercorn", "-w", "2", "site.asgi"],
    ["daphne", "-p", "8000", "site.asgi:application"],
    ["granian", "--interface", "asgi", "site.asgi:application"],
    ["waitress-serve", "--port=8000", "site.wsgi:application"],
    [f"{PACKAGES}/waitress/__main__.py", "site.wsgi:application"],
    ["uwsgi"],
    ["mod_wsgi"],
    ["manage.py", "runserver", "--noreload"],
    ["manage.py", "runserver", "8000", "--noreload"],
    ["/venv/bin/django-admin", "runserver", "--noreload"],
    [f"{PACKAGES}/django/__main__.py", "runserver", "--noreload"],
    ["./run-site", "runserver", "--noreload"],
    ["manage.py", "db_worker", "--queue-name", "*"],
    ["manage.py", "rqworker", "high", "default"],
    ["manage.py", "rqworker-pool", "default"],
    ["manage.py", "run_huey"],
    ["manage.py", "rundramatiq"],
    ["manage.py", "qcluster"],
    ["manage.py", "procrastinate", "worker"],
    ["dramatiq", "django_dramatiq.setup"],
    ["huey_consumer.py", "site.huey"],
    ["rq", "worker", "default"],
    ["celery", "-A", "site", "worker", "-l", "INFO"],
    ["celery", "--app=site", "worker", "-B"],
    ["celery", "-A", "worker", "worker"],
    ["celery", "-A", "site", "--timezone", "UTC", "worker"],
    ["celery", "--timezone", "UTC", "-A", "inspect", "-q", "worker", "-n", "beat"],
    ["celery", "-b", "status", "--loader", "shell", "--workdir", "list", "worker"],
    ["procrastinate", "--log-level", "INFO", "-a", "site.app", "worker"],
    ["rq", "--some-option", "x", "worker-pool", "info"],
    ["taskiq", "worker", "site:broker"],
    # Short options that mean something else there than to say a version.
    ["daphne", "-v", "2", "site.asgi:application"],
    ["dramatiq", "-v", "site"],
    ["arq", "-v", "site.Worker"],
    ["gunicorn", "--name", "help", "version.wsgi"],
    [f"{PACKAGES}/celery/__main__.py", "-A", "site", "worker"],
]

OTHER = [
    *(["manage.py", command] for command in ("migrate", "collectstatic", "makemigrations", "check", "test", "shell")),
    *(["manage.py", command] for command in ("help", "dumpdata", "runscript", "testserver", "clearsessions")),
    ["manage.py", "migrate", "runserver"],
    ["manage.py", "help", "runserver"],
    ["manage.py", "runserver", "--noreload", "--help"],
    ["manage.py", "db_worker", "-h"],
    ["manage.py"],
    ["manage.py", "runserver"],
    ["manage.py", "runserver", "0:8000"],
    ["manage.py", "runserver_plus"],
    ["manage.py", "db_worker", "--reload"],
    ["manage.py", "procrastinate", "healthchecks"],
    ["manage.py", "repeat", "list"],
    ["manage.py", "repeat", "sync"],
    ["celery", "-A", "site", "beat"],
    ["celery", "-A", "worker", "inspect", "ping"],
    ["celery"],
    ["celery", "-A", "site", "--timezone", "UTC", "inspect", "worker"],
    ["celery", "-A", "site", "multi", "start", "worker"],
    ["celery", "-A", "site", "flower", "worker"],
    ["procrastinate", "--log-level", "INFO", "-a", "worker", "healthchecks"],
    ["rq", "info"],
    ["/venv/bin/pytest", "-x"],
    [f"{PACKAGES}/pytest/__main__.py"],
    ["-c"],
    ["-c", "runserver", "--noreload"],
    [""],
    [],
    ["backfill.py"],
    ["gunicorn_report.py"],
    ["/home/gunicorn/manage.py", "migrate"],
]


PROGRAMS = [*((program,) for program in SERVERS), *((name, word) for name, words in WORKERS.items() for word in words)]
SAID = [
    *([*program, option] for program in sorted(PROGRAMS) for option in ("-h", "--help", "--version")),
    ["celery", "-A", "site", "--version", "worker"],
    [f"{PACKAGES}/uvicorn/__main__.py", "site.asgi:application", "--help"],
    *(["gunicorn", "-w", "4", "site.wsgi", option] for option in ("--check-config", "--print-config", "-v")),
    *(["arq", "site.Worker", option] for option in ("--check", "-V")),
]


@pytest.mark.parametrize("argv", SERVING, ids=" ".join)
def test_servers_and_workers_serve(argv: list[str]) -> None:
    assert role_of(argv, {}) is Role.SERVING


@pytest.mark.parametrize("argv", SAID, ids=" ".join)
def test_a_program_that_only_says_something_does_not(argv: list[str]) -> None:
    assert role_of(argv, {}) is Role.OTHER


@pytest.mark.parametrize("argv", OTHER, ids=" ".join)
def test_everything_else_does_not(argv: list[str]) -> None:
    assert role_of(argv, {}) is Role.OTHER


@pytest.mark.parametrize(
    "argv",
    [
        ["manage.py", "repeat", "tick"],
        ["django-admin", "repeat", "tick", "--once"],
        ["manage.py", "repeat", "--settings", "site.settings", "tick"],
    ],
    ids=" ".join,
)
def test_a_ticker_is_known(argv: list[str]) -> None:
    assert role_of(argv, {}) is Role.TICKER


@pytest.mark.parametrize(
    "argv, environ, role",
    [
        (["manage.py", "runserver"], {"RUN_MAIN": "true"}, Role.SERVING),
        (["manage.py", "runserver_plus"], {"WERKZEUG_RUN_MAIN": "true"}, Role.SERVING),
        (["manage.py", "runserver_plus"], {"RUN_MAIN": "true"}, Role.OTHER),
        (["manage.py", "db_worker", "--reload"], {"RUN_MAIN": "true"}, Role.SERVING),
        # Commands that a reloaded server starts inherit its environment.
        (["manage.py", "migrate"], {"RUN_MAIN": "true"}, Role.OTHER),
        (["manage.py", "runserver"], {"RUN_MAIN": "false"}, Role.OTHER),
    ],
    ids=str,
)
def test_the_child_of_the_autoreloader_serves_and_its_parent_does_not(
    argv: list[str], environ: dict[str, str], role: Role
) -> None:
    assert role_of(argv, environ) is role
