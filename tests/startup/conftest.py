from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from django.core.signals import request_started
from django.db import close_old_connections

from django_repeat import connection
from django_repeat.declarations import declarations
from django_repeat.startup import UID


@pytest.fixture(autouse=True)
def like_a_new_process() -> Iterator[None]:
    """Leave nothing behind of what a process start leaves on purpose."""
    # As Django's test client does: a test without a database may send the signal of a request all the same.
    request_started.disconnect(close_old_connections)
    listeners = list(declarations.listeners)
    with declarations.kept():
        yield
    declarations.listeners[:] = listeners
    request_started.disconnect(dispatch_uid=UID)
    request_started.connect(close_old_connections)
    connection.forget()


@pytest.fixture
def black_hole() -> Iterator[str]:
    """Answer the URL of a port that takes no more connections and refuses none: its backlog is full."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        port = listener.getsockname()[1]
        waiting = []
        for _ in range(4):
            client = socket.socket()
            client.setblocking(False)
            client.connect_ex(("127.0.0.1", port))
            waiting.append(client)
        yield f"redis://127.0.0.1:{port}/0"
        for client in waiting:
            client.close()
