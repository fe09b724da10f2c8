"""The default learner: a choice of sample pages, with a single copy of each group, for the pattern.

After Webstemmer (Shinyama 2005); ``docs/learners/rules.md`` describes scoring and rules.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Self

from lxml import etree

from scrapy_stemmer.fields.learning import pages_to_read
from scrapy_stemmer.fields.texts import KnownElement
from scrapy_stemmer.learners.base import TEACHER_PAGES, AskedTeacher, Learner, Teacher
from scrapy_stemmer.learners.rules.learn.counting import counting_pages
from scrapy_stemmer.learners.rules.site.columns import Signatures
from scrapy_stemmer.learners.rules.site.reading import Failed, SamplePage, sample_page
from scrapy_stemmer.page.arguments import check_charset
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Document, Page, decode
from scrapy_stemmer.page.text import counted
from scrapy_stemmer.patterns.base import Pattern

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.decide.scorer import Scorer

logger = logging.getLogger(__name__)


class RulesLearner(Learner):
    """A learner of a layout pattern for a whole site; a single page is enough, ten pages bring nearly everything."""

    name: ClassVar[str] = "rules"

    def __init__(self, *, scorer: Scorer | None = None, default_charset: str = DEFAULT_CHARSET) -> None:
        check_charset("default_charset", default_charset)
        self.scorer = scorer
        self.default_charset = default_charset
        self._teacher_pages = 0

    def taught_by(self, teacher: Teacher, pages: int = TEACHER_PAGES) -> Self:
        """See :meth:`Learner.taught_by`. A site counts as one layout."""
        made = copy(self)
        made.teacher = teacher if isinstance(teacher, AskedTeacher) else AskedTeacher(teacher)
        made._teacher_pages = pages
        return made

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        return self.learn_from([Document(page, self.default_charset) for page in pages], seed=seed)

    def learn_from(self, documents: Sequence[Document], *, seed: int = 0) -> list[Pattern]:
        """See :meth:`Learner.learn_from`. Trees are not kept."""
        # Imported late: numpy takes longer to load than the rest of the package, and not every crawl learns.
        from scrapy_stemmer.learners.rules.learn.learning import learned_pattern
        from scrapy_stemmer.learners.rules.learn.teaching import taught_odds

        signatures = Signatures()
        charset = self.default_charset
        own = (each if each.default_charset == charset else Document(each.page, charset) for each in documents)
        ordered = sorted(own, key=lambda document: document.page.url)
        read = self._read(ordered, signatures)
        sample, placeholders, left_out = counting_pages(read, signatures)
        originals = {id(each.columns): document.page for document, each in zip(ordered, read, strict=True)}

        def ask(page: SamplePage) -> str | None:
            original = originals[id(page.columns)]
            html = original.html
            if isinstance(html, bytes):
                html = decode(html, original.charset, self.default_charset)
            elif not isinstance(html, str):
                html = etree.tostring(html, encoding="unicode", method="html")
            return self.teacher(original.url, html) if self.teacher else None

        taught = partial(taught_odds, ask, self._teacher_pages) if self.teacher else None
        if not sample:
            return []
        return [learned_pattern(sample, signatures, self.scorer, taught, placeholders=placeholders, left_out=left_out)]

    def _read(self, documents: Sequence[Document], signatures: Signatures) -> list[SamplePage]:
        outside, of_fields = KnownElement.outermost(), pages_to_read(len(documents))
        read, failed = list[SamplePage](), Failed()
        for number, document in enumerate(documents):
            page, asked_of = document.page, outside if number in of_fields else None
            anchors = sorted(page.anchors)
            read.append(sample_page(page.url, document.shown, signatures, anchors, outside=asked_of, failed=failed))
            document.keep(read[-1])
        if failed:
            (url, error), count = failed[0], counted(len(failed), "page")
            what = f"{type(error).__name__}: {error}"
            logger.warning("Authors and dates are not learned from %s whose fields fail: %s (%s)", count, url, what)
        return read
