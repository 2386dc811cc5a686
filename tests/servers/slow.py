"""A server whose replies come late: a proxy before the real one."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit


class Slow:
    """The proxy: its ``url``, the seconds by which each reply is late, and how often it was asked and answered."""

    def __init__(self, listener: socket.socket, delay: float) -> None:
        self.url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        self.delay = delay
        self.asked = self.replies = 0


@contextmanager
def slow(url: str, delay: float) -> Iterator[Slow]:
    """Pass on what is said to and by the server at ``url``, each reply ``delay`` seconds late."""
    ends: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as listener:
        proxy = Slow(listener, delay)
        threading.Thread(target=_accept, args=(listener, urlsplit(url).port, proxy, ends), daemon=True).start()
        try:
            yield proxy
        finally:
            for end in (listener, *ends):
                with suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)


def _accept(listener: socket.socket, port: int, proxy: Slow, ends: list[socket.socket]) -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            server = socket.create_connection(("127.0.0.1", port))
            ends += (client, server)
            threading.Thread(target=_pass, args=(client, server, proxy, False), daemon=True).start()
            threading.Thread(target=_pass, args=(server, client, proxy, True), daemon=True).start()


def _pass(source: socket.socket, sink: socket.socket, proxy: Slow, answers: bool) -> None:
    with source, suppress(OSError):
        while data := source.recv(1 << 20):
            if answers:
                time.sleep(proxy.delay)
                proxy.replies += 1
            else:
                proxy.asked += 1
            sink.sendall(data)
    with suppress(OSError):
        sink.shutdown(socket.SHUT_RDWR)
