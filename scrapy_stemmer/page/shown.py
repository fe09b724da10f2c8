"""Tree of a page as shown by browsers, with text of ``noscript`` or of scripts for pages with next to no text.

Folded content is put in place, and buttons that are labels become text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum
from html import unescape
from itertools import chain, islice
from pathlib import Path

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.scripts import html_in, is_of_mathjax, show_formula
from scrapy_stemmer.page.styled import is_styled, show_styled
from scrapy_stemmer.page.text import writable

SHELL_CHARS = 600  # fewest characters, white space left out, of a body with text of its own; a shell has fewer

MIN_FALLBACK_RATIO = 3  # least factor of fallback text over the page's text; on 10 of 1,677 real pages it is 20 or more

MIN_FALLBACK_CHARS = 200
"""Fewest characters of a ``noscript`` or a button with text of the page: requests to enable JavaScript have fewer."""

UNMEASURED = frozenset("script style template iframe select textarea svg".split())
"""Elements without text, or with unmeasured text."""

OPENED = frozenset({"noscript", "button"})  # elements read on a page with next to no text

MAX_SEGMENTS = 2_000  # segments placed on a page: all may nest
MAX_STYLED = 1_000  # shown quotations, lines by a style, notes and posts
MAX_MOVED = 100_000  # elements moved into slots; elements in further slots stay behind the shadow root

_PLACE = re.compile(r"([^:\s]*)[BP]:([0-9a-f]+)")
_segments = etree.XPath('.//*[contains(@id, "S:")]')


class Source(StrEnum):
    """Place of the text of a page."""

    PAGE = "page"
    NOSCRIPT = "noscript"
    SCRIPT = "script"


Metadata = list[tuple[str, tuple[str, ...], str]]
"""Metadata of a page: the name of an element, its further names, and its text.

