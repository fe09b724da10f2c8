"""Elements: which of them are what to a reader, to a browser, and to those who write HTML.

What only one module asks for stands there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from lxml import etree

from scrapy_stemmer._native import native

# What begins a line, and what formats text

SIGNIFICANT = frozenset(
    "title p h1 h2 h3 h4 h5 h6 tr td th dt dd li ul ol dl dir menu pre div center font span blockquote table "
    "address".split()
)
"""Elements that cut blocks and stand in paths (the original's list)."""

HTML5 = frozenset("section article main nav header footer aside figure figcaption details summary".split())
"""Elements newer than Webstemmer; the original doesn't know them."""

BLOCK_LEVEL = (
    SIGNIFICANT.difference({"font", "span"})
    | HTML5
    | frozenset("body caption dialog fieldset form hgroup hr legend search tbody tfoot thead".split())
)
"""Elements that browsers begin a line at, and end one."""

INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp "
    "small span strike strong sub sup time tt u var wbr".split()
)
"""Elements that format text."""

HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

CONTROLS = frozenset({"input", "select", "textarea", "button"})  # form controls

# What of a page is its text

UNREAD = frozenset(
    "style script option noscript template iframe head select textarea button input object audio video canvas "
    "datalist map".split()
)
"""Elements whose text is no text of the page."""

SILENT_SVG = frozenset("title desc defs metadata symbol lineargradient filter clippath".split())
"""Elements of a drawing that are never shown."""

BLOCKS = BLOCK_LEVEL.difference({"hr", "title"}) | {"svg"}  # block-level elements of the text of a page

INLINE_CUSTOM = frozenset("g-emoji local-time math-renderer relative-time time-ago".split())
"""Elements that scripts make something of within a line, wherever they stand."""

BLOCK_ENDS = frozenset({"br", "hr", "text"})  # elements that end a block without beginning one

UNSEEN_NAMES = frozenset(
    "visually-hidden visuallyhidden u-visually-hidden sr-only screen-reader-text screen-reader-only screenreader "
    "aok-hidden a11y-hidden assistive-text mw-editsection".split()
)
"""Class names of inline text that is meant for screen readers only, as the common style sheets name it, and of links to
edit a section."""

HIDDEN_STYLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
"""Found in a value of ``style`` that takes an element out of sight."""

WHITE_SPACE = re.compile(r"white-space\s*:\s*(pre(?:-wrap|-line)?|break-spaces)", re.IGNORECASE)
"""Found in a value of ``style`` that makes white space count."""


def keeps_space(style: str) -> bool:
    """Whether a value of ``style`` makes white space count."""
    return WHITE_SPACE.search(style) is not None


HIDDEN_FORMULA = "mwe-math-mathml"  # found in a class name of a formula that is out of sight since an image shows it

# Links that are no text

MARKS = frozenset("\u00b6#\u00a7\u25c6\u221e\u2693\u26d3\ufe0e\ufe0f\u200b\u200c\u200d\u2060\ufeff\U0001f517\U0001f587")
"""Characters that links of headings to themselves have for a text; private ones, of icon fonts, are such too."""

PRIVATE = re.compile("[\ue000-\uf8ff\U000f0000-\U0010ffff]")  # a character that only a font of icons knows

MAX_MARK = 80  # characters of such a text at most, with its white space
MAX_INSIDE = 8  # elements in such a link at most, and from it to its heading

PERMALINK = re.compile(
    r"\W*(?:(?:copy |direct |permanent )?link|permalink|anchor)"
    r"(?: to (?:this )?(?:heading|headline|header|section|title|definition))?\W*",
    re.IGNORECASE,
)
"""What such links say where they say it in words."""

PERMALINK_NAMES = frozenset({"headerlink", "permalink", "hash-link", "anchorjs-link"})  # class names of such links

MAX_IN_HEADING = 50  # elements at most in a heading of which a link is read for that


