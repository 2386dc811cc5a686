"""One server process: started, watched until it takes commands, ended."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

HOST = "127.0.0.1"
PR_SET_PDEATHSIG = 1  # <linux/prctl.h>

Process = subprocess.Popen[bytes]


class PortInUse(Exception):
    """Another process has the port."""


def launch(command: Sequence[str], *, port: int, log: Path, timeout: float) -> Process:
    """Run the command on that port and answer its process once it takes commands, within ``timeout`` seconds.

    Raise PortInUse, or RuntimeError with what the server printed.
    """
    start = log.stat().st_size if log.exists() else 0
    process = _spawn([*command, "--port", str(port)], log)
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        if process.poll() is not None:
            printed = log.read_bytes()[start:].decode(errors="replace")
            if "Address already in use" in printed:
                raise PortInUse
            raise RuntimeError(f"{command[0]} ended with {process.returncode}.\n{printed}")
        if _answers(port, process.pid):
            return process
        time.sleep(0.005)
    end(process, signal.SIGKILL, timeout)
    raise RuntimeError(f"{command[0]} took no command for {timeout} s.\n{log.read_text(errors='replace')}")


def end(process: Process, how: signal.Signals, timeout: float) -> None:
    """Signal the process and wait for its end; past ``timeout`` seconds it is killed."""
    process.send_signal(how)
    process.send_signal(signal.SIGCONT)  # a test may have stopped it
    try:
        process.wait(timeout)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    """Answer a loopback port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port: int = probe.getsockname()[1]
        return port


def _spawn(command: Sequence[str], log: Path) -> Process:
    with log.open("ab") as output:
        try:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                # Ctrl-C in a terminal reaches the parent alone, which still needs its server to end well.
                start_new_session=True,
                preexec_fn=die_with_parent(),
            )
        except OSError as error:
            raise RuntimeError(f"{command[0]} cannot be run: {error.strerror}.") from error


def _answers(port: int, pid: int) -> bool:
    """Tell whether that very process takes commands there; asking for a password is an answer too."""
    reply = b""
    with suppress(OSError), socket.create_connection((HOST, port), timeout=0.25) as connection:
        connection.sendall(b"PING\r\nINFO server\r\nQUIT\r\n")
        while chunk := connection.recv(65536):
            reply += chunk
    return reply.startswith(b"-NOAUTH") or (reply.startswith(b"+PONG") and b"process_id:%d\r" % pid in reply)


def die_with_parent() -> Callable[[], None] | None:
    """Answer what the forked child calls so that the kernel ends it with its parent, where a kernel can (Linux)."""
    if sys.platform != "linux":
        return None
    # Loaded before the fork: in a process with threads the child may do little more than a system call.
    prctl, parent = ctypes.PyDLL(None).prctl, os.getpid()

    def ask() -> None:
        prctl(PR_SET_PDEATHSIG, signal.SIGKILL.value)
        if os.getppid() != parent:
            os._exit(1)

    return ask
