"""A server that is not there costs one time-out and is said in our words."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.test import override_settings

from django_repeat import connection, service
from django_repeat.exceptions import RegistryUnavailable
from django_repeat.testing.processes import free_port

TIMEOUT, SLACK = 0.3, 0.4


@contextmanager
def listener(backlog: int) -> Iterator[int]:
    """Answer a loopback port that takes connections and never a word; with a full backlog, not even those."""
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen(backlog)
        port: int = silent.getsockname()[1]
        waiting = []
        if backlog == 0:
            for _ in range(4):
                one = socket.socket()
                one.setblocking(False)
                one.connect_ex(("127.0.0.1", port))
                waiting.append(one)
        yield port
        for one in waiting:
            one.close()


def refusal(url: str) -> str:
    """Answer what is said when a verb is called there, once it took no longer than it may."""
    began = time.monotonic()
    with (
        override_settings(DJANGO_REPEAT={"REDIS": url, "TIMEOUT": TIMEOUT}),
        pytest.raises(RegistryUnavailable) as caught,
    ):
        service.count()
    assert time.monotonic() - began < TIMEOUT + SLACK
    assert isinstance(caught.value.__cause__, Exception)
    assert "s3cret" not in str(caught.value) + repr(caught.value) + str(caught.value.__cause__)
    return str(caught.value)


def test_refused():
    port = free_port()
    assert f"redis://127.0.0.1:{port}/0" in refusal(f"redis://user:s3cret@127.0.0.1:{port}/0")


@pytest.mark.parametrize("backlog", [5, 0], ids=["silent", "black hole"])
def test_no_answer(backlog):
    with listener(backlog) as port:
        assert f"redis://127.0.0.1:{port}/0: " in refusal(f"redis://user:s3cret@127.0.0.1:{port}/0")


def test_no_such_host():
    assert "redis://nowhere.invalid:6379" in refusal("redis://user:s3cret@nowhere.invalid:6379")


def test_a_server_that_speaks_something_else():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        url = f"redis://127.0.0.1:{other.getsockname()[1]}"
        import threading

        def greet() -> None:
            link, _ = other.accept()
            with link:
                link.recv(1000)
                link.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=greet)
        thread.start()
        assert url in refusal(url)
        thread.join(5)


def test_every_verb_says_the_same(monkeypatch):
    with override_settings(DJANGO_REPEAT={"REDIS": f"redis://127.0.0.1:{free_port()}", "TIMEOUT": TIMEOUT}):
        for verb in (
            service.count, service.entries, service.names_of, service.now, service.tickers,
            lambda: service.get("a"), lambda: service.runs("a"), lambda: service.cancel("a"),
            lambda: service.register("a", every="1m", task="a.b"), lambda: service.upsert("a", every="1m", task="a.b"),
        ):  # fmt: skip
            with pytest.raises(RegistryUnavailable, match=r"127\.0\.0\.1"):
                verb()


def test_it_works_again_when_the_server_is_back(redis_server):
    found = connection.connect(f"redis://127.0.0.1:{redis_server.port}/0", TIMEOUT)
    assert found.command("PING")
    found.close()
    assert found.command("PING")
