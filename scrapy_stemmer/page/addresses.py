"""Addresses of links and images: absolute, and safe.

Browsers read addresses leniently: with white space, without a scheme, and relative to the ``base`` of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import SplitResult, parse_qsl, unquote, urljoin, urlsplit

from lxml import etree

from scrapy_stemmer.page.text import UNWANTED

SCHEMES = frozenset("http https ftp mailto tel sms geo irc ircs magnet news nntp urn webcal xmpp".split())
"""Schemes of safe links: schemes that browsers let sites handle, and the web's own."""

IMAGE_DATA = re.compile(r"data:image/[a-z0-9.+-]+[;,]", re.IGNORECASE)  # beginning of an image within an address

_WEB = re.compile(r"https?://[^/?#]+")
_USUAL = re.compile(
    r"(?:(?P<web>https?://[a-z0-9.-]+)?/(?!/)|#(?=.)|[\w-][\w.-]*(?=[/?#]|$))[\w/.,;:?&=%+~#@!$*'()-]*", re.ASCII
)
_ABOVE = re.compile(r"((?:\.\./)+)([\w-][\w.-]*(?:/[\w-][\w.-]*)*/?(?:\?[\w=&%+-]+)?(?:#[\w%+.:-]+)?)", re.ASCII)
_NAME = r"[\w~%+=-][\w.~%@+=-]*+"
_PLAIN = re.compile(rf"https?://[a-z0-9.-]+/(?:{_NAME}/)*+(?:{_NAME})?", re.ASCII)
_BLANKS = "".join(map(chr, range(0x21)))
_BREAKS = re.compile("[\t\n\r]")
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
FEWEST_IN_NAME = 3  # words in the name of a page of content
_WORD = re.compile(r"[^\W\d_]+")
_LONG = re.compile(r".{25}|.*\d.*[^\W\d]|.*[^\W\d].*\d", re.DOTALL)  # many letters, or a word with a number
_BETWEEN = re.compile(r",\s+|(?<=\d[wx]),")


LONGEST_FOREIGN = 2_000
"""Longest address with other characters than ASCII: urllib normalizes hosts, in a time quadratic in their marks."""


def split_address(address: str) -> SplitResult:
    """Return the parts of an address; raise ValueError for a broken or an overlong address."""
    return urlsplit(_in_time(address))


def joined(base: str, address: str) -> str:
    """Return an absolute address; raise ValueError as :func:`split_address`."""
    return urljoin(base, _in_time(address))


def _in_time(address: str) -> str:
    if len(address) > LONGEST_FOREIGN and not address.isascii():
        raise ValueError("the address is too long")
    return address


def host_of(url: str) -> str | None:
    """Return the host of a URL without ``www.``, "" without a host; ``None`` for a broken URL: ``http://[a/``."""
    try:
        return (split_address(url).hostname or "").removeprefix("www.")
    except ValueError:
        return None


def safe_address(address: str, base: str = "", *, is_image: bool = False) -> str | None:
    """Return an absolute address, as browsers read it; ``None`` for an address with an unknown or unsafe scheme."""
    address = _BREAKS.sub("", UNWANTED.sub("", address).strip(_BLANKS))
    if _PLAIN.fullmatch(address) or (is_image and IMAGE_DATA.match(address)):
        return address
    try:
        address = joined(base, address) if base else address
    except ValueError:
        return None
    scheme = _SCHEME.match(address)
    return address if scheme is None or scheme[1].lower() in SCHEMES else None


MAX_SIZES = 100  # kept sizes of an image


def safe_srcset(value: str, safe: Callable[[str], str | None] = safe_address) -> str | None:
    """Return the safe images of a ``srcset``, :data:`MAX_SIZES` at most; ``None`` without any."""
    images = []
    for candidate in _BETWEEN.split(value, MAX_SIZES)[:MAX_SIZES]:
        address, *size = candidate.split() or [""]
        if address and (found := safe(address)):
            images.append(" ".join((found, *size)))
    return ", ".join(images) or None


LONGEST_BASE = 4_000
"""Longest base of addresses, in characters: each address repeats the base, so that 100 kB could become 125 MB."""


def base_of(root: etree._Element | None, url: str) -> str:
    bases = () if root is None else root.iter("base")
    stated = next((href for element in bases if (href := element.get("href"))), None)
    base = url if stated is None else safe_address(stated, url or stated) or url
    return base if len(base) <= LONGEST_BASE else ""


class Addresses:
    """Addresses in a page's tree, left relative if the URL of the page is unknown."""

    def __init__(self, root: etree._Element | None, url: str) -> None:
        # An invalid URL, such as "http://[::1", leads nowhere.
        is_plain = _PLAIN.fullmatch(url) is not None
        self.url = url if is_plain else (safe_address(url, url) or "").partition("#")[0]
        self.base = base_of(root, self.url)
        is_web = _WEB.match(self.base)
        self.origin = is_web[0] if is_web else None
        if is_plain and self.base is url:
            self.folder = url[: url.rindex("/") + 1]
        else:
            self.folder = (safe_address(".", self.base) or "") if is_web else ""
        self._known: dict[object, str | None] = {}

    def absolute(self, address: str, *, is_image: bool = False) -> str | None:
        key = address, is_image
        if key not in self._known:
            self._known[key] = self._absolute(address, is_image)
        return self._known[key]

    def _absolute(self, address: str, is_image: bool) -> str | None:
        # Most addresses can be joined without parsing, which takes ten times as long.
        if self.origin is not None and (above := _ABOVE.fullmatch(address)):
            return self.folder_above(above[1]) + above[2]
        usual = _USUAL.fullmatch(address) if self.origin is not None and "/." not in address else None
        if usual is None:
            return safe_address(address, self.base, is_image=is_image)
        if address[0] == "#":
            return self.base.partition("#")[0] + address
        return address if usual["web"] else f"{self.origin if address[0] == '/' else self.folder}{address}"

    def folder_above(self, steps: str) -> str:
        folder = self._known.get(steps)
        if folder is None:
            folder = self._known[steps] = safe_address(steps, self.base) or ""
        return folder


# Shapes of addresses


def names_in(url: str) -> list[str]:
    """Return the names of folders and file in an address."""
    names = [name for name in unquote(urlsplit(url).path).split("/") if name]
    if names and names[-1].startswith("index."):
        del names[-1]
    return names


def is_phrase(name: str) -> bool:
    """Return True for a long name, or a name of several words or with a number."""
    return _LONG.match(name) is not None or len(_WORD.findall(name)) >= FEWEST_IN_NAME


def shape_of(url: str) -> str:
    """Return the common shape of similar addresses: ``http://a.example/2025/03/new-bridge.html`` has the shape
    ``a.example/0/0/*``. Invalid addresses have none."""
    try:
        parts = split_address(url)
    except ValueError:
        return ""
    stems = (name.partition(".")[0] for name in names_in(url))
    names = ("0" if stem.isdigit() else "*" if is_phrase(stem) else stem for stem in stems)
    *folders, last = [parts.netloc, *names]
    last = "word" if folders and last not in ("0", "*") else last
    query = ",".join(sorted({name for name, _ in parse_qsl(parts.query)}))
    return "/".join([*folders, last]) + ("?" if query else "") + query
