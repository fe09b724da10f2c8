"""Links: the texts of those that a page has to its own site, by the URLs that they lead to."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import cache
from itertools import islice
from urllib.parse import urljoin

from lxml import etree
from w3lib.html import strip_html5_whitespace
from w3lib.url import canonicalize_url

from scrapy_stemmer.core.document import site_of
from scrapy_stemmer.core.rewriting import base_of

MAX_ANCHOR_CHARS = 1000  # longer link texts are whole articles within a link: no titles
MAX_ANCHOR_PIECES = 50  # so are links with more pieces of text; in hostile pages each link is within another one
MAX_LINKS = 5_000  # links of a page that are looked at

_PLAIN_LINK = re.compile(r"((?:https?://[a-z0-9.-]++)?)((?:/[a-zA-Z0-9_-][a-zA-Z0-9_.~-]*+)++/?)")
"""Links, of which most are such, whose path is canonical as it stands: to find out takes a tenth as long as to make
it so."""


def url_key(url: str) -> str:
    """A URL in the form in which links and pages are compared: canonical, without its fragment."""
    try:
        return canonicalize_url(url)
    except ValueError:
        return url


def anchors_of(root: etree._Element, url: str, wanted: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """The links of a page to its own site, as canonical URL and text, repeats kept.

    Of a page with many links, the first :data:`MAX_LINKS`.

    :param root: its tree, which is only read.
    :param url: that links are relative to, unless a ``base`` element says otherwise.
    :param wanted: the keys of the URLs whose links are; all when ``None``.
    """
    base, site = base_of(root, url), site_of(url)

    @cache  # a page has many links to places within one page
    def key_of(href: str) -> str | None:
        if plain := _PLAIN_LINK.fullmatch(href):
            start = key_of(plain[1] + "/")
            return None if start is None else start.removesuffix("/") + plain[2]
        try:
            target = urljoin(base, strip_html5_whitespace(href))
        except ValueError:
            return None
        if target != href and _PLAIN_LINK.fullmatch(target):
            return key_of(target)
        return url_key(target) if target.startswith(("http:", "https:", "file:")) and site_of(target) == site else None

    for link in islice(root.iter("a", "area"), MAX_LINKS):
        href = link.get("href")
        key = key_of(href.partition("#")[0]) if href else None
        if key is not None and (wanted is None or key in wanted):
            pieces = list(islice(link.itertext(), MAX_ANCHOR_PIECES + 1))
            text = " ".join((link.get("alt", "") if link.tag == "area" else "".join(pieces)).split())
            if text and len(text) <= MAX_ANCHOR_CHARS and len(pieces) <= MAX_ANCHOR_PIECES:
                yield key, text
