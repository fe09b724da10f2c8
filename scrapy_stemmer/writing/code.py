"""Code of pages, of any highlighter: lines, gutters of line numbers to leave out, and the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, islice, takewhile
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.page.elements import BLOCK_LEVEL, HIDDEN_STYLE, has_unseen_name
from scrapy_stemmer.page.lazily import short_cache

# Elements left out of code; elements for lines of code; elements around cells.
NO_CODE = frozenset("button input script style svg template select textarea noscript".split())
LINES = frozenset("div li tr pre".split())
ROWS = frozenset("table thead tbody tr".split())

OTHER = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul dl blockquote section article table hr form main header footer nav aside figure".split()
)
"""Elements that never stand in code: a ``pre`` with one is a page, or a part of a page."""

_NUMBERS = re.compile(r"[\d\s]*")
_GUTTER = re.compile(
    r"(?:^|[\s_-]|code)(?:l(?:ine)?-?n(?:o|um|umber)?s?|gutter|lnt|(?:blob|crayon)-nums?|pre-numbering)(?:$|[\s_-]|div)",
    re.IGNORECASE,
)
_NUMBER_CELL = re.compile(r"(?:^|[\s_-])num(?:ber)?s?(?:$|[\s_-])", re.IGNORECASE)
_MARKS = re.compile(r"[{}=]|\(\)")
_SEVERAL_NUMBERS = re.compile(r"\s*\d{1,5}\s+\d{1,5}\s")
_COPY = re.compile(r"(?:^|[\s_-])(?:copy|clipboard)(?:$|[\s_-]|btn|button|code)", re.IGNORECASE)
_CODE_TABLE = re.compile(
    r"(?:^|\s)(?:highlighttable|codehilitetable|rouge-table|rouge-line-table|lntable|hljs-ln|js-file-line-container|"
    r"syntaxhighlighter|crayon-table)(?:$|\s)",
    re.IGNORECASE,
)
_SURE_GUTTER = re.compile(r"(?:^|[\s_-])(?:linenos?|line-?numbers?|gutter|blob-num|lnt|hljs-ln-numbers)(?:$|\s)")
_UNSELECTED = re.compile(r"user-select\s*:\s*none", re.IGNORECASE)
_CODE_CELL = re.compile(r"(?:^|[\s_-])(?:code|blob-code|hljs-ln-code)(?:$|[\s_-])", re.IGNORECASE)

_LANGUAGE = re.compile(
    r"(?:^|\s)(?:language|lang|mw-highlight-lang|highlight-source|highlight-text|highlight|src|source)-([\w+#.-]+)|"
    r"brush:\s*([\w+#.-]+)|(?:^|\s)lang:([\w+#.-]+)",
    re.IGNORECASE,
)
_NAME = re.compile(r"[\w+#.-]{1,40}")
_PLAIN = frozenset("none default text plain plaintext txt nohighlight undefined auto false highlighter code".split())
_HIGHLIGHTER = re.compile(
    r"(?:^|\s)(?:hljs|sourceCode|code|prettyprint|syntaxhighlighter|programlisting|geshi|source|highlight|rust)(?:$|\s)",
    re.IGNORECASE,
)
KNOWN = frozenset(
    "asm awk bash c c# c++ clojure cmake console cpp csharp css diff docker dockerfile elixir erlang fortran fsharp go "
    "graphql groovy haskell html http ini java javascript js json jsx julia kotlin latex less lisp lua make makefile "
    "matlab nginx objc objectivec ocaml pascal perl php powershell prolog pycon python python3 r ruby rust sass scala "
    "scheme scss sh shell sql swift tcl tex toml tsx ts typescript vb vim xml yaml zsh".split()
)
"""Languages that highlighters give as a class name, beside a class name for code."""

LANGUAGE_NAMES = ("data-lang", "data-language", "data-code-lang", "language")
"""Attributes that hold the language of code."""

AROUND = frozenset("div figure pre td tr tbody table span code".split())

_SAME = dict.fromkeys("py py3 python2 python3 ipython ipython2 ipython3".split(), "python")
"""Highlighters' names of a language that fences name differently."""
ODD_ELEMENTS = OTHER | NO_CODE | {"div", "li", "tr", "pre", "br", "td"}
_ODD = re.compile(rf"{_GUTTER.pattern}|{_COPY.pattern}|display|visibility|user-select", re.IGNORECASE)
_text_of = etree.XPath("string()", smart_strings=False)

