"""Sets of pages with gold text: where they are, how they are read.

A set is a file of JSON lines (``.jsonl`` or ``.jsonl.gz``), a page a line: ``site``, ``id``, ``url``, ``html``
(text), ``text`` (the gold main text), and, where known, ``title``, ``type``, ``optional``, ``lang`` and ``sort``. Where
``text`` is null, ``with`` and ``without`` hold segments that a right text has, and has not.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import urljoin, urlsplit

import lxml.html
from lxml import etree

from scrapy_stemmer import Page
from scrapy_stemmer.page.document import decode

ROOT = Path(__file__).resolve().parent.parent

SHARED = ROOT.parent / "shared" / "data"  # where sets are looked for when no folder is named
DEMO_SITE = ROOT / "example_project" / "demo_site"  # the bundled site: the set that every clone has

SUFFIXES = (".jsonl.gz", ".jsonl")

BUNDLED = "bundled"  # name of the set made of the bundled site


ALONE = "onepage"  # the folder, in that of the sets, with sets of single pages


class SetError(Exception):
    """A missing or unreadable set; the message says what to do."""


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and its gold text."""

    site: str  # the name of its site within the set
    id: str  # its name within the set
    url: str
    html: str = field(repr=False)  # the page as text
    text: str = field(repr=False)  # the gold main text
    title: str | None = None  # the gold title; ``None`` when the set has none
    type: str | None = None  # the page type, if the set has types: article, docs, list, ...
    # text that only some readers want (a byline, captions): neither right nor wrong
    optional: str = field(default="", repr=False)
    lang: str | None = None  # the language of the page, where the set says so
    sort: str | None = None  # what sort of site the page is of, where the set says so: blog, shop, wiki, ...
    wanted: tuple[str, ...] = field(default=(), repr=False)  # segments that a right text has, in place of a gold text
    unwanted: tuple[str, ...] = field(default=(), repr=False)  # segments missing in the page's text


