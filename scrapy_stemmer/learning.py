"""Function ``learn``: patterns from pages of any number of sites."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from math import inf
from typing import TypeVar

from scrapy_stemmer.drift import levelled
from scrapy_stemmer.learners.base import TEACHER_PAGES, Learner, Teacher, get_learner
from scrapy_stemmer.page.arguments import check, check_charset, check_count, each_of
from scrapy_stemmer.page.document import DEFAULT_CHARSET, Document, Page, work_of
from scrapy_stemmer.patterns.base import Pattern, StripOptions
from scrapy_stemmer.patternset import PatternSet

_T = TypeVar("_T")

logger = logging.getLogger("scrapy_stemmer")

DEFAULT_LEARNER = "rules"  # learners are imported on use

MAX_SAMPLED_CHARS = 10_000_000
"""Larger pages are stripped but not learned from (Webstemmer's crawler dropped pages over 1 MB)."""


def learn(
    pages: Iterable[Page],
    learner: str | Learner = DEFAULT_LEARNER,
    seed: int = 0,
    *,
    corrections: PatternSet | None = None,
    teacher: Teacher | None = None,
    teacher_pages: int = TEACHER_PAGES,
    options: StripOptions | None = None,
    default_charset: str = DEFAULT_CHARSET,
    min_sample: int = 1,
) -> PatternSet:
    """Learn the patterns of each site from a sample of its pages, without labels.

    :param pages: pages of one or more sites, in any order; 10 to 20 a site are enough.
    :param learner: a learner, or the name of a learner with default options.
    :param seed: seed of random choices.
    :param corrections: earlier patterns of the sites, whose corrections by hand are kept.
    :param teacher: a function that returns the text of a page by URL and HTML, or ``None`` if unknown. Its answers are
        weighed as evidence, its errors logged.
    :param teacher_pages: most pages of each site to ask the teacher about.
    :param options: options for stripping later pages; they also apply to stripping the sample, by which changes of the
        site are noticed.
    :param default_charset: charset of bytes without a declared charset, for stripping the sample; by default guessed
        from the content.
    :param min_sample: least pages of a site, without errors, walls and copies; ignored by learners of several patterns
        for a site.
    :raises TypeError: for an argument of a wrong type, named in the message.
    :raises ValueError: for a negative number or an unknown charset, named likewise.
    :raises UnknownLearner: for an unknown name.
    :raises LearnerError: for a teacher that the learner cannot use.
    """
    check("learner", learner, str | Learner, "the name of a learner, or a Learner")
    check("corrections", corrections, PatternSet | None, "a PatternSet or None")
    check("seed", seed, int, "a whole number")
    check_count("teacher_pages", teacher_pages)
    check_count("min_sample", min_sample)
    if teacher is not None and not callable(teacher):
        raise TypeError(f"teacher must be a function of URL and HTML, or None, not {type(teacher).__name__}")
    check_charset("default_charset", default_charset)
    options = StripOptions.checked(options)
    chosen = get_learner(learner)() if isinstance(learner, str) else learner
    if teacher is not None:
        chosen = chosen.taught_by(teacher, teacher_pages)
    by_site: defaultdict[str, list[Page]] = defaultdict(list)
    for page in each_of("pages", pages, Page, "Page(url, html)"):
        if chosen.max_work == inf or work_of(page.html) <= chosen.max_work:
            by_site[page.site].append(page)

    def learned_of(pages: Sequence[Page]) -> Iterable[Pattern]:
        documents = [Document(page, default_charset) for page in pages]
        found = PatternSet(chosen.learn_from(documents, seed=seed))
        if all(pattern.site_wide and pattern.support < min_sample for pattern in found.patterns):
            return []
        if corrections is not None:
            found = found.corrected_by(corrections.patterns)
        return levelled(found.of_site(pages[0].site), documents, options)

    return PatternSet(pattern for site in sorted(by_site) for pattern in of_readable(by_site[site], learned_of))


def of_readable(pages: Sequence[Page], function: Callable[[Sequence[Page]], _T]) -> _T:
    """Apply a function to the pages of a site; after a failure, again without the unreadable pages."""
    try:
        return function(pages)
    except Exception:
        errors = {page.url: error for page in pages if (error := _error_of(page)) is not None}
        read = [page for page in pages if page.url not in errors]
        if not errors or not read:
            raise
        for url, error in errors.items():
            logger.warning("%s is not learned from: %s: %s", url, type(error).__name__, error)
        return function(read)


def _error_of(page: Page) -> Exception | None:
    try:
        _ = PatternSet().strip(page).text
    except Exception as error:
        return error
    return None
