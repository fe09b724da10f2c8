"""Feeds of pages: Markdown in a file or in a folder, and tables shown as text by spreadsheets.

The add-on registers the format ``md`` and the scheme ``folder`` for the setting FEEDS of Scrapy.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any, Self

from scrapy import Spider
from scrapy.crawler import Crawler
from scrapy.exceptions import NotConfigured
from scrapy.exporters import BaseItemExporter
from scrapy.exporters import CsvItemExporter as ScrapyCsvItemExporter
from scrapy.extensions.postprocessing import PostProcessingManager

from scrapy_stemmer.outputs import HEAD, markdown_file
from scrapy_stemmer.outputs.files import PageFolder, text_cell, without_front_matter
from scrapy_stemmer.patternset import TEXTS
from scrapy_stemmer.settings import RESULT_FIELDS, StemmerConfig

_SERIALIZED = (
    "get_serialized_fields" if hasattr(BaseItemExporter, "get_serialized_fields") else "_get_serialized_fields"
)


class MarkdownItemExporter(BaseItemExporter):
    """Exporter of items as Markdown with front matter, into a single file or into a folder of files.

    The text is the result ``markdown``, or else ``text``. Further fields with a value make up the front matter. Items
    without text are left out.

    :param file: a binary file, or a :class:`PageFolder`.
    :param targets: item fields by result, as STEMMER_FIELDS gives them.
    """

    def __init__(
        self,
        file: IO[bytes] | PageFolder,
        *,
        targets: Mapping[str, str] = RESULT_FIELDS,
        url_field: str = "url",
        **options: Any,
    ) -> None:
        super().__init__(dont_fail=True, **options)
        self._file, self._url_field = file, url_field
        self._texts = [targets[name] for name in ("markdown", "text") if name in targets]
        self._others = {targets[name] for name in TEXTS if name in targets}

    @classmethod
    def from_crawler(cls, crawler: Crawler, file: IO[bytes] | PageFolder, **options: Any) -> Self:
        """Create the exporter of a crawl; called by Scrapy."""
        config = StemmerConfig.from_settings(crawler.settings, "")
        return cls(file, targets=config.fields, url_field=config.url_field, **options)

    def export_item(self, item: Any) -> None:
        """Write an item with text; called by Scrapy."""
        fields = dict(getattr(self, _SERIALIZED)(item))
        markdown = next(filter(None, map(fields.get, self._texts)), "")
        if self._texts and not markdown:
            return
        there = (name for name, value in fields.items() if name in HEAD or value not in (None, "", [], ()))
        names = sorted(there, key=lambda name: HEAD.index(name) if name in HEAD else len(HEAD))
        front_matter = {name: fields[name] for name in names if name not in self._others}
        if isinstance(self._file, PageFolder):
            self._file.write(str(fields.get(self._url_field)), markdown_file(front_matter, markdown))
        else:
            page = markdown_file(front_matter, without_front_matter(markdown))
            self._file.write(f"{page}\n".encode("utf-8", "backslashreplace"))


class CsvItemExporter(ScrapyCsvItemExporter):
    """Exporter of tables with cells for spreadsheets as text, never as formulas.

    A file with rows already, as with ``-o x.csv``, gets no second header.

    :param formulas: write cells unchanged.
    """

    def __init__(self, file: Any, *, formulas: bool = False, **options: Any) -> None:
        own: dict[str, Any] = {"join_multivalued": "; ", "errors": "backslashreplace"}
        if not isinstance(file, PostProcessingManager):  # ``tell`` would return the compressed size
            own["include_headers_line"] = not file.tell()
        super().__init__(file, **own | options)
        self._formulas = formulas

    def serialize_field(self, field: Mapping[str, Any], name: str, value: Any) -> Any:
        """Return a cell; called by Scrapy."""
        cell = super().serialize_field(field, name, value)
        return cell if self._formulas else text_cell(cell)


class FolderFeedStorage:
    """Storage of a folder with a Markdown file for each page, for URIs of FEEDS such as ``folder:texts``."""

    def __init__(self, uri: str, *, feed_options: Mapping[str, Any] | None = None) -> None:
        if (feed_options or {}).get("format") != "md":
            raise NotConfigured(f"{uri} takes the format md only")
        self._folder = Path(uri.removeprefix("folder:"))

    def open(self, spider: Spider) -> PageFolder:
        """Return the folder in place of a file; called by Scrapy."""
        return PageFolder(self._folder)

    def store(self, file: PageFolder) -> None:
        """Do nothing: all pages are written; called by Scrapy."""


EXPORTERS: Mapping[str, type] = {"md": MarkdownItemExporter}
STORAGES: Mapping[str, type] = {"folder": FolderFeedStorage}
