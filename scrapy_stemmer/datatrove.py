"""Stripping in a pipeline of datatrove. Needs datatrove, and a pattern file that was learned before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from scrapy_stemmer.core.document import Page
from scrapy_stemmer.exceptions import MissingExtra
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import PatternSet

try:
    from datatrove.pipeline.base import PipelineStep
    from datatrove.utils.typeshelper import StatHints
except ImportError as missing:
    raise MissingExtra(f"datatrove is needed: pip install 'scrapy-stemmer[datatrove]' ({missing}).") from missing

if TYPE_CHECKING:
    from datatrove.data import Document


class Stripper(PipelineStep):  # type: ignore[misc] # datatrove has no types
    """Puts the text of a page in place of its HTML, and ``title``, ``matched`` and ``confidence`` into its metadata.

    Documents are those of ``WarcReader``: their ``text`` is HTML, their metadata has a ``url``. Those without text, or
    that can't be stripped, are dropped and counted by reason, as datatrove's own extractors do.

    :param patterns: URI of the pattern file; each task reads of it the sites that it meets.
    :param options: thresholds.
    """

    type = "🛢 - EXTRACTOR"
    name = "⛏ scrapy-stemmer"

    def __init__(self, patterns: str, options: MatchOptions | None = None) -> None:
        super().__init__()
        self.patterns = patterns
        self.options = options

    def run(self, data: Iterable[Document] | None, rank: int = 0, world_size: int = 1) -> Iterator[Any]:
        """Called by datatrove."""
        patterns = PatternSet.load(self.patterns)
        for document in data or ():
            self.stat_update(StatHints.total)
            with self.track_time():
                try:
                    stripped = patterns.strip(Page(document.metadata["url"], document.text), self.options)
                    said = {name: getattr(stripped, name) for name in ("title", "matched", "confidence", "text")}
                    reason = stripped.reason
                except Exception as error:  # one page must not end the others
                    self.stat_update("error", f"error_{type(error).__name__}")
                    continue
            document.text = said.pop("text")
            document.metadata.update(said)
            if document.text:
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document
            else:
                self.stat_update(StatHints.dropped, f"dropped_{reason}")
