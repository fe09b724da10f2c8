"""The layout learner: Webstemmer's way, with our defaults or the original's; sections, scores and titles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from itertools import permutations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.literature.alignment import DifflibMatcher, TextMatcher
from scrapy_stemmer.learners.literature.base import MAX_SAMPLES, SITE_WIDE
from scrapy_stemmer.learners.literature.layout.learner import (
    MAX_TEXTS,
    LayoutLearner,
    LayoutOptions,
    SampledSection,
    diff_score,
    fallback_title_score,
    layout_pattern_score,
    sampled_sections,
    title_section,
)
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, original_common_features, runs_of
from scrapy_stemmer.page.blocks import LayoutBlock
from scrapy_stemmer.page.text import significant
from scrapy_stemmer.patterns import codec
from tests import microexample
from tests.samplesite import SITE, headline, page, sample


def learn(pages: list[Page], options: LayoutOptions | None = None, seed: int = 0) -> list[LayoutPattern]:
    patterns = LayoutLearner(options).learn(pages, seed=seed)
    return [pattern for pattern in patterns if isinstance(pattern, LayoutPattern)]


def micro(options: LayoutOptions, order: tuple[int, ...] = (1, 2, 3)) -> list[LayoutPattern]:
    return learn([microexample.page(number) for number in order], replace(options, min_score=-1))


ORIGINAL = LayoutOptions(original=True, cluster_threshold=0.97, mangle=None)


class TestMicroExample:
    """Algorithms §1.12; pages are taken in order of their names, whatever the order they come in."""

    def test_at_97_two_pages_are_one_layout(self) -> None:
        (pattern,) = micro(ORIGINAL)
        assert [sample.url[-6:] for sample in pattern.samples] == ["1.html", "2.html"]

    @pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
    def test_at_80_all_pages_are_one(self, order: tuple[int, ...]) -> None:
        (pattern,) = micro(replace(ORIGINAL, cluster_threshold=0.8), order)
        assert list(pattern.features) == microexample.FEATURES
        assert (pattern.support, pattern.title) == (3, 2)
        assert pattern.score == pytest.approx(81.297309)

    @pytest.mark.parametrize("order", list(permutations((1, 2, 3))))
    def test_scores_of_the_word_variant(self, order: tuple[int, ...]) -> None:
        pattern = micro(LayoutOptions(), order)[0]
        assert list(pattern.features) == microexample.FEATURES
        assert [section.diffscore for section in pattern.sections] == [0.7, 0, 1, 0.934343, 0]
        assert [section.mainscore for section in pattern.sections] == [16.333333, 0, 16.333333, 61.666667, 0]
        assert (pattern.score, pattern.title) == (103.635759, 2)


def test_samples_name_pages_and_their_titles() -> None:
    named = [(page(number).url, headline(number)) for number in range(MAX_SAMPLES)]
    assert [(each.url, each.title) for each in learn(sample())[0].samples] == named


def tables(number: int) -> Page:
    """Return a page of a second layout of the site."""
    rows = "".join(f"<tr><th>{headline(number * 10 + n)}</th><td>{number}{n}</td></tr>" for n in range(9))
    return Page(f"https://{SITE}/results/{number}", f"<title>Results {number}</title><table>{rows}</table>")


def test_two_layouts_of_one_address_have_names_of_their_own() -> None:
    """The page changed while the sample was taken."""
    changed = replace(tables(0), url=page(0).url)
    patterns = learn([*sample(4), changed, tables(1)], LayoutOptions(min_score=-1))
    assert sorted(pattern.name for pattern in patterns) == [SITE_WIDE, page(0).url, f"{page(0).url} (2)"]
    assert codec.loads(codec.dumps(patterns)) == patterns


@pytest.mark.parametrize(("having", "kept"), [(3, False), (4, True)])
def test_half_of_the_pages_must_have_a_section(having: int, *, kept: bool) -> None:
    pages = [
        replace(p, html=str(p.html).replace("<h1>", f"<pre>By {headline(n)}</pre><h1>") if n < having else p.html)
        for n, p in enumerate(sample())
    ]
    supports = {section.feature.rpartition("/")[2]: section.support for section in learn(pages)[0].sections}
    assert (supports.get("pre") == having) == kept


# Sections: scores of the original (algorithms §1.12), blocks side by side, and the title


@pytest.mark.parametrize(
    ("order", "diffscores", "mainscores", "score"),
    [
        pytest.param((1, 3, 2), [0.514286, 0, 0.734694, 0.747475, 0], [12, 0, 12, 49.3333, 0], 80.564901, id="1, 3, 2"),
        pytest.param(
            (2, 3, 1), [0.528571, 0, 0.755102, 0.747475, 0], [12.3333, 0, 12.3333, 49.3333, 0], 81.297309, id="2, 3, 1"
        ),
    ],
)
def test_scores_of_the_original_depend_on_the_order_of_pages(
    order: Sequence[int], diffscores: list[float], mainscores: list[float], score: float
) -> None:
    """In the second order, the headline has fallback scores too; difflib is not symmetric."""
    pages = [microexample.blocks(number) for number in order]
    sequences: list[Sequence[str]] = [runs_of(blocks).features for blocks in pages]
    matcher = DifflibMatcher()
    found = sampled_sections(pages, reduce(original_common_features, sequences), matcher, is_original=True)
    assert [section.feature for section in found] == microexample.FEATURES
    assert [section.diffscore for section in found] == pytest.approx(diffscores, abs=1e-6)
    mains = [section.mainscore() for section in found]
    assert mains == pytest.approx(mainscores, abs=1e-4)
    assert layout_pattern_score(mains, len(order)) == pytest.approx(score, abs=1e-6)
    if order == (2, 3, 1):
        _, _, title, main, _ = found
        scores = [fallback_title_score(title.text(n), main.text(n), title.diffscore, matcher) for n in range(3)]
        assert scores == pytest.approx([11.33, 2.52, 8.78], abs=0.005)


def block(path: str, text: str) -> LayoutBlock:
    sig = significant(text)
    return LayoutBlock(path, text, sig, len(sig), len(sig))


PAGES = [
    [block("h1", "Storm"), block("p", "Rain fell."), block("p", "Read more"), block("div", "Foot")],
    [block("h1", "Zebra"), block("p", "Read more"), block("pre", "code"), block("div", "Foot")],
]


def test_blocks_are_laid_side_by_side_without_sections_that_no_page_has() -> None:
    sections = sampled_sections(PAGES, ("h1", "table", "p", "div"), TextMatcher())
    assert [(column.feature, column.text(0), column.text(1)) for column in sections] == [
        ("h1", "Storm", "Zebra"),
        ("p", "Rain fell.\nRead more", "Read more"),
        ("div", "Foot", "Foot"),
    ]
    assert [sections[1].in_pattern(lists_repeated=on).repeated for on in (True, False)] == [("Read more",), ()]


def test_a_text_twice_on_one_page_is_on_one_page() -> None:
    column = SampledSection("p", ((block("p", "x"), block("p", "x")), ()), 1.0)
    assert column.in_pattern(lists_repeated=True).repeated == ()


def column(feature: str, diffscore: float, *texts: str) -> SampledSection:
    return SampledSection(feature, tuple((block(feature, text),) if text else () for text in texts), diffscore)


MAIN = column("p", 1.0, "the storm hits the coast again and again", "a zebra jumps over the fence of the zoo")
FOOT = column("div", 0.0, "foot", "foot")
HEAD = column("title", 0.7, "storm hits - Example", "zebra jumps - Example")
DATE = column("span", 0.9, "1 May", "2 June")
H1 = column("h1", 1.0, "storm hits", "zebra jumps")
LINKED = [["storm hits"], ["zebra jumps"]]

VOTED = [
    column("span", 1.0, "1 May", "2 June", "3 July"),
    column("h1", 1.0, "storm hits", "zebra jumps", "zebra jumps"),
    column("p", 1.0, "long and longer words", "other and longer words", "still other and longer words"),
]


@pytest.mark.parametrize(
    ("columns", "anchors", "amid_main", "expected"),
    [
        pytest.param([column("h1", 0.6, "flood comes", "camel walks"), MAIN, FOOT], [["flood comes"], ["camel walks"]],
            False, None, id="not what hardly varies, however well it agrees"),
        pytest.param([HEAD, DATE, H1, MAIN, FOOT], [["read more"], ["»"]], False, 2,
            id="by the main text, if links say nothing"),
        pytest.param([DATE, MAIN, FOOT], [[], []], False, None, id="not what the main text lacks"),
        pytest.param([], [[], []], False, None, id="no sections"),
        pytest.param(VOTED, [["1 May"], ["2 June"], ["zebra jumps"]], False, 0, id="most votes"),
        pytest.param(VOTED, [["1 May"], ["zebra jumps"], ["x"]], False, 0, id="on ties the first section"),
        pytest.param(VOTED, [["x"], ["x"], ["zebra jumps"]], False, None, id="most find none"),
        pytest.param([column("p", 1.0, "storm hits", "zebra jumps"), H1, MAIN, FOOT], LINKED, True, 0,
            id="the original: up to the section with the highest MainScore"),
        pytest.param([MAIN, FOOT, H1], LINKED, True, None, id="the original: not behind it"),
    ],
)  # fmt: skip
def test_the_section_of_the_title(
    columns: list[SampledSection], anchors: list[list[str]], amid_main: bool, expected: int | None
) -> None:
    assert title_section(columns, anchors, 0.6, TextMatcher(), amid_main=amid_main) == expected


def test_of_many_texts_only_some_are_compared() -> None:
    texts = [f"text {number}" for number in range(100)]
    spaced = [texts[index * 100 // MAX_TEXTS] for index in range(MAX_TEXTS)]
    assert (
        diff_score(texts, TextMatcher()) == diff_score(spaced, TextMatcher()) != diff_score(texts[:30], TextMatcher())
    )
