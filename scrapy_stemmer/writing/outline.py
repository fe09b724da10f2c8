"""Headings and images of the kept content of a page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import chain, islice
from typing import Any

import lxml.html
from lxml import etree

from scrapy_stemmer.page.elements import HEADINGS

MAX_LEVELS = 5  # elements around a heading searched for an anchor
MAX_HEADINGS = 2_000  # headings of a page searched for anchors
MAX_PASSED = 300  # headings of a page between two kept headings
MAX_INSIDE = 20  # elements and texts read in a heading
MAX_CHARS = 1_000  # characters compared of a heading
PARTS = frozenset("section article div li dt header hgroup".split())  # elements with a heading at the beginning


@dataclass(frozen=True, slots=True)
class Heading:
    """Heading of the kept content.

    :param level: from 1 to 6.
    :param anchor: the part of an address behind ``#`` for the heading; "" without an anchor.
    """

    level: int
    text: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class ContentImage:
    """Image of the kept content.

    :param url: absolute address.
    :param alt: text in place of the image.
    :param caption: text of the figure around.
    """

    url: str
    alt: str = ""
    caption: str = ""


def json_value(result: Any) -> Any:
    """Return a result of a page as a JSON value: headings and images as lists of objects."""
    return list(map(asdict, result)) if isinstance(result, tuple) else result


def headings_of(html: str, root: etree._Element | None) -> tuple[Heading, ...]:
    """Return the headings in the HTML of kept content, with their anchors in the tree of the page."""
    there = [] if root is None else [(_letters(each), each) for each in islice(root.iter(*HEADINGS), MAX_HEADINGS)]
    found, at = [], 0
    for kept in _fragment(html).iter(*HEADINGS):
        letters, text = _letters(kept), " ".join("".join(kept.itertext()).split())
        same = (place for place in range(at, min(at + MAX_PASSED, len(there))) if letters in there[place][0])
        place = next(same, None)
        anchor = kept.get("id") or ("" if place is None else _anchor_of(there[place][1]))
        at = at if place is None else place + 1
        found += [Heading(int(kept.tag[1]), text, anchor)] if text else []
    return tuple(found)


def _letters(element: etree._Element) -> str:
    texts = map(str, islice(element.itertext("*"), MAX_INSIDE))
    return "".join(filter(str.isalnum, "".join(texts)[:MAX_CHARS]))


def _fragment(html: str) -> Any:
    return lxml.html.fragment_fromstring(html, create_parent=True)


def _anchor_of(heading: etree._Element) -> str:
    """Return the anchor of a heading, of the part of the page begun by the heading, or of the permalink."""
    inside = islice(heading.iter(etree.Element), MAX_INSIDE)
    links = (link.get("href") or "" for link in islice(heading.iter("a"), MAX_INSIDE))
    leads = (href[1:] for href in links if href.startswith("#"))
    return next(filter(None, chain(map(_name_of, inside), _begun_by(heading), leads)), "")


def _name_of(element: etree._Element) -> str:
    return element.get("id") or (element.get("name") if element.tag == "a" else "") or ""


def _begun_by(heading: etree._Element) -> Iterator[str]:
    """Yield the anchors of an empty element before a heading, and of parts of the page begun by the heading."""
    before = heading.getprevious()
    if before is not None and not (len(before) or before.text or (before.tail or "").strip()):
        yield _name_of(before)
    inner = heading
    for around in islice(heading.iterancestors(), MAX_LEVELS):
        is_first = inner.getprevious() is None and not (around.text or "").strip()
        if around.tag not in PARTS or not is_first:
            return
        yield _name_of(around)
        inner = around


def images_of(html: str) -> tuple[ContentImage, ...]:
    """Return the images in the HTML of kept content, each address once."""
    if "<img" not in html:
        return ()
    found: dict[str, ContentImage] = {}
    for image in _fragment(html).iter("img"):
        if url := image.get("src"):
            found.setdefault(url, ContentImage(url, " ".join((image.get("alt") or "").split()), _caption_of(image)))
    return tuple(found.values())


def _caption_of(image: Any) -> str:
    figure = next(islice(image.iterancestors("figure"), 1), None)
    captions = () if figure is None else islice(figure.iter("figcaption"), 1)
    return " ".join(" ".join(text for caption in captions for text in caption.itertext()).split())
