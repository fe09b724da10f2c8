"""What is written anew of a page whose HTML has to stand alone: attributes, their addresses, code, images, tasks."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from html import escape
from itertools import groupby, islice
from urllib.parse import urljoin

from lxml import etree

from scrapy_stemmer.core.code import code_language, code_of, is_hidden
from scrapy_stemmer.core.elements import BLOCK_LEVEL, HIDDEN_STYLE, WHITE_SPACE, having, is_permalink
from scrapy_stemmer.core.formulas import formula, is_of_mathjax
from scrapy_stemmer.core.text import UNWANTED, collapse

REWRITTEN = frozenset({"pre", "table", "img", "picture", "math"})
"""Elements that are written anew, where they are what their names say."""

SHOWN = frozenset("figure p div a span li center picture img noscript td th hr input label".split())
"""Elements that are written without kept text: images, formulas and rules beside kept paragraphs, cells of kept rows,
boxes of tasks, and places that links lead to."""

CHECKED = frozenset({"href", "cite", "style", "id", "name"})  # attributes whose values are checked, and become others

EMPHASIS = frozenset("b strong i em code kbd sub sup cite q small".split())
"""Elements within lines that say how their text is meant."""

LAZY = (
    "data-src", "data-original", "data-lazy-src", "data-lazy", "data-orig-file", "data-full-url", "data-hi-res-src",
    "data-large-file", "data-url", "data-image",
)  # fmt: skip
"""Attributes that hold the address of an image until a script loads it, the best first."""

LAZY_SETS = ("data-srcset", "data-lazy-srcset")
POINT = frozenset({"0", "1", "0px", "1px"})  # width or height of images that count visitors or part what is beside them
ICON = 20  # pixels in width of images that tell what a link does, at most
CAPTIONED = 3  # elements at most that an image and its caption stand among
NEAR_FORMULA = 3  # elements on either side of a formula that may show it a second time
AROUND_RULE = 20  # elements on either side of a rule, of which some must be kept

_TWIN = re.compile(r"(?:^|\s)(?:katex-html|mwe-math-fallback-image\S*|MathJax_Preview)(?:$|\s)")
_MATHJAX = frozenset({"MathJax", "MathJax_Display", "mjx-chtml"})
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif|svg)(?:$|[?#])", re.IGNORECASE)
_whole_text = etree.XPath("string()", smart_strings=False)
_seen = "not(ancestor::script or ancestor::style or ancestor::noscript or ancestor::template or ancestor::button"
_seen_texts = etree.XPath(f".//text()[{_seen})]")
_seen_words = etree.XPath(f".//text()[{_seen} or ancestor::math)]")

# Addresses

SCHEMES = frozenset("http https ftp mailto tel sms geo irc ircs magnet news nntp urn webcal xmpp".split())
"""Schemes that links may have: those that browsers let sites handle, and the web's own."""

IMAGE_DATA = re.compile(r"data:image/[a-z0-9.+-]+[;,]", re.IGNORECASE)  # how an image that stands in its address begins

