"""Titles of both learners: a headline that further pages tease, not the site's name above it."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, Stripped, learn
from tests.samplesite import FOOTER, NAVIGATION, SITE, headline, paragraphs

LEARNERS = ["dom_hash", "shingle"]


def article(number: int, teased: int) -> Page:
    """Return an article with the site's name as a heading, and a list of further headlines."""
    teasers = "".join(f"<li><h3>{headline(other)}</h3></li>" for other in range(teased) if other != number)
    text = "".join(f"<p>{text}</p>" for text in paragraphs(number))
    return Page(
        f"https://{SITE}/{number}",
        f"<title>{headline(number)} | The Daily Example of the News</title><ul>{NAVIGATION}</ul>"
        f"<h1>The Daily Example of the News</h1><h2>{headline(number)}</h2>{text}<ul>{teasers}</ul>"
        f"<div>{FOOTER}</div>",
    )


def stripped(learner: str, teased: int) -> list[Stripped]:
    """Return twelve stripped articles; all tease the first ``teased``."""
    pages = [article(number, teased) for number in range(12)]
    patterns = learn(pages, learner)
    return [patterns.strip(page) for page in pages]


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("teased", [0, 4])
def test_headlines_are_titles(learner: str, teased: int) -> None:
    assert [page.title for page in stripped(learner, teased)] == [headline(number) for number in range(12)]
