"""Elements by their meaning to readers, browsers and authors of HTML.

Facts for a single module stand there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_stemmer._engine import native

# Elements to begin lines, and elements to format text

SIGNIFICANT = frozenset(
    "title p h1 h2 h3 h4 h5 h6 tr td th dt dd li ul ol dl dir menu pre div center font span blockquote table "
    "address".split()
)
"""Elements that cut blocks and stand in paths (the original's list)."""

HTML5 = frozenset("section article main nav header footer aside figure figcaption details summary".split())
"""Elements newer than Webstemmer, unknown to the original."""

BLOCK_LEVEL = (
    SIGNIFICANT.difference({"font", "span"})
    | HTML5
    | frozenset("body caption dialog fieldset form hgroup hr legend search tbody tfoot thead".split())
)
"""Elements that begin and end a line in browsers."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that format text."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

LISTS = frozenset("ul ol menu dir".split())

SHAPED = LISTS | frozenset("pre table tr td th li dd blockquote".split())
"""Elements in which a block is not just a line; ``math`` and elements whose style keeps white space belong here too."""

CONTROLS = frozenset({"input", "select", "textarea", "button"})  # form controls

# Elements by their text

UNREAD = frozenset(
    "style script option noscript template iframe head select textarea button input object audio video canvas "
    "datalist map".split()
)
"""Elements whose text is no text of the page."""

SILENT_SVG = frozenset("title desc defs metadata symbol lineargradient filter clippath".split())
"""Elements of a drawing that are never shown."""

BLOCKS = BLOCK_LEVEL.difference({"hr", "title"}) | {"svg"}  # block-level elements of the text of a page

INLINE_CUSTOM = frozenset("g-emoji local-time math-renderer relative-time time-ago".split())
"""Inline elements that scripts fill."""

BLOCK_ENDS = frozenset({"br", "hr", "text"})  # elements that end a block without beginning a block

UNSEEN_NAMES = frozenset(
    "visually-hidden visuallyhidden u-visually-hidden sr-only screen-reader-text screen-reader-only screenreader "
    "aok-hidden a11y-hidden assistive-text mw-editsection viewcode-back viewcode-link srclink copybtn "
    "language-name".split()
)
"""Class names of inline text for screen readers only, as common style sheets name it, of links to edit a section, and
of buttons of generators of documentation.
"""


def has_unseen_name(classes: str) -> bool:
    return not UNSEEN_NAMES.isdisjoint(classes.lower().split())


HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
"""Value of ``style`` that hides an element."""

WHITE_SPACE = re.compile(r"white-space\s*:\s*(pre(?:-wrap|-line)?|break-spaces)", re.IGNORECASE)
"""Value of ``style`` that keeps white space."""


def keeps_space(style: str) -> bool:
    return WHITE_SPACE.search(style) is not None


HIDDEN_FORMULA = "mwe-math-mathml"  # class name of a formula hidden beside an image

# Links without text

MARKS = frozenset("\u00b6#\u00a7\u25c6\u221e\u2693\u26d3\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\U0001f517\U0001f587")
"""Texts of links from headings to themselves, with the private characters of icon fonts."""

PRIVATE_USE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")  # a character of icon fonts

MAX_MARK = 80  # characters of a mark at most, with its white space
MAX_INSIDE = 8  # elements in a permalink at most, and from a permalink to its heading

PERMALINK = re.compile(
    r"\W*(?:(?:copy |direct |permanent )?link|permalink|anchor)"
    r"(?: to (?:this )?(?:heading|headline|header|section|title|definition))?\W*",
    re.IGNORECASE,
)
"""Texts of permalinks in words."""

PERMALINK_NAMES = frozenset({"headerlink", "permalink", "hash-link", "anchorjs-link"})  # class names of permalinks

MAX_IN_HEADING = 50  # elements at most in a heading whose permalinks are read


def is_named_permalink(link: etree._Element) -> bool:
    """Return True if a link of a heading is a permalink by words, by a mark in brackets, or by class."""
    around = islice(link.iterancestors(), MAX_INSIDE)
    heading = next((each for each in around if str(each.tag).rpartition("}")[2] in HEADINGS), None)
    if heading is None or "#" not in (link.get("href") or ""):
        return False
    if len(list(islice(heading.iter(), MAX_IN_HEADING + 1))) > MAX_IN_HEADING:
        return False
    own, whole = ("".join(map(str, each.itertext())) for each in (link, heading))
    words = " ".join(own.split())
    is_by_words = PERMALINK.fullmatch(words) is not None or is_mark(words.strip("[]()"))
    if not is_by_words and PERMALINK_NAMES.isdisjoint((link.get("class") or "").lower().split()):
        return False
    length = sum(map(str.isalnum, own))
    return sum(map(str.isalnum, whole)) > (length if is_by_words else 2 * length)


def is_mark(text: str) -> bool:
    mark = "".join(text.split()) if len(text) <= MAX_MARK else ""
    return mark != "" and all(each in MARKS or PRIVATE_USE.match(each) for each in mark)


# Kept HTML, and the spelling

KEPT_ATTRIBUTES = frozenset(
    {"alt", "title", "lang", "dir", "colspan", "rowspan", "scope", "start", "reversed", "value", "datetime"}
)
"""Attributes that carry content, and stay as they are; classes, styles and handlers are dropped."""

WITHOUT_TEXT = frozenset({"img", "br", "hr", "picture", "wbr"})
"""Elements that are kept without text, among kept text or in one another."""

WHOLE = frozenset("pre table ul ol dl blockquote figure math".split())
"""Elements whose parts mean little alone: an element around all kept text is written too."""

WRAPPERS = frozenset({"span", "font", "a", "div"})
"""Elements that are not written without meaning: without attributes, and a ``div`` with blocks only."""

VOID = frozenset("area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split())
"""Elements without an end tag. Old parsers put following content into some void elements."""

RAW = frozenset("style script xmp iframe noembed noframes noscript plaintext".split())
"""Elements in which browsers see no markup, or no escaped characters."""

OTHER_NAME = "span"  # name for :data:`RAW` elements, drawings, and names that some parsers reject, such as ``o:p``

LOADING = frozenset("applet embed portal".split())  # elements of content elsewhere, into which parsers put text

OTHER_NAMES = {
    **dict.fromkeys(("html", "body", "form"), "div"),
    **dict.fromkeys((*RAW, *LOADING, "svg"), OTHER_NAME),
}
"""Replacements for names of elements."""

NAME = re.compile("[A-Za-z][A-Za-z0-9._-]*")  # a name valid for every parser


# Elements by their attributes, and their children

Names = tuple[str, ...]  # name of an element and the values of :data:`NAMING`, "" for missing attributes

NAMING = ("class", "id", "itemprop", "rel")


def element_key(element: etree._Element) -> Names:
    return (str(element.tag), *(element.get(name, "") for name in NAMING))


inside: Callable[[etree._Element, frozenset[str]], list[Any]] = native("shown.inside")
"""Return the texts and children of an element.

The first item is the leading text or "".
"""

having: Callable[..., list[etree._Element]] = native("shown.having")
"""Return the elements of a tree with an attribute, the root included.

``having(root, name, part="", tag="*")`` searches elements named ``tag`` for values that contain ``part``.
"""


def first_chars(texts: Iterable[str], most: int, most_texts: int | None = None, *, between: str = "") -> str:
    """Return the first characters of joined texts, without looking at later texts: nested elements share those."""
    found: list[str] = []
    left = most
    for text in islice(texts, most if most_texts is None else most_texts):
        found.append(text[:left])
        left -= len(text)
        if left <= 0:
            break
    return between.join(found)
