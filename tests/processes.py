"""Programs run by a test in a new process, since imports of a process are permanent."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from multiprocessing.context import ForkServerContext, SpawnContext
from multiprocessing.process import BaseProcess
from pathlib import Path

ROOT = Path(__file__).parents[1]

PRELOADED = "tests.preloaded"
"""Module imported once, by the fork server."""


def printed(program: str) -> str:
    """Return the output of a program that uses this folder's package. :raises subprocess.CalledProcessError: when the
    program fails."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout


@cache
def context() -> ForkServerContext | SpawnContext:
    """Return the context for new processes: forks of a server with preloaded imports, where the system has it."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    server = multiprocessing.get_context("forkserver")
    server.set_forkserver_preload([PRELOADED])
    return server


def start_server() -> None:
    """Start the fork server. A process has a single server, and its first user determines the imports; commands called
    by tests would otherwise make every later crawl import Scrapy again."""
    if isinstance(context(), ForkServerContext):
        from multiprocessing import forkserver  # not on Windows

        forkserver.ensure_running()


@dataclass(frozen=True)
class Started:
    """A process that has been started."""

    process: BaseProcess

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, as Ctrl-C does."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def kill(self) -> None:
        """Kill the process unless it has ended."""
        self.process.kill()

    def wait(self, seconds: float = 120) -> int:
        """Wait for the end, and return the exit code.

        :raises TimeoutError: when the process does not end; it is killed.
        """
        self.process.join(seconds)
        if self.process.exitcode is None:
            self.process.kill()
            raise TimeoutError(f"no end after {seconds} seconds")
        return self.process.exitcode


def until(condition: Callable[[], bool], seconds: float = 180) -> None:
    """Wait for something that happens soon."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it never happened"
        time.sleep(0.02)


def start(
    function: Callable[..., object], *arguments: object, out: Path, err: Path | None = None, folder: Path = ROOT
) -> Started:
    """Call a function in a new process; its result is the exit code.

    :param function: of a module that can be imported.
    :param out: the file for standard output.
    :param err: the file for standard error, by default the file of standard output.
    :param folder: the current directory, from which modules can be imported too.
    """
    for path in (out, err or out):
        path.write_bytes(b"")
    everything = (function, arguments, out, err, folder, dict(os.environ))
    process = context().Process(target=_call, args=everything)
    process.start()
    return Started(process)


def _call(
    function: Callable[..., object],
    arguments: Sequence[object],
    out: Path,
    err: Path | None,
    folder: Path,
    environment: Mapping[str, str],
) -> None:
    with out.open("ab") as stdout, (err or out).open("ab") as stderr:
        os.dup2(stdout.fileno(), 1)
        os.dup2(stderr.fileno() if err else 1, 2)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    code = function(*arguments)
    # At the end of a process Python clears the rest, and Twisted then logs unhandled failures;
    # the end of a forked process leaves that out.
    gc.collect()
    sys.exit(code)


def _scrapy(arguments: Sequence[str]) -> None:
    from scrapy.cmdline import execute

    execute(["scrapy", *arguments])


def scrapy(*arguments: object, folder: Path, scratch: Path) -> subprocess.CompletedProcess[str]:
    """Run the command ``scrapy``.

    :param folder: the current directory.
    :param scratch: a directory for the output.
    """
    words = [str(argument) for argument in arguments]
    out, err = scratch / "stdout.txt", scratch / "stderr.txt"
    code = start(_scrapy, words, out=out, err=err, folder=folder).wait()
    return subprocess.CompletedProcess(
        ["scrapy", *words], code, *(path.read_text(encoding="utf-8", errors="replace") for path in (out, err))
    )
