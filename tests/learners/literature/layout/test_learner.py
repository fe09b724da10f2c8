"""The layout learner: Webstemmer's way, with our defaults or the original's."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.base import MAX_SAMPLES
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern
from scrapy_stemmer.patterns import codec
from tests import microexample
from tests.samplesite import SITE, headline, page, sample


def learn(pages: list[Page], options: LayoutOptions | None = None, seed: int = 0) -> list[LayoutPattern]:
    patterns = LayoutLearner(options).learn(pages, seed=seed)
    return [pattern for pattern in patterns if isinstance(pattern, LayoutPattern)]


def micro(options: LayoutOptions, order: tuple[int, ...] = (1, 2, 3)) -> list[LayoutPattern]:
    return learn([microexample.page(number) for number in order], replace(options, min_score=-1))


ORIGINAL = LayoutOptions.preset("original")


class TestMicroExample:
    """Algorithms §1.12; pages are taken in order of their names, whatever the order they come in."""

    def test_at_97_two_pages_are_one_layout(self) -> None:
        (pattern,) = micro(ORIGINAL)
        assert [sample.url[-6:] for sample in pattern.samples] == ["1.html", "2.html"]

    @pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
    def test_at_80_all_pages_are_one(self, order: tuple[int, ...]) -> None:
        (pattern,) = micro(replace(ORIGINAL, cluster_threshold=0.8), order)
        assert list(pattern.features) == microexample.FEATURES
        assert (pattern.support, pattern.title_index) == (3, 2)
        assert pattern.score == pytest.approx(81.297309)

    @pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
    def test_scores_of_the_word_variant(self, order: tuple[int, ...]) -> None:
        (pattern,) = micro(LayoutOptions(site_layout=False), order)
        assert list(pattern.features) == microexample.FEATURES
        assert [section.diffscore for section in pattern.sections] == [0.7, 0, 1, 0.934343, 0]
        assert [section.mainscore for section in pattern.sections] == [16.333333, 0, 16.333333, 61.666667, 0]
        assert (pattern.score, pattern.title_index) == (103.635759, 2)


class TestPatterns:
    def test_samples_name_pages_and_their_titles(self) -> None:
        layout = learn(sample())[0]
        assert [(s.url, s.title) for s in layout.samples] == [
            (page(number).url, headline(number)) for number in range(MAX_SAMPLES)
        ]


def tables(number: int) -> Page:
    """Return a page of a second layout of the site."""
    rows = "".join(f"<tr><th>{headline(number * 10 + n)}</th><td>{number}{n}</td></tr>" for n in range(9))
    return Page(f"https://{SITE}/results/{number}", f"<title>Results {number}</title><table>{rows}</table>")


class TestOptions:
    def test_two_layouts_of_one_address_have_names_of_their_own(self) -> None:
        """The page changed while the sample was taken."""
        changed = replace(tables(0), url=page(0).url)
        patterns = learn([*sample(4), changed, tables(1)], LayoutOptions(site_layout=False, min_score=-1))
        assert sorted(pattern.name for pattern in patterns) == [page(0).url, f"{page(0).url} (2)"]
        assert codec.loads(codec.dumps(patterns)) == patterns

    def test_cluster_threshold(self) -> None:
        pages = [*sample(4), *(tables(number) for number in range(4))]
        (pattern,) = learn(pages, LayoutOptions(cluster_threshold=0.0, site_layout=False))
        assert pattern.support == 8

    @pytest.mark.parametrize(("share", "kept"), [(1.0, False), (0.5, True)])
    def test_section_support(self, share: float, *, kept: bool) -> None:
        """Five of eight pages have the section."""
        pages = [
            replace(p, html=str(p.html).replace("<h1>", f"<pre>By {headline(n)}</pre><h1>") if n < 5 else p.html)
            for n, p in enumerate(sample())
        ]
        layout = learn(pages, LayoutOptions(section_support=share, site_layout=False))[0]
        supports = {section.feature.rpartition("/")[2]: section.support for section in layout.sections}
        assert (supports.get("pre") == 5) == kept

    @pytest.mark.parametrize(
        ("pages", "repeated"),
        [
            pytest.param(2, ("Read more here",), id="on two pages"),
            pytest.param(4, (), id="not on four"),
            pytest.param(0, (), id="switched off"),
        ],
    )
    def test_repeated_pages(self, pages: int, repeated: tuple[str, ...]) -> None:
        """A paragraph amid the main text of three pages."""
        odd = [replace(p, html=str(p.html).replace("</h1>", "</h1><p>Read more here</p>")) for p in sample(3)]
        patterns = learn([*odd, *sample(8)[3:]], LayoutOptions(repeated_pages=pages, site_layout=False))
        assert [s.repeated for s in patterns[0].sections if s.feature.endswith("/p")] == [repeated]
