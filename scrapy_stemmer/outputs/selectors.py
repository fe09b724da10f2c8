"""The patterns of a site as CSS and XPath."""

from __future__ import annotations

from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.rules.exported import Selectors
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns.base import Pattern


def selectors_of(pattern: Pattern) -> Selectors:
    """The rules of a pattern as selectors.

    :raises StemmerError: for patterns that have none.
    """
    if not isinstance(pattern, RulesPattern):
        raise StemmerError(
            f"The pattern {pattern.name!r} of {pattern.site} is of the kind {pattern.kind!r}, which has no rules to be "
            "written as selectors: learn the site with STEMMER_LEARNER = 'rules'."
        )
    return pattern.to_selectors()
