"""JSON Lines with the URL and the HTML of pages, plain or compressed."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator, Mapping
from typing import IO, Any

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.crawl.sources.base import LeftOut, Source
from scrapy_stemmer.exceptions import StemmerError


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
