"""Pages that somebody has stored: HTML files, folders, archives of Webstemmer's textcrawler, feeds in JSON Lines."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from zipfile import BadZipFile, ZipFile, is_zipfile

from scrapy.http import HtmlResponse

from scrapy_stemmer.core.dom import DEFAULT_CHARSET, decode, parse
from scrapy_stemmer.core.page import Page
from scrapy_stemmer.crawl.anchors import anchors_of, url_key
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.layout import webstemmer

LINKINFO = "linkinfo"
"""The name of the file in which textcrawler puts the texts of links."""

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ""})
"""Files of folders and archives that are read; others are images and the like."""

Links = Mapping[str, tuple[str, ...]]
"""The texts of the links to each page, by the key of its URL."""


class StoredPages:
    """Stored pages with the texts of the links to them.

    :param site: the site of files whose names hold none.
    :param fields: the fields with the URL and with the HTML in lines of a feed.
    """

    def __init__(self, site: str | None, fields: tuple[str, str]) -> None:
        self._site = site
        self._fields = fields
        self._links: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
        self._pages: list[Page] = []

    def add(self, name: str) -> None:
        """Read what a name stands for: a folder, an archive, a feed (``.jsonl``), a list of names (``.list``), a page.

        :raises StemmerError: for what can't be read as that.
        :raises OSError: for what can't be read at all.
        """
        path = Path(name)
        if path.is_dir():
            self._add_named((file.relative_to(path).as_posix(), file.read_bytes) for file in _files(path))
        elif path.suffix == ".list":
            for line in path.read_text(encoding="utf-8").split("\n"):
                if line.strip():
                    self.add(line.strip())
        elif path.suffix in (".jsonl", ".jl"):
            self._pages += self._of_feed(path)
        elif path.suffix == ".zip" or is_zipfile(path):
            self._add_archive(path)
        else:
            self._pages.append(Page(f"http://{self._needed_site(name)}/{path.name}", path.read_bytes()))

    def add_linkinfo(self, text: str, name: str) -> None:
        """Take the texts of links from a file of textcrawler.

        :param name: its name in errors.
        :raises StemmerError: when it is no such file.
        """
        try:
            found = webstemmer.read_linkinfo(text)
        except StemmerError as error:
            raise StemmerError(f"{name}: {error}") from error
        for page, texts in found.items():
            url = webstemmer.url_of(page)
            if url:
                self._links[url_key(url)] += texts

    def pages(self, default_charset: str = DEFAULT_CHARSET) -> list[Page]:
        """The pages, by URL, each with the texts of the links to it.

        The texts are those of the linkinfo; without one, those of the links that the pages themselves hold.
        """
        links = self._links or links_between(self._pages, default_charset)
        ordered = sorted(self._pages, key=lambda page: page.url)
        return [replace(page, anchors=tuple(links.get(url_key(page.url), ()))) for page in ordered]

    def _add_archive(self, path: Path) -> None:
        try:
            with ZipFile(path) as archive:
                names = [entry for entry in archive.namelist() if not entry.endswith("/")]
                self._add_named((name, partial(archive.read, name)) for name in sorted(names))
        except BadZipFile as error:
            raise StemmerError(f"{path} can't be read as an archive ({error}).") from error

    def _add_named(self, files: Iterable[tuple[str, Callable[[], bytes]]]) -> None:
        for name, read in files:
            if name.rpartition("/")[2] == LINKINFO:
                self.add_linkinfo(read().decode("utf-8", "replace"), name)
            elif Path(name).suffix.lower() in PAGE_SUFFIXES:
                self._pages.append(Page(self._url_of(name), read()))

    def _url_of(self, name: str) -> str:
        """The URL of a file: ``[baseid/]host/path``, or a path within the site that was given."""
        if self._site is not None:
            return f"http://{self._site}/{name}"
        parts = name.split("/")
        hosts = [index for index, part in enumerate(parts[:-1][:2]) if "." in part or ":" in part]
        return f"http://{'/'.join(parts[hosts[0] :])}" if hosts else f"http://{self._needed_site(name)}/{name}"

    def _needed_site(self, name: str) -> str:
        if self._site is None:
            raise StemmerError(f"Say with --site which site {name} is of.")
        return self._site

    def _of_feed(self, path: Path) -> Iterator[Page]:
        url, html = self._fields
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.strip():
                    continue
                try:
                    item = json.loads(line)
                    yield Page(_text(item, url), _text(item, html))
                except (ValueError, TypeError, KeyError) as error:
                    raise StemmerError(
                        f"{path}, line {number}: must be a JSON object with texts in {url!r} and {html!r}, the fields "
                        f"of STEMMER_URL_FIELD and STEMMER_HTML_FIELD ({error})."
                    ) from error


def links_between(pages: Iterable[Page], default_charset: str = DEFAULT_CHARSET) -> Links:
    """The texts of the links that pages give to pages of their own site."""
    found: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for page in sorted(pages, key=lambda page: page.url):
        text = decode(page.html, None, default_charset) if isinstance(page.html, bytes) else str(page.html)
        response = HtmlResponse(page.url, body=text, encoding="utf-8")
        for key, anchor in anchors_of(response, parse(text)):
            found[key] += (anchor,)
    return found


def linkinfo_of(pages: Iterable[Page]) -> str:
    """The texts of links to pages as a linkinfo file of Webstemmer; the pages' ``baseid`` is ``0``."""
    return webstemmer.write_linkinfo({f"0/{page.url.partition('://')[2]}": page.anchors for page in pages})


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def _text(item: object, field: str) -> str:
    value = item[field]  # type: ignore[index]
    if not isinstance(value, str):
        raise TypeError(f"{field!r} is no text")
    return value
