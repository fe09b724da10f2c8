"""Rewritten parts of standalone HTML: attributes, code, images and tasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import escape
from itertools import groupby, islice

from lxml import etree

from scrapy_stemmer.page.addresses import IMAGE_DATA, safe_address, safe_srcset
from scrapy_stemmer.page.elements import BLOCK_LEVEL, HIDDEN_STYLE, WHITE_SPACE, is_permalink
from scrapy_stemmer.page.scripts import is_of_mathjax
from scrapy_stemmer.page.text import UNWANTED, collapse
from scrapy_stemmer.writing.code import AROUND_CODE, Address, code_language, code_of, is_hidden
from scrapy_stemmer.writing.formulas import formula

REWRITTEN = frozenset({"pre", "table", "img", "picture", "math"})
"""Elements that are rewritten if their content agrees with their names."""

SHOWN = frozenset("figure p div a span li center picture img noscript td th hr input label".split())
"""Elements that are written without kept text: images, formulas and rules beside kept paragraphs, cells of kept rows,
boxes of tasks, and targets of links."""

CHECKED = frozenset({"href", "cite", "style", "id", "name"})  # attributes whose values are checked and replaced

EMPHASIS = frozenset("b strong i em code kbd sub sup cite q small".split())
"""Inline elements with a meaning."""

LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-full-url", "data-hi-res-src",
    "data-large-file", "data-url", "data-image",
)  # fmt: skip
"""Attributes that hold the address of an image until a script loads the image, the best first."""

LAZY_SETS = ("data-srcset", "data-lazy-srcset")
POINT = frozenset({"0", "1", "0px", "1px"})  # width or height of images that count visitors or part content
MAX_SOURCES = 100  # sources of a picture that are looked at
ICON = 20  # largest width, in pixels, of images that show the purpose of a link
CAPTIONED = 3  # elements at most around an image and its caption
NEAR_FORMULA = 3  # elements on either side of a formula that may repeat the formula
AROUND_FORMULA = 3  # elements around a formula whose neighbours may repeat the formula
LEVELS_OF_FORMULA = 12  # elements around a formula that are searched for such neighbours
AROUND_RULE = 20  # elements on either side of a rule, some of which must be kept

_TWIN = re.compile(r"(?:^|\s)(?:katex-html|mwe-math-fallback-image\S*|MathJax_Preview)(?:$|\s)")
_MATHJAX = frozenset({"MathJax", "MathJax_Display", "mjx-chtml"})
_OF_FORMULAS = frozenset({"span", "mjx-assistive-mml", "mjx-container"})  # elements around a formula and its twins
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.IGNORECASE)
_EMPTY = re.compile(r"<(\w++)[^<>]*+>\s*+</\1>")
_whole_text = etree.XPath("string()", smart_strings=False)
_seen = "not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template or ancestor::button"
_seen_texts = etree.XPath(f".//text()[{_seen})]")
_seen_words = etree.XPath(f".//text()[{_seen} or ancestor::math)]")

IsKept = Callable[[etree._Element], bool]


def kept_style(style: str) -> str | None:
    """Return the part of a style that keeps white space."""
    space = WHITE_SPACE.search(style)
    return f"white-space: {space[1].lower()}" if space else None


class Rewriter:
    """Writer of the elements of a page that the native writer leaves to Python.

    :param base: base of the addresses of images.
    :param is_kept: whether text in an element is kept.
    :param address: returns the address of a link as written.
    :param name_of: returns the name of an element that links lead to.
    """

    def __init__(
        self, base: str, is_kept: IsKept, address: Address, name_of: Callable[[etree._Element], str | None]
    ) -> None:
        self._base, self._is_kept, self.address, self._name_of = base, is_kept, address, name_of
        self._held: set[etree._Element] = set()  # lxml looks through all ancestors of an element for one in use
        self._sources: dict[etree._Element, Sequence[etree._Element]] = {}  # source elements of each picture

    def rewritten(self, element: etree._Element) -> str | None:
        """Return the HTML that replaces a formula or code, "" to drop the element; ``None`` to keep the element."""
        if element.tag == "math":
            return formula(element)
        self._held.update(islice(element.iterancestors(), AROUND_CODE + 1))
        code = code_of(element, self._is_kept, self.address)
        if code is None or not code.text.strip():
            return None if code is None else ""
        language, place = code_language(element), self._name_of(element)
        pre = "<pre>" if place is None else f'<pre id="{escape(place)}">'
        if not language and next(element.iter("code"), None) is None:
            return f"{pre}{code.html}</pre>"
        first = "\n" if code.html.startswith("\n") else ""  # a first line break before <code> is no part of the code
        name = f' class="language-{escape(language)}"' if language else ""
        return f"{pre}{first}<code{name}>{code.html.removeprefix(first)}</code></pre>"

    def shown(self, element: etree._Element, is_amid_text: bool) -> str:
        """Return the HTML of a cell, a box or an element with images that holds no kept text.

        Images have the caption of their figure. An element amid text has a parent with kept text of its own.
        """
        tag = element.tag
        if tag in ("td", "th"):
            return self._cell(element)
        if tag in ("input", "label"):
            sign = box_at(element)
            return sign and f'<input type="checkbox" disabled{" checked" if "x" in sign else ""}>'
        images = [image for image in element.iter("img") if not _TWIN.search(image.get("class") or "") or is_amid_text]
        if tag == "noscript":
            images = list(filter(_is_picture, images))
        if all(map(is_icon_of_link, images)):
            return ""
        figure = next(element.iter("figure"), None)
        text = seen_words(element)  # hidden, since not kept
        if text and (figure is None or text != seen_words(figure)):
            return ""
        seen = [image for image in images if next(image.iterancestors("noscript"), None) is None]
        if figure is None and len(seen) > 1 and tag in ("div", "a"):
            return ""  # buttons to share the page
        html = self._images(seen or images)
        if figure is None:
            outer = tag if tag == "li" else "p"
            return f"<{outer}>{html}</{outer}>\n" if html and tag in BLOCK_LEVEL else html
        caption = next(figure.iter("figcaption"), None)
        lines = "" if caption is None else self._lines_of(caption)
        caption_html = f"<figcaption>{lines}</figcaption>" if lines else ""
        return f"<figure>{html}{caption_html}</figure>\n" if html else ""

    def _lines_of(self, element: etree._Element) -> str:
        """Return the visible lines of an element without kept text, with links and emphasis."""
        seen = {(text.getparent(), bool(text.is_tail)) for text in _seen_texts(element)}
        parts, ends = [list[str]()], list[str]()
        walker = etree.iterwalk(element, events=("start", "end"))
        for event, inner in walker:
            is_line = inner is not element and (inner.tag == "br" or inner.tag in BLOCK_LEVEL)
            if event == "start":
                begin, end, is_shown = self._formatting(inner)
                if not is_shown:
                    walker.skip_subtree()
                ends.append(end)
                parts[-1].append(begin)
                text = inner.text if is_shown and (inner, False) in seen else None
            else:
                parts[-1].append(ends.pop())
                text = inner.tail if inner is not element and (inner, True) in seen else None
            if is_line:
                parts.append([])
            parts[-1].append(escape(text or "", quote=False))
        return "<br>".join(filter(None, (_EMPTY.sub("", collapse("".join(part))).strip() for part in parts)))

    def _formatting(self, element: etree._Element) -> tuple[str, str, bool]:
        """Return the start tag and end tag of an inline element, and whether the element is shown."""
        if element.tag == "a" and is_permalink(element):
            return "", "", False
        link = self.address(element.get("href") or "") if element.tag == "a" else None
        begin = f'<a href="{escape(link)}">' if link else f"<{element.tag!s}>" if element.tag in EMPHASIS else ""
        return begin, f"</{element.tag!s}>" if begin else "", not is_hidden(element)

    def _cell(self, cell: etree._Element) -> str:
        """Return a cell without words, with its signs and images."""
        signs = cell_signs(cell)
        if signs is None:
            return ""
        span = "".join(f' {name}="{escape(cell.get(name) or "")}"' for name in ("colspan", "rowspan") if cell.get(name))
        images = self._images(image for image in cell.iter("img") if not _TWIN.search(image.get("class") or ""))
        return f"<{cell.tag!s}{span}>{escape(signs, quote=False)}{images}</{cell.tag!s}>\n"

    def _images(self, images: Iterable[etree._Element]) -> str:
        """Return images, within their links. Links that hold kept text are written elsewhere."""
        parts = []
        for link, linked in groupby(images, lambda image: next(image.iterancestors("a"), None)):
            html = "".join(map(self.image, linked))
            href = None if link is None or self._is_kept(link) else link.get("href")
            address = self.address(href) if href else None
            parts.append(f'<a href="{escape(address)}">{html}</a>' if html and address else html)
        return "".join(parts)

    def image(self, image: etree._Element) -> str:
        """Return an image with its address, also from scripts."""
        if not POINT.isdisjoint((image.get("width"), image.get("height"))):
            return ""
        base = self._base
        sources = (safe_address(address, base, is_image=True) for address in self._candidates(image) if address.strip())
        if (source := next(filter(None, sources), None)) is None:
            return ""
        sizes = next(filter(None, map(image.get, (*LAZY_SETS, "srcset"))), None)
        sizes = sizes and safe_srcset(sizes, base)
        written = {"src": source, "srcset": sizes, "alt": image.get("alt"), "title": image.get("title")}
        values = ((name, collapse(UNWANTED.sub("", value))) for name, value in written.items() if value is not None)
        return f"<img {' '.join(f'{name}={chr(34)}{escape(value)}{chr(34)}' for name, value in values)}>"

    def _sources_beside(self, image: etree._Element) -> Sequence[etree._Element]:
        """Return the first sources of the picture around an image."""
        picture = next(image.iterancestors("picture"), None)
        if picture is None:
            return ()
        if picture not in self._sources:
            self._sources[picture] = tuple(islice(picture.iter("source"), MAX_SOURCES))
        return self._sources[picture]

    def _candidates(self, image: etree._Element) -> Iterator[str]:
        """Yield possible addresses of an image, the best first and placeholders last."""
        source, twin = image.get("src") or "", _twin_of(image)
        is_lazy = "lazy" in (image.get("class") or "").lower()
        twins = [] if twin is None else [inner.get("src") or "" for inner in twin.iter("img")]
        yield from (value for name in LAZY if "." in (value := image.get(name) or "") or "/" in value)
        yield from twins if is_lazy else []
        sets = (image, *self._sources_beside(image))
        yield from _firsts(sets, LAZY_SETS)
        if source and not IMAGE_DATA.match(source.strip()):
            yield source
        others = (str(value) for value in image.attrib.values() if _IMAGE_FILE.search(value) and " " not in value)
        yield from (*_firsts(sets, ("srcset",)), *twins, *others, source)


def _firsts(elements: Iterable[etree._Element], names: Iterable[str]) -> Iterator[str]:
    lists = (safe_srcset(element.get(name) or "") for element in elements for name in names)
    yield from (images.split()[0] for images in lists if images)


def _twin_of(image: etree._Element) -> etree._Element | None:
    """Return the ``noscript`` beside an image that shows the image without scripts."""
    before, behind = image.getprevious(), image.getnext()
    if behind is not None and behind.tag == "noscript":
        return behind
    if before is None or before.tag != "noscript":
        return None
    other = before.getprevious()
    return None if other is not None and other.tag == "img" else before


def _is_picture(image: etree._Element) -> bool:
    """Return True if an image of a ``noscript`` is visible, unlike counters of visitors."""
    is_out_of_sight = HIDDEN_STYLE.search(image.get("style") or "") is not None
    return not is_out_of_sight and _IMAGE_FILE.search(image.get("src") or "") is not None


def is_icon_of_link(image: etree._Element) -> bool:
    return bool(re.fullmatch(r"\d{1,4}", width := image.get("width") or "")) and int(width) <= ICON


# Items of task lists

IN_ITEM = 4  # elements at most from an item to its box
AROUND_BOX = frozenset({"label", "p", "div"})


def box_of(item: etree._Element) -> tuple[etree._Element | None, str]:
    """Return the leading box of an item that is a task, and the sign of its state.

    Choices of a form are no tasks: boxes of tasks are disabled, or a class name says ``task``.
    """
    box = item
    for _ in range(IN_ITEM):
        first = next(box.iterchildren(), None)  # lxml counts all children for their number
        if first is None or (box.text and not box.text.isspace()):
            return None, ""
        box = first
        if box.tag not in AROUND_BOX:
            break
    if box.tag != "input" or (box.get("type") or "").lower() != "checkbox":
        return None, ""
    parent = item.getparent()
    names = f"{item.get('class')} {None if parent is None else parent.get('class')}"
    if box.get("disabled") is None and "task" not in names:
        return None, ""
    return box, "[ ] " if box.get("checked") is None else "[x] "


def box_at(element: etree._Element) -> str:
    """Return the sign of the task's box that an element is or has as a child."""
    item = next((outer for outer in islice(element.iterancestors(), IN_ITEM) if outer.tag == "li"), None)
    box, sign = (None, "") if item is None else box_of(item)
    return sign if box is not None and (box is element or box.getparent() is element) else ""


