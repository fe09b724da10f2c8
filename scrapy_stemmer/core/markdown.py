"""HTML as Markdown: CommonMark with the tables, deleted text and footnotes of GitHub, and formulas as TeX."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.code import UNREAD
from scrapy_stemmer.core.document import parse
from scrapy_stemmer.core.elements import BLOCK_LEVEL
from scrapy_stemmer.core.plain_text import numbered
from scrapy_stemmer.core.rewriting import WHITE_SPACE, Addresses, tex_of
from scrapy_stemmer.core.text import collapse

MAX_DEPTH = 60
"""Elements in each other; of deeper ones the text is written as it stands."""

MAX_CELL = 1_000
"""Characters of a cell of a table; one with more is a column of a layout."""

LEVELS = {f"h{level}": level for level in range(1, 7)}

EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}

CODE = frozenset("code kbd samp tt".split())

HTML = frozenset({"sub", "sup"})
"""Elements that Markdown has no marks for, and lets stand."""

LISTS = frozenset("ul ol menu dir".split())

NOTES = frozenset("li p div dd aside".split())
"""Elements that may be footnotes."""

NO_CELL = frozenset("table pre h1 h2 h3 h4 h5 h6 blockquote".split())
"""Elements that no cell of a table in Markdown can hold."""

_BLANK = re.compile(r"\s+")
_SPECIAL = re.compile(
    r"[\\`]|(?<!\s)\*|\*(?!\s)|~(?=~)|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\[(?=\^|[^\]]{0,200}\]\s?[\[(:])|!(?=\[)|(?<=\])\((?=\S)"
)
_START = re.compile(r"^(?:([-+*](?=\s|$)|#{1,6}(?=\s|$)|>|=+\s*$|-+\s*$|:(?=\s))|(\d{1,9})([.)])(?=\s|$))")
_TEX = re.compile(r"\\\((.{1,500}?)\\\)|(\\\[.{1,1000}?\\\]|\$\$.{1,1000}?\$\$)", re.DOTALL)
_IN_ADDRESS = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "\n": "", "\t": ""}
)
_NOTE = re.compile(r"\[?\(?(\w{1,12}|[*†‡§]+)\)?\]?")
_BACK = re.compile(r"[\W_]*|\W*(?:back|return|jump up)\W*", re.IGNORECASE)
_NO_TEXT = re.compile(r"[-#>|]|\$\$|\d+\. |\[\^")
_CLOSING = re.compile(r"((?<!\S)#+$)")
_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\$")
_BRACKET = re.compile(r"(?<!\\)[\[\]]")
_LANGUAGE = re.compile(r"(?:^|\s)language-(\S+)")


def markdown_of(html: str, url: str | None = None) -> str:
    """HTML, such as that of :attr:`Stripped.html`, as Markdown.

    Code always stands at the margin, as it is, also that of a list, a quote or a definition; those go on behind it.

    :param url: that of the page; links are relative to it, and become absolute. ``None`` leaves them as they are.
    """
    if not html.strip():
        return ""
    root = parse(html)
    writer = _Writer(root, url or "")
    body = root.find("body")
    return _joined(writer.blocks(root if body is None else body, 0)).removeprefix("---\n\n").removesuffix("\n\n---")


class _Chunk(NamedTuple):
    """A part of Markdown with blank lines around it.

    :param lines: its lines.
    :param is_code: whether it stands at the margin, wherever it is.
    :param is_close: whether no blank line parts it from the one before.
    """

    lines: Sequence[str]
    is_code: bool = False
    is_close: bool = False


class _Mark(NamedTuple):
    """A part of a line that is written as it is.

    :param text: what is written; a new line for one that stays.
    :param side: 1 for the beginning of what is emphasised, -1 for its end, else 0.
    """

    text: str
    side: int = 0


Parts = Iterable[str | _Mark]


def _joined(chunks: Iterable[_Chunk]) -> str:
    lines: list[str] = []
    for chunk in chunks:
        if lines and not chunk.is_close:
            lines.append("")
        lines += chunk.lines
    return "\n".join(lines)


def _indented(chunks: Iterable[_Chunk], first: str) -> Iterator[_Chunk]:
    """Chunks of an item with its mark. Code ends the list that it stands in: what follows it is at the margin, too."""
    mark, others = first, " " * min(len(first), 4)
    for chunk in chunks:
        if chunk.is_code:
            if mark == first:
                yield _Chunk([first.rstrip()])
            mark = others = ""
            yield chunk
        else:
            head, *rest = chunk.lines
            yield _Chunk([f"{mark}{head}", *(f"{others}{line}".rstrip() for line in rest)], is_close=chunk.is_close)
            mark = others


def _rows(lines: Iterable[Sequence[str]]) -> _Chunk:
    """A table of the texts of cells, the first row its head."""
    rows = list(lines)
    width = max(map(len, rows))
    head, *others = ([*row, *[""] * (width - len(row))] for row in rows)
    return _Chunk([f"| {' | '.join(row)} |" for row in (head, ["---"] * width, *others)])


def _quoted(chunks: Iterable[_Chunk]) -> Iterator[_Chunk]:
    """Chunks of a quote, each line with its mark; code ends the quote."""
    lines: list[str] = []
    for chunk in chunks:
        if chunk.is_code:
            yield from [_Chunk(lines)] if lines else []
            lines = []
            yield chunk
        else:
            lines += [">"] if lines and not chunk.is_close else []
            lines += [f"> {line}".rstrip() for line in chunk.lines]
    yield from [_Chunk(lines)] if lines else []


class _Writer:
    """Markdown of a tree.

    :param url: of the page, "" where links stay as they are.
    """

    def __init__(self, root: etree._Element, url: str) -> None:
        self._addresses = Addresses(root, url)
        self._places = {name: each for each in root.iter() if (name := each.get("id"))}
        found = list(self._notes_in(root))
        blocks = Counter({block: len({name for each, name, _ in found if each is block}) for block, *_ in found})
        self._notes = {block: label for block, _, label in found if blocks[block] == 1}
        self._marks = {name: label for block, name, label in found if block in self._notes}
        for link in list(root.iter("a")):
            _link_first_block(link)

    # Blocks

    def blocks(self, element: etree._Element, depth: int) -> Iterator[_Chunk]:
        """What is in an element: its blocks, and the lines between them."""
        if depth >= MAX_DEPTH:
            yield from _paragraph(["".join(element.itertext())])
            return
        run: list[str | _Mark] = []
        for part in self._flow(element, depth):
            if isinstance(part, str | _Mark):
                run.append(part)
            else:
                yield from _paragraph(run)
                yield from self._block(part, depth + 1)
                run = []
        yield from _paragraph(run)

    def _flow(self, element: etree._Element, depth: int) -> Iterator[str | _Mark | etree._Element]:
        """The parts of lines in an element, and the blocks between them."""
        yield from _texts(element.text, element)
        for child in element:
            if _is_block(child):
                yield child
            elif depth < MAX_DEPTH and next(child.iterdescendants(*BLOCK_LEVEL), None) is not None:
                yield from self._flow(child, depth + 1)
            else:
                yield from self._inline(child, depth + 1)
            yield from _texts(child.tail, element)

    def _block(self, element: etree._Element, depth: int) -> Iterator[_Chunk]:
        tag = str(element.tag)
        if element in self._notes:
            return _indented(self.blocks(element, depth), f"[^{self._notes[element]}]: ")
        if tag in LEVELS:
            return self._heading(element, depth)
        if tag in LISTS:
            return self._list(element, depth)
        if tag == "blockquote":
            return _quoted(self.blocks(element, depth))
        if tag == "table":
            return self._table(element, depth)
        if tag == "dd":
            return self._definition(element, depth)
        if tag in ("pre", "hr", "math"):
            return iter([_fenced(element) if tag == "pre" else _Chunk(["---"] if tag == "hr" else _displayed(element))])
        return self.blocks(element, depth)

    def _heading(self, element: etree._Element, depth: int) -> Iterator[_Chunk]:
        if text := " ".join(_lines(self._marked(element, depth))):
            yield _Chunk([f"{'#' * LEVELS[str(element.tag)]} {_CLOSING.sub(_escaped_start, text)}"])

    def _list(self, element: etree._Element, depth: int) -> Iterator[_Chunk]:
        numbers = dict(numbered(element)) if element.tag == "ol" else {}
        is_tight = not any(_is_loose(item) for item in element)
        is_close = False
        run: list[str | _Mark] = []
        for item in self._flow(element, depth):
            if isinstance(item, str | _Mark):
                run.append(item)
                continue
            yield from _paragraph(run)
            run = []
            if item.tag in LISTS:
                chunks, mark = self._list(item, depth + 1), "  "
            else:
                mark = f"{numbers[item]}. " if numbers.get(item, -1) >= 0 else "- "
                mark = f"[^{self._notes[item]}]: " if item in self._notes else mark
                chunks = self.blocks(item, depth + 1)
            for number, chunk in enumerate(_indented(chunks, mark)):
                is_item = number == 0 or _NO_TEXT.match(chunk.lines[0].lstrip()) is not None
                yield chunk._replace(is_close=is_close and is_item and not chunk.is_code)
                is_close = is_tight and not chunk.is_code
        yield from _paragraph(run)

    def _definition(self, element: etree._Element, depth: int) -> Iterator[_Chunk]:
        """A definition: its first line is marked, and stands below its term."""
        before = element.getprevious()
        for number, chunk in enumerate(self.blocks(element, depth)):
            if number or chunk.is_code or before is None or _NO_TEXT.match(chunk.lines[0]):
                yield chunk
            else:
                yield _Chunk([f": {chunk.lines[0]}", *chunk.lines[1:]], is_close=before.tag in ("dt", "dd"))

    # Tables

    def _table(self, table: etree._Element, depth: int) -> Iterator[_Chunk]:
        rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
        for caption in table.iterchildren("caption"):
            yield from self.blocks(caption, depth)
        if not rows:
            yield from self.blocks(table, depth)
            return
        for text in (table.text, *(child.tail for child in table)):
            yield from _paragraph(_texts(text, table))
        for is_data, group in groupby(rows, lambda row: all(map(_is_cell, row.iterchildren("td", "th")))):
            cells = [list(row.iterchildren("td", "th")) for row in group]
            lines = [[text for cell in row for text in self._cell(cell, depth)] for row in cells] if is_data else []
            if max((len(line) - line.count("") for line in lines), default=0) > 1:
                has_head = any(cell.tag == "th" for cell in cells[0])
                yield _rows(lines if has_head else [[""], *lines])
            else:
                for cell in (cell for row in cells for cell in row):
                    yield from self.blocks(cell, depth + 1)

    def _cell(self, cell: etree._Element, depth: int) -> list[str]:
        """The text of a cell, and empty ones for the columns that it spans."""
        lines = (line for chunk in self.blocks(cell, depth + 1) for line in chunk.lines)
        text = " ".join(_BREAK.sub(r"\1", line).strip() for line in lines if line.strip())
        span = cell.get("colspan") or ""
        return [
            text.replace("|", "\\|"),
            *[""] * (min(int(span), 50) - 1 if re.fullmatch(r"[1-9]\d{0,3}", span) else 0),
        ]

    # Lines

    def _inline(self, element: etree._Element, depth: int) -> Parts:
        """The parts of a line that an element is."""
        tag = element.tag
        if not isinstance(tag, str) or tag in UNREAD:
            return []
        if depth >= MAX_DEPTH:
            return ["".join(element.itertext())]
        if tag == "br":
            return [_Mark("\n")]
        if tag == "img":
            return self._image(element)
        if tag == "math":
            tex = tex_of(element)
            return [_Mark(f"${tex}$")] if tex else ["".join(element.itertext())]
        if tag in CODE and next(element.iter("img", "math", "br"), None) is None:
            return self._code(element)
        return self._link(element, depth) if tag == "a" else self._marked(element, depth)

    def _marked(self, element: etree._Element, depth: int) -> Parts:
        """What is in an element, within the marks for it."""
        mark, tag = EMPHASIS.get(str(element.tag), ""), str(element.tag)
        is_html = tag in HTML and not any((each.get("href") or "")[1:] in self._marks for each in element.iter("a"))
        if is_html:
            yield _Mark(f"<{tag}>")
        elif mark:
            yield _Mark(mark, 1)
        yield from _texts(element.text, element)
        for child in element:
            between = [" "] if child.tag in BLOCK_LEVEL else []
            yield from (*between, *self._inline(child, depth + 1), *between)
            yield from _texts(child.tail, element)
        if is_html:
            yield _Mark(f"</{tag}>")
        elif mark:
            yield _Mark(mark, -1)

    def _code(self, element: etree._Element) -> Parts:
        text = _BLANK.sub(" ", "".join(element.itertext()))
        before, after = text[:1].isspace(), text[-1:].isspace()
        text = text.strip()
        if not text:
            return [" "]
        inner = list(element.iter("a"))
        url = self._addresses.absolute(inner[0].get("href") or "") if len(inner) == 1 else None
        ticks = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
        pad = " " if text.startswith("`") or text.endswith("`") else ""
        span = f"{ticks}{pad}{text}{pad}{ticks}"
        is_link = url and collapse("".join(inner[0].itertext())) == text
        mark = _Mark(f"[{span}]({url.translate(_IN_ADDRESS)})" if is_link and url else span)
        return [" " * before, mark, " " * after]

    def _link(self, element: etree._Element, depth: int) -> Parts:
        href = element.get("href") or ""
        if href.startswith("#"):
            if href[1:] in self._marks and not self._is_back(element):
                return [_Mark(f"[^{self._marks[href[1:]]}]")]
            if self._is_back(element):
                return []
        inner = list(self._marked(element, depth))
        url = self._addresses.absolute(href) if href else None
        text = " ".join(_lines(inner, is_link=True))
        if not url or not text or next(element.iterdescendants("a"), None) is not None:
            return inner
        all_text = "".join((part.text if part.side == 0 else "") if isinstance(part, _Mark) else part for part in inner)
        before, after = (" " if each.isspace() else "" for each in (all_text[:1], all_text[-1:]))
        return [before, _Mark(f"[{text}]({url.translate(_IN_ADDRESS)})"), after]

    def _image(self, image: etree._Element) -> Parts:
        source = self._addresses.absolute(image.get("src") or "")
        if not source or source.startswith("data:"):
            return []
        alt = _BRACKET.sub(r"\\\g<0>", _escaped(collapse(image.get("alt") or "")))
        return [_Mark(f"![{alt}]({source.translate(_IN_ADDRESS)})")]

    # Footnotes

    def _notes_in(self, root: etree._Element) -> Iterator[tuple[etree._Element, str, str]]:
        """The footnotes: for each its block, the name of the place in it that its mark leads to, and its label."""
        for link in root.iter("a"):
            href, told = link.get("href") or "", collapse("".join(link.itertext()))
            place, label = self._places.get(href[1:]), _NOTE.fullmatch(told)
            is_above = any(each.tag == "sup" for each in (*link.iterancestors("sup"), *link))
            if not href.startswith("#") or place is None or label is None or not is_above:
                continue
            block = next(each for each in (place, *place.iterancestors()) if each.tag in BLOCK_LEVEL)
            if block.tag in NOTES and link not in block.iter("a"):
                yield block, href[1:], label[1]

    def _is_back(self, link: etree._Element) -> bool:
        """Whether a link leads back from a footnote."""
        label = next((self._notes[each] for each in link.iterancestors() if each in self._notes), None)
        told = collapse("".join(link.itertext()))
        found = _NOTE.fullmatch(told)
        return label is not None and (_BACK.fullmatch(told) or (found and found[1] == label)) is not None


# Lines


def _paragraph(parts: Parts) -> Iterator[_Chunk]:
    """A paragraph, if there is anything in it."""
    if lines := _lines(parts):
        yield _Chunk([*(f"{line}\\" for line in lines[:-1]), lines[-1]])


def _texts(text: str | None, element: etree._Element) -> Iterator[str | _Mark]:
    """A text in an element: the TeX in it as it is, and its lines where a style keeps them."""
    if not text:
        return
    if WHITE_SPACE.search(element.get("style") or ""):
        for number, line in enumerate(text.split("\n")):
            yield from ([_Mark("\n")] if number else [])
            yield line
        return
    start = 0
    for found in _TEX.finditer(text):
        yield text[start : found.start()]
        inner = collapse(found[1] or found[2][2:-2])
        yield _Mark(f"${inner}$" if found[1] else f"$${inner}$$")
        start = found.end()
    yield text[start:]


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _escaped_start(found: re.Match[str]) -> str:
    return f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}"


def _lines(parts: Parts, *, is_link: bool = False) -> list[str]:
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


def _spaced(parts: Parts, *, is_link: bool) -> list[_Mark]:
    """Parts with white space collapsed, and put outside of what is emphasised."""
    found: list[_Mark] = []
    is_space = False
    for part in parts:
        text = part.text if isinstance(part, _Mark) else _BLANK.sub(" ", part)
        core = text if isinstance(part, _Mark) else _escaped(text.strip(" "))
        if is_link and not isinstance(part, _Mark):
            core = _BRACKET.sub(r"\\\g<0>", core)
        is_space = is_space or (isinstance(part, str) and text.startswith(" "))
        is_end = isinstance(part, _Mark) and part.side < 0
        if core and is_space and not is_end:
            place = len(found)
            while place and found[place - 1].side > 0:
                place -= 1
            found.insert(place, _Mark(" "))
            is_space = False
        if core.startswith("[") and found and found[-1].text.endswith("!") and isinstance(part, _Mark):
            found[-1] = _Mark(f"{found[-1].text[:-1]}\\!")
        if core:
            found.append(part if isinstance(part, _Mark) else _Mark(core))
            is_space = is_end and is_space
        is_space = is_space or (isinstance(part, str) and text.endswith(" "))
    return found


def _settled(marks: list[_Mark]) -> list[_Mark]:
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


def _is_flanked(marks: Sequence[_Mark], first: int, last: int) -> bool:
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


# Elements


def _is_block(element: etree._Element) -> bool:
    return element.tag in BLOCK_LEVEL or (
        element.tag == "math" and element.get("display") == "block" and bool(tex_of(element))
    )


def _is_loose(item: etree._Element) -> bool:
    """Whether an item of a list has several blocks, so that blank lines stand between the items."""
    blocks = list(item.iterchildren("p", "pre", "table", "blockquote"))
    return len(blocks) > 1 or (bool(blocks) and blocks[0].tag != "p")


def _is_cell(cell: etree._Element) -> bool:
    """Whether a cell can stand in a row."""
    return next(cell.iterdescendants(*NO_CELL), None) is None and len("".join(cell.itertext())) <= MAX_CELL


def _fenced(pre: etree._Element) -> _Chunk:
    """Code in a fence that it does not hold, with its language."""
    text = "".join(pre.itertext()).replace("\r\n", "\n").strip("\n").rstrip()
    named = (_LANGUAGE.search(each.get("class") or "") for each in pre.iter("code"))
    language = next((found[1] for found in named if found), "")
    fence = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    return _Chunk([f"{fence}{language}", *text.split("\n"), fence], is_code=True)


def _displayed(math: etree._Element) -> Sequence[str]:
    """A formula with lines of its own."""
    return "$$", tex_of(math), "$$"


def _link_first_block(link: etree._Element) -> None:
    """Make a link around blocks one in the first of them."""
    href = link.get("href")
    first = next(link.iterdescendants("h1", "h2", "h3", "h4", "h5", "h6", "p"), None) if href else None
    if first is None or href is None:
        return
    inner = etree.Element("a", href=href)
    inner.text, first.text = first.text, None
    inner.extend(list(first))
    first.append(inner)
    del link.attrib["href"]
