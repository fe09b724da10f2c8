"""Code in pages: its lines as they stand, without line numbers and buttons, and its language, of any highlighter."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import escape
from itertools import chain, islice, takewhile
from typing import NamedTuple

from lxml import etree

from scrapy_stemmer.core.elements import BLOCK_LEVEL, HIDDEN_STYLE, UNSEEN_NAMES

# Elements in code that are none of it; that are lines of it, of which a cell of a table is a part; that hold cells.
NO_CODE = frozenset("button input script style svg template select textarea noscript".split())
LINES = frozenset("div li tr pre".split())
ROWS = frozenset("table thead tbody tr".split())

OTHER = frozenset(
    "p h1 h2 h3 h4 h5 h6 ul dl blockquote section article table hr form main header footer nav aside figure".split()
)
"""Elements that no code holds: with one of these, ``pre`` is a page, or a part of one."""

_NUMBERS = re.compile(r"[\d\s]*")
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:l(?:ine)?-?n(?:o|um|umber)?s?|gutter|lnt|(?:blob|crayon)-nums?)(?:$|[\s_-]|div)", re.IGNORECASE
)
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
"""Languages that highlighters name by a class of its own, beside one that says that it is code."""

_AROUND = frozenset("div figure pre td tr tbody table span code".split())
_ODD_ELEMENTS = OTHER | NO_CODE | {"div", "li", "tr", "pre", "br", "td"}
_ODD = re.compile(rf"{_GUTTER.pattern}|{_COPY.pattern}|display|visibility|user-select", re.IGNORECASE)
_text_of = etree.XPath("string()", smart_strings=False)
_but_spans = etree.XPath("descendant::*[not(self::span) or @hidden]")
_looks_of = [etree.XPath(f"descendant::*/@{name}", smart_strings=False) for name in ("class", "style")]

REMEMBERED = 100  # characters of names and styles that are remembered from page to page
AROUND_CODE = 4  # elements around code that may name its language


class Code(NamedTuple):
    """The lines of a block of code."""

    html: str  # as HTML, of which only links are kept; "" where nobody asks for it
    text: str


Address = Callable[[str], str | None]


def code_of(
    element: etree._Element, is_kept: Callable[[etree._Element], bool], address: Address | None = None
) -> Code | None:
    """The code that an element is, all of it or a table of lines with their numbers; ``None`` for any other element.

    The code of a column of line numbers is empty.

    :param is_kept: whether text in an element is kept. Lines that have text and are not are left out.
    :param address: the address of a link as it is to be written; ``None`` where the text will do.
    """
    if element.tag == "pre":
        is_text = not len(element)
        text = element.text or "" if is_text else _text_of(element)
        if _NUMBERS.fullmatch(text) and any(map(_is_gutter, (element, *_cells_around(element)))):
            return Code("", "")
        inside = [] if is_text else _but_spans(element)
        tags = {str(inner.tag) for inner in inside}
        if tags.isdisjoint(_ODD_ELEMENTS) and (address is None or "a" not in tags):
            if is_text or not (_looks_odd(element) or any(inner.get("hidden") is not None for inner in inside)):
                return Code(escape(text, quote=False) if address else "", text)
        elif not tags.isdisjoint(OTHER) and not any(map(is_code_table, element.iter("table"))):
            return None
    elif not is_code_table(element):
        return None
    else:
        pres = [inner for inner in element.iter("pre") if not _is_numbers(inner)]
        if len(pres) == 1:  # all lines of the table are in it
            return code_of(pres[0], is_kept, address)
    lines = _Lines(is_kept, address)
    lines.read(element)
    return Code("".join(lines.html), "".join(lines.text))


def _looks_odd(element: etree._Element) -> bool:
    """Whether something in code may be none of it, or hidden, by how it looks."""
    return any(map(_is_odd_look, {look for find in _looks_of for look in find(element)}))


def _is_odd_look(look: str) -> bool:
    """Whether the names or the style of an element say that it is hidden, or none of the code around it."""
    return _is_odd_name(look) if len(look) <= REMEMBERED else _is_odd_name.__wrapped__(look)


@lru_cache(1024)  # code has a few names for all of its words
def _is_odd_name(look: str) -> bool:
    return not UNSEEN_NAMES.isdisjoint(look.lower().split()) or _ODD.search(look) is not None


def is_code_table(table: etree._Element) -> bool:
    """Whether a table holds the lines of code beside their numbers."""
    row = next(table.iter("tr"), None)
    cells = [] if row is None else list(row.iterchildren("td", "th"))
    if _CODE_TABLE.search(table.get("class") or ""):
        return bool(cells)
    if len(cells) != 2 or not _is_numbers(cells[0]):
        return False
    has_pre = [next(cell.iter("pre"), None) is not None for cell in cells]
    if has_pre[1]:
        return has_pre[0] or _is_gutter(cells[0])
    return bool(_SURE_GUTTER.search(cells[0].get("class") or "") and _CODE_CELL.search(cells[1].get("class") or ""))


def _cells_around(element: etree._Element) -> list[etree._Element]:
    """The cell of a table around an element, with what is between."""
    around = list(islice(element.iterancestors("td", "th", "div"), AROUND_CODE))
    inside = list(takewhile(lambda outer: outer.tag == "div", around))
    return around[: len(inside) + 1]


def _is_numbers(element: etree._Element) -> bool:
    return _NUMBERS.fullmatch(_text_of(element)) is not None


def _is_gutter(element: etree._Element) -> bool:
    """Whether an element holds the numbers of lines, and says so."""
    names, style = element.get("class"), element.get("style")
    is_called = element.get("data-line-number") is not None or (names and _GUTTER.search(names))
    if not is_called and not (style and _UNSELECTED.search(style)):
        return False
    return _is_numbers(element)


class _Lines:
    """The lines of code, while they are read."""

    def __init__(self, is_kept: Callable[[etree._Element], bool], address: Address | None) -> None:
        self.text: list[str] = []  # parts of it
        self.html: list[str] = []  # the same with links
        self._is_kept, self._address = is_kept, address
        self._is_ended = False  # whether an element that is a line has ended, so that what follows is another one

    def read(self, top: etree._Element) -> None:
        """Read an element; without recursion, as real pages nest deeply."""
        walker = etree.iterwalk(top, events=("start", "end", "comment", "pi"))
        open_: list[tuple[int, str, bool] | None] = []
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
                self._end(*begun)
            if element is not top:
                is_behind_number = event == "end" and begun is None and _is_gutter(element)
                tail = (element.tail or "").removeprefix("\xa0") if is_behind_number else element.tail  # as of Doxygen
                self._add(tail, element.getparent())

    def _add(self, text: str | None, element: etree._Element | None = None) -> None:
        """Add a text of an element; white space between the cells of a table is none."""
        if text and (element is None or element.tag not in ROWS or not text.isspace()):
            line = "\n" if self._is_ended and not text.startswith("\n") else ""
            self._is_ended = False
            self.text.append(line + text)
            if self._address is not None:
                self.html.append(line + escape(text, quote=False))

    def _begin(self, element: etree._Element, *, is_line: bool) -> tuple[int, str, bool]:
        """Note the start of an element: where its text begins, how it ends, and whether it is a line."""
        if element.tag == "br":
            self._add("\n")
        elif is_line and (self._is_ended or (self.text and not self.text[-1].endswith("\n"))):
            self._is_ended = False
            self._add("\n")
        href = element.get("href") if element.tag == "a" else None
        safe = self._address(href) if self._address and href and _text_of(element).strip() else None
        if safe:
            self.html.append(f'<a href="{escape(safe)}">')
        return len(self.text), "</a>" if safe else "", is_line

    def _end(self, start: int, ending: str, is_line: bool) -> None:
        if ending:
            self.html.append(ending)
        if is_line and not (len(self.text) > start and self.text[-1].endswith("\n")):
            self._is_ended = True

    def _is_left_out(self, element: etree._Element) -> bool:
        if element.tag in NO_CODE or not isinstance(element.tag, str):
            return True
        names, style = element.get("class"), element.get("style")
        is_word = element.tag not in BLOCK_LEVEL and element.tag not in LINES
        if is_word and not (
            (names and _is_odd_look(names))
            or (style and _is_odd_look(style))
            or element.get("hidden") is not None
            or element.get("data-line-number") is not None
        ):
            return False
        if _is_gutter(element) or (names and _COPY.search(names)):
            return True
        if element.tag not in BLOCK_LEVEL and is_hidden(element):
            return True
        if element.tag in ("td", "th") and element.getnext() is not None and _is_numbers(element):
            return True
        if element.tag not in LINES and element.tag != "td":
            return False
        return not self._is_kept(element) and any(map(str.isalnum, _text_of(element)))


def is_hidden(element: etree._Element) -> bool:
    """Whether an inline element is not shown, or only read aloud."""
    if element.get("hidden") is not None or HIDDEN_STYLE.search(element.get("style") or ""):
        return True
    return not UNSEEN_NAMES.isdisjoint((element.get("class") or "").lower().split())


def _is_line(element: etree._Element) -> bool:
    if element.tag in LINES:
        return True
    style = element.get("style")
    return style is not None and "display:block" in style.replace(" ", "")


def code_language(element: etree._Element) -> str:
    """The language of code, as its highlighter names it, in lower case; "" where it does not."""
    inside = [inner for inner in islice(element.iter("pre", "code"), 6) if inner is not element]
    around = takewhile(lambda outer: outer.tag in _AROUND, islice(element.iterancestors(), AROUND_CODE))
    return next(filter(None, map(_language_of, (*inside, element, *around))), "")


def _language_of(element: etree._Element) -> str:
    """The first language that an element names; "" where it names none."""
    if not element.keys():
        return ""  # most elements
    names, is_code = element.get("class") or "", element.get("name") == "code"
    given = (element.get(name) or "" for name in ("data-lang", "data-language", "data-code-lang", "language"))
    named = _languages_in if len(names) <= REMEMBERED else _languages_in.__wrapped__
    languages = (language.strip().lower() for language in chain(given, named(names, is_code)))
    return next((each for each in languages if each not in _PLAIN and _NAME.fullmatch(each)), "")


@lru_cache(1024)
def _languages_in(names: str, is_code: bool) -> Sequence[str]:
    """What class names may name as languages.

    :param is_code: whether all else says that it is code.
    """
    languages = [next(filter(None, match.groups())) for match in _LANGUAGE.finditer(names)]
    if is_code or _HIGHLIGHTER.search(names):
        languages += (name for name in names.split() if name.lower() in KNOWN)
    return languages
