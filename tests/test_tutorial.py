"""The tutorial, executed from first to last block on the demonstration site."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from scrapy_stemmer import PatternSet
from tests import processes
from tests.documentation import ROOT, Block, blocks_of

PAGE = "docs/tutorial.md"

SITE = "localhost:8033"
"""Address of the site in the tutorial; here the site listens on a free port."""

PACKAGE = "pip install ."


class Reader:
    """A reader who follows a tutorial block by block."""

    def __init__(self, folder: Path, scratch: Path) -> None:
        self.folder = folder
        self._scratch = scratch
        self.served: subprocess.Popen[str] | None = None
        self._site = ""
        self.printed = ""
        self.commands: list[str] = []
        scripts = str(Path(sys.executable).parent)
        self._environment = os.environ | {"PATH": scripts + os.pathsep + os.environ["PATH"], "PYTHONPATH": str(ROOT)}

    def do(self, block: Block) -> None:
        """Execute a block and compare its output."""
        getattr(self, f"_{block.language}")(block._replace(text=block.text.replace(SITE, self._site or SITE)))

    def _sh(self, block: Block) -> None:
        for line in block.text.splitlines():
            self.commands.append(line)
            if line == PACKAGE:
                continue
            if line == "scrapy stemmer demo":
                self._serve(line)
                continue
            if line.startswith("cd "):
                self.folder /= line[3:]
                continue
            self._run(line)
            if line.startswith("scrapy startproject"):
                # Not a page a second, as in Scrapy's template; and in the order of the links, with any version.
                settings = "DOWNLOAD_DELAY = 0\nCONCURRENT_REQUESTS = 1\nDEPTH_PRIORITY = 1\n"
                settings += 'SCHEDULER_MEMORY_QUEUE = "scrapy.squeues.FifoMemoryQueue"\n'
                self._append("newsreader/settings.py", settings, into=self.folder / "newsreader")

    def _serve(self, line: str) -> None:
        """Start the site, and wait for its first answer."""
        command = [*shlex.split(line), "--port", "0"]
        self.served = subprocess.Popen(
            command, cwd=self.folder, env=self._environment, stdout=subprocess.PIPE, text=True
        )
        assert self.served.stdout is not None
        found = (re.search(r"served at http://(\S+)/", text) for text in self.served.stdout)
        self._site = next(match[1] for match in found if match)

    def _run(self, line: str) -> None:
        program, *arguments = shlex.split(line)
        if program == "scrapy":
            done = processes.scrapy(*arguments, folder=self.folder, scratch=self._scratch)
        else:
            done = subprocess.run(
                [program, *arguments],
                cwd=self.folder,
                env=self._environment,
                capture_output=True,
                text=True,
                timeout=120,
            )
        assert done.returncode == 0, done.stderr
        assert " ERROR: " not in done.stderr, done.stderr
        assert "Traceback" not in done.stderr, done.stderr
        self.printed = done.stdout

    def _python(self, block: Block) -> None:
        assert block.file is not None, block.text
        self._append(block.file, block.text)

    def _json(self, block: Block) -> None:
        """Write a file downloaded from the report."""
        assert block.file is not None, block.text
        (self.folder / block.file).write_text(block.text, encoding="utf-8")

    def _text(self, block: Block) -> None:
        """Return lines of output, with any numbers, in any order, since Scrapy's versions order pages differently."""
        printed = masked(self.printed).splitlines()
        for line in block.text.splitlines():
            assert line == "..." or masked(line) in printed, self.printed

    def _append(self, file: str, text: str, into: Path | None = None) -> None:
        path = (into or self.folder) / file
        before = path.read_text(encoding="utf-8") + "\n" if path.exists() else ""
        path.write_text(before + text, encoding="utf-8")


def masked(text: str) -> str:
    """Return output with every number, date and time as ``0``, and every row of spaces as a space."""
    return re.sub(" +", " ", re.sub(r"\d[\d.:T+-]*", "0", text))


@pytest.fixture
def reader(tmp_path: Path, scratch: Path) -> Iterator[Reader]:
    reader = Reader(tmp_path, scratch)
    yield reader
    if reader.served:
        reader.served.terminate()
        reader.served.wait()


def test_the_tutorial(reader: Reader) -> None:
    for block in blocks_of(PAGE):
        reader.do(block)
    assert {PACKAGE, "scrapy stemmer demo"} <= {*reader.commands}
    assert sum(command.startswith("scrapy crawl") for command in reader.commands) == 4
    items = [json.loads(line) for line in (reader.folder / "items.jsonl").read_text(encoding="utf-8").splitlines()]
    assert len(items) > 30
    text = (ROOT / PAGE).read_text(encoding="utf-8")
    assert {f"`{name}`" for name in items[0]} - {"`url`"} <= set(re.findall(r"`\w+`", text))
    assert "five fields" in text
    assert len(items[0]) - 1 == 5
    patterns = PatternSet.load(str(reader.folder / "patterns" / "news.jsonl"))
    assert [site.partition(":")[0] for site in patterns.sites] == ["localhost"]
    assert not any("last checked on" in (item["text"] or "") for item in items)


def test_the_commands_of_the_readme_are_those_of_the_tutorial() -> None:
    """The recipe has a test of its own."""
    told = "".join(block.text for block in blocks_of(PAGE) if block.language == "sh").splitlines()
    for block in blocks_of("README.md"):
        if "articles.csv" in block.text:
            continue
        for line in block.text.splitlines() if block.language == "sh" else ():
            assert any(command.startswith(line) for command in told), line
