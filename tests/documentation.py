"""The pages of the documentation and their blocks of code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"


class Block(NamedTuple):
    """A block of code.

    :param language: the words after the opening fence.
    :param text: the code.
    :param file: the file named in backquotes by the text before.
    """

    language: str
    text: str
    file: str | None


def blocks_of(page: str) -> list[Block]:
    """The blocks of a page, in order."""
    found, end = [], 0
    text = (ROOT / page).read_text(encoding="utf-8")
    for match in re.finditer(r"^```(\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        before = text[end : match.start()].strip().rpartition("\n\n")[2]
        files = re.findall(r"`([\w/]+\.\w+)`", before) if before.endswith(":") else []
        found.append(Block(match[1], match[2], files[-1] if files else None))
        end = match.end()
    return found


def blocks(page: str, language: str) -> list[str]:
    """The code of a page in a language."""
    return [block.text for block in blocks_of(page) if block.language == language]


def the_block(page: str, with_: str, language: str = "python") -> str:
    """Return the only code block of a page with a text."""
    (found,) = [block for block in blocks(page, language) if with_ in block]
    return found


def run(block: str, **names: Any) -> dict[str, Any]:
    """Run a block of Python and return its names."""
    exec(compile(block, "<documentation>", "exec"), names)
    return names


def is_settings(block: str) -> bool:
    """Return True if a block is part of a ``settings.py``."""
    return re.match(r"[A-Z_]+ = ", block) is not None
