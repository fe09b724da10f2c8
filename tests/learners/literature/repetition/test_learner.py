"""The learners of returning subtrees and of returning fragments of text."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.learners.literature.repetition.learner import (
    DomHashLearner,
    DomHashOptions,
    ReturningLearner,
    ShingleLearner,
    ShingleOptions,
    least_pages,
)
from scrapy_stemmer.learners.literature.repetition.pattern import (
    ReturningPattern,
    ShinglePattern,
)
from tests.samplesite import FOOTER, NAVIGATION, SITE, article, headline, paragraphs, sample


def learned(learner: ReturningLearner, pages: list[Page]) -> ReturningPattern:
    (pattern,) = learner.learn(pages)
    assert isinstance(pattern, ReturningPattern)
    return pattern


def teasing(number: int, teased: int) -> Page:
    """Return an article with the site's name as a heading, and a list of further headlines."""
    teasers = "".join(f"<li><h3>{headline(other)}</h3></li>" for other in range(teased) if other != number)
    text = "".join(f"<p>{text}</p>" for text in paragraphs(number))
    return Page(
        f"https://{SITE}/{number}",
        f"<title>{headline(number)} | The Daily Example of the News</title><ul>{NAVIGATION}</ul>"
        f"<h1>The Daily Example of the News</h1><h2>{headline(number)}</h2>{text}<ul>{teasers}</ul>"
        f"<div>{FOOTER}</div>",
    )


@pytest.mark.parametrize("learner", [DomHashLearner(), ShingleLearner()], ids=["dom_hash", "shingle"])
class TestBoth:
    def test_copies_count_once(self, learner: ReturningLearner) -> None:
        """A page served under three addresses would otherwise be template as a whole."""
        copies = [Page(f"https://{SITE}/copy/{number}", article(3)) for number in range(3)]
        assert learner.learn(copies) == []
        pattern = learned(learner, [*sample(8), *copies])
        assert pattern.support == 8
        assert not any("copy" in each.url for each in pattern.samples)
        assert pattern.returning == learned(learner, sample(8)).returning

    def test_of_two_pages_of_one_address_either_may_come_first(self, learner: ReturningLearner) -> None:
        titled = article(3).replace("| Example News", "| News")
        pages = [*sample(8), Page(sample(8)[1].url, article(9)), Page(sample(8)[3].url, titled)]
        assert learner.learn(pages) == learner.learn(pages[::-1])

    @pytest.mark.parametrize("teased", [0, 4])
    def test_a_headline_that_others_tease_is_the_title_and_not_the_site_s_name(
        self, learner: ReturningLearner, teased: int
    ) -> None:
        pages = [teasing(number, teased) for number in range(12)]
        patterns = learn(pages, learner)
        assert [patterns.strip(page).title for page in pages] == [headline(number) for number in range(12)]


@pytest.mark.parametrize(("count", "least"), [(10, 2), (30, 3), (31, 4), (200, 20)])
def test_a_share_of_the_sample_is_asked_for_as_well(count: int, least: int) -> None:
    assert least_pages(count, None, 0.1) == least


def pages_of(texts: list[str]) -> list[Page]:
    return [Page(f"https://news.example/{number:04}", f"<p>{text}</p>") for number, text in enumerate(texts)]


class TestDomHash:
    BODIES = tuple(f"<div id=n><a href=/>Home</a></div><p>P{n}</p><div id=f>© X</div>" for n in range(3))
    """The micro-example of algorithms §3."""

    @pytest.mark.parametrize(
        ("options", "template"),
        [
            ({}, {"Home", "© X"}),
            ({"min_pages": 3}, {"Home"}),
            ({"min_share": 0.7}, {"Home"}),
        ],
    )
    def test_the_micro_example(self, options: dict[str, float], template: set[str]) -> None:
        """Of three pages, the last without the footer."""
        pages = pages_of([*self.BODIES[:2], self.BODIES[2].replace("© X", "")])
        learner = DomHashLearner(DomHashOptions(**options))  # type: ignore[arg-type]
        blocks = PatternSet(learner.learn(pages)).strip(pages[0]).blocks
        assert {block.text for block in blocks if block.noise_confidence > 0.5} == template

    def test_visit_numbers_make_no_difference(self) -> None:
        bodies = [f'<ul data-visit={n}><li><a href=/ nonce="{n}">Home</a></li></ul><p>P{n}</p>' for n in range(3)]
        assert len(learned(DomHashLearner(), pages_of(bodies)).returning) == 4


class TestShingle:
    MICRO = pages_of(["home news about alpha wins cup", "home news about bravo lost game"])
    """The micro-example of algorithms §4."""

    def learned(self, pages: list[Page], **options: int) -> ShinglePattern:
        pattern = learned(ShingleLearner(ShingleOptions(**options)), pages)
        assert isinstance(pattern, ShinglePattern)
        return pattern

    @pytest.mark.parametrize(("width", "fragments"), [(3, 1), (2, 2)])
    def test_the_micro_example(self, width: int, fragments: int) -> None:
        """F is 2, since the sample has no more pages; the template is the first three words on both."""
        pattern = self.learned(self.MICRO, width=width)
        assert len(pattern.returning) == fragments
        for page in self.MICRO:
            (block,) = PatternSet([pattern]).strip(page).blocks
            assert block.noise_confidence == pytest.approx(13 / len(block.text.replace(" ", "")))

    def test_the_micro_example_has_no_fragment_of_four_words(self) -> None:
        assert ShingleLearner(ShingleOptions(width=4)).learn(self.MICRO) == []