def cell_signs(cell: etree._Element) -> str | None:
    text = _whole_text(cell)
    return None if any(map(str.isalnum, text)) else collapse(text)


def seen_words(element: etree._Element) -> str:
    """Return the visible text of an element without blocks, permalinks and formulas left out."""
    parts = _seen_words(element)
    unread = {each for link in element.iter("a") if is_permalink(link) for each in link.iter()}
    return collapse("".join(str(part) for part in parts if part.is_tail or part.getparent() not in unread))


# Repeated formulas


def twins_of_formulas(root: etree._Element, is_kept: IsKept) -> frozenset[etree._Element]:
    """Return the elements that repeat a formula beside kept MathML or TeX."""
    twins: set[etree._Element] = set()
    # To free an element, lxml climbs to the next one in memory: up to the root of a deep tree.
    held: set[etree._Element] = set()
    done: set[tuple[etree._Element, bool]] = set()
    for math in filter(is_kept, root.iter("math")):
        is_script = is_of_mathjax(math)
        levels = list(islice(math.iterancestors(), LEVELS_OF_FORMULA))
        held.update(levels)
        outer = [each for each in levels if each.tag in _OF_FORMULAS]
        for around in (math, *outer[:AROUND_FORMULA]):
            if (around, is_script) not in done:
                done.add((around, is_script))
                twins.update(_twins_beside(around, is_script=is_script))
    return frozenset(twins)


def _twins_beside(around: etree._Element, *, is_script: bool) -> list[etree._Element]:
    sides = (around.itersiblings(preceding=is_before) for is_before in (False, True))
    beside = [near for side in sides for near in islice(side, NEAR_FORMULA)]
    if around.tag == "mjx-assistive-mml" or "MJX_Assistive_MathML" in (around.get("class") or ""):
        return beside
    return [element for element in beside if _is_twin(element, is_script=is_script)]


def _is_twin(element: etree._Element, *, is_script: bool) -> bool:
    names = element.get("class") or "" if isinstance(element.tag, str) else ""
    return bool(_TWIN.search(names)) or (is_script and not _MATHJAX.isdisjoint(names.split()))
