"""Addresses in a page: made absolute, and left out where they are unsafe; for all HTML that is made of pages."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from lxml import etree

SCHEMES = frozenset("http https ftp mailto tel sms geo irc ircs magnet news nntp urn webcal xmpp".split())
"""Schemes that links may have: those that browsers let sites handle, and the web's own."""

IMAGE_DATA = re.compile(r"data:image/[a-z0-9.+-]+[;,]", re.IGNORECASE)
"""How an image that stands in its address begins."""

UNWANTED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that no HTML may hold, or that end an address in disguise."""

_WEB = re.compile(r"https?://[^/?#]+")
_USUAL = re.compile(
    r"(?:(?P<web>https?://[a-z0-9.-]+)?/(?!/)|#(?=.)|[\w-][\w.-]*(?=[/?#]|$))[\w/.,;:?&=%+~#@!$*'()-]*", re.ASCII
)
_BLANKS = "".join(map(chr, range(0x21)))
_BREAKS = re.compile("[\t\n\r]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_BETWEEN = re.compile(r",\s+|(?<=\d[wx]),")


def safe_address(address: str, base: str = "", *, is_image: bool = False) -> str | None:
    """An address, absolute, as browsers read it; ``None`` for one with a scheme that might run code or is unknown.

    :param base: what it is relative to; "" leaves it as it is.
    :param is_image: whether it is that of an image, which may stand in it.
    """
    address = _BREAKS.sub("", UNWANTED.sub("", address).strip(_BLANKS))
    if is_image and IMAGE_DATA.match(address):
        return address
    try:
        address = urljoin(base, address) if base else address
    except ValueError:
        return None
    scheme = _SCHEME.match(address)
    return address if scheme is None or scheme[1].lower() in SCHEMES else None


def safe_srcset(value: str, base: str = "") -> str | None:
    """A list of images for several sizes; ``None`` where none of them is left."""
    found = []
    for candidate in _BETWEEN.split(value):
        address, *size = candidate.split() or [""]
        if address and (safe := safe_address(address, base)):
            found.append(" ".join((safe, *size)))
    return ", ".join(found) or None


class Addresses:
    """The addresses of a page.

    :param root: its tree.
    :param url: its own address; "" where it is not known, which leaves others as they are.
    """

    def __init__(self, root: etree._Element, url: str) -> None:
        self.url = url.partition("#")[0]
        given = next((href for each in root.iter("base") if (href := each.get("href"))), None)
        self.base = self.url if given is None else safe_address(given, self.url) or self.url
        is_web = _WEB.match(self.base)
        self._origin = is_web[0] if is_web else None
        self._folder = urljoin(self.base, ".") if is_web else ""
        self._known: dict[str, str | None] = {}

    def absolute(self, address: str) -> str | None:
        """The address of a link, absolute; ``None`` for an unsafe one."""
        if address not in self._known:
            self._known[address] = self._absolute(address)
        return self._known[address]

    def _absolute(self, address: str) -> str | None:
        # Most can be told as they stand: to take one apart takes ten times as long.
        usual = _USUAL.fullmatch(address) if self._origin is not None and "/." not in address else None
        if usual is None:
            return safe_address(address, self.base)
        if address[0] == "#":
            return self.base.partition("#")[0] + address
        return address if usual["web"] else f"{self._origin if address[0] == '/' else self._folder}{address}"

    def fragment(self, address: str) -> str | None:
        """The name of the place in the page itself that an absolute address leads to; ``None`` for one elsewhere."""
        page, _, fragment = address.partition("#")
        return fragment if fragment and page == self.url else None