def is_permalink(link: etree._Element) -> bool:
    """Whether a link leads to a part of a page and says nothing else: all of its text is a mark such as ``¶``, or
    :func:`is_named_permalink`."""
    if "#" not in (link.get("href") or ""):
        return False
    inside = list(islice(link.iter(), MAX_INSIDE + 2))
    texts = [each.text or "" for each in inside if isinstance(each.tag, str)]
    tails = [each.tail or "" for each in inside[1:]]
    is_short = len(inside) <= MAX_INSIDE + 1
    return (is_short and is_mark("".join(texts + tails))) or is_named_permalink(link)


def is_named_permalink(link: etree._Element) -> bool:
    """Whether a link in a heading that leads to a part of a page says so in words, by a mark in brackets, or by its
    class and is the smaller part of the heading; which has more words."""
    around = islice(link.iterancestors(), MAX_INSIDE)
    heading = next((each for each in around if str(each.tag).rpartition("}")[2] in HEADINGS), None)
    if heading is None or "#" not in (link.get("href") or ""):
        return False
    if len(list(islice(heading.iter(), MAX_IN_HEADING + 1))) > MAX_IN_HEADING:
        return False
    told, whole = ("".join(map(str, each.itertext())) for each in (link, heading))
    said = " ".join(told.split())
    is_said = PERMALINK.fullmatch(said) is not None or is_mark(said.strip("[]()"))
    if not is_said and PERMALINK_NAMES.isdisjoint((link.get("class") or "").lower().split()):
        return False
    length = sum(map(str.isalnum, told))
    return sum(map(str.isalnum, whole)) > (length if is_said else 2 * length)


def is_mark(text: str) -> bool:
    """Whether a text is a mark, and white space."""
    mark = "".join(text.split()) if len(text) <= MAX_MARK else ""
    return mark != "" and all(each in MARKS or PRIVATE.match(each) for each in mark)


# What HTML made of a part of a page keeps, and how it writes it

KEPT_ATTRIBUTES = frozenset(
    {"alt", "title", "lang", "dir", "colspan", "rowspan", "scope", "start", "reversed", "value", "datetime"}
)
"""Attributes that carry content, and stay as they are; classes, styles and handlers are dropped."""

WITHOUT_TEXT = frozenset({"img", "br", "hr", "picture", "wbr"})
"""Elements that are kept without text of their own, when they stand among kept text or in one of these."""

WHOLE = frozenset("pre table ul ol dl blockquote figure math".split())
"""Elements whose parts say little without them: where one is around all that is kept, it is written too."""

WRAPPERS = frozenset({"span", "font", "a", "div"})
"""Elements that are not written where they say nothing: without attributes, a ``div`` with blocks only, any other
without one."""

PARTING = BLOCK_LEVEL | {"br"}  # elements that part the texts around them

VOID = frozenset("area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split())
"""Elements that have no end tag. Old parsers put what follows into some of these, and there it is written too."""

RAW = frozenset("style script xmp iframe noembed noframes noscript plaintext".split())
"""Elements in which browsers see no markup, or no escaped characters."""

OTHER_NAME = "span"
"""Stands for :data:`RAW` elements and drawings, and for names, such as ``o:p``, that not every parser knows for one."""

OTHER_NAMES = {"html": "div", "body": "div", "svg": OTHER_NAME, **dict.fromkeys(RAW, OTHER_NAME)}
"""Other names for elements."""

NAME = re.compile("[A-Za-z][A-Za-z0-9._-]*")  # a name that every parser knows for one


# Elements by their attributes, and what is right in them

Names = tuple[str, ...]
"""The name of an element and the values of :data:`NAMING`, "" for those that it has not."""

NAMING = ("class", "id", "itemprop", "rel")


def names_of(element: etree._Element) -> Names:
    """What names an element."""
    return (str(element.tag), *(element.get(name, "") for name in NAMING))


inside: Callable[[etree._Element, frozenset[str]], list[Any]] = native("shown.inside")
"""What is right in an element: the text at its start, "" without any, then texts that are not white space, and elements
with their names; without those of some names."""

having: Callable[..., list[etree._Element]] = native("shown.having")
"""The elements of a tree, its root among them, that have an attribute: ``having(root, name, part="", tag="*")`` gives
those whose value has a part in it, and of one name where that is not ``*``."""