Elements are ``title``, ``meta``, ``script`` of JSON-LD, canonical ``link``; ``math`` (for scripts of formulas too),
``ruby``, and ``input`` (for boxes of tasks). Further names of a ``meta`` element are the values of :data:`NAMED_BY` and
the name of the parent.
"""

NAMED_BY = ("property", "name", "itemprop", "http-equiv")  # attributes that name the content of a ``meta`` element

HEADLINE = "headline"  # of JSON-LD
TITLES = ("og:title", HEADLINE, "twitter:title", "title")  # names of titles, the most trustworthy first
# ``meta`` names of articles alone
ARTICLE_TIMES = frozenset({"article:published_time", "article:modified_time", "og:article:published_time"})
_OF_HEAD = ARTICLE_TIMES.union(TITLES, ["og:type"])
NAMES = 3  # attributes that name a ``meta`` element; ``http-equiv``, the last, names no title
MAX_NAMED = 1_000  # characters read of a title in the head; a heading has twice as many
# Both are searched on every page, in broken JSON too. To parse it, as page.scripts.json_in does, takes twice as long.
_LD_HEADLINE = re.compile(r'"headline"\s*:\s*("(?:[^"\\]|\\.)*")')
_LD_ARTICLE = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"(\w*Article|BlogPosting|LiveBlogPosting|Report)"')
_LD_PRODUCT = re.compile(r'"@type"\s*+:\s*+(?:\[\s*+)?"(?:https?://schema\.org/)?(Product(?:Group)?)"')
_LD_PRICE = re.compile(r'"price"\s*+:\s*+"?\d')


@dataclass(frozen=True, slots=True)
class Head:
    """Titles and facts in the head of a page."""

    texts: Mapping[str, str] = field(default_factory=dict)  # by name, such as ``og:title``; ``title`` is the element
    is_article: bool = False  # by metadata
    has_formulas: bool = False  # True if formulas may follow,
    has_tasks: bool = False  # lists of tasks,
    has_readings: bool = False  # or readings of characters
    is_product: bool = False  # by metadata, with a price

    @property
    def title(self) -> str:
        return next((self.texts[name] for name in TITLES if self.texts.get(name)), "")


def head_of(metadata: Metadata) -> Head:
    texts: dict[str, str] = {}
    headlines: set[str] = set()
    is_article = has_price = False
    products: list[str] = []
    for tag, names, value in metadata:
        if tag == "title":
            texts.setdefault(tag, _named(value))
        elif tag == "meta":
            lower = (names[0] or next(filter(None, names[1:NAMES]), "")).lower()
            if lower not in _OF_HEAD:
                continue  # most
            if lower in TITLES:
                texts.setdefault(lower, _named(value))
            is_article |= lower in ARTICLE_TIMES or (lower == "og:type" and value.lower() == "article")
        elif tag == "script":
            is_article = is_article or _LD_ARTICLE.search(value) is not None
            headlines.update(_headlines(value))
            products += _LD_PRODUCT.findall(value)
            has_price = has_price or _LD_PRICE.search(value) is not None
    if len(headlines) == 1:  # several headlines are of a list
        texts[HEADLINE] = headlines.pop()
    tags = {tag for tag, _, _ in metadata}
    is_product = has_price and 1 in (products.count("Product"), products.count("ProductGroup"))  # several are of a list
    return Head(texts, is_article, "math" in tags, "input" in tags, "ruby" in tags, is_product)


def _named(text: str) -> str:
    """Return a title with collapsed white space, cut to :data:`MAX_NAMED` characters."""
    return " ".join(text[: 2 * MAX_NAMED].split())[:MAX_NAMED]


def _headlines(data: str) -> set[str]:
    found = set()
    for text in _LD_HEADLINE.findall(data):
        with suppress(ValueError):
            found.add(_named(unescape(writable(json.loads(text, strict=False)))))
    return found - {""}


@dataclass(frozen=True)
class ShownTree:
    """Tree to be read, with metadata.

    :param tree: the tree, without the spaces behind the elements in ``parted``.
    :param source: ``noscript`` or ``script`` for a page with next to no text elsewhere.
    :param is_refused: True for a page too complex to be parsed, with an empty tree.
    :param parted: elements of an unchangeable tree with space behind in browsers, but not in the tree.
    """

    tree: etree._Element
    metadata: Metadata
    source: Source = Source.PAGE
    is_refused: bool = False
    parted: Sequence[etree._Element] = ()

    @cached_property
    def head(self) -> Head:
        return head_of(self.metadata)

    @cached_property
    def root(self) -> etree._Element:
        """The tree with all spaces, a copy of a tree without them; most results need no spaces."""
        if not self.parted:
            return self.tree
        copied = deepcopy(self.tree)
        body = next(copied.iterchildren("body"), copied) if copied.tag == "html" else copied
        for element in list(filter(is_parted, look(copied, body, 0)[3])):
            element.tail = " "
        return copied


def shown(root: etree._Element, parse: Callable[[str], etree._Element], *, is_own: bool) -> ShownTree:
    """Return the tree as browsers show it, nearly always unchanged, as :func:`look` tells first.

    Quotations have their marks, and lines by a style are parted. Streamed segments of React and declarative shadow
    roots are put where browsers put them. On a page with next to no text, ``noscript`` and open buttons are read, or
    else the JSON of scripts. Read-only text areas of several lines, text areas that scripts show as code, and code of
    Doxygen become code. Scripts of MathJax become formulas.
    """
    body = next(root.iterchildren("body"), None) if root.tag == "html" else root
    has_enough, metadata, buttons, touching, may_be_styled, odd = look(root, body, SHELL_CHARS)
    if body is None or not isinstance(root.tag, str):
        return ShownTree(root, metadata)
    scripts = list(filter(is_of_mathjax, body.iter("script"))) if ("math", (), "") in metadata else []
    labels = [button for button, is_in_menu in buttons if labels_part(button, is_in_menu=is_in_menu)]
    parted = list(filter(is_parted, touching))
    styled = list(islice(filter(is_styled, may_be_styled), MAX_STYLED))
    code = list(filter(_is_code, odd))
    is_moved = any(_segment_of(each) or _is_shadow(each) for each in odd)
    if not (scripts or labels or styled or code or is_moved or (parted and is_own)) and has_enough:
        return ShownTree(root, metadata, parted=parted)
    if scripts or labels or styled or code or is_moved or parted:
        if not is_own:
            return shown(deepcopy(root), parse, is_own=True)
        _rename(scripts, code, labels, parted)
        show_styled(styled)
        if has_enough and not is_moved:
            return ShownTree(root, metadata)
        _place_segments(body)
        _fill_shadow_roots(body)
    return _with_fallback_text(root, body, parse, is_own=is_own)


def _rename(
    scripts: list[etree._Element],
    code: list[etree._Element],
    labels: list[etree._Element],
    parted: list[etree._Element],
) -> None:
    """Make formulas of scripts, ``pre`` of code, text of buttons that label a part, and a space behind styled parts."""
    for each in scripts:
        show_formula(each)
    for each in code:
        each.tag = "pre"
    for each in labels:
        around = islice(each.iterancestors(), MAX_BUTTON_LEVELS)
        each.tag = "span" if any(outer.tag in LABELLED for outer in around) else "div"
    for each in parted:
        each.tail = " "


def _with_fallback_text(
    root: etree._Element, body: etree._Element, parse: Callable[[str], etree._Element], *, is_own: bool
) -> ShownTree:
    """Return the tree with the text of ``noscript``, open buttons or scripts where the body has next to none."""
    if next(root.iter("script", *OPENED), None) is None:
        return ShownTree(root, metadata_in(root))
    outside, opened = _measured(body)
    if opened:
        return _with_opened(opened, root) if is_own else shown(deepcopy(root), parse, is_own=True)
    least = max(MIN_FALLBACK_CHARS, MIN_FALLBACK_RATIO * outside)
    html = None if outside >= MIN_FALLBACK_CHARS or body is root else html_in(root.iter("script"), least)
    if html is None:
        return ShownTree(root, metadata_in(root))
    return _with_text(root if is_own else deepcopy(root), parse(f"<body><article>{html}"))


Look = tuple[
    bool, Metadata, list[tuple[etree._Element, bool]], list[etree._Element], list[etree._Element], list[etree._Element]
]

look: Callable[..., Look] = native("shown.look")
"""Survey a tree: return True if the body has enough text, the tree's metadata, the body's buttons with True for those
in menus, the inline elements that another follows directly and that may be parted, the elements that may be
:func:`is_styled`, and those that browsers may replace or that may be code: ``look(root, body, few)``.

