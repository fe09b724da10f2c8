"""The layout learner: Webstemmer's way, with our defaults or the original's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest

from scrapy_stemmer import BlockOptions, LearnerError, Page, PatternSet
from scrapy_stemmer.learners.literature.base import MAX_SAMPLES, SITE_WIDE
from scrapy_stemmer.learners.literature.layout.learner import LayoutLearner, LayoutOptions, SampledPage, read_sample
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


@pytest.mark.parametrize("mangle", ["[", "a{99999999999999}"])
def test_what_is_kept_of_attributes_must_be_an_expression(mangle: str) -> None:
    with pytest.raises(LearnerError, match="must be a regular expression"):
        LayoutOptions(blocks=BlockOptions(mangle=mangle))


class TestPatterns:
    def test_a_layout_and_the_whole_site(self) -> None:
        layout, site = sorted(learn(sample()), key=lambda pattern: pattern.site_wide)
        assert (layout.site, layout.name, layout.support) == (SITE, page(0).url, 8)
        assert (site.name, site.site_wide, site.support) == (SITE_WIDE, True, 8)

    def test_samples_name_pages_and_their_titles(self) -> None:
        layout = learn(sample())[0]
        assert [(s.url, s.title) for s in layout.samples] == [
            (page(number).url, headline(number)) for number in range(MAX_SAMPLES)
        ]

    def test_best_first(self) -> None:
        scores = [pattern.score for pattern in learn(sample())]
        assert scores == sorted(scores, reverse=True)

    def test_numbers_are_rounded(self) -> None:
        for pattern in learn(sample()):
            numbers = [pattern.score, *(x for s in pattern.sections for x in (s.diffscore, s.mainscore))]
            assert all(number == round(number, 6) for number in numbers)

    @pytest.mark.parametrize("count", [0, 1])
    def test_a_layout_needs_two_pages(self, count: int) -> None:
        assert learn(sample(count)) == []


def tables(number: int) -> Page:
    """Return a page of a second layout of the site."""
    rows = "".join(f"<tr><th>{headline(number * 10 + n)}</th><td>{number}{n}</td></tr>" for n in range(9))
    return Page(f"https://{SITE}/results/{number}", f"<title>Results {number}</title><table>{rows}</table>")


class TestOptions:
    def test_two_layouts(self) -> None:
        pages = [*sample(4), *(tables(number) for number in range(4))]
        patterns = learn(pages, LayoutOptions(site_layout=False, min_score=-1))
        assert sorted(pattern.name for pattern in patterns) == [page(0).url, tables(0).url]

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

    @pytest.mark.parametrize(
        ("least", "kept"),
        [
            pytest.param(-1, True, id="-1 keeps all"),
            pytest.param(1e9, False, id="a layout below is dropped"),
        ],
    )
    def test_min_score(self, least: float, *, kept: bool) -> None:
        assert bool(learn(sample(), LayoutOptions(min_score=least))) == kept

    def test_without_linkinfo_the_main_text_decides(self) -> None:
        """The links lead the vote to the date; without links there is no title."""
        pages = [
            Page(
                f"http://ex.com/{n}",
                f"<title>Site</title><div>Dated {n}{n} Month{n}</div><p>{headline(n)} {headline(n + 50)} text</p>",
                anchors=(f"Dated {n}{n} Month{n}",),
            )
            for n in range(4)
        ]
        options = LayoutOptions(min_score=-1, site_layout=False, title_threshold=0.5)
        assert learn(pages, options)[0].title_index == 1
        assert learn(pages, replace(options, linkinfo=False))[0].title_index is None

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

    def test_name_pages(self) -> None:
        pages = [replace(p, html=str(p.html).replace('"story"', f'"story x{n:c}"')) for n, p in enumerate(sample(), 97)]
        vocabulary = frozenset({"nav", "story", "story-", "foot"})
        assert learn(pages)[0].block_options.vocabulary == vocabulary
        assert learn(pages, LayoutOptions(name_pages=0, site_layout=False)) == []

    def test_mangle(self) -> None:
        """Unmangled, the number in every page's id makes a layout of its own."""
        plain = LayoutOptions(blocks=BlockOptions(mangle=None), name_pages=0, site_layout=False)
        assert learn(sample(), plain) == []
        assert len(learn(sample(), replace(plain, blocks=BlockOptions()))) == 1

    def test_default_charset(self) -> None:
        pages = [replace(p, html=str(p.html).replace("Sport", "Größe").encode("cp1252")) for p in sample()]
        titles = PatternSet(LayoutLearner(LayoutOptions(default_charset="cp1252")).learn(pages)).strip(
            pages[0], default_charset="cp1252"
        )
        assert any("Größe" in block.text for block in titles.blocks)

    def test_the_seed_decides_only_what_is_drawn(self) -> None:
        assert learn(sample(), seed=1) == learn(sample(), seed=2)


