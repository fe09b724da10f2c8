"""Files: HTML, folders of it, archives of Webstemmer's textcrawler, and JSON Lines with URLs and HTML of pages."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any
from zipfile import BadZipFile, ZipFile

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.responses import url_key
from scrapy_stemmer.crawl.sources import httpcache
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.layout import webstemmer

LINKINFO = "linkinfo"
"""The name of the file in which textcrawler puts the texts of links."""

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ""})
"""Files of folders and archives that are read; others are images and the like."""

Links = defaultdict[str, tuple[str, ...]]
"""The texts of the links to each page, by the key of its URL."""


@dataclass(frozen=True, slots=True)
class FileUrls:
    """The URLs of files, whose names are those of their pages: ``[baseid/]host/path``, or a path within one site.

    :param site: the site of all of them, if the user has named one.
    :param only_site: that of files whose names hold none.
    """

    site: str | None
    only_site: str | None

    def of_file(self, path: Path) -> str:
        """The URL of a single file.

        :raises StemmerError: when nobody has said of which site it is.
        """
        return self._within_site(path.name, str(path))

    def of_name(self, name: str) -> str:
        """The URL of a file of a folder or an archive.

        :raises StemmerError: when neither its name nor anybody says of which site it is.
        """
        parts = name.split("/")
        hosts = [number for number, part in enumerate(parts[:-1][:2]) if "." in part or ":" in part]
        if self.site is None and hosts:
            return f"http://{'/'.join(parts[hosts[0] :])}"
        return self._within_site(name, name)

    def _within_site(self, path: str, name: str) -> str:
        site = self.site or self.only_site
        if site is None:
            raise StemmerError(f"Say with --site which site {name} is of.")
        return f"http://{site}/{path}"


def pages_of_folder(top: Path, urls: FileUrls, links: Links, left_out: LeftOut) -> Iterator[Page]:
    """The pages of a folder, in which there may be HTTP caches of Scrapy too: folder by folder, by name."""
    for folder, folders, names in os.walk(top):
        folders.sort()
        here = Path(folder)
        if httpcache.is_entry(names):
            yield from httpcache.pages_of_entry(here, left_out)
            continue
        databases = httpcache.databases_among(here, names)
        for database in databases:
            yield from httpcache.pages_of_database(database, left_out)
        files = [here / name for name in sorted(names) if not httpcache.is_of_database(name, databases)]
        yield from _pages_of_files(((each.relative_to(top).as_posix(), each.read_bytes) for each in files), urls, links)


def pages_of_zip(name: str, urls: FileUrls, links: Links) -> Iterator[Page]:
    """The pages of a zip archive of textcrawler, by name.

    :raises StemmerError: when it is no such archive.
    """
    try:
        with ZipFile(name) as archive:
            names = sorted(entry for entry in archive.namelist() if not entry.endswith("/"))
            yield from _pages_of_files(((entry, partial(archive.read, entry)) for entry in names), urls, links)
    except BadZipFile as error:
        raise StemmerError(f"{name} can't be read as an archive ({error}).") from error


def _pages_of_files(files: Iterable[tuple[str, Callable[[], bytes]]], urls: FileUrls, links: Links) -> Iterator[Page]:
    for name, read in files:
        if name.rpartition("/")[2] == LINKINFO:
            read_linkinfo(read(), name, links)
        elif Path(name).suffix.lower() in PAGE_SUFFIXES:
            yield Page(urls.of_name(name), read())


def read_linkinfo(content: bytes, name: str, links: Links) -> None:
    """Read the texts of the links to each page from a file of textcrawler.

    :param name: its name in errors.
    :param links: is given the texts.
    :raises StemmerError: when it is no such file.
    """
    try:
        found = webstemmer.read_linkinfo(content.decode("utf-8", "replace"))
    except StemmerError as error:
        raise StemmerError(f"{name}: {error}") from error
    for page, texts in found.items():
        if url := webstemmer.url_of(page):
            links[url_key(url)] += texts


def read_lines(name: str, fields: tuple[str, str]) -> Iterator[tuple[Page, Mapping[str, Any]]]:
    """The page of each line of a feed in JSON Lines, plain or compressed, and the whole line.

    :param fields: the fields with the URL and with the HTML.
    :raises StemmerError: naming a line that is none of a feed.
    """
    number = 0
    try:
        with open_text(name) as lines:
            for line in lines:
                number += 1
                if line.strip():
                    item = json.loads(line)
                    url, html = (item[field] for field in fields)
                    if not (isinstance(url, str) and isinstance(html, str)):
                        raise TypeError("no text in one of them")
                    yield Page(url, html), item
    except (EOFError, zlib.error, gzip.BadGzipFile, UnicodeDecodeError) as error:
        raise StemmerError(f"{name} can't be read behind line {number}: {error}.") from error
    except (ValueError, TypeError, KeyError) as error:
        raise StemmerError(
            f"{name}, line {number}: must be a JSON object with texts in {fields[0]!r} and {fields[1]!r}, the fields "
            f"of STEMMER_URL_FIELD and STEMMER_HTML_FIELD ({error})."
        ) from error


def open_text(name: str, mode: str = "r") -> IO[str]:
    """A text file, which is compressed if its name ends in ``.gz``.

    :param mode: ``r`` or ``w``.
    """
    if name.endswith(".gz"):
        return gzip.open(name, f"{mode}t", encoding="utf-8")  # type: ignore[return-value]
    return open(name, mode, encoding="utf-8")  # noqa: PTH123 - as above; who asked closes it
