"""REDIS as a URL: what it means, what is refused, and what is never said."""

from __future__ import annotations

import socket
import threading
import time

import pytest
import redis
from django.test import override_settings

from django_repeat import connection, service
from django_repeat.exceptions import InvalidSettings, RegistryUnavailable
from django_repeat.testing import start_server

ECHO = "return {KEYS[1], ARGV[1]}"


@pytest.mark.parametrize("url, address", [
    ("redis://host", "redis://host"),
    ("redis://host:6379", "redis://host:6379"),
    ("redis://host:6379/", "redis://host:6379/"),
    ("redis://user:pass@host:6379/3", "redis://host:6379/3"),
    ("rediss://:p%23ss%2Fw%40rd@host:6380/0?ssl_cert_reqs=none", "rediss://host:6380/0"),
    ("redis://:pass@[::1]:6379/0", "redis://[::1]:6379/0"),
    ("unix:///run/redis.sock?db=1&password=pass", "unix:///run/redis.sock"),
    ("unix://user:pass@/run/redis.sock", "unix:///run/redis.sock"),
    ("redis://host/0?password=pass", "redis://host/0"),
])  # fmt: skip
def test_the_address_never_holds_user_or_password(url, address):
    found = connection.connect(url, 0.5)
    assert found.address == address
    assert "pass" not in repr(found) + str(found)


@pytest.mark.parametrize("url", [
    "rediss://:s3#cret@host:6380/0",
    "redis://:s3/cret@host:6379/0",
    "redis://:s3?cret@host:6379/0",
    "redis://user:12/s3cret@host:6379/0",
    "redis://user:12?s3cret@host:6379/0",
    "redis://user:12#s3cret@host:6379/0",
    "redis://:s3cret@host:port/0",
    "redis://:s3cret@host:99999/0",
    "redis://:s3cret@[::1/0",
    "redis://:s3cret@host/zero",
    "valkey://:s3cret@host:6379/0",
    "http://:s3cret@host:6379/0",
    "redis://:s3cret@host:6379/0?db=s3cret",
    "redis://:s3cret@host:6379/0?no_such_option=s3cret",
])  # fmt: skip
def test_what_cannot_be_read_is_refused_at_once_without_a_word_of_the_password(url):
    with pytest.raises(InvalidSettings, match="REDIS") as caught:
        connection.connect(url, 0.5)
    error = caught.value
    for text in (str(error), repr(error), repr(error.__cause__)):
        assert "s3" not in text
        assert "12" not in text
    assert error.__suppress_context__ or error.__context__ is None


@pytest.mark.parametrize("option", [
    "socket_type=s3cret",
    "socket_read_size=-1",
    "event_dispatcher=s3cret",
    "redis_connect_func=s3cret",
    "credential_provider=s3cret",
])  # fmt: skip
def test_an_option_that_fails_only_in_use_is_said_at_the_first_use_without_its_value(redis_server, option):
    with pytest.raises(InvalidSettings, match=r"DJANGO_REPEAT\['REDIS'\]: the .* options") as caught:
        connection.connect(f"{redis_server.url}?{option}", 0.5).command("PING")
    assert "s3" not in str(caught.value)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("option", [
    "encoding=bogus", "encoding=utf-16", "encoding=%00", "encoding_errors=bogus", "decode_responses=1",
])  # fmt: skip
def test_text_is_utf_8_whatever_a_url_says(redis_server, option):
    found = connection.connect(f"{redis_server.url}?{option}", 0.5)
    assert found.script(ECHO)([b"\xff"], ["é"]) == [b"\xff", "é".encode()]


@pytest.mark.parametrize("host", ["a" * 70, "h\0", ".."])
def test_a_host_that_can_be_none_is_said_in_our_words(host):
    with pytest.raises((InvalidSettings, RegistryUnavailable), match="redis://"):
        connection.connect(f"redis://{host}/0", 0.5).command("PING")


def test_a_mistake_of_ours_stays_one_once_the_server_has_answered(redis_server):
    found = connection.connect(redis_server.url, 0.5)
    assert found.command("PING")
    with pytest.raises(TypeError):
        found.script(ECHO)(5, [])


