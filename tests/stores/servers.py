"""Real servers for the tests of stores, Redis and S3; tests are skipped without them."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

import pytest

SECONDS = 90.0
"""Time limit for a server's start."""


def free_port() -> int:
    """Return a port without a listener."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class Server:
    """Server in a separate process, which keeps its data when stopped and started again.

    :param command: command line.
    :param port: port of the server.
    :param greeting: bytes sent until the server answers.
    :param answer: beginning of an answer.
    """

    def __init__(self, command: Sequence[str], port: int, greeting: bytes, answer: bytes) -> None:
        self.port = port
        self._greeting = greeting
        self._answer = answer
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server and wait for its answer."""
        self._process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until = time.monotonic() + SECONDS
        while True:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1) as connection:
                connection.sendall(self._greeting)
                if connection.recv(100).startswith(self._answer):
                    return
            assert time.monotonic() < until, f"{self._command[0]} does not answer"
            time.sleep(0.05)

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Suspend the server's answers."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        """End the server."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(SECONDS)
            self._process = None


@contextmanager
def redis_server() -> Iterator[Server]:
    """Run a Redis server on a free port, with its data in a file."""
    pytest.importorskip("redis", reason="the extra redis is not installed")
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("no redis-server: apt-get install redis-server")
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        options = ["--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"]
        server = Server([program, *options], port, b"PING\r\n", b"+PONG")
        server.start()
        try:
            yield server
        finally:
            server.stop()


S3 = """
import sys, threading
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, MotoRequestHandler, create_backend_app
from werkzeug.serving import run_simple

app, lock = DomainDispatcherApplication(create_backend_app), threading.Lock()

def one_by_one(environ, start_response):
    with lock:
        return app(environ, start_response)

run_simple("127.0.0.1", int(sys.argv[1]), one_by_one, threaded=True, request_handler=MotoRequestHandler)
"""
"""Server with a request at a time, as a service handles an object: moto alone may accept two new objects of equal
names."""


@contextmanager
def s3_server() -> Iterator[str]:
    """Return the address of an S3 server with the bucket ``bucket``; credentials are in the environment."""
    for module in ("s3fs", "moto", "flask_cors"):
        pytest.importorskip(module, reason=f"{module} is not installed")
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    environment = {
        "AWS_ACCESS_KEY_ID": "testing",
        "AWS_SECRET_ACCESS_KEY": "testing",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": address,
    }
    before = dict(os.environ)
    os.environ.update(environment)
    server = Server([sys.executable, "-c", S3, str(port)], port, b"GET / HTTP/1.0\r\n\r\n", b"HTTP/")
    server.start()
    try:
        import s3fs

        s3fs.S3FileSystem(endpoint_url=address, skip_instance_cache=True).mkdir("bucket")
        yield address
    finally:
        server.stop()
        os.environ.clear()
        os.environ.update(before)
