"""Lines of Markdown, with marks, emphasis and escapes, and chunks of them: quotes, items, tables."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from scrapy_stemmer.core.text import collapse

_BLANK = re.compile(r"\s+")
_SPECIAL = re.compile(
    r"[\\`]|(?<!\s)\*|\*(?!\s)|~(?=~)|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\[(?=\^|[^\]]{0,200}\]\s?[\[(:])|!(?=\[)|(?<=\])\((?=\S)"
)
_SPECIAL_IN_LINK = re.compile(rf"[\[\]]|{_SPECIAL.pattern}")
_START = re.compile(r"^(?:([-+*](?=\s|$)|#{1,6}(?=\s|$)|>|=+\s*$|-+\s*$|:(?=\s))|(\d{1,9})([.)])(?=\s|$))")
_TEX = re.compile(r"\\\((.{1,500}?)\\\)|(\\\[.{1,1000}?\\\]|\$\$.{1,1000}?\$\$)", re.DOTALL)
_IN_ADDRESS = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "\n": "", "\t": ""}
)
_CLOSING = re.compile(r"((?<!\S)#+$)")
_BRACKETS = re.compile(r"^\\?(?:\[\s*\\?\]|\(\s*\))\s*")


class Mark(NamedTuple):
    """A part of a line that is written as it is.

    :param text: what is written; a new line for one that stays.
    :param side: 1 for the beginning of what is emphasised, -1 for its end, else 0.
    """

    text: str
    side: int = 0


Parts = Iterable[str | Mark]


def code_span(text: str, url: str | None) -> Parts:
    """Code in a line, which may be a link."""
    text = _BLANK.sub(" ", text)
    core = text.strip()
    if not core:
        return [text]
    ticks = "`" * (max(map(len, re.findall("`+", core)), default=0) + 1)
    pad = " " if core.startswith("`") or core.endswith("`") else ""
    span = f"{ticks}{pad}{core}{pad}{ticks}"
    return [" " * text[0].isspace(), link_to(span, url) if url else Mark(span), " " * text[-1].isspace()]


def link_to(text: str, url: str) -> Mark:
    """A link.

    :param text: as it is written.
    """
    return Mark(f"[{text}]({url.translate(_IN_ADDRESS)})")


def image_of(alt: str, source: str) -> Mark:
    """An image."""
    return Mark(f"![{_escaped(alt, is_link=True)}]({source.translate(_IN_ADDRESS)})")


def texts_of(text: str | None, *, keeps_lines: bool) -> Iterator[str | Mark]:
    """A text: the TeX in it as it is, and its lines where a style keeps them."""
    if not text:
        return
    if keeps_lines:
        for number, line in enumerate(text.split("\n")):
            yield from ([Mark("\n")] if number else [])
            yield line
        return
    start = 0
    for found in _TEX.finditer(text):
        yield text[start : found.start()]
        inner = collapse(found[1] or found[2][2:-2])
        yield Mark(f"${inner}$" if found[1] else f"$${inner}$$")
        start = found.end()
    yield text[start:]


def _escaped(text: str, *, is_link: bool = False) -> str:
    return (_SPECIAL_IN_LINK if is_link else _SPECIAL).sub(r"\\\g<0>", text)


def _escaped_start(found: re.Match[str]) -> str:
    return f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}"


def lines_of(parts: Parts, *, is_link: bool = False) -> list[str]:
    """Parts as lines.

    :param is_link: whether they are the text of a link, which no bracket in it may end.
    """
    written: list[str] = [""]
    for mark in _settled(_spaced(parts, is_link=is_link)):
        if mark.text == "\n":
            written.append("")
        else:
            written[-1] += mark.text
    lines = [_START.sub(_escaped_start, line.strip(" "), count=1) for line in written]
    return [line for line in lines if line.strip()]


def heading_of(parts: Parts) -> str:
    """Parts as the text of a heading."""
    return _CLOSING.sub(_escaped_start, " ".join(lines_of(parts)))


def _spaced(parts: Parts, *, is_link: bool) -> list[Mark]:
    """Parts with white space collapsed, and put outside of what is emphasised."""
    found: list[Mark] = []
    is_space = False
    for part in parts:
        text = part.text if isinstance(part, Mark) else _BLANK.sub(" ", part)
        core = text if isinstance(part, Mark) else _escaped(text.strip(" "), is_link=is_link)
        is_space = is_space or (isinstance(part, str) and text.startswith(" "))
        is_end = isinstance(part, Mark) and part.side < 0
        if core and is_space and not is_end:
            place = len(found)
            while place and found[place - 1].side > 0:
                place -= 1
            found.insert(place, Mark(" "))
            is_space = False
        if core.startswith("[") and found and found[-1].text.endswith("!") and isinstance(part, Mark):
            found[-1] = Mark(f"{found[-1].text[:-1]}\\!")
        if core:
            found.append(part if isinstance(part, Mark) else Mark(core))
            is_space = is_end and is_space
        is_space = is_space or (isinstance(part, str) and text.endswith(" "))
    return found


def _settled(marks: list[Mark]) -> list[Mark]:
    """Marks without those of emphasis that no parser would take for such."""
    open_: list[int] = []
    gone: set[int] = set()
    for number, mark in enumerate(marks):
        if mark.side > 0:
            open_.append(number)
        elif mark.side < 0 and open_:
            first = open_.pop()
            is_within = any(marks[each].text == mark.text for each in open_)
            if is_within or not _is_flanked(marks, first, number):
                gone |= {first, number}
    return [mark for number, mark in enumerate(marks) if number not in gone]


def _is_flanked(marks: Sequence[Mark], first: int, last: int) -> bool:
    """Whether marks of emphasis begin and end it where they stand (CommonMark, left- and right-flanking)."""
    if first + 1 == last:
        return False
    before = marks[first - 1].text[-1:] if first else ""
    behind = marks[last + 1].text[:1] if last + 1 < len(marks) else ""
    inner, end = marks[first + 1].text[:1], marks[last - 1].text[-1:]
    is_next = before == marks[first].text[0] and marks[first - 1].side <= 0
    if is_next or inner.isspace() or end.isspace():
        return False
    return (inner.isalnum() or not before.isalnum()) and (end.isalnum() or not behind.isalnum())


# Chunks of lines


class Chunk(NamedTuple):
    """A part of Markdown with blank lines around it.

    :param lines: its lines.
    :param is_code: whether it stands at the margin, wherever it is.
    :param is_close: whether no blank line parts it from the one before.
    """

    lines: Sequence[str]
    is_code: bool = False
    is_close: bool = False


def joined(chunks: Iterable[Chunk]) -> str:
    lines: list[str] = []
    for chunk in chunks:
        if lines and not chunk.is_close:
            lines.append("")
        lines += chunk.lines
    return "\n".join(lines)


def indented(chunks: Iterable[Chunk], first: str) -> Iterator[Chunk]:
    """Chunks of an item with its mark. Code ends the list that it stands in: what follows it is at the margin, too."""
    mark, others = first, " " * min(len(first), 4)
    for chunk in chunks:
        if chunk.is_code:
            if mark == first:
                yield Chunk([first.rstrip()])
            mark = others = ""
            yield chunk
        else:
            head, *rest = chunk.lines
            yield Chunk([f"{mark}{head}", *(f"{others}{line}".rstrip() for line in rest)], is_close=chunk.is_close)
            mark = others


def unlabelled(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Chunks of a footnote without the brackets of its label, which led back to its mark."""
    for number, chunk in enumerate(chunks):
        line = chunk.lines[0] if number else _BRACKETS.sub("", chunk.lines[0], count=1)
        if line or len(chunk.lines) > 1:
            yield chunk._replace(lines=[line, *chunk.lines[1:]])


def table_of(lines: Iterable[Sequence[str]]) -> Chunk:
    """A table of the texts of cells, the first row its head."""
    rows = list(lines)
    width = max(map(len, rows))
    head, *others = ([*row, *[""] * (width - len(row))] for row in rows)
    return Chunk([f"| {' | '.join(row)} |" for row in (head, ["---"] * width, *others)])


def quoted(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Chunks of a quote, each line with its mark; code ends the quote."""
    lines: list[str] = []
    for chunk in chunks:
        if chunk.is_code:
            yield from [Chunk(lines)] if lines else []
            lines = []
            yield chunk
        else:
            lines += [">"] if lines and not chunk.is_close else []
            lines += [f"> {line}".rstrip() for line in chunk.lines]
    yield from [Chunk(lines)] if lines else []
