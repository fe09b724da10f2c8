"""Common behaviour of the learners of returning hashes, beyond the contract of all learners."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.repetition.learner import (
    DomHashLearner,
    ReturningLearner,
    ShingleLearner,
    least_pages,
)
from scrapy_stemmer.learners.literature.repetition.pattern import ReturningPattern
from tests.samplesite import FOOTER, SITE, article, sample

LEARNERS = [pytest.param(DomHashLearner(), id="dom_hash"), pytest.param(ShingleLearner(), id="shingle")]


def learned(learner: ReturningLearner, pages: list[Page]) -> ReturningPattern:
    (pattern,) = learner.learn(pages)
    assert isinstance(pattern, ReturningPattern)
    return pattern


@pytest.mark.parametrize("learner", LEARNERS)
class TestBoth:
    def test_the_template_is_shown_to_readers(self, learner: ReturningLearner) -> None:
        shown = learned(learner, sample(8)).templates
        texts = [template.text.lower() for template in shown if template.pages == 8]
        assert any("home" in text and "sport today" in text for text in texts)
        assert any(FOOTER.lower()[:9] in text for text in texts)
        assert [template.pages for template in shown] == sorted((t.pages for t in shown), reverse=True)

    def test_copies_count_once(self, learner: ReturningLearner) -> None:
        """A page served under three addresses would otherwise be template as a whole."""
        copies = [Page(f"https://{SITE}/copy/{number}", article(3)) for number in range(3)]
        pattern = learned(learner, [*sample(8), *copies])
        assert pattern.support == 8
        assert pattern.returning == learned(learner, sample(8)).returning

    def test_of_two_pages_of_one_address_either_may_come_first(self, learner: ReturningLearner) -> None:
        titled = article(3).replace("| Example News", "| News")
        pages = [*sample(8), Page(sample(8)[1].url, article(9)), Page(sample(8)[3].url, titled)]
        assert learner.learn(pages) == learner.learn(pages[::-1])

    def test_copies_alone_teach_nothing(self, learner: ReturningLearner) -> None:
        assert learner.learn([Page(f"https://{SITE}/{number}", article(1)) for number in range(3)]) == []


@pytest.mark.parametrize(("count", "least"), [(10, 2), (30, 3), (31, 4), (200, 20)])
def test_a_share_of_the_sample_is_asked_for_as_well(count: int, least: int) -> None:
    assert least_pages(count, None, 0.1) == least