_WEB = re.compile(r"https?://[^/?#]+")
_USUAL = re.compile(
    r"(?:(?P<web>https?://[a-z0-9.-]+)?/(?!/)|#(?=.)|[\w-][\w.-]*(?=[/?#]|$))[\w/.,;:?&=%+~#@!$*'()-]*", re.ASCII
)
_ABOVE = re.compile(r"((?:\.\./)+)([\w-][\w.-]*(?:/[\w-][\w.-]*)*/?(?:\?[\w=&%+-]+)?(?:#[\w%+.:-]+)?)", re.ASCII)
_NAME = r"[\w~%+=-][\w.~%@+=-]*+"
_PLAIN = re.compile(rf"https?://[a-z0-9.-]+/(?:{_NAME}/)*+(?:{_NAME})?", re.ASCII)
_BLANKS = "".join(map(chr, range(0x21)))
_BREAKS = re.compile("[\t\n\r]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_EMPTY = re.compile(r"<(\w++)[^<>]*+>\s*+</\1>")
_BETWEEN = re.compile(r",\s+|(?<=\d[wx]),")


def safe_address(address: str, base: str = "", *, is_image: bool = False) -> str | None:
    """An address, absolute, as browsers read it; ``None`` for one with a scheme that might run code or is unknown.

    :param base: what it is relative to; "" leaves it as it is.
    :param is_image: whether an image may stand in it.
    """
    address = _BREAKS.sub("", UNWANTED.sub("", address).strip(_BLANKS))
    if _PLAIN.fullmatch(address) or (is_image and IMAGE_DATA.match(address)):
        return address
    try:
        address = urljoin(base, address) if base else address
    except ValueError:
        return None
    scheme = _SCHEME.match(address)
    return address if scheme is None or scheme[1].lower() in SCHEMES else None


MAX_SIZES = 100  # sizes of an image that are kept


def safe_srcset(value: str, base: str = "") -> str | None:
    """A list of images for several sizes, the first :data:`MAX_SIZES`; ``None`` where none of them is left."""
    images = []
    for candidate in _BETWEEN.split(value, MAX_SIZES)[:MAX_SIZES]:
        address, *size = candidate.split() or [""]
        if address and (safe := safe_address(address, base)):
            images.append(" ".join((safe, *size)))
    return ", ".join(images) or None


LONGEST_BASE = 4_000
"""Characters of what addresses are relative to: each of the page gets them, so that 100 kB would become 125 MB."""


def base_of(root: etree._Element | None, url: str) -> str:
    """What the addresses in a page's tree are relative to: its URL, unless a ``base`` element says otherwise; "" where
    that is too long.

    :param root: ``None`` for a tree that has no such element.
    """
    bases = () if root is None else root.iter("base")
    stated = next((href for element in bases if (href := element.get("href"))), None)
    base = url if stated is None else safe_address(stated, url or stated) or url
    return base if len(base) <= LONGEST_BASE else ""


class Addresses:
    """The addresses in a page's tree; they stay as they are where that of the page is not known, but ""."""

    def __init__(self, root: etree._Element | None, url: str) -> None:
        # One that can't be taken apart, such as "http://[::1", leads nowhere.
        is_plain = _PLAIN.fullmatch(url) is not None
        self.url = url if is_plain else (safe_address(url, url) or "").partition("#")[0]
        self.base = base_of(root, self.url)
        is_web = _WEB.match(self.base)
        self.origin = is_web[0] if is_web else None
        if is_plain and self.base is url:
            self.folder = url[: url.rindex("/") + 1]
        else:
            self.folder = urljoin(self.base, ".") if is_web else ""
        self._known: dict[str, str | None] = {}

    def absolute(self, address: str) -> str | None:
        """The address of a link, absolute; ``None`` for an unsafe one."""
        if address not in self._known:
            self._known[address] = self._absolute(address)
        return self._known[address]

    def _absolute(self, address: str) -> str | None:
        # Most can be told as they stand: to take one apart takes ten times as long.
        if self.origin is not None and (above := _ABOVE.fullmatch(address)):
            return self.folder_above(above[1]) + above[2]
        usual = _USUAL.fullmatch(address) if self.origin is not None and "/." not in address else None
        if usual is None:
            return safe_address(address, self.base)
        if address[0] == "#":
            return self.base.partition("#")[0] + address
        return address if usual["web"] else f"{self.origin if address[0] == '/' else self.folder}{address}"

    def folder_above(self, steps: str) -> str:
        """The folder that steps upwards lead to."""
        folder = self._known.get(steps)
        if folder is None:
            folder = self._known[steps] = urljoin(self.base, steps)
        return folder

    def fragment(self, address: str) -> str | None:
        """The name of the place in the page itself that an absolute address leads to; ``None`` for one elsewhere."""
        page, _, fragment = address.partition("#")
        return fragment if fragment and page == self.url else None


# Attributes and elements

IsKept = Callable[[etree._Element], bool]


class Rewriter:
    """How elements and attributes of a page are written.

    :param root: its tree, which must not be changed as long as this is used.
    :param is_kept: whether text in an element is kept.
    :param has_bases: whether there may be a ``base`` element in the tree.
    """

    def __init__(self, root: etree._Element, url: str, is_kept: IsKept, *, has_bases: bool = True) -> None:
        self._root, self._is_kept = root, is_kept
        self.addresses = Addresses(root if has_bases else None, url)
        self._has_text: dict[etree._Element, bool] = {}  # for elements with images, whether paragraphs there are kept

    # Attributes

    def attribute(self, name: str, value: str) -> str | None:
        """The value of one of :data:`CHECKED` as it is written; ``None`` where it is not."""
        if name in ("id", "name"):
            return value if value in self._wanted else None
        if name == "style":
            space = WHITE_SPACE.search(value)
            return f"white-space: {space[1].lower()}" if space else None
        return self.address(value)

    def address(self, value: str) -> str | None:
        """The address of a link: absolute, but to a place that is kept of the page itself."""
        absolute = self.addresses.absolute(value)
        fragment = None if absolute is None else self.addresses.fragment(absolute)
        if fragment is not None:
            place = self._places.get(fragment)
            is_written = place is not None and (self._is_kept(place) or self._is_anchor(place))
            if place is not None and is_written and next(place.iterancestors("pre"), None) is None:
                return f"#{fragment}"
        return absolute

    def _is_anchor(self, element: etree._Element) -> bool:
        """Whether an element is nothing but a place that links lead to, beside kept text."""
        is_empty = element.tag in ("a", "span") and len(element) == 0 and not (element.text or "").strip()
        parent = element.getparent() if is_empty else None
        return parent is not None and self._is_kept(parent) and self._name_of(element) is not None

    def _name_of(self, element: etree._Element) -> str | None:
        """The name by which links lead to an element."""
        names = (element.get("id"), element.get("name"))
        return next((name for name in names if name and name in self._wanted), None)

    @cached_property
    def _wanted(self) -> frozenset[str]:
        """The names of places that links of the page lead to."""
        names = set()
        for link in having(self._root, "href", "#", "a"):
            href = link.get("href", "")
            # Only what ends as the page's address does can lead to it.
            page = href.partition("#")[0].rpartition("/")[2]
            if self.addresses.url.endswith(page):
                names.add(self.addresses.fragment(self.addresses.absolute(href) or ""))
        return frozenset(filter(None, names))

    @cached_property
    def _places(self) -> dict[str, etree._Element]:
        """The elements that links may lead to, by their names."""
        named = {link.get("name", ""): link for link in reversed(having(self._root, "name", tag="a"))}
        identified = {element.get("id", ""): element for element in reversed(having(self._root, "id"))}
        return named | identified  # as browsers look for them

    # Elements

    def rewritten(self, element: etree._Element) -> str | None:
        """The HTML in place of one of :data:`REWRITTEN`, "" where it goes; ``None`` where it is written as it is."""
        if element.tag == "img":
            return self.image(element)
        if element.tag == "picture":
            return "".join(map(self.image, element.iter("img")))
        if element.tag == "math":
            return formula(element)
        code = code_of(element, self._is_kept, self.address)
        if code is None or not code.text.strip():
            return None if code is None else ""
        language, place = code_language(element), self._name_of(element)
        pre = "<pre>" if place is None else f'<pre id="{escape(place)}">'
        if not language and next(element.iter("code"), None) is None:
            return f"{pre}{code.html}</pre>"
        first = "\n" if code.html.startswith("\n") else ""  # which is none of the code, if it stands before that
        name = f' class="language-{escape(language)}"' if language else ""
        return f"{pre}{first}<code{name}>{code.html.removeprefix(first)}</code></pre>"

    def shown(self, element: etree._Element, is_amid_text: bool) -> str:
        """The HTML of one of :data:`SHOWN`, or of what is in a figure, that holds no kept text: its images, with the
        caption of a figure. It stands amid text if the element around it has a kept text of its own."""
        tag, parent = element.tag, element.getparent()
        if not isinstance(tag, str) or parent is None:
            return ""
        if tag in ("td", "th"):
            return self._cell(element)
        if tag in ("input", "label"):
            sign = box_at(element)
            return sign and f'<input type="checkbox" disabled{" checked" if "x" in sign else ""}>'
        if tag == "hr":
            around = (islice(element.itersiblings(preceding=is_before), AROUND_RULE) for is_before in (True, False))
            return "<hr>\n" if all(any(map(self._is_kept, side)) for side in around) else ""
        if tag == "span" and not len(element) and not element.attrib:
            return ""
        if self._is_anchor(element):
            return f'<{tag} id="{escape(self._name_of(element) or "")}"></{tag}>'
        return self._shown_images(element, parent, is_amid_text)

    def _shown_images(self, element: etree._Element, parent: etree._Element, is_amid_text: bool) -> str:
        """The images of an element, where these are told of by what is around them."""
        tag = element.tag
        images = [image for image in element.iter("img") if not _TWIN.search(image.get("class") or "") or is_amid_text]
        if tag == "noscript":
            images = [] if _has_image_beside(element) else list(filter(_is_picture, images))
        if all(map(is_icon_of_link, images)):
            return ""
        if not is_amid_text and (tag in ("span", "noscript") or not self._is_beside_text(element, parent)):
            return ""
        figure = next(element.iter("figure"), None)
        text = seen_text(element, with_formulas=False)  # which is hidden, or it were kept
        if text and (figure is None or text != seen_text(figure, with_formulas=False)):
            return ""
        seen = [image for image in images if next(image.iterancestors("noscript"), None) is None]
        if figure is None and len(seen) > 1 and tag in ("div", "a"):
            return ""  # such as buttons to share the page
        html = self._images(seen or images)
        if figure is None:
            outer = tag if tag == "li" else "p"
            return f"<{outer}>{html}</{outer}>\n" if html and tag in BLOCK_LEVEL else html
        caption = next(figure.iter("figcaption"), None)
        lines = "" if caption is None else self._lines_of(caption)
        caption_html = f"<figcaption>{lines}</figcaption>" if lines else ""
        return f"<figure>{html}{caption_html}</figure>\n" if html else ""

    def _lines_of(self, element: etree._Element) -> str:
        """What a reader sees of an element that holds no kept text: its lines, with their links and emphasis."""
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
        """How an element within lines begins and ends as HTML, and whether it is shown."""
        if element.tag == "a" and is_permalink(element):
            return "", "", False
        link = self.address(element.get("href") or "") if element.tag == "a" else None
        begin = f'<a href="{escape(link)}">' if link else f"<{element.tag!s}>" if element.tag in EMPHASIS else ""
        return begin, f"</{element.tag!s}>" if begin else "", not is_hidden(element)

    def _is_beside_text(self, element: etree._Element, parent: etree._Element) -> bool:
        """Whether an element is in a figure, or beside text that is kept."""
        if parent not in self._has_text:
            self._has_text[parent] = any(map(self._is_kept, parent.iterchildren("p", "li")))
        if parent.tag == "figure" or self._has_text[parent]:
            return True
        among = len(list(islice(parent.iterchildren("*"), CAPTIONED + 1)))  # lxml counts all
        behind = next(element.itersiblings("*"), None)
        return among <= CAPTIONED and behind is not None and self._is_kept(behind)

    def _cell(self, cell: etree._Element) -> str:
        """A cell that holds no words, but signs, images or nothing; "" for one whose words are not kept."""
        signs = cell_signs(cell)
        if signs is None:
            return ""
        span = "".join(f' {name}="{escape(cell.get(name) or "")}"' for name in ("colspan", "rowspan") if cell.get(name))
        images = self._images(image for image in cell.iter("img") if not _TWIN.search(image.get("class") or ""))
        return f"<{cell.tag!s}{span}>{escape(signs, quote=False)}{images}</{cell.tag!s}>\n"

    def _images(self, images: Iterable[etree._Element]) -> str:
        """Images, in the links around them that hold no kept text: those that do are written for that."""
        parts = []
        for link, linked in groupby(images, lambda image: next(image.iterancestors("a"), None)):
            html = "".join(map(self.image, linked))
            href = None if link is None or self._is_kept(link) else link.get("href")
            address = self.address(href) if href else None
            parts.append(f'<a href="{escape(address)}">{html}</a>' if html and address else html)
        return "".join(parts)

    def image(self, image: etree._Element) -> str:
        """An image with its address, wherever a script would find that; "" without any, and for one that is a point."""
        if not POINT.isdisjoint((image.get("width"), image.get("height"))):
            return ""
        base = self.addresses.base
        sources = (safe_address(address, base, is_image=True) for address in self._candidates(image) if address.strip())
        if (source := next(filter(None, sources), None)) is None:
            return ""
        sizes = next(filter(None, map(image.get, (*LAZY_SETS, "srcset"))), None)
        sizes = sizes and safe_srcset(sizes, base)
        written = {"src": source, "srcset": sizes, "alt": image.get("alt"), "title": image.get("title")}
        values = ((name, collapse(UNWANTED.sub("", value))) for name, value in written.items() if value is not None)
        return f"<img {' '.join(f'{name}={chr(34)}{escape(value)}{chr(34)}' for name, value in values)}>"

    def _candidates(self, image: etree._Element) -> Iterator[str]:
        """Where the address of an image may stand, the best first; what stands in for it until it is loaded last."""
        source, twin = image.get("src") or "", _twin_of(image)
        is_lazy = "lazy" in (image.get("class") or "").lower()
        twins = [] if twin is None else [inner.get("src") or "" for inner in twin.iter("img")]
        yield from (value for name in LAZY if "." in (value := image.get(name) or "") or "/" in value)
        yield from twins if is_lazy else []
        picture = next(image.iterancestors("picture"), None)
        sets = [image] if picture is None else [image, *picture.iter("source")]
        yield from _firsts(sets, LAZY_SETS)
        if source and not IMAGE_DATA.match(source.strip()):
            yield source
        others = (str(value) for value in image.attrib.values() if _IMAGE_FILE.search(value) and " " not in value)
        yield from (*_firsts(sets, ("srcset",)), *twins, *others, source)


def _firsts(elements: Iterable[etree._Element], names: Iterable[str]) -> Iterator[str]:
    """The first image of each list of images that is in an attribute."""
    lists = (safe_srcset(element.get(name) or "") for element in elements for name in names)
    yield from (images.split()[0] for images in lists if images)


def _twin_of(image: etree._Element) -> etree._Element | None:
    """The ``noscript`` that shows an image where no script loads it: behind it, or before it and behind no other."""
    before, behind = image.getprevious(), image.getnext()
    if behind is not None and behind.tag == "noscript":
        return behind
    if before is None or before.tag != "noscript":
        return None
    other = before.getprevious()
    return None if other is not None and other.tag == "img" else before


def _has_image_beside(twin: etree._Element) -> bool:
    """Whether an image stands beside a ``noscript``, which then shows the same, or counts visitors."""
    sides = (side for side in (twin.getprevious(), twin.getnext()) if side is not None and side.tag != "noscript")
    return any(next(side.iter("img"), None) is not None for side in sides)


def _is_picture(image: etree._Element) -> bool:
    """Whether an image of a ``noscript`` is one to be seen; others count visitors."""
    is_out_of_sight = HIDDEN_STYLE.search(image.get("style") or "") is not None
    return not is_out_of_sight and _IMAGE_FILE.search(image.get("src") or "") is not None


def is_icon_of_link(image: etree._Element) -> bool:
    return bool(re.fullmatch(r"\d{1,4}", width := image.get("width") or "")) and int(width) <= ICON


# Items of task lists

IN_ITEM = 4  # elements at most from an item to its box
AROUND_BOX = frozenset({"label", "p", "div"})


def box_of(item: etree._Element) -> tuple[etree._Element | None, str]:
    """The box that an item begins with if it is a task, and its sign, which says whether it is done.

    A choice of a form is none: tasks can't be changed, or their list is called so.
    """
    box = item
    for _ in range(IN_ITEM):
        if not len(box) or (box.text and not box.text.isspace()):
            return None, ""
        box = box[0]
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
    """The sign of the box of a task that an element is, or has as a child; "" for none."""
    item = next((outer for outer in islice(element.iterancestors(), IN_ITEM) if outer.tag == "li"), None)
    box, sign = (None, "") if item is None else box_of(item)
    return sign if box in (element, *element) else ""


def cell_signs(cell: etree._Element) -> str | None:
    """What a cell has in place of words; ``None`` for one that has words."""
    text = _whole_text(cell)
    return None if any(map(str.isalnum, text)) else collapse(text)


def seen_text(element: etree._Element, *, with_formulas: bool = True) -> str:
    """What a reader sees of an element without blocks in it, and without permalinks."""
    parts = _seen_texts(element) if with_formulas else _seen_words(element)
    unread = {each for link in element.iter("a") if is_permalink(link) for each in link.iter()}
    return collapse("".join(str(part) for part in parts if part.is_tail or part.getparent() not in unread))


# What shows a formula a second time


def twins_of_formulas(root: etree._Element, is_kept: IsKept) -> frozenset[etree._Element]:
    """The elements that show a formula a second time, beside its MathML or TeX, where that is kept."""
    twins: set[etree._Element] = set()
    for math in filter(is_kept, root.iter("math")):
        for around in (math, *list(math.iterancestors("span", "mjx-assistive-mml", "mjx-container"))[:3]):
            sides = (around.itersiblings(preceding=is_before) for is_before in (False, True))
            beside = [near for side in sides for near in islice(side, NEAR_FORMULA)]
            if around.tag == "mjx-assistive-mml" or "MJX_Assistive_MathML" in (around.get("class") or ""):
                twins.update(beside)
            twins.update(element for element in beside if _is_twin(element, is_script=is_of_mathjax(math)))
    return frozenset(twins)


def _is_twin(element: etree._Element, *, is_script: bool) -> bool:
    names = element.get("class") or "" if isinstance(element.tag, str) else ""
    return bool(_TWIN.search(names)) or (is_script and not _MATHJAX.isdisjoint(names.split()))
