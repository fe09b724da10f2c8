"""A page as the learners see it, and the site that a URL belongs to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lxml import etree

DEFAULT_PORTS: Mapping[str, int] = {"http": 80, "https": 443}

_USUAL = re.compile("https?://([a-z0-9.-]+)[/?#]")
"""A URL whose host can be read off it as it stands; to take all of it apart takes ten times as long."""


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a site.

    :param url: absolute URL; its host decides the site (see :func:`site_of`).
    :param html: the page as bytes (as received), as text, or as an lxml root that was parsed before; a root
        is only read, never changed.
    :param anchors: linkinfo, the texts of the links that lead to this page, repeats kept; they vote for the
        title while learning.
    :param charset: the charset of the HTTP header, used for bytes only; ``None`` when not given.
    :param fetched: when it was fetched, as an ISO 8601 time in UTC, of sources that say so.
    :raises TypeError: for a URL or HTML of another type.
    """

    url: str
    html: bytes | str | etree._Element = field(repr=False)
    anchors: tuple[str, ...] = ()
    charset: str | None = None
    fetched: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.url, str):
            raise TypeError(f"The URL of a page must be a str, not {type(self.url).__name__}")
        if not isinstance(self.html, str | bytes | etree._Element):
            raise TypeError(
                f"The HTML of {self.url} must be bytes, a str or an lxml element, not {type(self.html).__name__}"
            )

    @property
    def site(self) -> str:
        """The site key of :attr:`url`."""
        return site_of(self.url)


def site_of(url: str) -> str:
    """The key under which the patterns of a URL's site are kept.

    It is the lower-case host without a leading ``www.``, with the port when it isn't the scheme's own:
    ``https://www.Example.com/a`` and ``http://example.com/b`` are one site, ``news.example.com`` is another.
    URLs without a host (``file:``, relative ones) share the key ``""``.
    """
    usual = _USUAL.match(url)
    return usual[1].removeprefix("www.") if usual else _site_of_parts(url)


def _site_of_parts(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return ""
    return host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"
