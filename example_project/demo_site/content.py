"""Reader of content files: entries of ``=== slug``, a head of ``key: value`` lines, a blank line, and a body.

The body is blocks with a blank line between them; the first characters of a block decide on its kind:
``## `` and ``### `` subheads, ``- `` and ``1. `` lists, ``> `` a quotation, ``| `` a table, three backquotes
around code, ``![caption]`` a figure, anything else a paragraph. Inside a block: ``**bold**``, ``*italic*``, code
between backquotes, ``[text](section/slug)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HEAD_KEYS = frozenset({"title", "short", "byline", "date", "summary", "tags", "fault", "encoding", "declared"})
"""Keys of a head: ``short`` is the headline on index pages, ``fault`` names a function of faults.py,
``encoding`` is the encoding of the page's bytes (utf-8), ``declared`` the declared encoding (utf-8)."""

ORDERED = re.compile(r"\d+\. ")


class ContentError(ValueError):
    """A content file that can't be read; the message names the file and the entry."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a body: its kind (p h2 h3 ul ol quote table code figure) and its lines without their marks."""

    kind: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One article, guide or section as written."""

    section: str
    slug: str
    head: dict[str, str]
    blocks: tuple[Block, ...]

    @property
    def title(self) -> str:
        """The headline on the page itself."""
        return self.head["title"]

    @property
    def short(self) -> str:
        """The headline on index pages."""
        return self.head.get("short", self.title)


def read_entries(path: Path) -> list[Entry]:
    """Return the entries of a content file, in the order of the file; its name is their section.

    :raises ContentError: when a head has an unknown key or no title.
    """
    _, *chunks = re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.M)
    return [read_entry(path, chunk) for chunk in chunks]


def read_entry(path: Path, chunk: str) -> Entry:
    """Return an entry from the text after its ``=== ``."""
    top, _, body = chunk.partition("\n\n")
    slug, *lines = top.strip().splitlines()
    head = dict(split_head_line(path, slug, line) for line in lines)
    if "title" not in head:
        raise ContentError(f"{path}: entry {slug!r} has no title; add a line 'title: ...' below '=== {slug}'")
    return Entry(path.stem, slug, head, tuple(read_blocks(body)))


def split_head_line(path: Path, slug: str, line: str) -> tuple[str, str]:
    """``key: value`` as a pair."""
    key, colon, value = line.partition(":")
    if not colon or key not in HEAD_KEYS:
        raise ContentError(f"{path}: entry {slug!r}: {line!r} is no head line; allowed: {', '.join(sorted(HEAD_KEYS))}")
    return key, value.strip()


def read_blocks(body: str) -> Iterator[Block]:
    """The blocks of a body."""
    for chunk in re.split(r"\n\s*\n", body.strip()):
        if chunk:
            yield read_block(chunk)


def read_block(chunk: str) -> Block:
    """Return a block; its first characters decide on its kind."""
    lines = chunk.split("\n")
    marks = {"## ": "h2", "### ": "h3", "- ": "ul", "> ": "quote"}
    for mark, kind in marks.items():
        if chunk.startswith(mark):
            return Block(kind, tuple(line.removeprefix(mark) for line in lines))
    if ORDERED.match(chunk):
        return Block("ol", tuple(ORDERED.sub("", line, count=1) for line in lines))
    if chunk.startswith("```"):
        return Block("code", tuple(lines[1:-1]))
    if chunk.startswith("| "):
        return Block("table", tuple(line.strip("| ") for line in lines))
    if chunk.startswith("!["):
        return Block("figure", (chunk[2:].rstrip("]"),))
    return Block("p", (" ".join(lines),))
