"""Pages of files, folders, archives, feeds and caches, with their URLs."""

from __future__ import annotations

import ast
import gzip
import json
import os
import re
import sys
from argparse import Namespace
from codecs import BOM_UTF8
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from http.client import HTTPException
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO, Any, cast
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from zipfile import is_zipfile

from w3lib.encoding import http_content_type_encoding
from w3lib.http import headers_raw_to_dict
from w3lib.url import safe_url_string

from scrapy_stemmer.commands.sources.base import (
    MAX_LINE,
    SOURCES,
    LeftOut,
    bounded,
    bounded_file,
    check_regular,
    decoded,
    member_of,
    opened_zip,
    read_each,
)
from scrapy_stemmer.commands.sources.warc import is_warc, pages_of_wacz, pages_of_warc
from scrapy_stemmer.exceptions import PatternFileError, StemmerError
from scrapy_stemmer.learners.literature.layout import webstemmer
from scrapy_stemmer.page.document import Page, url_key
from scrapy_stemmer.settings import StemmerConfig

WEB = ("http://", "https://")

STDIN = "-"  # name of standard input as a source

MAX_SHOWN = 100  # characters of an invalid name in messages
NO_SITE = ""  # site of files stripped alone, whose origin is irrelevant

FEEDS = (".jsonl", ".jl", ".jsonl.gz", ".jl.gz", ".ndjson")

PAGE_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx", ".jsp", ""})
"""Suffixes of pages in folders and archives."""

NO_PAGES = (
    "has no field {!r}: items hold the text of a page, not the page. A crawl keeps the pages that it learns from with "
    "-s STEMMER_KEEP_PAGES=pages.jsonl.gz, and all pages with -s HTTPCACHE_ENABLED=1 (in .scrapy/httpcache); an item's "
    "own HTML is in the field that STEMMER_HTML_FIELD names. Name one of these instead."
)
"""Advice for a feed of items."""

OUTSIDE = "a link that leads out of the folder"

NO_SOURCES = {".csv", ".json", ".md", ".tsv"}  # suffixes of outputs, which would be read as pages of HTML

Links = defaultdict[str, tuple[str, ...]]  # anchor texts of each page, by URL key


def read_pages(
    names: Iterable[str],
    options: Namespace,
    config: StemmerConfig,
    left_out: LeftOut,
    *,
    sites: Sequence[str] = (),
    links: Links | None = None,
) -> Iterator[Page]:
    """Read the pages of sources according to options and settings; see :func:`pages_of_sources`."""
    only_site = NO_SITE if getattr(options, "alone", False) else sites[0] if len(sites) == 1 else None
    for page in pages_of_sources(
        names, left_out, site=options.site, only_site=only_site, fields=config.feed_fields, links=links
    ):
        url = page.url.encode("utf-8", "backslashreplace").decode()  # lone surrogates can't be written anywhere
        yield page if url == page.url else replace(page, url=url)


def pages_of_sources(
    names: Iterable[str],
    left_out: LeftOut,
    *,
    site: str | None = None,
    only_site: str | None = None,
    fields: tuple[str, str] = ("url", "html"),
    links: Links | None = None,
) -> Iterator[Page]:
    """Yield the pages of sources lazily, in a fixed order.

    :param names: names of sources, or of lists of names (``.list``).
    :param only_site: site of files without one in their names; :data:`NO_SITE` gives them ``file:`` URLs.
    :raises StemmerError: for invalid sources.
    """
    files = _Files(left_out, site, only_site, Links(tuple) if links is None else links)
    for name in named(names, left_out):
        path = Path(name)
        check_regular(path)
        if name.startswith(WEB):
            yield from files.readable(name, partial(_fetched, name, left_out))
        elif name == STDIN:
            yield from files.of_stdin(fields)
        elif "://" in name and not path.exists():
            raise StemmerError(f"{name}: addresses begin with {' or '.join(WEB)}. Download it, and name the file.")
        elif path.is_dir():
            yield from files.of_folder(path)
        elif name.endswith(FEEDS):
            yield from (page for page, _ in read_page_lines(name, fields, left_out))
        elif is_warc(name):
            with path.open("rb") as file:
                yield from pages_of_warc(file, name, left_out)
        elif path.suffix == ".wacz":
            yield from pages_of_wacz(name, left_out)
        elif path.suffix == ".zip" or is_zipfile(path):
            yield from files.of_zip(name)
        else:
            yield from files.of_one(path)


