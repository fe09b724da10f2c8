"""The default learner: few rules that a person can read, made from the scores of a sample's blocks.

After Webstemmer's idea that a crawl shows what a site's pages share (Shinyama 2005); how blocks are scored, and how
scores become rules, is described in ``docs/learners/rules.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from scrapy_stemmer.core.dom import DEFAULT_CHARSET, PageParser
from scrapy_stemmer.core.page import Page
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.rules.learning import Learned, SamplePage, SampleReader, learn_site
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.scoring import shipped_scorer
from scrapy_stemmer.learners.rules.titles import own_title
from scrapy_stemmer.patterns.base import Pattern, Sample

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.scorer import Scorer

NAME = "site"
"""Name of a site's pattern."""

MAX_SAMPLES = 3
"""Pages that a pattern names as its samples."""


class RulesLearner(Learner):
    """Learns rules for all pages of a site; a single page is enough, ten bring nearly everything.

    :param scorer: scores blocks; that of this package when ``None``.
    :param default_charset: for pages that declare no charset.
    """

    name: ClassVar[str] = "rules"

    def __init__(self, *, scorer: Scorer | None = None, default_charset: str = DEFAULT_CHARSET) -> None:
        self.scorer = scorer
        self.default_charset = default_charset

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:  # noqa: ARG002 - nothing is drawn
        """The rules of one site, as one pattern; see :meth:`Learner.learn`."""
        reader, parser = SampleReader(), PageParser()
        ordered = sorted(pages, key=lambda page: page.url)
        read = [
            reader.read(page.url, parser.root_of(page, self.default_charset), tuple(sorted(page.anchors)))
            for page in ordered
        ]
        sample = _distinct(read)
        if not sample:
            return []
        learned = learn_site(sample, reader.signatures, self.scorer or shipped_scorer())
        return [
            RulesPattern(
                site=ordered[0].site,
                name=NAME,
                support=len(sample),
                score=float(learned.score),
                samples=_samples(sample, learned),
                site_wide=True,
                rules=learned.rules,
                knowledge=learned.knowledge,
                scorer=self.scorer,
            )
        ]


def _distinct(pages: Sequence[SamplePage]) -> list[SamplePage]:
    """The pages that have text, of those with the same text the first; in an order that only they decide."""
    found: dict[tuple[str, ...], SamplePage] = {}
    for page in pages:
        if page.columns.texts:
            texts = tuple(page.columns.texts)
            known = found.setdefault(texts, page)
            if known.url == page.url and known is not page:
                found[texts] = min(known, page, key=lambda each: (each.columns, each.anchors))
    return [found[texts] for texts in sorted(found, key=lambda texts: (found[texts].url, texts))]


def _samples(pages: Sequence[SamplePage], learned: Learned) -> tuple[Sample, ...]:
    parts = learned.knowledge.title_parts
    return tuple(Sample(page.url, own_title(page.head, parts)) for page in pages[:MAX_SAMPLES])
