"""The pages of all sources that somebody has named."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.request import Request, urlopen
from zipfile import is_zipfile

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.config import StemmerConfig
from scrapy_stemmer.crawl.sources.base import LeftOut
from scrapy_stemmer.crawl.sources.files import FileUrls, Links, pages_of_folder, pages_of_zip, read_lines
from scrapy_stemmer.crawl.sources.warc import is_warc, pages_of_wacz, pages_of_warc

FEEDS = (".jsonl", ".jl", ".jsonl.gz", ".jl.gz", ".ndjson")
"""How the names of feeds end."""

TIMEOUT = 30
"""Seconds that a page may take to be fetched."""


def read_pages(
    names: Iterable[str],
    options: Namespace,
    config: StemmerConfig,
    left_out: LeftOut,
    *,
    sites: Sequence[str] = (),
    links: Links | None = None,
) -> Iterator[Page]:
    """The pages of sources, read as options and settings say; see :func:`pages_of`.

    :param sites: those that are known; a single one is that of files whose names hold none.
    """
    fields = (config.url_field, config.html_field or "html")
    only_site = sites[0] if len(sites) == 1 else None
    for page in pages_of(names, left_out, site=options.site, only_site=only_site, fields=fields, links=links):
        url = page.url.encode("utf-8", "backslashreplace").decode()  # lone surrogates can't be written anywhere
        yield page if url == page.url else replace(page, url=url)


def pages_of(
    names: Iterable[str],
    left_out: LeftOut,
    *,
    site: str | None = None,
    only_site: str | None = None,
    fields: tuple[str, str] = ("url", "html"),
    links: Links | None = None,
) -> Iterator[Page]:
    """The pages of sources, each time in the same order, read as they are asked for.

    :param names: of the sources; a list of names (``.list``) stands for theirs.
    :param left_out: is told what the sources leave out.
    :param site: the site of all files of folders and archives, if the user has named one.
    :param only_site: that of files whose names hold none.
    :param fields: the fields of feeds with the URL and with the HTML.
    :param links: is given the texts of the links to each page, as far as a source has a record of them.
    :raises StemmerError: for what is not what it should be.
    :raises OSError: for what can't be read.
    """
    links = Links(tuple) if links is None else links
    urls = FileUrls(site, only_site)
    for name in names:
        path = Path(name)
        if name.startswith(("http://", "https://")):
            request = Request(name, headers={"User-Agent": "scrapy-stemmer"})  # noqa: S310 - of the web, as tested above
            with urlopen(request, timeout=TIMEOUT) as response:  # noqa: S310
                yield Page(response.url, response.read(), charset=response.headers.get_content_charset())
        elif path.is_dir():
            yield from pages_of_folder(path, urls, links, left_out)
        elif path.suffix == ".list":
            listed = filter(None, map(str.strip, path.read_text(encoding="utf-8").split("\n")))
            yield from pages_of(listed, left_out, site=site, only_site=only_site, fields=fields, links=links)
        elif name.endswith(FEEDS):
            yield from (page for page, _ in read_lines(name, fields))
        elif is_warc(name):
            with path.open("rb") as file:
                yield from pages_of_warc(file, name, left_out)
        elif path.suffix == ".wacz":
            yield from pages_of_wacz(name, left_out)
        elif path.suffix == ".zip" or is_zipfile(path):
            yield from pages_of_zip(name, urls, links)
        else:
            yield Page(urls.of_file(path), path.read_bytes())
