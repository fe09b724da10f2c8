"""Common behaviour of the learners of returning hashes, beyond the contract of all learners."""

from __future__ import annotations

from random import Random

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.base import MAX_SAMPLES, SITE_WIDE
from scrapy_stemmer.learners.literature.repetition.learner import (
    MAX_TEMPLATES,
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
    def test_one_pattern_for_the_whole_site(self, learner: ReturningLearner) -> None:
        pattern = learned(learner, sample(8))
        assert (pattern.site, pattern.name, pattern.site_wide, pattern.support) == (SITE, SITE_WIDE, True, 8)
        assert [page.url for page in pattern.samples] == sorted(page.url for page in sample(8))[:MAX_SAMPLES]

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

    def test_copies_with_another_title_count_once_whichever_comes_first(self, learner: ReturningLearner) -> None:
        titled = article(3).replace("| Example News", "| Example News, all of our news for you to print")
        pages = [*sample(8), Page(f"https://{SITE}/1/print", titled), Page(f"https://{SITE}/9/print", titled)]
        shuffled = Random(1).sample(pages, len(pages))
        assert learner.learn(pages) == learner.learn(shuffled) == learner.learn(pages[::-1])

    def test_of_two_pages_of_one_address_either_may_come_first(self, learner: ReturningLearner) -> None:
        titled = article(3).replace("| Example News", "| News")
        pages = [*sample(8), Page(sample(8)[1].url, article(9)), Page(sample(8)[3].url, titled)]
        assert learner.learn(pages) == learner.learn(pages[::-1])

    def test_copies_alone_teach_nothing(self, learner: ReturningLearner) -> None:
        assert learner.learn([Page(f"https://{SITE}/{number}", article(1)) for number in range(3)]) == []

    def test_pages_without_anything_in_common_teach_nothing(self, learner: ReturningLearner) -> None:
        pages = [f"<p>{' '.join(f'{letter}{number}' for number in range(20))}</p>" for letter in "abc"]
        assert learner.learn([Page(f"https://{SITE}/{number}", html) for number, html in enumerate(pages)]) == []

    def test_one_page_is_too_few(self, learner: ReturningLearner) -> None:
        assert learner.learn(sample(1)) == []

    def test_what_is_shown_is_bounded(self, learner: ReturningLearner) -> None:
        def page(number: int) -> Page:
            notes = "".join(
                f"<p>Note {note} of these words returns on all of the pages</p>"
                f"<p>a{note}x{number}</p><p>b{note}x{number}</p>"
                for note in range(MAX_TEMPLATES + 20)
            )
            return Page(f"https://{SITE}/{number}", f"<div>{notes}</div>")

        assert len(learned(learner, [page(number) for number in range(4)]).templates) == MAX_TEMPLATES


@pytest.mark.parametrize(
    ("count", "least"),
    [(1, 2), (2, 2), (10, 2), (11, 2), (12, 3), (30, 3), (2000, 3)],
)
def test_small_samples_ask_for_two_pages_instead_of_three(count: int, least: int) -> None:
    assert least_pages(count) == least


@pytest.mark.parametrize("pages", [1, 3, 8, 15])
def test_a_number_that_is_asked_for_is_the_number_whatever_the_sample(pages: int) -> None:
    assert least_pages(10, pages) == pages


@pytest.mark.parametrize(("count", "least"), [(10, 2), (30, 3), (31, 4), (200, 20)])
def test_a_share_of_the_sample_is_asked_for_as_well(count: int, least: int) -> None:
    assert least_pages(count, None, 0.1) == least
