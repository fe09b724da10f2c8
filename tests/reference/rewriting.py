"""Rewritten parts of standalone HTML, all in Python."""

from __future__ import annotations

from functools import cached_property
from html import escape
from itertools import islice

from lxml import etree

from scrapy_stemmer.page.addresses import Addresses
from scrapy_stemmer.page.elements import having
from scrapy_stemmer.writing.rewriting import AROUND_RULE, CAPTIONED, IsKept, Rewriter, is_icon_of_link, kept_style


class WholeRewriter(Rewriter):
    """Rewriter of all elements and attributes of a tree, which must not be changed meanwhile."""

    def __init__(self, root: etree._Element, url: str, is_kept: IsKept) -> None:
        self._root, self._addresses = root, Addresses(root, url)
        super().__init__(self._addresses.base, is_kept, self._link_address, self._link_name)

    def attribute(self, name: str, value: str) -> str | None:
        """Return the written value of an attribute of :data:`CHECKED`; ``None`` for a dropped attribute."""
        if name in ("id", "name"):
            return value if value in self._wanted else None
        return kept_style(value) if name == "style" else self.address(value)

    def _link_address(self, value: str) -> str | None:
        absolute = self._addresses.absolute(value)
        fragment = None if absolute is None else self._addresses.fragment(absolute)
        if fragment is not None:
            place = self._places.get(fragment)
            is_written = place is not None and (self._is_kept(place) or self._is_anchor(place))
            if place is not None and is_written and next(place.iterancestors("pre"), None) is None:
                return f"#{fragment}"
        return absolute

    def _link_name(self, element: etree._Element) -> str | None:
        names = (element.get("id"), element.get("name"))
        return next((name for name in names if name and name in self._wanted), None)

    def _is_anchor(self, element: etree._Element) -> bool:
        """Tell whether an element is only a target of links, beside kept text."""
        is_empty = element.tag in ("a", "span") and len(element) == 0 and not (element.text or "").strip()
        parent = element.getparent() if is_empty else None
        return parent is not None and self._is_kept(parent) and self._link_name(element) is not None

    @cached_property
    def _wanted(self) -> frozenset[str]:
        """The names of places in the page with links."""
        names = set()
        for link in having(self._root, "href", "#", "a"):
            href = link.get("href", "")
            # Only an address that ends as the page's address does can lead to the page.
            if self._addresses.url.endswith(href.partition("#")[0].rpartition("/")[2]):
                names.add(self._addresses.fragment(self._addresses.absolute(href) or ""))
        return frozenset(filter(None, names))

    @cached_property
    def _places(self) -> dict[str, etree._Element]:
        named = {link.get("name", ""): link for link in reversed(having(self._root, "name", tag="a"))}
        identified = {element.get("id", ""): element for element in reversed(having(self._root, "id"))}
        return named | identified  # precedence as in browsers

    def rewritten(self, element: etree._Element) -> str | None:
        if element.tag == "img":
            return self.image(element)
        if element.tag == "picture":
            return "".join(map(self.image, element.iter("img")))
        return super().rewritten(element)

    def shown(self, element: etree._Element, is_amid_text: bool) -> str:
        tag, parent = element.tag, element.getparent()
        if not isinstance(tag, str) or parent is None:
            return ""
        if tag in ("td", "th", "input", "label"):
            return super().shown(element, is_amid_text)
        if tag == "hr":
            around = (islice(element.itersiblings(preceding=is_before), AROUND_RULE) for is_before in (True, False))
            return "<hr>\n" if all(any(map(self._is_kept, side)) for side in around) else ""
        if self._is_anchor(element):
            return f'<{tag} id="{escape(self._link_name(element) or "")}"></{tag}>'
        if all(map(is_icon_of_link, element.iter("img"))):
            return ""
        if not is_amid_text and (tag in ("span", "noscript") or not self._is_beside_text(element, parent)):
            return ""
        if tag == "noscript" and _has_image_beside(element):
            return ""
        return super().shown(element, is_amid_text)

    def _is_beside_text(self, element: etree._Element, parent: etree._Element) -> bool:
        """Tell whether an element is in a figure, or beside kept text."""
        if parent.tag == "figure" or any(map(self._is_kept, parent.iterchildren("p", "li"))):
            return True
        among = len(list(islice(parent.iterchildren("*"), CAPTIONED + 1)))
        behind = next(element.itersiblings("*"), None)
        return among <= CAPTIONED and behind is not None and self._is_kept(behind)


def _has_image_beside(twin: etree._Element) -> bool:
    """Tell whether an image stands beside a ``noscript``, which then repeats the image or counts visitors."""
    sides = (side for side in (twin.getprevious(), twin.getnext()) if side is not None and side.tag != "noscript")
    return any(next(side.iter("img"), None) is not None for side in sides)
