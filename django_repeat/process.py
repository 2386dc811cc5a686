"""What kind of process this is, read from its arguments and environment.

Django calls ``AppConfig.ready`` in all of them alike, and only in some it may register schedules. What is not known is
``other``: a schedule that one process leaves out is registered by the next one, at the latest by the ticker.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import PurePath


class Role(StrEnum):
    """Say what a process is for: to serve (web or tasks), to tick, or anything else."""

    SERVING = "serving"
    TICKER = "ticker"
    OTHER = "other"


# Child processes need no names of their own: forked or spawned, they have the arguments of their parent.
SERVERS = frozenset(
    {
        *("gunicorn", "uvicorn", "hypercorn", "daphne", "granian", "waitress", "waitress-serve", "cheroot"),
        *("uwsgi", "pyuwsgi", "mod_wsgi", "wsgi-loader"),  # embedded; wsgi-loader is Phusion Passenger's
        *("dramatiq", "dramatiq-gevent", "huey_consumer", "arq", "rqworker"),
    }
)
WORKERS = {
    "celery": frozenset({"worker"}),
    "rq": frozenset({"worker", "worker-pool"}),
    "procrastinate": frozenset({"worker"}),
    "taskiq": frozenset({"worker"}),
}
# Their other sub-commands. An argument that is neither is the value of an option, which sites may add to.
OTHERS = {
    "celery": frozenset(
        {
            *("amqp", "beat", "call", "control", "events", "flower", "graph", "inspect", "list", "logtool", "migrate"),
            *("multi", "purge", "report", "result", "shell", "status", "upgrade"),
        }
    ),
    "rq": frozenset({"cron", "empty", "enqueue", "info", "requeue", "resume", "suspend"}),
    "procrastinate": frozenset({"defer", "healthchecks", "schema", "shell"}),
    "taskiq": frozenset({"scheduler"}),
}
# Options before the sub-command whose value may be called like one.
VALUED = frozenset({"-A", "--app", "-a", "-b", "--broker", "--result-backend", "--loader", "--config", "--workdir"})
COMMANDS = frozenset(
    {
        *("runserver", "runserver_plus", "runsslserver", "rundaphne", "pyuwsgi", "runworker"),
        *("db_worker", "rqworker", "rqworker-pool", "rundramatiq", "run_huey", "djangohuey"),
        *("qcluster", "process_tasks", "procrastinate"),
    }
)
# Commands that restart themselves unless told not to; the parent only watches files and loads the apps to do so.
RELOADING = {"runserver": "RUN_MAIN", "runserver_plus": "WERKZEUG_RUN_MAIN"}
# With these a process says something and ends; some load the site to do so.
HELP = frozenset({"-h", "--help", "--version"})
SAYING = {"gunicorn": frozenset({"-v", "--check-config", "--print-config"}), "arq": frozenset({"-V", "--check"})}


def role_of(argv: Sequence[str], environ: Mapping[str, str]) -> Role:
    """Answer the role of the process that has these arguments (``sys.argv``) and this environment."""
    program, args = _program(argv[0] if argv else ""), list(argv[1:])
    if not program or not HELP.union(SAYING.get(program, ())).isdisjoint(args):
        return Role.OTHER
    if program in SERVERS:
        return Role.SERVING
    if program in WORKERS:
        return Role.SERVING if _subcommand(program, args) in WORKERS[program] else Role.OTHER
    if not args:
        return Role.OTHER
    return _of_command(args[0], args[1:], environ)


def _of_command(command: str, args: Sequence[str], environ: Mapping[str, str]) -> Role:
    # Whatever manage.py is called, Django takes the command from the first argument and from nowhere else.
    if command == "repeat":
        return Role.TICKER if "tick" in args else Role.OTHER
    if command not in COMMANDS or (command == "procrastinate" and "worker" not in args):
        return Role.OTHER
    reloads = "--noreload" not in args if command in RELOADING else "--reload" in args
    is_child = environ.get(RELOADING.get(command, "RUN_MAIN")) == "true"
    return Role.OTHER if reloads and not is_child else Role.SERVING


def _program(path: str) -> str:
    """Answer a program's name: ``gunicorn`` for /bin/gunicorn, gunicorn.exe, gunicorn3 and ``-m gunicorn``."""
    found = PurePath(path.replace("\\", "/"))
    if path in ("-c", "-m", "-"):
        return ""
    name = found.parent.name if found.name == "__main__.py" else found.name
    return re.sub(r"(-script)?(\.(py|pyw|exe))?$", "", name).rstrip("0123456789.") if name else ""


def _subcommand(program: str, args: Sequence[str]) -> str:
    """Answer the first argument that is a sub-command of the program and no value of an option before it."""
    known = WORKERS[program] | OTHERS[program]
    before = ["", *args]
    return next((arg for option, arg in zip(before, args, strict=False) if arg in known and option not in VALUED), "")
