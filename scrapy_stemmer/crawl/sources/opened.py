"""Which source a name stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import is_zipfile

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.sources.base import LeftOut, Source, the_site
from scrapy_stemmer.crawl.sources.files import Feed, Folder, HtmlFile, ZipArchive
from scrapy_stemmer.crawl.sources.warc import WaczArchive, WarcFile, is_warc

FEEDS = (".jsonl", ".jl", ".jsonl.gz", ".jl.gz", ".ndjson")
"""How the names of feeds end."""

TIMEOUT = 30
"""Seconds that a page may take to be fetched."""


class Fetched(Source):
    """A page on the web."""

    def pages(self) -> Iterator[Page]:
        """The page, as it is there now."""
        request = Request(self.name, headers={"User-Agent": "scrapy-stemmer"})  # noqa: S310 - see opened()
        with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
            yield Page(response.url, response.read(), charset=response.headers.get_content_charset())


def opened(
    names: Iterable[str],
    left_out: LeftOut,
    *,
    site: str | None = None,
    only_site: str | None = None,
    fields: tuple[str, str] = ("url", "html"),
) -> Iterator[Source]:
    """The sources that names stand for; a list of names (``.list``) stands for theirs.

    :param left_out: is told what the sources leave out.
    :param site: the site of all files of folders and archives, if the user has named one.
    :param only_site: that of files whose names hold none.
    :param fields: the fields of feeds with the URL and with the HTML.
    """
    site_of = the_site(site or only_site)
    for name in names:
        path = Path(name)
        if name.startswith(("http://", "https://")):
            yield Fetched(name, left_out)
        elif path.is_dir():
            yield Folder(name, left_out, site, site_of)
        elif path.suffix == ".list":
            listed = [line.strip() for line in path.read_text(encoding="utf-8").split("\n")]
            yield from opened(filter(None, listed), left_out, site=site, only_site=only_site, fields=fields)
        elif name.endswith(FEEDS):
            yield Feed(name, left_out, fields)
        elif is_warc(name):
            yield WarcFile(name, left_out)
        elif path.suffix == ".wacz":
            yield WaczArchive(name, left_out)
        elif path.suffix == ".zip" or is_zipfile(path):
            yield ZipArchive(name, left_out, site, site_of)
        else:
            yield HtmlFile(name, left_out, site_of)
