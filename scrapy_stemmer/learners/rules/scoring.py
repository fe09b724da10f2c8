"""The scorer on blocks of one page of a known site: those that the rules do not decide on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from scrapy_stemmer.learners.rules.features import features
from scrapy_stemmer.learners.rules.packed import MASK
from scrapy_stemmer.learners.rules.repeats import LinkKeys
from scrapy_stemmer.learners.rules.scorer import Scorer
from scrapy_stemmer.learners.rules.site import Knowledge, PlacedPage
from scrapy_stemmer.learners.rules.table import PageFacts
from scrapy_stemmer.learners.rules.texts import Measures
from scrapy_stemmer.learners.rules.titles import Head, title_keys


@cache
def shipped_scorer() -> Scorer:
    """The scorer of this package, read once."""
    return Scorer.load()


def scored(
    url: str,
    page: PlacedPage,
    measures: Sequence[Measures],
    head: Head,
    knowledge: Knowledge,
    which: Sequence[int],
    scorer: Scorer | None = None,
) -> Sequence[float]:
    """The log-odds of some blocks of a page.

    :param which: the numbers of those blocks.
    :param scorer: scores them; that of this package when ``None``.
    """
    pages = knowledge.pages
    keys = LinkKeys(url)
    links = [keys.key(href) for _, href in page.columns.links]
    is_known = pages > 0 and not knowledge.is_learned(each.key for each in measures)
    facts = PageFacts(
        url=url,
        columns=page.columns,
        paths=page.paths,
        measures=measures,
        repeated=[knowledge.texts.get(each.key & MASK, 0) / pages for each in measures] if is_known else None,
        links_repeated=[knowledge.links.get(key & MASK, 0) / pages for key, _ in links] if is_known else None,
        links_inside=[inside for _, inside in links],
        others=pages if is_known else 0,
        is_article=head.is_article,
        title_keys=title_keys(head, knowledge.title_parts),
    )
    rows = features([facts], page.site.path_features())
    return list((scorer or shipped_scorer()).odds(rows, which))