AROUND_PRE, MAX_PRES = 32, 4
"""Elements around code, and how many of these may be ``pre``: each is read with all inside."""

AROUND_CODE = 4  # elements around code to search for a language, or for line numbers
LOOKED_BACK = 8  # texts of code searched for the start of a line before a number
MAX_DIGITS = 6  # of a line number


class Code(NamedTuple):
    runs: Sequence[tuple[str, str | None]]  # texts, with the address of a link around

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.runs)


Address = Callable[[str], str | None]


def code_of(
    element: etree._Element, is_kept: Callable[[etree._Element], bool], address: Address | None = None
) -> Code | None:
    """Return the code of an element, or of a table of lines with their numbers; ``None`` without code.

    The code of a column of line numbers is empty.

    :param is_kept: whether the pattern keeps text in an element.
    :param address: returns the address of a link as written; ``None`` reads no links.
    """
    if len(element) and sum(each.tag == "pre" for each in islice(element.iterancestors(), AROUND_PRE)) > MAX_PRES:
        return None
    if element.tag == "pre":
        if _has_only_digits(element) and any(map(_is_gutter, (element, *_cells_around(element)))):
            return Code(())
        is_page = next(element.iterdescendants(*OTHER), None) is not None
        if is_page and not _has_only_code_and_gutter(element):
            return None
    elif not is_code_table(element):
        return None
    else:
        pres = [inner for inner in element.iter("pre") if not _has_only_digits(inner)]
        if len(pres) == 1:  # holds all lines of the table
            return code_of(pres[0], is_kept, address)
    lines = _Lines(is_kept, address, _gutter_inside(element) if element.tag == "pre" else None)
    lines.read(element)
    return Code(lines.runs)


@short_cache(1024)  # code has a few names for all words
def is_odd_look(look: str) -> bool:
    return has_unseen_name(look) or _ODD.search(look) is not None


def is_code_table(table: etree._Element) -> bool:
    """Return True if a table holds lines of code beside their numbers."""
    row = next(table.iter("tr"), None)
    cells = [] if row is None else list(row.iterchildren("td", "th"))
    if is_named_code_table(table.get("class") or ""):
        return bool(cells)
    if len(cells) != 2 or not _has_only_digits(cells[0]) or next(table.iterdescendants("table"), None) is not None:
        return False
    has_pre = next(cells[1].iter("pre"), None) is not None
    if has_pre and (_is_gutter(cells[0]) or _has_as_many_lines(cells[1], _lines_of_gutter(cells[0]))):
        return True
    if _SURE_GUTTER.search(cells[0].get("class") or "") and _CODE_CELL.search(cells[1].get("class") or ""):
        return True
    return _has_lines_as_rows(table)


def is_named_code_table(names: str) -> bool:
    return _CODE_TABLE.search(names) is not None


def _has_lines_as_rows(table: etree._Element) -> bool:
    """Return True if each row of a table is a number and a line of code."""
    rows = [list(row.iterchildren("td", "th")) for row in table.iter("tr")]
    if len(rows) < 2 or any(len(cells) != 2 for cells in rows) or not _consecutive_numbers(cells[0] for cells in rows):
        return False
    lines = [(cells[1], next(cells[1].iter("pre", "code"), None)) for cells in rows]
    texts = ["" if code is None else _text_of(code) for _, code in lines]
    if any(text.strip() != _text_of(cell).strip() for (cell, _), text in zip(lines, texts, strict=True)):
        return False
    if not any(map(str.strip, texts)):
        return False
    has_pre = any(code is not None and code.tag == "pre" for _, code in lines)
    is_named = _is_gutter(rows[0][0]) or (has_pre and _NUMBER_CELL.search(rows[0][0].get("class") or "") is not None)
    is_named = is_named or _HIGHLIGHTER.search(table.get("class") or "") is not None or bool(language_of(table))
    return is_named or _looks_like_code("\n".join(texts), is_of_pre=has_pre)


# Numbers of lines


def is_named_gutter(names: str) -> bool:
    return _GUTTER.search(names) is not None


def _has(element: etree._Element, count: int) -> bool:
    return len(list(islice(element.iterchildren("*"), count + 1))) == count


def _is_last(element: etree._Element) -> bool:
    return next(element.itersiblings("*"), None) is None


