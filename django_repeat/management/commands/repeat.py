"""``manage.py repeat``: see and control recurring schedules, and run the ticker."""

from __future__ import annotations

import os
import sys
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError, CommandParser, DjangoHelpFormatter

from django_repeat.declarations import declarations
from django_repeat.exceptions import RegistryUnavailable, RepeatError
from django_repeat.management.arguments import add_common, add_skip_checks
from django_repeat.management.faces import FACES
from django_repeat.management.output import Output
from django_repeat.showing import readable

TAG = "django_repeat"


class Command(BaseCommand):
    """Hand the sub-command to its face; errors become one line and exit code 1, wrong usage is argparse's 2."""

    help = "See and control recurring schedules, and run the ticker that fires them."
    # Only what puts declarations in force checks them: who looks for the mistake must be able to look.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        add_skip_checks(parser, default=False)
        subparsers = parser.add_subparsers(dest="subcommand", required=True, metavar="SUBCOMMAND", title="sub-commands")
        for name, face in FACES.items():
            sub = subparsers.add_parser(
                name, help=face.HELP, description=face.DESCRIPTION, formatter_class=DjangoHelpFormatter
            )
            face.add_arguments(sub)
            add_common(sub, self.get_version())

    def handle(self, *args: Any, **options: Any) -> None:
        face = FACES[options["subcommand"]]
        output = Output(stdout=self.stdout, stderr=self.stderr, style=self.style, verbosity=options["verbosity"])
        try:
            if face.CHECKED:
                self._check(options)
            face.run(output, options)
            self.stdout.flush()
        except RegistryUnavailable as error:
            raise CommandError(readable(f"The registry is unavailable: {error}")) from error
        except RepeatError as error:
            raise CommandError(readable(str(error))) from error
        except BrokenPipeError:
            if not self._from_shell:
                raise
            end_quietly()

    def _check(self, options: dict[str, Any]) -> None:
        """Run the checks; SystemCheckError on an Error. ``call_command`` leaves out those of other apps, as always."""
        if not self._from_shell:
            self.check(tags=[TAG])
        elif options["skip_checks"]:
            # Nothing else would say what is wrong, and so is left out.
            declarations.loud = True
        else:
            self.check()

    @property
    def _from_shell(self) -> bool:
        return self._called_from_command_line  # type: ignore[attr-defined, no-any-return]


def end_quietly() -> NoReturn:
    """End the process whose output nobody reads any more, as in ``repeat list | head``."""
    # https://docs.python.org/3/library/signal.html#note-on-sigpipe: else the flush at exit fails once more.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(1)