@dataclass(frozen=True, slots=True)
class _Files:
    """Reader of files that are pages themselves, or hold pages under their names; see :func:`pages_of_sources`."""

    left_out: LeftOut
    site: str | None
    only_site: str | None
    links: Links

    def readable(self, name: str, read: Callable[[], Iterable[Page]]) -> Iterator[Page]:
        """Yield the pages of a file; count a damaged or oversized file as left out."""
        try:
            pages = list(read())
        except ValueError as error:
            self.left_out.add_error(error, name)
        else:
            yield from pages

    def of_one(self, path: Path) -> Iterator[Page]:
        if not path.exists() and (address := address_of(str(path))):
            raise StemmerError(f"{path}: there is no such file. If it is a page of the web: {address}")
        path.stat()  # reports a missing file before asking for its site
        if path.suffix.lower() in NO_SOURCES:
            raise StemmerError(f"{path} is no page of HTML. Name {SOURCES}.")
        url = path.absolute().as_uri() if self._is_anywhere else self._url_of(path.name)
        yield from self.readable(str(path), lambda: [Page(url, bounded_file(path))])

    def of_zip(self, name: str) -> Iterator[Page]:
        with opened_zip(name) as archive:
            for entry in sorted(archive.namelist()):
                read = partial(self._of_file, entry, partial(member_of, archive, entry))
                yield from self.readable(f"{name}, {entry}", read)

    def of_folder(self, top: Path) -> Iterator[Page]:
        """Yield the pages of a folder and of Scrapy's HTTP caches within, folder by folder, by name.

        Links to places outside the folder are left out: strangers may have packed the folder.
        """
        for folder, folders, names in os.walk(top):
            folders.sort()
            outside = {name for name in (*folders, *names) if _leads_out(Path(folder, name), top)}
            for name in sorted(outside):
                self.left_out.add(OUTSIDE, str(Path(folder, name)))
            names = [name for name in names if name not in outside]
            if _is_entry(Path(folder), names):
                yield from _pages_of_entry(Path(folder), self.left_out)
                continue
            for path in (Path(folder, name) for name in sorted(names)):
                if path.is_file():
                    read = partial(self._of_file, path.relative_to(top).as_posix(), partial(bounded_file, path))
                    yield from self.readable(str(path), read)
                else:
                    self.left_out.add("no file", str(path))  # a pipe or a broken link

    def of_stdin(self, fields: tuple[str, str]) -> Iterator[Page]:
        """Yield the pages of standard input: a feed in JSON Lines, plain or compressed, or one page of HTML."""
        if sys.stdin.buffer.closed:
            raise StemmerError("Standard input can be read once: name '-' once.")
        file = BufferedReader(cast(Any, sys.stdin.buffer))
        if file.peek(2)[:2] == GZIP:
            file = BufferedReader(cast(Any, gzip.GzipFile(fileobj=file)))
        start, name = file.peek(1).lstrip(), "standard input"
        if start.startswith(b"WARC/"):
            raise StemmerError("Of standard input WARC files are not read: name the file.")
        if start.startswith((b"{", BOM_UTF8 + b"{")):
            yield from (page for page, _ in read_each(file, name, partial(_page_of_line, fields), self.left_out))
            return
        url = "file:///stdin" if self._is_anywhere else self._url_of(name).replace(f"/{name}", "/")
        yield from self.readable(name, lambda: [Page(url, bounded(file))])

    def _of_file(self, name: str, read: Callable[[], bytes]) -> Iterator[Page]:
        """Yield the page of a file in a folder or archive; a linkinfo file is added to the anchor texts."""
        file = name.rpartition("/")[2]
        if file == "linkinfo":
            with suppress(StemmerError):  # already counted
                add_linkinfo(read(), name, self.links, self.left_out)
        elif file and Path(name).suffix.lower() in PAGE_SUFFIXES:
            yield Page(self._url_of(name), read())

    @property
    def _is_anywhere(self) -> bool:
        return self.site is None and self.only_site == NO_SITE

    def _url_of(self, name: str) -> str:
        """Decide on the URL of a file named ``[baseid/]host/path``, or with a path within a given site."""
        parts = name.split("/")
        hosts = [number for number, part in enumerate(parts[:-1][:2]) if "." in part or ":" in part]
        if self.site is None and hosts:
            return f"http://{'/'.join(parts[hosts[0] :])}"
        within = self.only_site if self.site is None else self.site
        if within is None:
            raise StemmerError(f"Say with --site which site {name} is of.")
        return f"file:///{name}" if within == NO_SITE else f"http://{within}/{name}"


def named(names: Iterable[str], left_out: LeftOut) -> Iterator[str]:
    """Yield names of sources, with lists replaced by their contents; each list is read once."""
    stack, read = [iter(names)], set[Path]()
    while stack:
        if (name := next(stack[-1], None)) is None:
            stack.pop()
        elif name.startswith("#") and len(stack) > 1:
            pass  # a comment in a list
        elif "\0" in name:
            left_out.add("no name", repr(name[:MAX_SHOWN]))
        elif not name.endswith(".list") or name.startswith(WEB) or Path(name).is_dir():
            yield name
        elif (path := Path(name).resolve()) in read:
            left_out.add("a list that was read before", name)
        else:
            read.add(path)
            content = BytesIO(bounded_file(path))
            stack.append(read_each(content, name, _name_in_list, left_out, MAX_LINE))


def _name_in_list(line: bytes) -> str:
    return os.fsdecode(line.removeprefix(BOM_UTF8).strip())


def address_of(name: str) -> str | None:
    """Return the URL probably meant by a name without a scheme, such as ``localhost:8000/story``."""
    is_file = Path(name).suffix.lower() in (PAGE_SUFFIXES - {""}) and "/" not in name
    return f"http://{name}" if _HOST.match(name) and not is_file and not name.endswith(FEEDS) else None


