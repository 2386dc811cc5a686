"""A server never outlives its parent, and never ends before it."""

import os
import select
import subprocess
import sys

import pytest

from django_repeat.testing.server import default_binary, start_server

HOLD_A_SERVER = """
import sys
from django_repeat.testing.server import default_binary, start_server
with start_server(default_binary(), directory=sys.argv[1]) as server:
    print(server.pid, flush=True)
    sys.stdin.read()
"""


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has a death signal")
def test_the_server_dies_with_a_killed_parent(tmp_path):
    command = [sys.executable, "-c", HOLD_A_SERVER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as parent:
        end_of_server = os.pidfd_open(int(parent.stdout.readline()))
        try:
            assert select.select([end_of_server], [], [], 0)[0] == []
            parent.kill()
            assert select.select([end_of_server], [], [], 10)[0] == [end_of_server]
        finally:
            os.close(end_of_server)


def test_an_interrupt_from_the_terminal_passes_the_server_by():
    with start_server(default_binary()) as server:
        assert os.getsid(server.pid) == server.pid
