"""Blocks as HTML, and as gold text for a reader."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape

from content import Block

INLINE = re.compile(
    r"`(?P<code>[^`]+)`|\[(?P<text>[^\]]+)\]\((?P<to>[^)]+)\)|\*\*(?P<strong>.+?)\*\*(?!\*)|\*(?P<em>[^*]+)\*"
)


def inline_html(text: str) -> str:
    """The inline marks of a text as HTML, everything else escaped."""
    parts, at = [], 0
    for found in INLINE.finditer(text):
        parts += [escape(text[at : found.start()], quote=False), inline_element(found)]
        at = found.end()
    return "".join(parts) + escape(text[at:], quote=False)


def inline_element(found: re.Match[str]) -> str:
    """The element of one inline mark."""
    if found["code"]:
        return f"<code>{escape(found['code'], quote=False)}</code>"
    if found["to"]:
        return f'<a href="/{found["to"]}.html">{inline_html(found["text"])}</a>'
    tag = "strong" if found["strong"] else "em"
    return f"<{tag}>{inline_html(found[tag])}</{tag}>"


def inline_text(text: str) -> str:
    """A text without its inline marks."""
    return INLINE.sub(lambda found: found["code"] or inline_text(found["text"] or found["strong"] or found["em"]), text)


def cells(row: str) -> list[str]:
    """The cells of a table row."""
    return [cell.strip() for cell in row.split(" | ")]


def gold_lines(blocks: Iterable[Block]) -> Iterator[str]:
    """The lines of the gold text: all but the captions of figures, list items and table cells a line each."""
    for block in blocks:
        if block.kind == "code":
            yield from (" ".join(line.split()) for line in block.lines)
        elif block.kind == "table":
            yield from (inline_text(cell) for row in block.lines for cell in cells(row))
        elif block.kind != "figure":
            yield from (inline_text(line) for line in block.lines)


def items_html(lines: Iterable[str]) -> str:
    """List items."""
    return "\n".join(f"<li>{inline_html(line)}</li>" for line in lines)


def table_html(rows: tuple[str, ...], css: str) -> str:
    """A table; its first row is the head."""
    head = "".join(f"<th>{inline_html(cell)}</th>" for cell in cells(rows[0]))
    body = "\n".join(
        "<tr>" + "".join(f"<td>{inline_html(cell)}</td>" for cell in cells(row)) + "</tr>" for row in rows[1:]
    )
    return f'<table class="{css}">\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>'


def code_html(lines: Iterable[str]) -> str:
    """A block of code."""
    return "<pre><code>" + escape("\n".join(lines), quote=False) + "</code></pre>"
