"""The learners of returning subtrees and of returning fragments of text."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, PatternSet, Role, learn
from scrapy_stemmer.learners.literature.repetition.learner import (
    DomHashLearner,
    DomHashOptions,
    ReturningLearner,
    ShingleLearner,
    ShingleOptions,
    least_pages,
)
from scrapy_stemmer.learners.literature.repetition.pattern import (
    DomHashPattern,
    ReturningPattern,
    ShinglePattern,
    fragment_hashes,
    in_sample,
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


class TestDomHash:
    def learned(self, bodies: list[str], **options: object) -> DomHashPattern:
        pages = [Page(f"https://news.example/{number}", body) for number, body in enumerate(bodies)]
        pattern = learned(DomHashLearner(DomHashOptions(**options)), pages)  # type: ignore[arg-type]
        assert isinstance(pattern, DomHashPattern)
        return pattern

    def test_the_micro_example(self) -> None:
        """Of algorithms §3."""
        bodies = [f"<body><div id=n><a href=/>Home</a></div><p>P{n}</p><div id=f>© X</div></body>" for n in range(3)]
        blocks = PatternSet([self.learned(bodies)]).strip(Page("https://news.example/0", bodies[0])).blocks
        roles = {block.text: block.role for block in blocks}
        assert roles == {"Home": Role.TEMPLATE, "P0": Role.MAIN, "© X": Role.TEMPLATE}

    @pytest.mark.parametrize(
        ("options", "noise"), [({}, 0.5), ({"max_gap_siblings": 0}, 0), ({"max_gap_chars": 10}, 0)]
    )
    def test_siblings_are_one_template_with_its_gaps(self, options: dict[str, int], noise: float) -> None:
        bodies = [f"<div><p>Updated</p><p>{number} minutes ago</p><p>By our editors</p></div>" for number in (5, 6, 7)]
        page = Page("https://news.example/0", bodies[0])
        blocks = PatternSet([self.learned(bodies, **options)]).strip(page).blocks
        assert [block.noise_confidence for block in blocks] == [1.0, noise, 1.0]

    @pytest.mark.parametrize(("upper", "kept"), [(0, True), (5, False), (6, True)])
    def test_the_upper_threshold_counts_occurrences(self, upper: int, kept: bool) -> None:
        """Twice on each of three pages."""
        bodies = [f"<p>Read more</p><i>{number}</i><p>Read more</p><b>The end</b>" for number in range(3)]
        page = Page("https://news.example/0", bodies[0])
        blocks = PatternSet([self.learned(bodies, max_occurrences=upper)]).strip(page).blocks
        roles = {block.text: block.role for block in blocks}
        assert (roles["Read more"] is Role.TEMPLATE) is kept
        assert roles["The end"] is Role.TEMPLATE

    def test_visit_numbers_make_no_difference(self) -> None:
        bodies = [f'<ul data-visit={n}><li><a href=/ nonce="{n}">Home</a></li></ul><p>P{n}</p>' for n in range(3)]
        assert len(self.learned(bodies).returning) == 4
        assert self.learned(bodies).ignored_attributes == DomHashOptions().ignored_attributes
        assert len(self.learned(bodies, ignored_attributes=()).returning) == 1


def pages_of(texts: list[str]) -> list[Page]:
    return [Page(f"https://news.example/{number:04}", f"<p>{text}</p>") for number, text in enumerate(texts)]


FOOT = " ".join(f"foot{number}" for number in range(400))
FOOTED = pages_of([" ".join([*(f"w{number}x{word}" for word in range(10)), FOOT]) for number in range(12)])
"""Texts of ten words of their own, with a footer each."""


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

    @pytest.mark.parametrize("density", [2, 4])
    def test_with_a_density_the_same_fragments_are_kept_on_all_pages(self, density: int) -> None:
        pattern, every = self.learned(FOOTED, density=density), self.learned(FOOTED)
        all_hashes = fragment_hashes(FOOT.split(), 8)
        assert {entry.hash for entry in pattern.returning} == set(all_hashes[in_sample(all_hashes, density)].tolist())
        assert {entry.pages for entry in pattern.returning} == {12}
        assert len(pattern.returning) == pytest.approx(len(every.returning) / density, rel=0.3)

    def test_no_more_pages_are_read_than_asked_for(self) -> None:
        pattern = self.learned(FOOTED, max_pages=5)
        assert pattern.support == 5
        assert pattern == self.learned(FOOTED[::-1], max_pages=5)