# The pages of a sample


def read(*pages: tuple[str, str], name_pages: int = 0) -> tuple[list[SampledPage], BlockOptions]:
    """A sample of pages given by name and HTML."""
    return read_sample(
        [Page(f"http://ex.com/{name}", html) for name, html in pages], LayoutOptions(name_pages=name_pages)
    )


def names(sample: Sequence[SampledPage]) -> list[str]:
    return [page.name.rpartition("/")[2] for page in sample]


def test_pages_are_sorted_whatever_their_order() -> None:
    pages = [("b", "<p>two"), ("a", "<p>one"), ("c", "<p>three")]
    samples = [read(*order) for order in permutations(pages)]
    assert all(sample == samples[0] for sample in samples)
    assert names(samples[0][0]) == ["a", "b", "c"]


@pytest.mark.parametrize(
    ("pages", "kept"),
    [
        pytest.param([("a", "<p>one"), ("b", "<p>one")], ["a"], id="the same text under another address"),
        pytest.param([("a", "<p>one"), ("a", "<p>one")], ["a"], id="the same page twice"),
        pytest.param([("a", "<p>one"), ("a", "<p>two")], ["a", "a"], id="a page that has changed"),
        pytest.param([("a", "<p>one"), ("b", "<h1>one")], ["a", "b"], id="the same text in another element"),
        pytest.param([("a", "<p>one</p><!-- 1 -->"), ("b", "<p>one</p><!-- 2 -->")], ["a"], id="comments differ"),
        pytest.param([("a", ""), ("b", "")], ["a"], id="empty pages"),
        pytest.param([], [], id="no pages"),
    ],
)
def test_of_pages_with_the_same_blocks_one_is_kept(pages: list[tuple[str, str]], kept: list[str]) -> None:
    assert names(read(*pages)[0]) == kept


def test_links_to_all_copies_of_a_page_are_kept_with_repeats() -> None:
    pages = [
        Page("http://ex.com/b", "<p>one", anchors=("Read", "One")),
        Page("http://ex.com/a", "<p>one", anchors=("One",)),
    ]
    (page,), _ = read_sample(pages, LayoutOptions())
    assert sorted(page.anchors) == ["One", "One", "Read"]


def test_blocks_are_freed_from_their_trees() -> None:
    (page,), _ = read(("a", "<p>one</p>"))
    assert all(block.pieces == () for block in page.blocks)


@pytest.mark.parametrize(
    ("least", "paths"),
    [
        pytest.param(0, ["p:class=story x", "p:class=story y"], id="all names count"),
        pytest.param(1, ["p:class=story x", "p:class=story y"], id="names of one page count"),
        pytest.param(2, ["p:class=story", "p:class=story"], id="only names that two pages have"),
        pytest.param(3, ["p", "p"], id="only names that three pages have"),
    ],
)
def test_names_on_few_pages_are_left_out_of_paths(least: int, paths: list[str]) -> None:
    pages = ("a", '<p class="story x">one'), ("b", '<p class="story y">two')
    sample, _ = read(*pages, name_pages=least)
    assert [block.path for page in sample for block in page.blocks] == paths


def test_the_vocabulary_goes_into_the_options() -> None:
    pages = ("a", '<p class="story x">one'), ("b", '<p class="story y">two')
    assert read(*pages, name_pages=2)[1].vocabulary == frozenset({"story"})
    assert read(*pages, name_pages=0)[1].vocabulary is None


def test_a_name_that_one_page_has_often_is_on_one_page() -> None:
    pages = ("a", '<p class="x">one</p><h1 class="x">two'), ("b", "<p>three")
    assert read(*pages, name_pages=2)[1].vocabulary == frozenset()


def test_pages_without_a_charset_are_read_in_the_default_one() -> None:
    page = Page("http://ex.com/a", "<p>é".encode("cp1252"))
    (read_page,), _ = read_sample([page], LayoutOptions(default_charset="cp1252"))
    assert read_page.blocks[0].text == "é"