def _lines_of_gutter(cell: etree._Element) -> int:
    """Return the number of lines that a cell numbers, with unnumbered lines of YARD in a ``pre``."""
    count, pre = _consecutive_numbers([cell]), next(cell.iter("pre"), None)
    if not count or pre is None or not _has(pre, 0):
        return count
    text: str = _text_of(pre)
    return max(count, text.removeprefix("\n").rstrip().count("\n") + 1)


def _has_as_many_lines(code: etree._Element, count: int) -> bool:
    """Return True if an element has several lines of code, as many as numbers, empty lines at the end aside."""
    if count < 2:
        return False
    lines = _Lines(lambda _: True, None)
    lines.read(code)
    text = Code(lines.runs).text.removeprefix("\n")
    return text.rstrip().count("\n") < count <= text.count("\n") + 1 and _looks_like_code(text, is_of_pre=True)


def _looks_like_code(text: str, *, is_of_pre: bool) -> bool:
    """Return True if a line is indented or empty, or a ``pre`` has marks of programs."""
    lines = text.rstrip().split("\n")
    return any(not line.strip() or line[0].isspace() for line in lines) or (is_of_pre and bool(_MARKS.search(text)))


def _consecutive_numbers(elements: Iterable[etree._Element]) -> int:
    first = count = 0
    words = chain.from_iterable(str(text).split() for element in elements for text in element.itertext())
    for count, word in enumerate(words, 1):
        if not (word.isascii() and word.isdecimal() and len(word) <= MAX_DIGITS):
            return 0
        first = int(word) if count == 1 else first
        if int(word) != first + count - 1:
            return 0
    return count


def _has_only_code_and_gutter(pre: etree._Element) -> bool:
    """Return True if the block-level elements in a ``pre`` are a table of code or a list of line numbers."""
    return any(map(is_code_table, pre.iter("table"))) or all(map(_is_gutter, pre.iter(*OTHER)))


def _cells_around(element: etree._Element) -> list[etree._Element]:
    around = list(islice(element.iterancestors("td", "th", "div"), AROUND_CODE))
    inside = list(takewhile(lambda outer: outer.tag == "div", around))
    return around[: len(inside) + 1]


def _has_only_digits(element: etree._Element) -> bool:
    return _NUMBERS.fullmatch(_text_of(element)) is not None


def _is_gutter(element: etree._Element) -> bool:
    """Return True if an element named as a gutter holds numbers."""
    names, style = element.get("class"), element.get("style")
    is_named = element.get("data-line-number") is not None or (names and is_named_gutter(names))
    if not is_named and not (style and _UNSELECTED.search(style)):
        return False
    return _has_only_digits(element)


def _gutter_inside(pre: etree._Element) -> etree._Element | None:
    """Return the first element of code if that element numbers the lines of the next element."""
    inside = list(islice(pre.iterchildren("*"), 3))
    if len(inside) != 2 or (pre.text or "").strip() or not _SEVERAL_NUMBERS.match(f"{_text_of(inside[0])} "):
        return None
    first, code = inside
    return first if not (first.tail or "").strip() and _has_as_many_lines(code, _consecutive_numbers([first])) else None


