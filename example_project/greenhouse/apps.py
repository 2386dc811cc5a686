"""The app, and a schedule that is declared once it is ready."""

from django.apps import AppConfig

from django_repeat import declare


class GreenhouseConfig(AppConfig):
    name = "greenhouse"

    def ready(self) -> None:
        # No I/O: it says what is wanted. A process that serves registers it later, and so does the ticker.
        declare("greenhouse.report", task="greenhouse.tasks.report", cron="0 6 * * *", timezone="Europe/Berlin")