Of buttons in each other only the outermost counts: browsers nest none. Of the elements that may be parted
:func:`is_parted` decides.
"""


def metadata_in(root: etree._Element) -> Metadata:
    metadata: Metadata = look(root, None, 0)[1]
    return metadata


def _is_code(element: etree._Element) -> bool:
    """Return True for code of Doxygen or Crayon, and a text area with fixed lines or shown as code by a script."""
    if element.tag == "div":
        return any(element.find(f".//div[@class='{name}']") is not None for name in ("line", "crayon-line"))
    if element.tag != "textarea" or (element.get("readonly") is None and element.get("name") != "code"):
        return False
    # A text area of Crayon repeats the lines beside.
    return "\n" in (element.text or "").strip() and "crayon-plain" not in (element.get("class") or "")


# Labels of parts: a question before an answer, a part of an accordion, a tab

LABELLED = HEADINGS | {"dt", "th", "legend"}  # elements with a button alone, as the name of the content behind
OF_MENUS = ("nav", "header", "footer", "form", "select", "aside", "menu")  # elements with buttons for actions
MAX_BUTTON_LEVELS = 6  # elements around a button to search
MIN_OPENED = 20  # characters of the content of a button, at least
MAX_OPENED = 200  # pieces of text read of the content
MAX_LABEL = 1_000  # characters of a label, at most
MAX_LOOKED_AT = 200  # starts and ends of elements passed over for texts
_OPENING = re.compile(
    r"accordion|faq|question|collaps|expand|toggle|disclosure|panel|tab(?![a-z])|spoiler|details|fold", re.IGNORECASE
)
_ACTIONS = json.loads(Path(__file__).with_name("actions.json").read_bytes()).values()
_DOING = re.compile(rf"\W*(?:{'|'.join(chain(*_ACTIONS))})\b\W*(?:[^\W\d_]+\W*){{0,2}}", re.IGNORECASE)
"""Texts of buttons with an action: an expression for the action by language, and two more words at most."""


def labels_part(button: etree._Element, *, is_in_menu: bool) -> bool:
    """Return True if a button is a label, as a question of an answer, unlike a button to share a page.

    A button that sends a form or opens a menu is none, nor one of a menu that names no content.
    """
    if button.get("aria-haspopup") or button.get("type") in ("submit", "reset"):
        return False
    around = list(islice(button.iterancestors(), MAX_BUTTON_LEVELS))
    holder = next((each for each in around if each.tag in LABELLED), None)
    if is_in_menu and (holder is None or any(each.tag in OF_MENUS for each in around)):
        return False
    is_named = button.get("role") == "tab" or button.get("itemprop") == "name"
    if holder is None and not is_named and not _may_open(button, around):
        return False
    text = _start_of(button)
    if len(text) > MAX_LABEL or not any(map(str.isalpha, text)):
        return False
    if holder is not None:
        return _start_of(holder) == text
    return is_named or (_DOING.fullmatch(text) is None and _opens(button))


def _may_open(button: etree._Element, around: Sequence[etree._Element]) -> bool:
    names = " ".join(button.get(name, "") for name in ("class", "id", "data-toggle", "data-bs-toggle", "data-action"))
    around_names = " ".join(each.get("class", "") for each in around[:3])
    is_called = _OPENING.search(f"{names} {around_names}") is not None
    has_state, has_target = button.get("aria-expanded") is not None, button.get("aria-controls") is not None
    return is_called or (has_state and has_target)


def _start_of(element: etree._Element) -> str:
    """Return the text of an element, or a start too long for a label."""
    return " ".join("".join(islice((piece[: 2 * MAX_LABEL] for piece in _pieces(element)), MAX_OPENED)).split())


def _pieces(element: etree._Element) -> Iterator[str]:
    """Yield the texts in the first elements of an element; ``itertext`` would pass over all elements."""
    for event, each in islice(etree.iterwalk(element, events=("start", "end", "comment", "pi")), MAX_LOOKED_AT):
        text = each.text if event == "start" else None if each is element else each.tail
        if text:
            yield text


def _opens(button: etree._Element) -> bool:
    each: etree._Element | None = button
    for _ in range(3):
        if each is None:
            return False
        behind = next(each.itersiblings("*"), None)
        if behind is not None:
            size = sum(map(len, islice(_pieces(behind), MAX_OPENED)))
            is_button = behind.tag == "button" or (not size and next(behind.iter("button"), None) is not None)
            return size >= MIN_OPENED and not is_button
        if (each.tail or "").strip():
            return False
        each = each.getparent()
    return False


# Elements within a line, parted by style alone

_ENDS = re.compile(r"(?<![^\W_])[^\W_]{2,}+[.!?:)\]%]?\Z")
_MODULE = re.compile(r"[\w.]+\.")  # start of a dotted name, as of a class in its documentation
_NAME = re.compile(r"\w+(?:\Z|[(<\[])")
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|re|e|de|te|ste|\u00ba|\u00aa|s|a|o)\b", re.IGNORECASE)
_PARTED = re.compile(r"display\s*:\s*(?:block|flex|grid|table|inline-block|list-item)", re.IGNORECASE)
_PARTING = re.compile(r"display\s*:\s*(?:inline-)?(?:flex|grid)", re.IGNORECASE)
_PARTED_NAMES = frozenset(
    "block d-block db is-block display-block u-block inline-block d-inline-block col column".split()
)
_PARTING_NAMES = frozenset("flex d-flex grid d-grid inline-flex d-inline-flex row columns is-flex u-flex".split())
MAX_END = 200  # characters read of texts


def is_parted(element: etree._Element) -> bool:
    """Return True if a browser shows space after an inline element.

    Styles and class names decide. Without a style or name, words that would run together with a change of case or kind
    are apart, as in ``2019First``; names of programs, as ``socket.`` before ``AF_UNIX``, are whole.
    """
    behind, around = element.getnext(), element.getparent()
    if behind is None or around is None:
        return False
    if element.tag == behind.tag == "a" and element.get("href") and behind.get("href") != element.get("href"):
        return True
    before, after = _text_of(element)[-MAX_END:], _text_of(behind)[:MAX_END]
    if not before or not after or before[-1].isspace() or after[0].isspace():
        return False
    if any(_is_styled(each, _PARTED, _PARTED_NAMES) for each in (element, behind)):
        return True
    if _is_styled(around, _PARTING, _PARTING_NAMES):
        return True
    ends = _ENDS.search(before)
    if ends is None or not after[:1].isalnum():
        return False
    last, first = before[-1], after[0]
    if not last.isalnum():
        return first.isupper() and len(after) > 1 and not (_MODULE.fullmatch(before) and _NAME.match(after))
    if last.isdigit() != first.isdigit():
        is_number = last.isdigit() and _ORDINAL.fullmatch(after.strip()) is not None
        return not is_number and (first.isdigit() or first.isupper() or len(after.split()) > 1)
    return last.islower() and first.isupper() and len(after) > 1 and not after.isupper()


def _text_of(element: etree._Element) -> str:
    """Return the text of an element, as far as looked at."""
    return "".join(islice(_pieces(element), MAX_END)) if len(element) else element.text or ""


def _is_styled(element: etree._Element, style: re.Pattern[str], names: frozenset[str]) -> bool:
    if (own := element.get("style")) and style.search(own):
        return True
    classes = element.get("class")
    return classes is not None and not names.isdisjoint(classes.lower().split())


# Streamed segments of React: a template marks the place of later content


def _segment_of(template: etree._Element) -> str | None:
    place = _PLACE.fullmatch(template.get("id") or "")
    return f"{place[1]}S:{place[2]}" if place else None


def _place_segments(body: etree._Element) -> None:
    """Put each segment before its template, as a ``span``, since browsers show only the content."""
    wanted = set(filter(None, map(_segment_of, body.iter("template"))))
    found = [each for each in _segments(body) if each.get("id") in wanted] if wanted else []
    segments: dict[str | None, etree._Element] = {}
    for each in found[:MAX_SEGMENTS]:
        segments.setdefault(each.get("id"), each)
    for each in reversed(segments.values()):
        if (parent := each.getparent()) is not None:
            parent.remove(each)
    tops = [body]
    for top in tops:
        for template in list(top.iter("template")):
            segment = segments.pop(_segment_of(template), None)
            if segment is not None:
                segment.attrib.pop("hidden", None)
                if segment.tag == "div":
                    segment.tag = "span"
                template.addprevious(segment)
                tops.append(segment)
    body.extend(segments.values())  # segments with templates within each other


# Declarative shadow roots


def _is_shadow(template: etree._Element) -> bool:
    return template.get("shadowrootmode") is not None or template.get("shadowroot") is not None


def _fill_shadow_roots(body: etree._Element) -> None:
    """Read shadow roots, with the children of their hosts in their slots; children without a slot stay behind."""
    slots: dict[etree._Element, dict[str, etree._Element]] = {}
    open_: list[etree._Element] = []
    for event, element in etree.iterwalk(body, events=("start", "end"), tag=("template", "slot")):
        if element.tag == "template" and event == "start":
            open_.append(element)
            if _is_shadow(element):
                slots[element] = {}
        elif element.tag == "template":
            open_.pop()
        elif event == "start" and open_ and open_[-1] in slots:
            slots[open_[-1]].setdefault(element.get("name") or "", element)
    left = MAX_MOVED
    for template, named in slots.items():
        host = template.getparent()
        for child in list(host) if host is not None and named else []:
            slot = named.get(child.get("slot") or "")
            if slot is not None and child.tag != "template" and left > 0:
                left -= 1 + sum(1 for _ in child.iterdescendants())  # comments have no descendants
                slot.addprevious(child)
                slot.tag = "template"  # the content of ``slot`` stands for missing children
        template.tag = "span"


# Fallback text


def _measured(body: etree._Element, few: int = SHELL_CHARS) -> tuple[int, list[etree._Element]]:
    """Return the number of characters outside elements to open, counted up to ``few``, and the elements to open."""
    sizes: dict[etree._Element, int] = {}
    open_: list[etree._Element] = []
    outside = inside = 0
    walker = etree.iterwalk(body, events=("start", "end", "comment", "pi"))
    for event, element in walker:
        text = None if element is body else element.tail
        if event == "start":
            if element.tag in UNMEASURED:
                walker.skip_subtree()
                continue
            if element.tag in OPENED:
                open_.append(element)
                sizes[element] = 0
            text = element.text if isinstance(element.tag, str) else None  # entities have their name as text
        elif element.tag in OPENED:
            size = sizes[open_.pop()]
            if open_:
                sizes[open_[-1]] += size
            elif size >= MIN_FALLBACK_CHARS:
                inside += size
        size = sum(map(len, text.split())) if text else 0
        if open_:
            sizes[open_[-1]] += size
        else:
            outside += size
            if outside >= few:
                break
    is_enough = outside < few and inside >= MIN_FALLBACK_RATIO * outside
    return outside, [element for element, size in sizes.items() if size >= MIN_FALLBACK_CHARS] if is_enough else []


def _with_opened(elements: Iterable[etree._Element], root: etree._Element) -> ShownTree:
    source = Source.PAGE
    for element in elements:
        if element.tag == "noscript":
            source = Source.NOSCRIPT
        element.tag = "div" if element.tag == "noscript" else "span"
    return ShownTree(root, metadata_in(root), source)


def _with_text(root: etree._Element, text: etree._Element) -> ShownTree:
    body, new = root.find("body"), text.find("body")
    if body is None or new is None:
        return ShownTree(root, metadata_in(root))
    body.addprevious(new)
    body.tag = "template"
    new.append(body)
    return ShownTree(root, metadata_in(root), Source.SCRIPT)
