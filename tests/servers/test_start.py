"""A server starts, is watched, and ends; what goes wrong is said."""

import os
import socket
from pathlib import Path

import pytest
import redis

from django_repeat.testing.server import default_binary, start_server


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def client(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, decode_responses=True)


def test_takes_commands_at_once_and_keeps_nothing_on_disk():
    with start_server(default_binary()) as server, client(server.url) as connection:
        assert connection.dbsize() == 0
        assert connection.info("server")["process_id"] == server.pid
        assert connection.info("server")["tcp_port"] == server.port
        assert connection.config_get("save")["save"] == ""
        assert connection.config_get("appendonly")["appendonly"] == "no"
        assert connection.config_get("bind")["bind"] == "127.0.0.1"


def test_stop_ends_the_process_and_removes_its_directory():
    with start_server(default_binary()) as server:
        process, directory = server.process, server.directory
    assert process.poll() == 0
    assert server.pid is None
    assert not directory.exists()


def test_a_given_directory_stays(tmp_path):
    with start_server(default_binary(), directory=tmp_path) as server:
        assert "Ready to accept connections" in server.output
    assert (tmp_path / "server.log").exists()


def test_stop_twice_is_harmless():
    with start_server(default_binary()) as server:
        server.stop()


def test_what_was_written_survives_a_kill_and_restart_on_the_same_port():
    always = ["--appendonly", "yes", "--appendfsync", "always"]
    with start_server(default_binary(), arguments=always) as server, client(server.url) as connection:
        port, first = server.port, server.pid
        connection.set("kept", "yes")
        server.kill()
        with pytest.raises(redis.ConnectionError):
            connection.get("kept")
        server.restart()
        assert (server.port, server.pid == first) == (port, False)
        assert connection.get("kept") == "yes"


def test_restart_of_a_running_server_without_persistence_loses_its_data():
    with start_server(default_binary()) as server, client(server.url) as connection:
        connection.set("lost", "yes")
        server.restart()
        assert connection.get("lost") is None


def test_a_password_counts_as_an_answer():
    with start_server(default_binary(), arguments=["--requirepass", "secret"]) as server:
        with client(server.url) as stranger, pytest.raises(redis.AuthenticationError):
            stranger.ping()
        with client(server.url.replace("//", "//:secret@")) as connection:
            assert connection.ping()


def test_the_port_of_another_server_is_refused():
    with start_server(default_binary()) as first:
        with pytest.raises(RuntimeError, match=f"Port {first.port} is in use"):
            start_server(default_binary(), port=first.port)
        with client(first.url) as connection:
            assert connection.ping()


def test_the_port_of_a_silent_listener_is_refused():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(RuntimeError, match=f"Port {port} is in use"):
            start_server(default_binary(), port=port)


def test_a_missing_binary_is_named():
    with pytest.raises(RuntimeError, match="/nowhere/redis-server cannot be run: No such file"):
        start_server("/nowhere/redis-server")


def test_a_server_that_ends_at_once_is_quoted(tmp_path):
    broken = program(tmp_path / "broken", "echo the moon is full; exit 3")
    with pytest.raises(RuntimeError, match=r"broken ended with 3\.\nthe moon is full"):
        start_server(broken)


def test_a_wrong_argument_is_quoted():
    with pytest.raises(RuntimeError, match="no-such-option"):
        start_server(default_binary(), arguments=["--no-such-option", "1"])


def test_a_server_that_never_answers_is_ended(tmp_path):
    silent = program(tmp_path / "silent", f"echo $$ > {tmp_path}/pid; exec sleep 60")
    with pytest.raises(RuntimeError, match=r"silent took no command for 0\.5 s"):
        start_server(silent, timeout=0.5)
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_the_environment_names_a_binary(tmp_path, monkeypatch):
    marked = program(tmp_path / "marked", f'echo marked; exec "{default_binary()}" "$@"')
    monkeypatch.setenv("REPEAT_TEST_SERVER", str(marked))
    with start_server() as server:
        assert server.output.startswith("marked\n")


def test_the_environment_names_a_running_server_that_is_left_alone(monkeypatch):
    with start_server(default_binary()) as running:
        monkeypatch.setenv("REPEAT_TEST_SERVER", running.url)
        with start_server() as server:
            assert (server.url, server.port) == (running.url, running.port)
            assert not server.ours
            assert server.output == ""
            with pytest.raises(RuntimeError, match="was not started here"):
                server.kill()
            with pytest.raises(RuntimeError, match="was not started here"):
                server.restart()
        with client(running.url) as connection:
            assert connection.ping()


def test_special_wishes_start_a_server_beside_the_running_one(monkeypatch):
    monkeypatch.setenv("REPEAT_TEST_SERVER", "redis://127.0.0.1:1/0")
    with start_server(arguments=["--maxmemory", "64mb"]) as server, client(server.url) as connection:
        assert connection.config_get("maxmemory")["maxmemory"] == str(64 * 1024 * 1024)
