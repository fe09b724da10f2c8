"""What HTML made of a part of a page keeps, and how it writes it."""

from __future__ import annotations

import re

from scrapy_stemmer.core.blocks import HTML5, SIGNIFICANT

KEPT_ATTRIBUTES = frozenset(
    {"href", "src", "srcset", "alt", "title", "lang", "dir", "colspan", "rowspan", "start", "cite", "datetime"}
)
"""Attributes that carry content; classes, identifiers, styles and handlers are dropped."""

WITHOUT_TEXT = frozenset({"img", "br", "hr", "picture", "source", "wbr"})
"""Elements that are kept without text of their own, when they stand among kept text or in one of these."""

UNSAFE_SCHEMES = ("javascript:", "vbscript:", "data:text")
"""Attribute values that begin so are dropped."""

_PERHAPS_UNSAFE = re.compile("[\x00-\x20\ufffe\uffff]*[jvd]", re.IGNORECASE)
_IGNORED_IN_URLS = re.compile("[\x00-\x20\ufffe\uffff]")

VOID = frozenset("area base basefont bgsound br col embed frame hr img input link meta param source track wbr".split())
"""Elements that have no end tag. Old parsers put what follows into some of these, and there it is written too."""

RAW = frozenset("style script xmp iframe noembed noframes noscript plaintext".split())
"""Elements in which browsers see no markup, or no escaped characters."""

BREAKING = SIGNIFICANT | HTML5
"""Elements behind which a line ends where no text follows."""

OTHER_NAME = "span"
"""Stands for :data:`RAW` elements, and for names, such as ``o:p``, that not every parser knows for a name."""

OTHER_NAMES = {"html": "div", "body": "div", **dict.fromkeys(RAW, OTHER_NAME)}
"""Other names for elements."""

NAME = re.compile("[A-Za-z][A-Za-z0-9._-]*")
"""A name that every parser knows for one."""


def is_unsafe(value: str) -> bool:
    """Whether a value of an attribute begins with one of :data:`UNSAFE_SCHEMES`, as browsers read it."""
    if not _PERHAPS_UNSAFE.match(value):
        return False
    return _IGNORED_IN_URLS.sub("", value).lower().startswith(UNSAFE_SCHEMES)
