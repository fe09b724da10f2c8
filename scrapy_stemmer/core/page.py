"""A page as the learners see it, and the site that a URL belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from lxml import etree

DEFAULT_PORTS: Mapping[str, int] = {"http": 80, "https": 443}

_MAX_PORT = 65535

_DEFAULT_PORTS = frozenset(map(str, DEFAULT_PORTS.values()))


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a site.

    :param url: absolute URL; its host decides the site (see :func:`site_of`).
    :param html: the page as bytes (as received), as text, or as an lxml root that was parsed before; a root
        is only read, never changed.
    :param anchors: linkinfo, the texts of the links that lead to this page, repeats kept; they vote for the
        title while learning.
    :param charset: the charset of the HTTP header, used for bytes only; ``None`` when not given.
    """

    url: str
    html: bytes | str | etree._Element = field(repr=False)
    anchors: tuple[str, ...] = ()
    charset: str | None = None

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
    usual = _usual_site(url)
    return _site_of_parts(url) if usual is None else usual


def _usual_site(url: str) -> str | None:
    """The same of a URL whose site can be read off it as it stands; ``None`` for others.

    To take all of it apart takes a twentieth of the time of a page of 5 kB.
    """
    text = url if type(url) is str else str(url)
    start = 8 if text.startswith("https://") else 7 if text.startswith("http://") else 0
    end = start
    while end < len(text):
        char = text[end]
        if not ("a" <= char <= "z" or "0" <= char <= "9" or char == "-" or char == "."):
            break
        end += 1
    if not start or end == start or end == len(text):
        return None
    first = start + 4 if text.startswith("www.", start) else start
    after = text[end]
    if after == "/" or after == "?" or after == "#":
        return text[first:end]
    stop = text.find("/", end)
    is_usual = after == ":" and stop > end and _is_usual_port(text[end + 1 : stop])
    return text[first:stop] if is_usual else None


def _is_usual_port(port: str) -> bool:
    """Whether a port can be taken as it stands, and is that of no scheme."""
    is_number = len(port) <= 5 and port.isascii() and port.isdecimal() and not port.startswith("0")
    return is_number and port not in _DEFAULT_PORTS and int(port) <= _MAX_PORT


def _site_of_parts(url: str) -> str:
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return ""
    return host if port in (None, DEFAULT_PORTS.get(parts.scheme)) else f"{host}:{port}"
