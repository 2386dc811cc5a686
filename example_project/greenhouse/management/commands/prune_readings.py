"""Forget old readings; run by hand, or by the schedule ``greenhouse.prune`` (see the settings)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from ...models import Reading  # noqa: TID252


class Command(BaseCommand):
    help = "Delete all readings but the newest."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--keep", type=int, default=1000, help="how many to keep (default: %(default)s)")

    def handle(self, *, keep: int, **options: Any) -> None:
        newest = Reading.objects.values("pk")[:keep]
        deleted, _ = Reading.objects.exclude(pk__in=newest).delete()
        self.stdout.write(f"{deleted} readings deleted")