@dataclass(frozen=True, slots=True)
class PageSet:
    """Pages of several sites."""

    name: str  # the file's name without suffix, preceded by its folder below the folder of sets
    pages: tuple[GoldPage, ...] = field(repr=False)

    @property
    def sites(self) -> dict[str, list[GoldPage]]:
        """The pages of each site, in the order of the file."""
        by_site: defaultdict[str, list[GoldPage]] = defaultdict(list)
        for page in self.pages:
            by_site[page.site].append(page)
        return dict(by_site)

    def capped(self, pages: int | None) -> PageSet:
        """At most ``pages`` pages: whole sites by :func:`site_order`, of each at most half of that number."""
        if pages is None or len(self.pages) <= pages:
            return self
        sites = self.sites
        share = max(1, (pages + 1) // 2)
        chosen = [page for site in site_order(sites) for page in sites[site][:share]]
        return PageSet(self.name, tuple(chosen[:pages]))


def site_order(sites: Iterable[str]) -> list[str]:
    """Sites sorted by the SHA-1 of their names: an order that has nothing to do with the sites."""
    return sorted(sites, key=lambda site: hashlib.sha1(site.encode()).hexdigest())


def is_of_single_pages(name: str) -> bool:
    """Return True for sets of single pages, by their names."""
    return name.startswith(f"{ALONE}/")


def halves(sites: Iterable[str]) -> tuple[frozenset[str], frozenset[str]]:
    """The sites in two halves, alternating in :func:`site_order`."""
    ordered = site_order(sites)
    return frozenset(ordered[::2]), frozenset(ordered[1::2])


# Files


def set_name(path: Path) -> str:
    """The name of a set's file without its suffix."""
    return path.name.removesuffix(".gz").removesuffix(".jsonl")


def opened(path: Path) -> TextIO:
    """A set's file, to be read as text."""
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def read_set(path: Path, name: str = "") -> PageSet:
    """Return a set from its file; rows without gold are left out.

    :param name: its name; by default the file's.
    :raises SetError: when a line is no page; the message names the line and the field.
    """
    with opened(path) as lines:
        pages = (_page(path, number, line) for number, line in enumerate(lines, 1) if line.strip())
        return PageSet(name or set_name(path), tuple(filter(None, pages)))


def _page(path: Path, number: int, line: str) -> GoldPage | None:
    try:
        row: Mapping[str, Any] = json.loads(line)
        text = row["text"]
        segments = [tuple(map(str, row.get(name) or ())) for name in ("with", "without")] if text is None else [(), ()]
        if text is None and not segments[0]:
            return None
        return GoldPage(
            str(row["site"]),
            str(row["id"]),
            str(row["url"]),
            str(row["html"]),
            str(text or ""),
            row.get("title") or None,
            row.get("type") or None,
            row.get("optional") or "",
            row.get("lang") or None,
            row.get("sort") or None,
            *segments,
        )
    except KeyError as error:
        raise SetError(
            f"{path}, line {number}: no field {error}; see benchmarks/README.md for the form of a set"
        ) from error
    except ValueError as error:
        raise SetError(f"{path}, line {number}: not JSON ({error})") from error


def set_files(folder: Path) -> list[Path]:
    """The sets in a folder, by name."""
    return sorted(path for path in folder.iterdir() if path.name.endswith(SUFFIXES)) if folder.is_dir() else []


def find_sets(names: Sequence[str] = (), folder: Path | None = None) -> Iterator[PageSet]:
    """Yield sets by name, reading each in turn.

    :param names: names of sets in the folder or in a folder below (``onepage/aeb``), names of folders below, or paths
        of files; none stands for all sets directly in the folder.
    :param folder: the folder of sets; ``None`` stands for :data:`SHARED` if present, else for the bundled site.
    :raises SetError: when a set is missing.
    """
    chosen = folder or SHARED
    files = set_files(chosen)
    if folder is not None and not files:
        raise SetError(f"no set (*.jsonl.gz or *.jsonl) in {folder}")
    if not names and not files:
        yield bundled_set()
    for path in files if not names else ():
        yield read_set(path)
    by_name = {set_name(path): path for path in files}
    for name in names:
        below = {f"{path.parent.name}/{set_name(path)}": path for path in set_files(chosen / name.partition("/")[0])}
        if name == BUNDLED:
            yield bundled_set()
        elif name in below or (below and "/" not in name):
            for full_name in [name] if name in below else below:
                yield read_set(below[full_name], full_name)
        elif name in by_name or Path(name).is_file():
            yield read_set(by_name.get(name, Path(name)))
        else:
            raise SetError(f"no set {name!r}; there are {', '.join([*by_name, BUNDLED])}")


def bundled_set(site: Path = DEMO_SITE) -> PageSet:
    """The bundled site of the example project as a set; its layouts (article, guide, index) are the types."""
    types = json.loads((site / "content_types.json").read_text(encoding="utf-8"))
    lines = (site / "gold.jsonl").read_text(encoding="utf-8").splitlines()
    return PageSet(BUNDLED, tuple(_bundled_page(site, json.loads(line), types) for line in lines))


def _bundled_page(site: Path, row: Mapping[str, str], types: Mapping[str, str]) -> GoldPage:
    parts = urlsplit(row["url"])
    name = f"{parts.path}index.html" if parts.path.endswith("/") else parts.path
    body = (site / "pages" / parts.netloc / name.lstrip("/")).read_bytes()
    charset = types.get(row["url"], "").partition("charset=")[2] or None
    return GoldPage(parts.netloc, name, row["url"], decode(body, charset), row["text"], row["title"], row["layout"])


def digest(site: Path = DEMO_SITE) -> str:
    """SHA-256 over the names and contents of the bundled site's pages and gold, in the order of their names."""
    hashed = hashlib.sha256()
    files = [path for path in (site / "pages").rglob("*") if path.is_file()]
    for path in sorted([*files, site / "gold.jsonl", site / "content_types.json"]):
        hashed.update(path.relative_to(site).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hashed.hexdigest()


# Links


def link_key(url: str) -> tuple[str, str, str]:
    """Return the common part of two addresses of a page: host without ``www.``, path and query."""
    parts = urlsplit(url)
    return parts.netloc.lower().removeprefix("www."), parts.path or "/", parts.query


def parsed(html: str) -> lxml.html.HtmlElement:
    """A bare lxml parse: what all times are compared with."""
    return lxml.html.document_fromstring(html.encode("utf-8"), parser=lxml.html.HTMLParser(encoding="utf-8"))


def anchors_of(pages: Sequence[GoldPage]) -> dict[tuple[str, str, str], list[str]]:
    """Return for each page of a site, by :func:`link_key`, the texts of links from the rest of the site."""
    known = {link_key(page.url) for page in pages}
    anchors: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for page in pages:
        for target, text in _links(page):
            if text and target in known and target != link_key(page.url):
                anchors[target].append(text)
    return anchors


def _links(page: GoldPage) -> Iterator[tuple[tuple[str, str, str], str]]:
    try:
        root = parsed(page.html)
    except (etree.LxmlError, ValueError):
        return
    for link in root.iter("a"):
        try:
            target = link_key(urljoin(page.url, link.get("href") or ""))
        except ValueError:
            continue
        yield target, " ".join(str(link.text_content() or "").split())


def as_pages(pages: Sequence[GoldPage]) -> list[Page]:
    """Return the pages of a site as given to the learners, with the texts of links to each page."""
    anchors = anchors_of(pages)
    return [Page(page.url, page.html, tuple(anchors.get(link_key(page.url), ()))) for page in pages]
