"""Any number of pages of a layout, generated from a few by varying their texts."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass

import lxml.html
from lxml import etree

from benchmarks.sets import GoldPage, parsed

MIN_WORDS = 4  # texts of fewer words are left as they are
ONWARD = "onward"  # class of the list of links that is added to a page

UNSHOWN = frozenset({"script", "style", "noscript", "template"})


@dataclass(frozen=True, slots=True)
class Link:
    """A link to be added to a page."""

    href: str
    text: str


class Generator:
    """Generator of pages similar to a site's.

    Texts unique to a page are replaced by equally many words drawn from all unique texts; returning texts stay. Each
    number always gives an equal page.

    :param pages: pages of a site.
    """

    def __init__(self, pages: Sequence[GoldPage]) -> None:
        self._roots = [parsed(page.html) for page in pages]
        counts = Counter(text for root in self._roots for text in {text for _, _, text in _texts(root)})
        self._returning = frozenset(text for text, count in counts.items() if count > 1)
        own = (text for root in self._roots for _, _, text in _texts(root) if text not in self._returning)
        self._words = sorted({word for text in own for word in text.split()})

    def page(self, number: int, size: int = 0, links: Sequence[Link] = (), text_share: float = 1.0) -> str:
        """Return a page.

        :param number: its number.
        :param size: characters that a shorter page is filled up to.
        :param text_share: the share of paragraphs in the added content; the rest is a script's data.
        :param links: links to add at the end.
        """
        draw = random.Random(number)
        root = deepcopy(self._roots[number % len(self._roots)])
        body = root.find("body")
        if size and body is not None:
            missing = size - len(_html(root))
            _grow(body, int(text_share * missing), self._returning)
            _add_data(body, missing - int(text_share * missing), draw)
        for element, place, text in list(_texts(root)):
            if text not in self._returning:
                setattr(element, place, " ".join(draw.choice(self._words) for _ in text.split()))
        if links and body is not None:
            body.append(_list_of(links))
        return _html(root)


def _texts(root: lxml.html.HtmlElement) -> Iterator[tuple[etree._Element, str, str]]:
    """The texts of a page that are long enough: element, ``text`` or ``tail``, and the text."""
    for element in root.iter(etree.Element):
        if element.tag in UNSHOWN:
            continue
        for place, text in (("text", element.text), ("tail", element.tail)):
            if text and len(text.split()) >= MIN_WORDS:
                yield element, place, text


def _grow(body: etree._Element, missing: int, returning: frozenset[str]) -> None:
    """Add copies of a page's own paragraphs behind them, in turn, until so many characters are added."""
    own = [paragraph for paragraph in body.iter("p") if paragraph.text and paragraph.text not in returning]
    paragraphs = [paragraph for paragraph in own if len((paragraph.text or "").split()) >= MIN_WORDS]
    while missing > 0 and paragraphs:
        for paragraph in paragraphs:
            copy = deepcopy(paragraph)
            paragraph.addnext(copy)
            missing -= len(etree.tostring(copy, encoding="unicode"))


def _add_data(body: etree._Element, length: int, draw: random.Random) -> None:
    """Add a script of so many characters, such as most pages of today are made of."""
    if length > 0:
        etree.SubElement(body, "script", type="application/json").text = draw.randbytes(length // 2 + 1).hex()[:length]


def _list_of(links: Sequence[Link]) -> lxml.html.HtmlElement:
    items = lxml.html.Element("ul", {"class": ONWARD})
    for link in links:
        anchor = etree.SubElement(etree.SubElement(items, "li"), "a", href=link.href)
        anchor.text = link.text
    return items


def _html(root: lxml.html.HtmlElement) -> str:
    return f"<!doctype html>\n{lxml.html.tostring(root, encoding='unicode')}"
