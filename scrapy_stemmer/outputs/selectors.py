"""The patterns of a site as CSS and XPath, and as a file of ftr-site-config."""

from __future__ import annotations

from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.rules.pattern import RulesPattern, Selectors
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


# The rules of a site as a file of ftr-site-config, which Full-Text RSS, wallabag and others read

MAX_TEST_URLS = 3


def file_name(site: str) -> str:
    """The name of a site's file; a port is no part of it."""
    return f"{site.partition(':')[0]}.txt"


def site_config(pattern: Pattern) -> str:
    """The text of the file: where title and text are, what in the text is no part of it, and pages to test it on.

    :raises StemmerError: for patterns that have no rules.
    """
    found = selectors_of(pattern)
    lines = [
        *(f"title: {xpath}" for xpath in found.title_xpath),
        f"body: {found.body_xpath}",
        *([f"strip: {found.strip_xpath}"] if set(found.drop) - {"body"} else []),
        "prune: no",
        "tidy: no",
        *(f"test_url: {sample.url}" for sample in pattern.samples[:MAX_TEST_URLS]),
    ]
    return "".join(f"{line}\n" for line in lines)
