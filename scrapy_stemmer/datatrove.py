"""Stripping in a pipeline of datatrove. Needs datatrove and a pattern file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.exceptions import MissingExtra, installing
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.patterns.base import StripOptions
from scrapy_stemmer.patternset import PatternSet

try:
    from datatrove.pipeline.base import PipelineStep
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints
except ImportError as missing:
    raise MissingExtra(f"datatrove is needed: {installing('datatrove')} ({missing}).") from missing

if TYPE_CHECKING:
    from datatrove.data import Document


NOT_HTML = "its text is no HTML; of JSON Lines say in which field the HTML is: JsonlReader(..., text_key='html')"
NO_URL = "its metadata have no url, by which the patterns of its site are found"


class Stripper(PipelineStep):  # type: ignore[misc] # datatrove has no types
    """Replace the HTML of documents by text, and add ``title``, ``matched`` and ``confidence`` to their metadata.

    Documents have HTML as ``text`` and a ``url`` in the metadata, as from ``WarcReader``. Documents without text or
    with an error are dropped and counted by reason, as by datatrove's own extractors. Documents without HTML or a URL
    are also dropped; the first document of each kind is logged.

    :param patterns: URI of the pattern file; each task reads only the sites in its documents.
    :param options: options for stripping, such as the roles of the text.
    :param fields: add authors, dates and other fields to the metadata.
    :param markdown: return text as Markdown.
    """

    type = "🛢 - EXTRACTOR"
    name = "⛏ scrapy-stemmer"

    def __init__(
        self, patterns: str, options: StripOptions | None = None, fields: bool = False, markdown: bool = False
    ) -> None:
        super().__init__()
        self.patterns = patterns
        self.options = StripOptions.checked(options)
        self.fields = fields
        self.markdown = markdown

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Run the step; called by datatrove."""
        patterns = PatternSet.load(self.patterns)
        for document in data or ():
            self.stat_update(StatHints.total)
            with self.track_time():
                try:
                    reason = self._refusal(document) or self._strip(document, patterns)
                except Exception as error:  # one page must not end the pipeline
                    self.stat_update("error", f"error_{type(error).__name__}")
                    continue
            if reason is None:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
            else:
                self.stat_update(StatHints.dropped, f"dropped_{reason}")

    def _refusal(self, document: Document) -> str | None:
        """Return the reason to refuse a document that is no page, logged once; ``None`` for a page."""
        has_url = bool(document.metadata.get("url"))
        if has_url and (not document.text or "<" in document.text):
            return None
        reason, what = ("not_html", NOT_HTML) if has_url else ("no_url", NO_URL)
        if f"dropped_{reason}" not in self.stats.stats:
            logger.warning(f"Document {document.id} is dropped: {what}. Further ones are only counted.")
        return reason

    def _strip(self, document: Document, patterns: PatternSet) -> str | None:
        stripped = patterns.strip(Page(document.metadata["url"], document.text), self.options)
        fields = stripped.fields.as_dict() if self.fields else {"sources": {}}
        results = {name: getattr(stripped, name) for name in ("title", "matched", "confidence")}
        document.text = stripped.markdown if self.markdown else stripped.text
        document.metadata.update({**results, **{name: fields[name] for name in fields["sources"]}})
        return None if document.text else str(stripped.reason)
