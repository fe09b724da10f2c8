"""Ctrl-C to all processes of a terminal: each command ends soon, prints a line, and leaves no process."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.crawl.website import Article
from tests.processes import ROOT

pytestmark = pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no process groups")

PROGRAM = """
import signal
import sys
from scrapy.settings import Settings
from scrapy_stemmer.commands.command import StemmerCommand
from tests.commands.subcommand import parse
command, options = StemmerCommand(), parse(*sys.argv[1:])
command.settings = Settings()
signal.signal(signal.SIGINT, signal.default_int_handler)  # who runs tests in the background may have it ignored
print("ready", flush=True)
command.run([], options)
sys.exit(command.exitcode)
"""

SECONDS = 60
"""Time limit for the end of a command, sixty times the usual."""


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write pages of many sites, whose learning takes longer than the tests."""
    path = tmp_path_factory.mktemp("pages") / "pages.jsonl"
    htmls = [Article(n).html() for n in range(20)]
    with path.open("w") as file:
        for site in range(400):
            file.writelines(
                json.dumps({"url": f"http://{site}.example/{n}", "html": html}) + "\n" for n, html in enumerate(htmls)
            )
    return path


def is_alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "seconds"),
    [
        *(("learn", seconds) for seconds in (0.1, 1.2)),
        *(("strip --alone --format jsonl", seconds) for seconds in (0.1, 1.2)),
    ],
)
def test_an_interrupted_command_ends(pages: Path, tmp_path: Path, command: str, seconds: float) -> None:
    words = [*command.split(), str(pages), "--processes", "2", "-o", str(tmp_path / "out.jsonl")]
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, *words],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        _, told = process.communicate(timeout=SECONDS)
        end = time.monotonic() + SECONDS
        while is_alive(process.pid) and time.monotonic() < end:
            time.sleep(0.05)
        assert not is_alive(process.pid)
    finally:
        if is_alive(process.pid):
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, told) == (130, f"scrapy stemmer {words[0]}: interrupted\n")
    assert not (tmp_path / "out.jsonl").exists() or words[0] == "learn"
