"""HTML as Markdown: CommonMark with the tables, deleted text and footnotes of GitHub, and formulas as TeX."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.code import UNREAD, code_of, language_of
from scrapy_stemmer.core.document import parse
from scrapy_stemmer.core.elements import BLOCK_LEVEL, keeps_space
from scrapy_stemmer.core.formulas import tex_from
from scrapy_stemmer.core.plain_text import numbered
from scrapy_stemmer.core.rewriting import Addresses, box_at
from scrapy_stemmer.core.text import collapse

MAX_DEPTH = 60
"""Elements in each other; of deeper ones the text is written as it stands."""

MAX_CELL = 1_000
"""Characters of a cell of a table; one with more is a column of a layout."""

MAX_SPAN = 50
"""Columns or rows that a cell spans."""

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

IMAGED_TEX = ("{\\displaystyle", "{\\textstyle")
"""How the TeX of images of formulas begins, as MediaWiki writes it."""

_NOTE = re.compile(r"\[?\(?(\w{1,12}|[*†‡§]+)\)?\]?")
_NAME_OF_NOTE = re.compile(r"#_?(?:fn|ftn|ftnt|footnote|endnote)[-_:.]?\w")
_BACK = re.compile(r"[\W_]*|\W*(?:back|return|jump up)\W*", re.IGNORECASE)
_NO_TEXT = re.compile(r"[-#>|]|\$\$|\d+\. |\[\^")
_BLANK = re.compile(r"\s+")
_SPECIAL = re.compile(
    r"[\\`]|(?<!\s)\*|\*(?!\s)|~(?=~)|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?])|&(?=#?\w+;)|\[(?=\^|[^\]]{0,200}\]\s?[\[(:])"
    r"|!(?=\[)|(?<=\])\((?=\S)|^\[(?=[ xX]\]\s)"
)
_SPECIAL_IN_LINK = re.compile(rf"[\[\]]|{_SPECIAL.pattern}")
_START = re.compile(r"^(?:([-+*](?=\s|$)|#{1,6}(?=\s|$)|>|=+\s*$|-+\s*$|:(?=\s))|(\d{1,9})([.)])(?=\s|$))")
_TEX = re.compile(r"\\\((.{1,500}?)\\\)|(\\\[.{1,1000}?\\\]|\$\$.{1,1000}?\$\$)", re.DOTALL)
_IN_ADDRESS = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "\n": "", "\t": ""}
)
_CLOSING = re.compile(r"((?<!\S)#+$)")
_BRACKETS = re.compile(r"^\\?(?:\[\s*\\?\]|\(\s*\))\s*")


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
    return joined(writer.blocks(root if body is None else body, 0)).removeprefix("---\n\n").removesuffix("\n\n---")


class _Writer:
    """Markdown of a tree.

    :param url: of the page, "" where links stay as they are.
    """

    def __init__(self, root: etree._Element, url: str) -> None:
        self._addresses = Addresses(root, url)
        styled = root.iterfind(".//*[@style]")
        self._styled = {inner for each in styled if keeps_space(each.get("style") or "") for inner in each.iter()}
        self._places = {name: each for each in root.iter() if (name := each.get("id"))}
        found = list(self._notes_in(root))
        blocks = Counter({block: len({name for each, name, _ in found if each is block}) for block, *_ in found})
        self._notes = {
            block: label for block, name, label in found if blocks[block] == 1 and _begins(block, self._places[name])
        }
        self._marks = {name: label for block, name, label in found if block in self._notes}
        for link in list(root.iter("a")):
            _link_first_block(link)

    def _texts(self, text: str | None, element: etree._Element) -> Parts:
        return texts_of(text, keeps_lines=element in self._styled)

    # Blocks

    def blocks(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        """What is in an element: its blocks, and the lines between them."""
        if depth >= MAX_DEPTH:
            yield from _paragraph(["".join(element.itertext())])
            return
        run: list[str | Mark] = []
        last = ""
        for part in self._flow(element, depth):
            if isinstance(part, str | Mark):
                run.append(part)
                continue
            between, run = list(_paragraph(run)), []
            found = list(self._block(part, depth + 1))
            yield from between
            if part.tag in LISTS and last == part.tag and found and not between:
                yield Chunk(["<!-- -->"])  # or they were one list
            yield from found
            last = str(part.tag) if found or between else last
        yield from _paragraph(run)

    def _flow(self, element: etree._Element, depth: int) -> Iterator[str | Mark | etree._Element]:
        """The parts of lines in an element, and the blocks between them."""
        yield from self._texts(element.text, element)
        for child in element:
            if _is_block(child):
                yield child
            elif depth < MAX_DEPTH and next(child.iterdescendants(*BLOCK_LEVEL), None) is not None:
                yield from self._flow(child, depth + 1)
            else:
                yield from self._inline(child, depth + 1)
            yield from self._texts(child.tail, element)

    def _block(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        tag = str(element.tag)
        if element in self._notes:
            return indented(unlabelled(self.blocks(element, depth)), f"[^{self._notes[element]}]: ")
        if tag in LEVELS:
            text = heading_of(self._marked(element, depth))
            return iter([Chunk([f"{'#' * LEVELS[tag]} {text}"])] if text else [])
        if tag in LISTS:
            return self._list(element, depth)
        if tag == "blockquote":
            return quoted(self.blocks(element, depth))
        if tag == "table":
            return self._table(element, depth)
        if tag == "dd":
            return self._definition(element, depth)
        if tag == "pre" and (code := code_of(element, lambda _: True)) is not None:
            return iter([_fenced(element, code.text)])
        if tag in ("hr", "math"):
            return iter([Chunk(["---"] if tag == "hr" else ["$$", tex_from(element), "$$"])])
        return self.blocks(element, depth)

    def _list(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        numbers = dict(numbered(element)) if element.tag == "ol" else {}
        is_tight = not any(_is_loose(item) for item in element)
        is_close = False
        run: list[str | Mark] = []
        for item in self._flow(element, depth):
            if isinstance(item, str | Mark):
                run.append(item)
                continue
            between, run = list(_paragraph(run)), []
            yield from between
            is_close = is_close and not between  # no list that begins with another number than 1 ends a paragraph
            if item.tag in LISTS:
                chunks, mark = self._list(item, depth + 1), "  "
            else:
                mark = f"{numbers[item]}. " if numbers.get(item, -1) >= 0 else "- "
                chunks = self.blocks(item, depth + 1)
                if item in self._notes:
                    mark, chunks = f"[^{self._notes[item]}]: ", unlabelled(chunks)
            for number, chunk in enumerate(indented(chunks, mark)):
                is_item = number == 0 or _NO_TEXT.match(chunk.lines[0].lstrip()) is not None
                yield chunk._replace(is_close=(is_close or chunk.is_close) and is_item and not chunk.is_code)
                is_close = is_tight and not chunk.is_code
        yield from _paragraph(run)

    def _definition(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        """A definition: its first line is marked, and stands below its term."""
        before, parent = element.getprevious(), element.getparent()
        if before is None and parent is not None and parent.tag == "dd":
            before = parent  # which has no end tag
        for number, chunk in enumerate(self.blocks(element, depth)):
            if number or chunk.is_code or before is None or _NO_TEXT.match(chunk.lines[0]):
                yield chunk
            else:
                yield Chunk([f": {chunk.lines[0]}", *chunk.lines[1:]], is_close=before.tag in ("dt", "dd"))

    # Tables

    def _table(self, table: etree._Element, depth: int) -> Iterator[Chunk]:
        rows = [row for row in table.iter("tr") if next(row.iterancestors("table")) is table]
        for caption in table.iterchildren("caption"):
            yield from self.blocks(caption, depth)
        if not rows:
            yield from self.blocks(table, depth)
            return
        for text in (table.text, *(child.tail for child in table)):
            yield from _paragraph(self._texts(text, table))
        for is_data, group in groupby(rows, lambda row: all(map(_is_cell, row.iterchildren("td", "th")))):
            cells = [list(row.iterchildren("td", "th")) for row in group]
            spans: Counter[int] = Counter()
            lines = [self._row(row, depth, spans) for row in cells] if is_data else []
            if max((len(line) - line.count("") for line in lines), default=0) > 1:
                has_head = any(cell.tag == "th" for cell in cells[0])
                yield table_of(lines if has_head else [[""], *lines])
            else:
                for cell in (cell for row in cells for cell in row):
                    yield from self.blocks(cell, depth + 1)

    def _row(self, cells: Iterable[etree._Element], depth: int, spans: Counter[int]) -> list[str]:
        """The texts of the cells of a row, and empty ones for what cells of it and of rows above span.

        :param spans: for each column how many rows a cell above spans; is changed.
        """
        line: list[str] = []
        for cell in cells:
            line += _spanned(spans, len(line))
            text = " ".join(lines_of(self._marked(cell, depth + 1))).replace("|", "\\|")
            for column in range(_span_of(cell, "colspan")):
                spans[len(line)] = _span_of(cell, "rowspan") - 1
                line.append("" if column else text)
        return line + _spanned(spans, len(line))

    # Lines

    def _inline(self, element: etree._Element, depth: int) -> Parts:
        """The parts of a line that an element is."""
        tag = element.tag
        if tag == "input":
            return [Mark(sign.strip()), " "] if (sign := box_at(element)) else []
        if not isinstance(tag, str) or tag in UNREAD:
            return []
        if depth >= MAX_DEPTH:
            return ["".join(element.itertext())]
        if tag == "br":
            return [Mark("\n")]
        if tag == "img":
            return self._image(element)
        if tag == "math":
            return [Mark(f"${tex}$")] if (tex := tex_from(element)) else []
        if tag in CODE and next(element.iter("img", "math", "br"), None) is None:
            return self._code(element)
        return self._link(element, depth) if tag == "a" else self._marked(element, depth)

    def _marked(self, element: etree._Element, depth: int) -> Parts:
        """What is in an element, within the marks for it."""
        tag = str(element.tag)
        mark = EMPHASIS.get(tag, "")
        first, last = [Mark(mark, 1)] if mark else [], [Mark(mark, -1)] if mark else []
        if tag in HTML and not any((each.get("href") or "")[1:] in self._marks for each in element.iter("a")):
            first, last = [Mark(f"<{tag}>")], [Mark(f"</{tag}>")]
        yield from first
        yield from self._texts(element.text, element)
        for child in element:
            between = [" "] if child.tag in BLOCK_LEVEL else []
            yield from (*between, *self._inline(child, depth + 1), *between)
            yield from self._texts(child.tail, element)
        yield from last

    def _code(self, element: etree._Element) -> Parts:
        """Code in a line, and the links in it."""
        runs: list[tuple[str | None, str]] = []
        around: list[str | None] = [None]
        for event, each in etree.iterwalk(element, events=("start", "end")):
            if each.tag == "a" and event == "start":
                around.append(self._addresses.absolute(each.get("href") or "") or None)
            elif each.tag == "a":
                around.pop()
            text = each.text if event == "start" else each.tail if each is not element else None
            if text and runs and runs[-1][0] == around[-1]:
                runs[-1] = around[-1], runs[-1][1] + text
            elif text:
                runs.append((around[-1], text))
        for url, text in runs:
            for number, line in enumerate(text.split("\n") if element in self._styled else [text]):
                yield from ([Mark("\n")] if number else [])
                yield from code_span(line, url)

    def _link(self, element: etree._Element, depth: int) -> Parts:
        href = element.get("href") or ""
        if href.startswith("#"):
            place, heading = self._places.get(href[1:]), next(element.iterancestors(*LEVELS), None)
            if heading is not None and place is not None and heading in (place, *place.iterancestors(*LEVELS)):
                return self._marked(element, depth)  # a heading that leads to itself
            if href[1:] in self._marks and not self._is_back(element):
                return [Mark(f"[^{self._marks[href[1:]]}]")]
            if self._is_back(element):
                return []
        inner = list(self._marked(element, depth))
        url = self._addresses.absolute(href) if href else None
        text = " ".join(lines_of(inner, is_link=True))
        if not url or not text or next(element.iterdescendants("a"), None) is not None:
            return inner
        all_text = "".join((part.text if part.side == 0 else "") if isinstance(part, Mark) else part for part in inner)
        before, after = (" " if each.isspace() else "" for each in (all_text[:1], all_text[-1:]))
        return [before, link_to(text, url), after]

    def _image(self, image: etree._Element) -> Parts:
        source = self._addresses.absolute(image.get("src") or "")
        if not source or source.startswith("data:"):
            return []
        if (tex := collapse(image.get("alt") or "")).startswith(IMAGED_TEX):
            return [Mark(f"${tex}$")]
        return [image_of(collapse(image.get("alt") or ""), source)]

    # Footnotes

    def _notes_in(self, root: etree._Element) -> Iterator[tuple[etree._Element, str, str]]:
        """The footnotes: for each its block, the name of the place in it that its mark leads to, and its label."""
        for link in root.iter("a"):
            href, told = link.get("href") or "", collapse("".join(link.itertext()))
            place, label = self._places.get(href[1:]), _NOTE.fullmatch(told)
            if not href.startswith("#") or place is None or label is None:
                continue
            block = next(each for each in (place, *place.iterancestors()) if each.tag in BLOCK_LEVEL)
            inside = list(block.iter("a"))
            if block.tag not in NOTES or link in inside or any(map(_is_cell, block.iterancestors("td", "th"))):
                continue
            is_above = any(each.tag == "sup" for each in (*link.iterancestors("sup"), *link))
            is_led_back_to = any(each.get("href") == f"#{link.get('id')}" for each in inside)
            if is_above or is_led_back_to or _NAME_OF_NOTE.match(href):
                yield block, href[1:], label[1]

    def _is_back(self, link: etree._Element) -> bool:
        """Whether a link leads back from a footnote."""
        label = next((self._notes[each] for each in link.iterancestors() if each in self._notes), None)
        told = collapse("".join(link.itertext()))
        found = _NOTE.fullmatch(told)
        return label is not None and (_BACK.fullmatch(told) or (found and found[1] == label)) is not None


def _paragraph(parts: Parts) -> Iterator[Chunk]:
    """A paragraph, if there is anything in it."""
    if lines := lines_of(parts):
        yield Chunk([*(f"{line}\\" for line in lines[:-1]), lines[-1]])


# Elements


def _is_block(element: etree._Element) -> bool:
    return element.tag in BLOCK_LEVEL or (
        element.tag == "math" and element.get("display") == "block" and bool(tex_from(element))
    )


def _is_loose(item: etree._Element) -> bool:
    """Whether an item of a list has several blocks, so that blank lines stand between the items."""
    blocks = list(item.iterchildren("p", "pre", "table", "blockquote"))
    return len(blocks) > 1 or (bool(blocks) and blocks[0].tag != "p")


def _begins(block: etree._Element, place: etree._Element) -> bool:
    """Whether no text stands before a place in a block: links lead to the mark of a footnote too."""
    for event, each in etree.iterwalk(block, events=("start", "end")):
        if each is place:
            break
        if ((each.text if event == "start" else each.tail) or "").strip():
            return False
    return True


def _is_cell(cell: etree._Element) -> bool:
    """Whether a cell can stand in a row."""
    return next(cell.iterdescendants(*NO_CELL), None) is None and len("".join(cell.itertext())) <= MAX_CELL


def _span_of(cell: etree._Element, name: str) -> int:
    span = cell.get(name) or ""
    return min(int(span), MAX_SPAN) if re.fullmatch(r"[1-9]\d{0,3}", span) else 1


def _spanned(spans: Counter[int], column: int) -> list[str]:
    """Empty cells for the columns from one on that cells of rows above span."""
    count = 0
    while spans[column + count] > 0:
        spans[column + count] -= 1
        count += 1
    return [""] * count


def _fenced(pre: etree._Element, text: str) -> Chunk:
    """Code in a fence that it does not hold, with its language."""
    text, language = text.replace("\r\n", "\n").strip("\n").rstrip(), language_of(pre)
    fence = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    return Chunk([f"{fence}{language}", *text.split("\n"), fence], is_code=True)


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


# Lines, with marks, emphasis and escapes


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
