"""The default learner: all evidence that a site's pages give together, weighed for each block.

Which texts, names and paths return; how blocks of one path differ from page to page; where on the pages of the
sample the text lies; what elements are called; and whether the site is made of articles or of something else. See
``docs/learners/evidence.md``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import ClassVar

from scrapy_stemmer.core.dom import DEFAULT_CHARSET, PageParser
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.learning import learn_reader, texts_of
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.core.evidence.outline import Outline
from scrapy_stemmer.core.evidence.titles import own_title
from scrapy_stemmer.core.evidence.walk import Reader
from scrapy_stemmer.core.page import Page, site_of
from scrapy_stemmer.learners.base import Learner, Lesson
from scrapy_stemmer.patterns.base import Pattern, Sample
from scrapy_stemmer.patterns.evidence import EvidencePattern

NAME = "(all pages)"
"""Name of a site's pattern."""

MAX_SAMPLES = 5
"""Pages that a pattern names as its samples."""


@dataclass(frozen=True, slots=True)
class EvidenceOptions:
    """How sites are learned.

    :param default_charset: for pages that declare no charset.
    :param without: kinds of evidence that are switched off, to see what they are worth; the patterns keep it.
    """

    default_charset: str = DEFAULT_CHARSET
    without: frozenset[EvidenceKind] = frozenset()


class EvidenceLearner(Learner):
    """Learns one model of all pages of a site; a single page is enough, a few more bring nearly everything.

    :param options: see :class:`EvidenceOptions`.
    """

    name: ClassVar[str] = "evidence"
    reads_anchors: ClassVar[bool] = False

    def __init__(self, options: EvidenceOptions | None = None) -> None:
        self.options = options or EvidenceOptions()

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        """The model of one site, as one pattern; see :meth:`Learner.learn`."""
        lesson = self.begin()
        for page in pages:
            lesson.read(page)
        return lesson.learn(seed=seed)

    def begin(self) -> EvidenceLesson:
        """See :meth:`Learner.begin`."""
        return EvidenceLesson(self.options)


class EvidenceLesson(Lesson):
    """The outlines of a site's pages.

    :param options: see :class:`EvidenceOptions`.
    """

    def __init__(self, options: EvidenceOptions) -> None:
        self._options = options
        self._reader = Reader(remember_texts=True, keep_texts=False)
        self._parser = PageParser()
        self._outlines: list[tuple[str, Outline]] = []

    def read(self, page: Page) -> None:
        """Take the outline of a page; memory holds one tree at a time."""
        root = self._parser.root_of(page, self._options.default_charset)
        self._outlines.append((page.url, self._reader.outline(root)))

    def learn(self, *, seed: int = 0) -> list[Pattern]:
        """The model of the site, as one pattern; see :meth:`Learner.learn`."""
        ordered = sorted(self._outlines, key=itemgetter(0))
        distinct = _distinct(ordered)
        if not distinct:
            return []
        site = learn_reader([outline for _, outline in distinct], self._reader, self._options.without)
        model = site.model
        return [
            EvidencePattern.read_by(
                site,
                site=site_of(ordered[0][0]),
                name=NAME,
                support=model.pages,
                score=round(sum(model.votes.values()), 3),
                samples=_samples(distinct[:MAX_SAMPLES], model),
                site_wide=True,
            )
        ]


def _distinct(outlines: Iterable[tuple[str, Outline]]) -> list[tuple[str, Outline]]:
    """The pages that have text, of those with the same text the first; in an order that only they decide.

    :param outlines: by address. Of one address and text the same markup is taken, whichever comes first.
    """
    found: dict[tuple[int, ...], tuple[str, Outline]] = {}
    for url, outline in outlines:
        if outline.blocks:
            texts = texts_of(outline)
            known = found.setdefault(texts, (url, outline))
            if known[0] == url and known[1] != outline:
                found[texts] = (url, min(known[1], outline, key=repr))
    return [found[texts] for texts in sorted(found, key=lambda texts: (found[texts][0], texts))]


def _samples(pages: Iterable[tuple[str, Outline]], model: SiteModel) -> tuple[Sample, ...]:
    return tuple(Sample(url, own_title(outline.head, model.title_parts)) for url, outline in pages)