def test_a_scheme_of_valkey_is_told_what_works():
    with pytest.raises(InvalidSettings, match=r"redis:// works with Valkey"):
        connection.connect("valkey://host:6379/0", 0.5)


def test_a_url_without_database_works(redis_server):
    found = connection.connect(redis_server.url.removesuffix("/0"), 0.5)
    assert found.script(ECHO)([b"k"], ["a"]) == [b"k", b"a"]


def test_a_unix_socket_works(tmp_path):
    path = tmp_path / "redis.sock"
    with start_server(arguments=["--unixsocket", str(path)]):
        found = connection.connect(f"unix://{path}?db=2", 0.5)
        assert found.script(ECHO)([b"k"], ["a"]) == [b"k", b"a"]
        with override_settings(DJANGO_REPEAT={"REDIS": f"unix://{path}"}):
            assert service.count() == 0
    with pytest.raises(RegistryUnavailable, match=str(path)):
        found.command("PING")


def test_a_password_with_special_characters_works_encoded(redis_server):
    with start_server(arguments=["--requirepass", "p#s/w@r?d"]) as server:
        found = connection.connect(f"redis://:p%23s%2Fw%40r%3Fd@127.0.0.1:{server.port}/0", 0.5)
        assert found.command("PING") in (b"PONG", True)
        for wrong in ("redis://127.0.0.1", "redis://:wr0ng@127.0.0.1"):
            with pytest.raises(RegistryUnavailable, match=f"redis://127.0.0.1:{server.port}") as caught:
                connection.connect(f"{wrong}:{server.port}", 0.5).command("PING")
            assert "wr0ng" not in str(caught.value)


def test_a_url_cannot_bring_retries_long_waits_or_text_replies(redis_server):
    query = "?socket_timeout=60&socket_connect_timeout=60&retry_on_timeout=yes&decode_responses=yes&timeout=30"
    found = connection.connect(redis_server.url + query, 0.3)
    assert found.script(ECHO)([b"\xff"], ["a"]) == [b"\xff", b"a"]
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        accepted: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    accepted.append(silent.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        began = time.monotonic()
        with pytest.raises(RegistryUnavailable):
            connection.connect(f"redis://127.0.0.1:{silent.getsockname()[1]}/0{query}", 0.3).command("PING")
        assert time.monotonic() - began < 1
        assert len(accepted) == 1, "it was asked once"
        silent.shutdown(socket.SHUT_RDWR)
        for one in accepted:
            one.close()


def test_client_names_and_other_options_of_a_url_are_kept(redis_server, raw):
    connection.connect(redis_server.url + "?client_name=our-registry", 0.5).command("PING")
    assert "our-registry" in [client["name"] for client in raw.client_list()]


def test_one_connection_a_process_and_timeout(redis_server):
    first = connection.connect(redis_server.url, 0.5)
    assert connection.connect(redis_server.url, 0.5) is first
    assert connection.connect(redis_server.url, 5.0) is not first
    connection.forget()
    assert connection.connect(redis_server.url, 0.5) is not first


def test_connecting_does_no_io():
    found = connection.connect("redis://nowhere.invalid:1/0", 0.5)
    found.script(ECHO)
    assert service.store("default").keys.prefix == "emq"


def test_a_replica_s_refusal_is_ours_and_the_next_call_asks_anew(redis_server, raw):
    with start_server(arguments=["--replicaof", "127.0.0.1 1"]) as server:
        found = connection.connect(server.url, 0.5)
        write = found.script("return redis.call('SET', KEYS[1], ARGV[1])")
        with pytest.raises(RegistryUnavailable, match=f"{server.port}.*read only"):
            write([b"k"], ["v"])
        with redis.Redis.from_url(server.url) as admin:
            assert next(one for one in admin.client_list() if one["lib-name"] == "redis-py")["id"]
            assert len(admin.client_list()) == 1, "the pool gave its sockets back"
            admin.replicaof("NO", "ONE")
        assert write([b"k"], ["v"]) == b"OK"