class _Lines:
    """Reader of the lines of code."""

    def __init__(
        self,
        is_kept: Callable[[etree._Element], bool],
        address: Address | None,
        gutter: etree._Element | None = None,
    ) -> None:
        self.runs: list[tuple[str, str | None]] = []
        self._is_kept, self._address, self._gutter = is_kept, address, gutter
        self._link: str | None = None  # address of the open link
        self._is_ended = False  # the element of a line has ended

    def read(self, top: etree._Element) -> None:
        """Read an element, without recursion since real pages nest deeply."""
        walker = etree.iterwalk(top, events=("start", "end", "comment", "pi"))
        open_: list[tuple[int, bool] | None] = []
        for event, element in walker:
            if event == "start":
                if element is not top and self._is_left_out(element):
                    walker.skip_subtree()
                    open_.append(None)
                else:
                    open_.append(self._begin(element, is_line=element is not top and _is_line(element)))
                    self._add(element.text, element)
                continue
            begun = open_.pop() if event == "end" else None
            if begun is not None:
                self._end(element, *begun)
            if element is not top:
                is_behind_number = event == "end" and begun is None and _is_gutter(element)
                tail = (element.tail or "").removeprefix("\xa0") if is_behind_number else element.tail  # as of Doxygen
                self._add(tail, element.getparent())

    def _add(self, text: str | None, element: etree._Element | None = None) -> None:
        if text and (element is None or not text.isspace() or not _parts_cells(element, text)):
            line = "\n" if self._is_ended and not text.startswith("\n") else ""
            self._is_ended = False
            self.runs.append((line + text, self._link))

    def _begin(self, element: etree._Element, *, is_line: bool) -> tuple[int, bool]:
        """Note the start of an element: the number of runs, and a flag for a line."""
        if element.tag == "br":
            self._add("\n")
        elif is_line and (self._is_ended or (self.runs and not self.runs[-1][0].endswith("\n"))):
            self._is_ended = False
            self._add("\n")
        href = element.get("href") if element.tag == "a" else None
        if self._address and href and _text_of(element).strip():
            self._link = self._address(href) or None
        return len(self.runs), is_line

    def _end(self, element: etree._Element, start: int, is_line: bool) -> None:
        if element.tag == "a":
            self._link = None
        if is_line and not (len(self.runs) > start and self.runs[-1][0].endswith("\n")):
            self._is_ended = True

    @property
    def _is_in_line(self) -> bool:
        line = Code(self.runs[-LOOKED_BACK:]).text.rpartition("\n")[2]
        return not self._is_ended and bool(line.strip())

    def _is_left_out(self, element: etree._Element) -> bool:
        if element.tag in NO_CODE or not isinstance(element.tag, str):
            return True
        names, style = element.get("class"), element.get("style")
        if element is self._gutter:
            return True
        is_word = element.tag not in BLOCK_LEVEL and element.tag not in LINES
        if is_word and not (
            (names and is_odd_look(names))
            or (style and is_odd_look(style))
            or element.get("hidden") is not None
            or element.get("data-line-number") is not None
        ):
            return False
        if names and _COPY.search(names):
            return True
        if _is_gutter(element) and element.tag != "tr":  # a row may be an empty line
            return not (is_word and self._is_in_line and _consecutive_numbers([element]) == 1)
        if element.tag not in BLOCK_LEVEL and is_hidden(element):
            return True
        if element.tag in ("td", "th") and not _is_last(element) and _has_only_digits(element):
            return True
        if element.tag not in LINES and element.tag != "td":
            return False
        return not self._is_kept(element) and any(map(str.isalpha, _text_of(element)))


def is_hidden(element: etree._Element) -> bool:
    """Return True if an inline element is hidden, or for screen readers only."""
    if element.get("hidden") is not None or HIDDEN_STYLE.search(element.get("style") or ""):
        return True
    return has_unseen_name(element.get("class") or "")


def _is_line(element: etree._Element) -> bool:
    return element.tag in LINES or "display:block" in (element.get("style") or "").replace(" ", "")


def _parts_cells(element: etree._Element, space: str) -> bool:
    """Return True if white space is layout of the source, between cells or around the child of a cell."""
    return element.tag in ROWS or (element.tag == "td" and _has(element, 1) and "\n" in space)


def code_language(element: etree._Element) -> str:
    """Return the language of code as named by a highlighter, in lower case."""
    inside = [inner for inner in islice(element.iter("pre", "code"), 6) if inner is not element]
    around = takewhile(lambda outer: outer.tag in AROUND, islice(element.iterancestors(), AROUND_CODE))
    return next(filter(None, map(language_of, (*inside, element, *around))), "")


def language_of(element: etree._Element) -> str:
    if not element.keys():
        return ""  # most elements
    given = [element.get(name) or "" for name in LANGUAGE_NAMES]
    return language_named(element.get("class") or "", given, is_code=element.get("name") == "code")


def language_named(names: str, given: Iterable[str], *, is_code: bool) -> str:
    """Return the first language in class names or attribute values."""
    languages = (language.strip().lower() for language in chain(given, _languages_in(names, is_code)))
    languages = (_SAME.get(language, language) for language in languages)
    return next((each for each in languages if each not in _PLAIN and _NAME.fullmatch(each)), "")


def _languages_in(names: str, is_code: bool) -> Sequence[str]:
    """Return candidate languages of class names; bare names only in class names of code."""
    languages = [next(filter(None, match.groups())) for match in _LANGUAGE.finditer(names)]
    if is_code or _HIGHLIGHTER.search(names):
        languages += (name for name in names.split() if name.lower() in KNOWN)
    return languages
