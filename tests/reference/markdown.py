"""HTML as Markdown: CommonMark with the tables, deleted text and footnotes of GitHub, and formulas as TeX."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, groupby, islice, takewhile
from operator import attrgetter
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.page.addresses import Addresses
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.elements import BLOCK_LEVEL, HEADINGS, LISTS, keeps_space
from scrapy_stemmer.page.text import SOFT_HYPHEN, collapse
from scrapy_stemmer.writing.code import NO_CODE, code_language, code_of
from scrapy_stemmer.writing.formulas import tex_from
from scrapy_stemmer.writing.plain_text import is_bare
from scrapy_stemmer.writing.rewriting import box_at
from scrapy_stemmer.writing.text_tables import by_columns, table_rows
from tests.reference.plain_text import numbered

MAX_DEPTH = 60  # depth of elements; deeper text is written unformatted
MAX_INDENT = 4  # columns of indentation below the mark of an item
MAX_MARKDOWN_CELL = 1_000  # characters of a cell of a table; a longer cell is a column of a layout

HEADING_LEVELS = {f"h{level}": level for level in range(1, 7)}
EMPHASIS = {"b": "**", "strong": "**", "i": "*", "em": "*", "cite": "*", "del": "~~", "s": "~~", "strike": "~~"}
CODE = frozenset("code kbd samp tt".split())
HTML = frozenset({"sub", "sup"})  # elements without marks in Markdown, left as they are
NOTES = frozenset("li p div dd aside".split())  # elements that may be footnotes
NO_CELL = HEADINGS | {"table", "pre", "blockquote"}  # contents that no cell of a Markdown table can hold
MAX_SETTLING = 4  # passes over marks of emphasis, while some are removed
IMAGED_TEX = ("{\\displaystyle", "{\\textstyle")  # beginning of the TeX of formula images, as written by MediaWiki

_NOTE = re.compile(r"\[?\(?(\w{1,12}|[*†‡§]+)\)?\]?")
_TERM = re.compile(rf"{_NOTE.pattern}(?: ?\([\d, ]+\))?")  # with the ways back from several marks
_NAME_OF_NOTE = re.compile(r"#_?(?:fn|ftn|ftnt|footnote|endnote)[-_:.]?\w")
_BACK = re.compile(r"[\W_]*|\W*(?:back|return|jump up)\W*", re.IGNORECASE)
_NO_TEXT = re.compile(r"[-#>|]|\$\$|\d+\. |\[\^")
_INDENTED = re.compile(r"\n[ \t]+\S")
_EXACT = re.compile(r"white-space\s*:\s*pre(?!-)", re.IGNORECASE)
_BLANK = re.compile(r"\s+")
_SPECIAL = re.compile(
    r"[\\`]|(?<!\s)\*|\*(?!\s)|~(?=~)|(?<![^\W_])_|_(?![^\W_])|<(?=[a-zA-Z/!?]|\S{1,80}@)|&(?=#?\w+;)"
    r"|\[(?=\^|[^\]]{0,200}\]\s?[\[(:]|[^\]]{201})"
    r"|!(?=\[)|(?<=\])\(|^\[(?=[ xX]\]\s)"
)
_IN_TEX = re.compile(r"<(?=\S)|\](?=[\[(:])|`")  # characters special to Markdown in TeX
_DEFINED = re.compile(r"\[(?:[^\[\]\\]|\\.)++\](?=:)")  # definition of an address, at the beginning of a line
_SPECIAL_IN_LINK = re.compile(rf"[\[\]]|{_SPECIAL.pattern}")
_START = re.compile(r"^(?:([-+*](?=\s|$)|#{1,6}(?=\s|$)|>|=+\s*$|-+\s*$|:(?=\s))|(\d{1,9})([.)])(?=\s|$))")
_TEX = re.compile(r"\\\(((?:(?!\\\().){1,500}?)\\\)|(\\\[(?:(?!\\\[).){1,1000}?\\\]|\$\$.{1,1000}?\$\$)", re.DOTALL)
_TEX_IN_DOLLARS = re.compile(rf"{_TEX.pattern}|\$(?!\s)([^$]{{1,500}})(?<!\s)\$(?!\d)", re.DOTALL)
_SAYS_TEX = re.compile(r"\\[a-zA-Z]|\^|_\{|_\w\b")
_OPENING_DOLLAR, _CLOSING_DOLLAR = re.compile(r"\$(?!\s)"), re.compile(r"(?<!\s)\$(?!\d)")
_with_dollars = etree.XPath(
    "//text()[contains(., '$') and not(ancestor::pre or ancestor::code or ancestor::kbd or ancestor::samp)]"
)
_IN_ADDRESS = str.maketrans(
    {" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C", "`": "%60", "\n": "", "\t": ""}
)
_CLOSING = re.compile(r"((?<!\S)#+$)")
_LABEL = r"(?:\^\s*+)?(?:\\?\[\s*+(?:{0}\s*+)?\\?\]\s*+|{0}\\?[.):]\s++)?(?:\*?\\?\([\s,]*+\)\*?\s*+)?(?:[.:]\s++)?"


def markdown_in_python(html: str, url: str | None = None, *, links: bool = True, images: bool = True) -> str:
    """Return HTML, such as :attr:`Stripped.html`, as Markdown.

    Code is unchanged and at the margin, even in a list, a quote or a definition, which goes on below.

    :param url: the address of the page, by which relative links become absolute. ``None`` leaves links unchanged.
    :param links: write links, not only their texts. Footnotes stay.
    :param images: write images; images of formulas are always written.
    """
    if not html.strip():
        return ""
    root = parse(html)
    writer = _Writer(root, url or "", links, images)
    body = root.find("body")
    return joined(writer.blocks(root if body is None else body, 0)).removeprefix("---\n\n").removesuffix("\n\n---")


class _Writer:
    """Markdown of a tree; links are relative to a URL, and unchanged if the URL is ""."""

    def __init__(self, root: etree._Element, url: str, links: bool = True, images: bool = True) -> None:
        self._has_links, self._has_images = links, images
        self._addresses = Addresses(root, url)
        styled = [element for element in root.iterfind(".//*[@style]") if keeps_space(element.get("style") or "")]
        for element in filter(_is_code, styled):
            element.tag = "pre"
        self._styled = {inner for element in styled for inner in element.iter()}
        named = {name: link for link in root.iter("a") if (name := link.get("name"))}
        self._places = named | {name: element for element in root.iter() if (name := element.get("id"))}
        in_dollars = (formula[3] for text in _with_dollars(root) for formula in _TEX_IN_DOLLARS.finditer(text))
        self._tex = _TEX_IN_DOLLARS if any(map(_SAYS_TEX.search, filter(None, in_dollars))) else _TEX
        self._defined: set[etree._Element] = set()  # definitions with a term
        self._notes: dict[etree._Element, str] = {}  # footnotes with their labels
        self._marks: dict[str, etree._Element] = {}  # footnotes by the names of their places
        self._find_notes(root)
        rows = [row for row in root.iter("tr") if next(row.iterancestors("table"), None) is not None]
        self._cells = {cell for row in rows for cell in row.iterchildren("td", "th")}
        for link in list(root.iter("a")):
            _link_first_block(link)

    def _texts(self, text: str | None, element: etree._Element) -> Parts:
        return parts_of(text, self._tex, keeps_lines=element in self._styled)

    # Blocks

    def blocks(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        if depth >= MAX_DEPTH:
            yield from _paragraph(["".join(element.itertext())])
            return
        last = ""
        for between, block in self._parted(element, depth):
            yield from between
            if block is None:
                return
            chunks = list(self._block(block, depth + 1))
            if block.tag in LISTS and last == block.tag and chunks and not between:
                yield Chunk(["<!-- -->"])  # or both would be read as a single list
            yield from chunks
            last = str(block.tag) if chunks or between else last

    def _parted(self, element: etree._Element, depth: int) -> Iterator[tuple[list[Chunk], etree._Element | None]]:
        run: list[str | Mark] = []
        for part in self._flow(element, depth):
            if isinstance(part, str | Mark):
                run.append(part)
            else:
                yield list(_paragraph(run)), part
                run = []
        yield list(_paragraph(run)), None

    def _flow(self, element: etree._Element, depth: int) -> Iterator[str | Mark | etree._Element]:
        """Return the parts of lines in an element, and the blocks between parts."""
        yield from self._texts(element.text, element)
        for child in element:
            if child in self._cells or (child.tag == "caption" and element.tag == "table"):
                pass  # written with their table
            elif _is_block(child):
                yield child
            elif depth < MAX_DEPTH and next(child.iterdescendants(*BLOCK_LEVEL), None) is not None:
                yield from self._flow(child, depth + 1)
            else:
                yield from self._inline(child, depth + 1)
            yield from self._texts(child.tail, element)

    def _block(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        tag = str(element.tag)
        if element in self._notes:
            return self._note(element, self.blocks(element, depth))
        if tag in HEADING_LEVELS:
            line = heading_line(self._marked(element, depth), HEADING_LEVELS[tag])
            return iter([Chunk([line])] if line else [])
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
            return iter([Chunk(["---"] if tag == "hr" else ["$$", tex_line(tex_from(element)), "$$"])])
        return self.blocks(element, depth)

    def _list(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        if depth >= MAX_DEPTH:  # also for directly nested lists
            yield from self.blocks(element, depth)
            return
        numbers = dict(numbered(element)) if element.tag == "ol" else {}
        is_tight = not any(_is_loose(item) for item in element)
        is_close = False
        within = ""  # start of lines that continue the list's last item, if any
        for between, item in self._parted(element, depth):
            yield from between
            if item is None:
                return
            is_close = is_close and not between  # no list that begins with a number other than 1 ends a paragraph
            if item.tag in LISTS:
                chunks, mark = self._list(item, depth + 1), within
            else:
                mark = f"{numbers[item]}. " if numbers.get(item, -1) >= 0 else "- "
                chunks = self.blocks(item, depth + 1)
                within = " " * min(len(mark), MAX_INDENT)
            is_note = item in self._notes
            for number, chunk in enumerate(self._note(item, chunks) if is_note else indented(chunks, mark)):
                is_item = number == 0 or _NO_TEXT.match(chunk.lines[0].lstrip()) is not None
                is_next = chunk.is_close or (is_close and is_item)
                yield chunk._replace(is_close=is_next and not chunk.is_code)
                is_close = is_tight and not chunk.is_code

    def _note(self, element: etree._Element, chunks: Iterable[Chunk]) -> Iterator[Chunk]:
        label = self._notes[element]
        pattern = re.compile(_LABEL.format(re.escape(label.partition("-")[0])))
        return indented(unlabelled(chunks, pattern), f"[^{label}]: ")

    def _definition(self, element: etree._Element, depth: int) -> Iterator[Chunk]:
        before, parent = element.getprevious(), element.getparent()
        if before is None and parent is not None and parent.tag == "dd":
            before = parent  # without an end tag
        if before is not None and (before.tag != "dd" or before in self._defined):
            self._defined.add(element)
        is_close = before is not None and before.tag in ("dt", "dd")
        for number, chunk in enumerate(self.blocks(element, depth)):
            if number or chunk.is_code or element not in self._defined or _NO_TEXT.match(chunk.lines[0]):
                yield chunk
            else:
                yield Chunk([f": {chunk.lines[0]}", *chunk.lines[1:]], is_close=is_close)

    # Tables

    def _table(self, table: etree._Element, depth: int) -> Iterator[Chunk]:
        rows = table_rows(table)
        for caption in table.iterchildren("caption"):
            yield from self.blocks(caption, depth)
        yield from self.blocks(table, depth)  # content outside cells, which browsers show before the rows
        for is_data, group in groupby(rows, lambda row: all(map(_is_cell, row.iterchildren("td", "th")))):
            cells = [list(row.iterchildren("td", "th")) for row in group]
            lines = list(map(partial(self._row, depth), cells, by_columns(cells))) if is_data else []
            if max((len(line) - line.count("") for line in lines), default=0) > 1:
                has_head = any(cell.tag == "th" for cell in cells[0])
                yield table_of(lines if has_head else [[""], *lines])
            else:
                for cell in (cell for row in cells for cell in row):
                    yield from self.blocks(cell, depth + 1)

    def _row(self, depth: int, cells: Sequence[etree._Element], columns: Iterable[int]) -> list[str]:
        texts = [" ".join(lines_of(self._marked(cell, depth + 1))).replace("|", "\\|") for cell in cells]
        return [texts[cell] if cell >= 0 else "" for cell in columns]

    # Lines

    def _inline(self, element: etree._Element, depth: int) -> Parts:
        """Return an inline element as parts of a line."""
        tag = element.tag
        if tag == "input":
            return [Mark(sign.strip()), " "] if (sign := box_at(element)) else []
        if not isinstance(tag, str) or tag in NO_CODE:
            return []
        if depth >= MAX_DEPTH:
            return ["".join(element.itertext())]
        if tag == "br":
            return [Mark("\n")]
        if tag == "img":
            return self._image(element)
        if tag == "math":
            return [Mark(f"${tex}$")] if (tex := safe_tex(tex_from(element))) else []
        if tag in CODE and next(element.iter("img", "math", "br"), None) is None:
            return self._code(element)
        return self._link(element, depth) if tag == "a" else self._marked(element, depth)

    def _marked(self, element: etree._Element, depth: int) -> Parts:
        tag = str(element.tag)
        mark = EMPHASIS.get(tag, "")
        first: Parts = [Mark(mark, 1)] if mark else []
        last: Parts = [Mark(mark, -1)] if mark else []
        if tag == "rt" and is_bare(element):
            first, last = ["("], [")"]
        if tag in HTML and not any((link.get("href") or "")[1:] in self._marks for link in element.iter("a")):
            first, last = [Mark(f"<{tag}>")], [Mark(f"</{tag}>")]
        yield from first
        yield from self._texts(element.text, element)
        for child in element:
            between = [" "] if child.tag in BLOCK_LEVEL else []
            yield from (*between, *self._inline(child, depth + 1), *between)
            yield from self._texts(child.tail, element)
        yield from last

    def _code(self, element: etree._Element) -> Parts:
        """Return code in a line, and the links in the code."""
        runs: list[tuple[str | None, str]] = []
        around: list[str | None] = [None]
        for event, inner in etree.iterwalk(element, events=("start", "end")):
            if inner.tag == "a" and event == "start":
                around.append((self._has_links and self._addresses.absolute(inner.get("href") or "")) or None)
            elif inner.tag == "a":
                around.pop()
            text = inner.text if event == "start" else inner.tail if inner is not element else None
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
            place, heading = self._places.get(href[1:]), next(element.iterancestors(*HEADING_LEVELS), None)
            if heading is not None and place is not None and heading in (place, *place.iterancestors(*HEADING_LEVELS)):
                return self._marked(element, depth)  # a heading with a link to itself
            if self._is_back(element):
                return []
            if href[1:] in self._marks:
                return [Mark(f"[^{self._notes[self._marks[href[1:]]]}]")]
        inner = list(self._marked(element, depth))
        url = self._addresses.absolute(href) if href and self._has_links else None
        text = " ".join(lines_of(inner, is_link=True))
        if not url or not text or next(element.iterdescendants("a"), None) is not None:
            return inner
        all_text = "".join((part.text if part.side == 0 else "") if isinstance(part, Mark) else part for part in inner)
        before, after = (" " if end.isspace() else "" for end in (all_text[:1], all_text[-1:]))
        return [before, link_to(text, url), after]

    def _image(self, image: etree._Element) -> Parts:
        src = (image.get("src") or "").strip()
        source = self._addresses.absolute(src) if src else None
        if not source or source.startswith("data:"):
            return []
        if (alt := collapse(image.get("alt") or "")).startswith(IMAGED_TEX):
            return [Mark(f"${safe_tex(alt)}$")]
        if not self._has_images:
            return []
        return [Mark(f"![{_escaped(alt, is_link=True)}]({source.translate(_IN_ADDRESS)})")]

    # Footnotes

    def _find_notes(self, root: etree._Element) -> None:
        odd: dict[etree._Element, list[etree._Element]] = {}
        for link in root.iter("a"):
            place = self._places.get((link.get("href") or "")[1:])
            if place is not None and place.tag in ("dt", "table"):
                odd.setdefault(place, []).append(link)
        for place, links in odd.items():
            _make_block(place, links)
        marks = list(self._marks_in(root))
        places = Counter(block for block, _ in {(block, link.get("href")) for link, block, _ in marks})
        for link, block, label in marks:
            name = (link.get("href") or "")[1:]
            if places[block] == 1 and _begins(block, self._places[name]):
                self._notes[block] = label
                self._marks[name] = block
        written = {block for link, block, _ in marks if block in self._notes and self._is_mark(link)}
        labels = Counter[str]()
        for block, label in list(self._notes.items()):
            labels[label] += block in written
            if block not in written:
                del self._notes[block]
            elif labels[label] > 1:
                self._notes[block] = f"{label}-{labels[label]}"
        self._marks = {name: block for name, block in self._marks.items() if block in written}
        for link in {link for link, block, _ in marks if block in written and self._is_mark(link)}:
            _unbracket(link)

    def _marks_in(self, root: etree._Element) -> Iterator[tuple[etree._Element, etree._Element, str]]:
        for link in root.iter("a"):
            href, text = link.get("href") or "", collapse("".join(link.itertext()))
            place, label = self._places.get(href[1:]), _NOTE.fullmatch(text)
            if not href.startswith("#") or place is None or label is None:
                continue
            block = next(element for element in (place, *place.iterancestors()) if element.tag in BLOCK_LEVEL)
            inside = list(block.iter("a"))
            if block.tag not in NOTES or link in inside or any(map(_is_cell, block.iterancestors("td", "th"))):
                continue
            is_above = any(element.tag == "sup" for element in (*link.iterancestors("sup"), *link))
            is_told = _NAME_OF_NOTE.match(href) or (place.tag == "aside" and text.startswith("["))
            if is_above or is_told or not _ways_to(link).isdisjoint(each.get("href") for each in inside):
                yield link, block, label[1]

    def _is_mark(self, link: etree._Element) -> bool:
        return next(link.iterancestors("pre", *CODE), None) is None and not self._is_back(link)

    def _is_back(self, link: etree._Element) -> bool:
        note = next((outer for outer in link.iterancestors() if outer in self._notes), None)
        name = link.get("href", "#")
        if note is None or self._marks.get(name[1:], note) is not note:
            return False
        text = collapse("".join(link.itertext()))
        match, place = _NOTE.fullmatch(text), self._places.get(name[1:])
        if _BACK.fullmatch(text) or (match and match[1] == self._notes[note].partition("-")[0]):
            return True
        if match is None or place is None or place.tag in BLOCK_LEVEL:
            return False
        near = (*place.iter("a"), *place.iterancestors("a"), *islice(place.itersiblings(), 1))
        return any(self._marks.get((mark.get("href") or "")[1:]) is note for mark in near)


def _paragraph(parts: Sequence[str | Mark]) -> Iterator[Chunk]:
    """A paragraph, if there is anything in it."""
    is_blank = all(isinstance(part, str) and not part.strip() for part in parts)  # as between most blocks
    if not is_blank and (lines := lines_of(parts)):
        yield Chunk([*(f"{line}\\" for line in lines[:-1]), lines[-1]])


# Elements


def _is_block(element: etree._Element) -> bool:
    is_formula = element.tag == "math" and element.get("display") == "block"
    return element.tag in BLOCK_LEVEL or (is_formula and bool(tex_from(element)))


def _is_code(element: etree._Element) -> bool:
    if element.tag not in ("div", "code") or _EXACT.search(element.get("style") or "") is None:
        return False
    has_block = next(element.iterdescendants("br", *BLOCK_LEVEL), None) is not None
    if has_block or next(element.iterancestors("pre"), None) is not None:
        return False
    return _INDENTED.search("".join(element.itertext())) is not None


def _is_loose(item: etree._Element) -> bool:
    blocks = list(item.iterchildren("p", "pre", "table", "blockquote"))
    return len(blocks) > 1 or (bool(blocks) and blocks[0].tag != "p")


def _unbracket(mark: etree._Element) -> None:
    before, around = mark.getprevious(), mark.getparent()
    if around is None or not (mark.tail or "").startswith("]"):
        return
    text = (around.text if before is None else before.tail) or ""
    if text.endswith("["):
        mark.tail = (mark.tail or "")[1:]
        if before is None:
            around.text = text[:-1]
        else:
            before.tail = text[:-1]


def _begins(block: etree._Element, place: etree._Element) -> bool:
    for event, element in etree.iterwalk(block, events=("start", "end")):
        if element is place:
            break
        if ((element.text if event == "start" else element.tail) or "").strip():
            return False
    return True


def _make_block(place: etree._Element, marks: Iterable[etree._Element]) -> None:
    """Turn a footnote into a block that begins with its links back, as in most pages. The footnote may be a definition
    whose term is the label, or a row of its own table, as written by older versions of Docutils."""
    if place.tag == "dt":
        parts = [place, *islice(place.itersiblings(), 1)]
    else:
        rows = list(islice(place.iter("tr"), 2))
        parts = list(rows[0].iterchildren("td", "th")) if len(rows) == 1 else []
    if len(parts) != 2 or parts[1].tag not in ("td", "dd"):
        return
    (label, note), ways = parts, {link.get("href") for part in parts for link in part.iter("a")}
    told = _TERM.fullmatch(collapse("".join(label.itertext())))
    texts = (_NOTE.fullmatch(collapse("".join(mark.itertext()))) for mark in marks if ways & _ways_to(mark))
    if told is None or not any(text and text[1] == told[1] for text in texts):
        return
    for inner in label.iter():  # only the label: the links back will do
        inner.tail = None
        inner.text = inner.text if inner.tag == "a" else None
    label.tag, label.tail, note.text = "span", note.text, None
    note.insert(0, label)
    if place.tag == "table":
        note.tag, place.tag = "span", "div"
        place[:] = [note]


def _ways_to(mark: etree._Element) -> set[str]:
    return {f"#{name}" for name in (mark.get("id"), mark.get("name")) if name}


def _is_cell(cell: etree._Element) -> bool:
    return next(cell.iterdescendants(*NO_CELL), None) is None and len("".join(cell.itertext())) <= MAX_MARKDOWN_CELL


def _fenced(pre: etree._Element, text: str) -> Chunk:
    text, language = text.replace("\r\n", "\n").strip("\n").rstrip(), code_language(pre)
    fence = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    return Chunk([f"{fence}{language}", *text.split("\n"), fence], is_code=True)


def _link_first_block(link: etree._Element) -> None:
    href = link.get("href")
    if not href or next(link.iterdescendants(*BLOCK_LEVEL), None) is None:
        return
    first = next(link.iterdescendants(*HEADINGS, "p"), None)
    if first is None and next(link.iterancestors("a", *HEADINGS), None) is None:
        blocks = link.iterdescendants(*BLOCK_LEVEL.difference({"pre"}))
        first = next(filter(_has_first_line, chain([link], blocks)), None)
    if first is None:
        return
    inner = etree.Element("a", href=href)
    inner.text, first.text = first.text, None
    inner.extend(list(first) if first.tag in HEADINGS else _first_line(first))
    first.insert(0, inner)
    del link.attrib["href"]


def _first_line(block: etree._Element) -> list[etree._Element]:
    """Return the elements in a block before its first inner block."""
    return list(takewhile(lambda child: next(child.iter(*BLOCK_LEVEL), None) is None, block))


def _has_first_line(block: etree._Element) -> bool:
    line = _first_line(block)
    texts = chain([block.text], *((*child.itertext(), child.tail) for child in line))
    has_image = any(next(child.iter("img"), None) is not None for child in line)
    return has_image or any((text or "").strip() for text in texts)


# Lines, with marks, emphasis and escapes


class Mark(NamedTuple):
    """A part of a line, written unchanged."""

    text: str  # a new line for a kept line break
    side: int = 0  # 1 for the beginning of emphasis, -1 for its end
    is_text: bool = False  # True until escaped
    code: str = ""  # the text that the part is a span of


Parts = Iterable[str | Mark]


def code_span(text: str, url: str | None) -> Parts:
    """Return code in a line, perhaps a link."""
    text = _BLANK.sub(" ", text)
    core = text.strip()
    if not core:
        return [text]
    span = _ticked(core)
    return [" " * text[0].isspace(), link_to(span.text, url) if url else span, " " * text[-1].isspace()]


def _ticked(code: str) -> Mark:
    """Return code between more ticks than the code has itself."""
    ticks = "`" * (max(map(len, re.findall("`+", code)), default=0) + 1)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    return Mark(f"{ticks}{pad}{code}{pad}{ticks}", code=code)


def _code_joined(marks: Iterable[Mark]) -> Iterator[Mark]:
    for is_code, run in groupby(marks, lambda mark: mark.code != ""):
        if is_code:
            yield _ticked("".join(mark.code for mark in run))
        else:
            yield from run


def link_to(text: str, url: str) -> Mark:
    """Return a link of a text that is written unchanged."""
    return Mark(f"[{text}]({url.translate(_IN_ADDRESS)})")


def parts_of(text: str | None, tex: re.Pattern[str], *, keeps_lines: bool) -> Iterator[str | Mark]:
    """Return a text without soft hyphens, with unchanged TeX, and with the lines kept by a style."""
    if not text:
        return
    text = text.replace(SOFT_HYPHEN, "")
    if keeps_lines:
        for number, line in enumerate(text.split("\n")):
            yield from ([Mark("\n")] if number else [])
            yield line
        return
    start = 0
    for formula in tex.finditer(text):
        yield text[start : formula.start()]
        inner = safe_tex(collapse(formula[2][2:-2] if formula[2] else formula[formula.lastindex or 1]))
        yield Mark(f"$${inner}$$" if formula[2] else f"${inner}$")
        start = formula.end()
    yield text[start:]


def safe_tex(tex: str) -> str:
    """Return TeX in which Markdown finds no HTML, link or code, due to spaces hidden by TeX."""
    return _IN_TEX.sub(lambda sign: r"\lq " if sign[0] == "`" else f"{sign[0]} ", tex)


def tex_line(tex: str) -> str:
    """Return TeX on its own line, never a heading, list or fence."""
    tex = safe_tex(tex)
    return f"{{}}{tex}" if _START.match(tex) or tex.startswith("~~~") else tex


def heading_line(parts: Parts, level: int = 1) -> str:
    """Parts as a heading; "" for one without text."""
    text = _CLOSING.sub(_escaped_start, " ".join(lines_of(parts)))
    return f"{'#' * level} {text}" if text else ""


def _escaped(text: str, *, is_link: bool = False) -> str:
    return (_SPECIAL_IN_LINK if is_link else _SPECIAL).sub(r"\\\g<0>", text)


def _escaped_start(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"


def lines_of(parts: Parts, *, is_link: bool = False) -> list[str]:
    """Return parts as lines; with ``is_link`` no bracket ends the text of the link."""
    marks = list(_code_joined(_settled(_spaced(parts))))
    whole = "".join(mark.text for mark in marks)
    first = _OPENING_DOLLAR.search(whole)
    has_formula = first is not None and _CLOSING_DOLLAR.search(whole, first.end()) is not None  # for a Markdown parser
    written = ""
    # Escapes depend on the neighbouring characters, in whatever elements.
    for is_text, run in groupby(marks, attrgetter("is_text")):
        text = "".join(mark.text for mark in run)
        if text.startswith("[") and not is_text and written.endswith("!"):
            written = f"{written[:-1]}\\!"
        if text.startswith("(") and is_text and written.endswith("]"):
            written += "\\"
        text = _escaped(text, is_link=is_link) if is_text else text
        written += text.replace("$", "\\$") if is_text and has_formula else text
    lines = [_undefined(_START.sub(_escaped_start, line.strip(" "), count=1)) for line in written.split("\n")]
    return [line for line in lines if line.strip()]


def _undefined(line: str) -> str:
    found = _DEFINED.match(line)
    return line if found is None else f"{found[0]}\\{line[found.end() :]}"


def _spaced(parts: Parts) -> list[Mark]:
    """Return parts with collapsed white space, moved out of emphasis, as are new lines. Emphasis that ends and begins
    again at once is joined."""
    marks: list[Mark] = []
    is_space = False
    for part in parts:
        text = "" if isinstance(part, Mark) else _BLANK.sub(" ", part)
        mark = part if isinstance(part, Mark) else Mark(text.strip(" "), is_text=True)
        is_space = is_space or text.startswith(" ")
        if mark.text and is_space and mark.side >= 0:
            _insert(marks, Mark(" ", is_text=True))
            is_space = False
        if mark.side > 0 and marks and marks[-1] == Mark(mark.text, -1):
            marks.pop()
        elif mark.text:
            _insert(marks, mark)
        is_space = is_space or text.endswith(" ")
    return marks


def _insert(marks: list[Mark], mark: Mark) -> None:
    """Add a mark: white space before beginnings of emphasis, an end of emphasis before new lines."""
    place = len(marks)
    while place and mark.text.isspace() and marks[place - 1].side > 0:
        place -= 1
    while place and mark.side < 0 and marks[place - 1].text == "\n":
        place -= 1
    marks.insert(place, mark)


def _settled(marks: list[Mark]) -> list[Mark]:
    for _ in range(MAX_SETTLING):
        settled = _flanked(marks)
        if len(settled) == len(marks):
            break
        marks = settled
    return marks


def _flanked(marks: list[Mark]) -> list[Mark]:
    open_: list[int] = []
    gone: set[int] = set()
    for number, mark in enumerate(marks):
        if mark.side > 0:
            open_.append(number)
        elif mark.side < 0 and open_:
            first = open_.pop()
            is_within = any(marks[outer].text == mark.text for outer in open_)
            if is_within or not _is_flanked(marks, first, number):
                gone |= {first, number}
    return [mark for number, mark in enumerate(marks) if number not in gone]


def _is_flanked(marks: Sequence[Mark], first: int, last: int) -> bool:
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
    """Lines of Markdown with blank lines around them."""

    lines: Sequence[str]
    is_code: bool = False  # at the margin, at any depth
    is_close: bool = False  # no blank line before the chunk


def joined(chunks: Iterable[Chunk]) -> str:
    lines: list[str] = []
    for chunk in chunks:
        if lines and not chunk.is_close:
            lines.append("")
        lines += chunk.lines
    return "\n".join(lines)


def indented(chunks: Iterable[Chunk], first: str) -> Iterator[Chunk]:
    """Return chunks of an item with its mark. Code ends the list; following chunks are at the margin, too."""
    mark, others = first, " " * min(len(first), MAX_INDENT)
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


def unlabelled(chunks: Iterable[Chunk], label: re.Pattern[str]) -> Iterator[Chunk]:
    """Return chunks of a footnote without its label."""
    for number, chunk in enumerate(chunks):
        line = chunk.lines[0] if number else _undefined(label.sub("", chunk.lines[0], count=1))
        if line or len(chunk.lines) > 1:
            yield chunk._replace(lines=[line, *chunk.lines[1:]])


MAX_FILLED = 100_000
"""Cells of a table whose short rows are filled up; in a larger table 100 kB with a single long row would become 167 MB.
"""


def table_of(lines: Iterable[Sequence[str]]) -> Chunk:
    """Return a table of the texts of cells; the first row is the head, as long as the longest row."""
    head, *others = lines
    width = max(map(len, (head, *others)))
    least = width if width * len(others) <= MAX_FILLED else 0
    filled = ([*row, *[""] * (least - len(row))] for row in others)
    rows = [*head, *[""] * (width - len(head))], ["---"] * width, *filled
    return Chunk([f"| {' | '.join(row)} |" for row in rows])


def quoted(chunks: Iterable[Chunk]) -> Iterator[Chunk]:
    """Return chunks of a quote, each line with its mark; code ends the quote."""
    for is_code, run in groupby(chunks, attrgetter("is_code")):
        if is_code:
            yield from run
        else:
            yield Chunk([f"> {line}".rstrip() for line in joined(run).split("\n")])
