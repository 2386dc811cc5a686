"""A server that speaks just enough of the protocol to be one that nobody has any more, or none at all."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Answer = Callable[[list[str]], str]


@contextmanager
def stub(answer: Answer) -> Iterator[str]:
    """Serve ``answer`` (of the words of a command: text, or text from ``-`` on as an error); give the URL."""

    class Handler(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            while line := self.rfile.readline():
                words = []
                for _ in range(int(line[1:])):
                    length = int(self.rfile.readline()[1:])
                    words.append(self.rfile.read(length + 2)[:-2].decode())
                self.wfile.write(_encoded("OK" if words[0] == "CLIENT" else answer(words)))

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield f"redis://127.0.0.1:{server.server_address[1]}/0?protocol=2"
        server.shutdown()


def _encoded(reply: str) -> bytes:
    if reply.startswith("-"):
        return f"{reply}\r\n".encode()
    return f"${len(reply.encode())}\r\n{reply}\r\n".encode()
