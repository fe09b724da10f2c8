"""Files: HTML, folders of it, archives of Webstemmer's textcrawler, and JSON Lines with URLs and HTML of pages."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.sources import httpcache
from scrapy_stemmer.crawl.sources.base import LeftOut, SiteOf, Source
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.layout import webstemmer

LINKINFO = "linkinfo"
"""The name of the file in which textcrawler puts the texts of links."""

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ""})
"""Files of folders and archives that are read; others are images and the like."""


class HtmlFile(Source):
    """One HTML file.

    :param site_of: gives its site.
    """

    def __init__(self, name: str, left_out: LeftOut, site_of: SiteOf) -> None:
        super().__init__(name, left_out)
        self._site_of = site_of

    def pages(self) -> Iterator[Page]:
        """The page."""
        path = Path(self.name)
        html = path.read_bytes()  # first, so that a file that there isn't is told before its site is asked for
        yield Page(f"http://{self._site_of(self.name)}/{path.name}", html)


class NamedFiles(Source):
    """Files whose names are those of their pages: ``[baseid/]host/path``, or a path within one site.

    :param site: the site of all of them, if the user has named one.
    :param site_of: gives that of a file whose name holds none.
    """

    def __init__(self, name: str, left_out: LeftOut, site: str | None, site_of: SiteOf) -> None:
        super().__init__(name, left_out)
        self._site = site
        self._site_of = site_of
        self._links: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)

    def links(self) -> Mapping[str, tuple[str, ...]]:
        """The texts of links of the linkinfo files that were met."""
        return self._links

    def _pages_of(self, files: Iterable[tuple[str, Callable[[], bytes]]]) -> Iterator[Page]:
        for name, read in files:
            if name.rpartition("/")[2] == LINKINFO:
                for url, texts in read_linkinfo(read().decode("utf-8", "replace"), name).items():
                    self._links[url] += texts
            elif Path(name).suffix.lower() in PAGE_SUFFIXES:
                yield Page(self._url_of(name), read())

    def _url_of(self, name: str) -> str:
        if self._site is not None:
            return f"http://{self._site}/{name}"
        parts = name.split("/")
        hosts = [index for index, part in enumerate(parts[:-1][:2]) if "." in part or ":" in part]
        return f"http://{'/'.join(parts[hosts[0] :])}" if hosts else f"http://{self._site_of(name)}/{name}"


class Folder(NamedFiles):
    """A folder of pages, in which there may be HTTP caches of Scrapy too."""

    def pages(self) -> Iterator[Page]:
        """The pages of the files, folder by folder, each in the order of names."""
        top = Path(self.name)
        for folder, folders, names in os.walk(top):
            folders.sort()
            here = Path(folder)
            if httpcache.is_entry(names):
                yield from httpcache.pages_of_entry(here, self.left_out)
                continue
            caches = [name for name in sorted(names) if httpcache.is_database(here / name)]
            for name in caches:
                yield from httpcache.pages_of_database(here / name, self.left_out)
            files = [here / name for name in sorted(names) if not httpcache.is_of_database(name, caches)]
            yield from self._pages_of((file.relative_to(top).as_posix(), file.read_bytes) for file in files)


class ZipArchive(NamedFiles):
    """A zip archive of textcrawler."""

    def pages(self) -> Iterator[Page]:
        """The pages of the archive, in the order of names."""
        try:
            with ZipFile(self.name) as archive:
                names = sorted(entry for entry in archive.namelist() if not entry.endswith("/"))
                yield from self._pages_of((name, partial(archive.read, name)) for name in names)
        except BadZipFile as error:
            raise StemmerError(f"{self.name} can't be read as an archive ({error}).") from error


def read_linkinfo(text: str, name: str) -> dict[str, tuple[str, ...]]:
    """The texts of the links to each page, by its URL, from a file of textcrawler.

    :param name: its name in errors.
    :raises StemmerError: when it is no such file.
    """
    try:
        found = webstemmer.read_linkinfo(text)
    except StemmerError as error:
        raise StemmerError(f"{name}: {error}") from error
    links: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for page, texts in found.items():
        url = webstemmer.url_of(page)
        if url:
            links[url] += texts
    return links


# JSON Lines with the URL and the HTML of pages, plain or compressed


class Feed(Source):
    """A feed in JSON Lines, as Scrapy's feed exports write it.

    :param fields: the fields with the URL and with the HTML.
    """

    def __init__(self, name: str, left_out: LeftOut, fields: tuple[str, str]) -> None:
        super().__init__(name, left_out)
        self._fields = fields

    def pages(self) -> Iterator[Page]:
        """The pages, line by line."""
        for page, _ in read_lines(self.name, self._fields):
            yield page


def read_lines(name: str, fields: tuple[str, str]) -> Iterator[tuple[Page, Mapping[str, Any]]]:
    """The page of each line of a feed, and the whole line.

    :param fields: the fields with the URL and with the HTML.
    :raises StemmerError: naming a line that is none of a feed.
    """
    url, html = fields
    number = 0
    try:
        with open_text(name) as lines:
            for line in lines:
                number += 1
                if line.strip():
                    item = json.loads(line)
                    yield Page(_text(item, url), _text(item, html)), item
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise StemmerError(f"{name} can't be read behind line {number}: {error}.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise StemmerError(
            f"{name}, line {number}: must be a JSON object with texts in {url!r} and {html!r}, the fields "
            f"of STEMMER_URL_FIELD and STEMMER_HTML_FIELD ({error})."
        ) from error


def open_text(name: str) -> IO[str]:
    """A text file, which is expanded when its name ends in ``.gz``."""
    if name.endswith(".gz"):
        return gzip.open(name, "rt", encoding="utf-8")
    return open(name, encoding="utf-8")  # noqa: PTH123 - as above; who asked closes it


def _text(item: object, field: str) -> str:
    value = item[field]  # type: ignore[index]
    if not isinstance(value, str):
        raise TypeError(f"{field!r} is no text")
    return value
