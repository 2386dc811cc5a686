"""The start of a process: find what apps declare, and register it where the process is there to serve.

Nothing here keeps a process from starting: what cannot be read is an Error of the checks.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.apps import apps
from django.core.signals import request_started

from django_repeat import conf, connection, service, signals
from django_repeat.declarations import Declared, declarations, discover, everything
from django_repeat.exceptions import InvalidSettings
from django_repeat.process import Role

UID = "django_repeat.startup"


def begin(role: Role) -> None:
    """Import the ``schedules`` and ``tasks`` modules of the installed apps; register, if ``role`` is to serve.

    Called again it changes nothing. Mistakes are logged where the process is to serve: most servers run no checks.
    """
    declarations.loud = role is Role.SERVING
    discover(apps.get_app_configs())
    if role is Role.SERVING:
        registrar.start()


class Registrar:
    """Register what a serving process declares: at its start, at each later declaration, and once more after a failure.

    With Redis away a process tries twice, at its start and at its first request, and then leaves it to the ticker.
    Late declarations belong to the attempt before them, and all of an attempt may wait for TIMEOUT in all.
    """

    def __init__(self) -> None:
        self._listening = False
        self._failed = False
        self._limit: connection.Limit | None = None

    def start(self) -> None:
        """Register everything, and from now on what is declared later, unless the settings leave it to others."""
        if not self._listening:
            declarations.listeners.append(self.declared)
            self._listening = True
        with suppress(InvalidSettings):
            everything()  # logs what is wrong, also where nothing is to be registered
        self._try()

    def declared(self, one: Declared) -> None:
        """Register one late declaration; after a failure none is tried before the next request."""
        if not self._failed:
            self._try(one)

    def requested(self, **_: Any) -> None:
        """Try once more; of the requests that come at once the first one does, and the others do not wait."""
        # True for one caller only; a forked worker has the receiver of its parent, and so a try of its own.
        if request_started.disconnect(dispatch_uid=UID):
            self._try()

    def _try(self, late: Declared | None = None) -> None:
        try:
            settings = conf.current()
            if settings.enabled and settings.register == "auto":
                if self._limit is None or late is None:
                    self._limit = connection.Limit(settings.timeout)
                with self._limit.in_force():
                    service.sync() if late is None else _sync_one(late)
                self._failed = False
        except Exception as error:  # noqa: BLE001 - a custom client may raise anything, and no start may fail for it
            if not self._failed and not isinstance(error, InvalidSettings):
                request_started.connect(self.requested, dispatch_uid=UID)
            self._failed = True
            signals.sync_failed.send_robust(Registrar, error=error, role=str(Role.SERVING))


registrar = Registrar()


def _sync_one(one: Declared) -> None:
    # The settings may define that name, differently: then they are in force, and this is an Error of the checks.
    if one in everything()[0]:
        service.sync(queue=one.schedule.queue, name=one.schedule.name)
