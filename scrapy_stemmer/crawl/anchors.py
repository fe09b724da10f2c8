"""Linkinfo: the texts of the links that a page gives to other pages of its site."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from lxml import etree
from scrapy.utils.response import get_base_url
from w3lib.html import strip_html5_whitespace
from w3lib.url import canonicalize_url

from scrapy_stemmer.core.document import site_of

if TYPE_CHECKING:
    from scrapy.http import TextResponse

MAX_ANCHOR_CHARS = 1000
"""Longer link texts are whole articles within a link: no titles."""

_text_of = etree.XPath("string()")


def url_key(url: str) -> str:
    """A URL in the form in which links and pages are compared: canonical, without its fragment."""
    try:
        return canonicalize_url(url)
    except ValueError:
        return url


def anchors_of(response: TextResponse, root: etree._Element) -> Iterator[tuple[str, str]]:
    """The links of a page to its own site, as canonical URL and text, repeats kept.

    :param response: gives the URL and the ``base`` element that links are relative to.
    :param root: its tree, which is only read.
    """
    base, site = get_base_url(response), site_of(response.url)
    keys: dict[str, str | None] = {}
    for link in root.iter("a", "area"):
        if not (href := link.get("href")):
            continue
        # Pages have many links to places within one page: a key has no fragment.
        href = href.partition("#")[0]
        if href not in keys:
            keys[href] = _key_within(site, base, href)
        if (key := keys[href]) is None:
            continue
        text = _anchor_text(link)
        if text and len(text) <= MAX_ANCHOR_CHARS:
            yield key, text


def _anchor_text(link: etree._Element) -> str:
    if link.tag == "area":
        text = link.get("alt")
    elif len(link):
        text = str(_text_of(link))
    else:
        text = link.text
    return " ".join(text.split()) if text else ""


def _key_within(site: str, base: str, href: str) -> str | None:
    try:
        url = urljoin(base, strip_html5_whitespace(href))
    except ValueError:
        return None
    return url_key(url) if url.startswith(("http:", "https:", "file:")) and site_of(url) == site else None