_HOST = re.compile(r"(?:localhost|[\w-]+(?:\.[\w-]+)*:\d+|[\w-]+(?:\.[\w-]+)*\.[a-zA-Z]{2,})(?::\d+)?(?:/|$)")


def _fetched(url: str, left_out: LeftOut) -> list[Page]:
    request = Request(safe_url_string(url), headers={"User-Agent": "scrapy-stemmer"})  # noqa: S310 - of the web, as was tested
    try:
        with urlopen(request, timeout=30) as response:  # noqa: S310 - as above; seconds
            headers = response.headers
            if not left_out.takes(response.url, 200, headers.get("Content-Type", "")):
                return []
            return [Page(response.url, bounded(response), charset=headers.get_content_charset())]
    except URLError as error:
        reason = error if isinstance(error, HTTPError) else error.reason
        raise StemmerError(f"{url}: {getattr(reason, 'strerror', None) or reason}") from error
    except HTTPException as error:
        raise ValueError(str(error)) from error


def _leads_out(path: Path, top: Path) -> bool:
    return path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(top))


def add_linkinfo(content: bytes, name: str, links: Links, left_out: LeftOut) -> None:
    """Read anchor texts from a linkinfo file with at least some readable lines."""
    for found in read_each(BytesIO(content), name, _links_of_line, left_out, MAX_LINE):
        for page, texts in found.items():
            if url := webstemmer.url_of(page):
                links[url_key(url)] += texts


def _links_of_line(line: bytes) -> dict[str, tuple[str, ...]]:
    try:
        return webstemmer.read_linkinfo(line.decode("utf-8", "replace"))
    except PatternFileError as error:
        raise StemmerError(error.message) from error


def read_page_lines(
    name: str, fields: tuple[str, str], left_out: LeftOut | None = None
) -> Iterator[tuple[Page, Mapping[str, Any]]]:
    check_regular(Path(name))
    with gzip.open(name) if name.endswith(".gz") else Path(name).open("rb") as file:
        yield from read_each(cast(IO[bytes], file), name, partial(_page_of_line, fields), left_out)


def _page_of_line(fields: tuple[str, str], line: bytes) -> tuple[Page, Mapping[str, Any]]:
    try:
        item = json.loads(line.decode("utf-8-sig"))
        if isinstance(item, dict) and fields[0] in item and fields[1] not in item:
            raise StemmerError(NO_PAGES.format(fields[1]))
        url, html = (item[field] for field in fields)
        if not (isinstance(url, str) and isinstance(html, str)):
            raise TypeError("no text in one of them")
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StemmerError(
            f"must be a JSON object with texts in {fields[0]!r} and {fields[1]!r}, the fields of STEMMER_URL_FIELD and "
            f"STEMMER_HTML_FIELD ({error})."
        ) from error
    return Page(url, html), item


# The HTTP cache of a Scrapy project

GZIP = b"\x1f\x8b"  # beginning of gzip files

ENTRY = META_FILE, HEADERS, BODY_FILE = "meta", "response_headers", "response_body"
"""Files of an entry of ``FilesystemCacheStorage`` that are read."""

DAMAGED = FileNotFoundError, ValueError, SyntaxError, KeyError, TypeError, RecursionError, MemoryError, StemmerError
"""Errors of damaged entries; a file is missing where a crawl was killed, and literals may be deep."""

_IN_ENTRY = frozenset({*ENTRY, "pickled_meta", "request_headers", "request_body"})
_FINGERPRINT = re.compile("[0-9a-f]{40}")  # name of an entry's folder


def _is_entry(folder: Path, names: Sequence[str]) -> bool:
    """Return True for the folder of an entry, also if a crawl was killed while it was written."""
    found = _IN_ENTRY.intersection(names)
    return {*ENTRY} <= found or (bool(found) and _FINGERPRINT.fullmatch(folder.name) is not None)


def _pages_of_entry(folder: Path, left_out: LeftOut) -> Iterator[Page]:
    try:
        files = [bounded_file(folder / name) for name in ENTRY]
        if files[0].startswith(GZIP):  # with HTTPCACHE_GZIP
            files = [decoded(file, "gzip") for file in files]
        from scrapy.http import Headers

        meta, headers = ast.literal_eval(files[0].decode("utf-8")), Headers(headers_raw_to_dict(files[1]) or {})
        url, content_type = meta["response_url"], (headers.get("Content-Type") or b"").decode("latin-1")
        if not left_out.takes(url, meta["status"], content_type):
            return
        body = decoded(files[2], b",".join(headers.getlist("Content-Encoding")).decode("latin-1"))
        fetched = None
        with suppress(TypeError, ValueError, OverflowError, OSError):
            fetched = datetime.fromtimestamp(float(meta["timestamp"]), UTC).isoformat(timespec="seconds")
    except DAMAGED as error:
        left_out.add_error(error, str(folder))
    else:
        yield Page(url, body, charset=http_content_type_encoding(content_type), fetched=fetched)
