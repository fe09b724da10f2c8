"""The learner of Zhou & Sun: blocks by their looks, their clusters, and the choice of clusters."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from math import log

import pytest

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.literature.base import SITE_WIDE
from scrapy_stemmer.learners.literature.visual.learner import (
    BlockShape,
    ClusterScore,
    PageTerms,
    VisualLearner,
    VisualOptions,
    cluster_scores,
    clusters_of,
    idf_of,
    page_hints,
    page_scores,
    terms,
    visual_blocks,
)
from scrapy_stemmer.learners.literature.visual.pattern import SelectorRulePattern
from scrapy_stemmer.page.document import parse
from tests.rendered import marked, teaser, texts, title
from tests.samplesite import SITE, page, sample, whole_text

TEXT = (690, {"font-size": "16px"})
TEASER = (690, {"font-size": "12px"})
NARROW = (210, {"font-size": "16px"})


def rendered(number: int, teaser_look: tuple[int, dict[str, str]] = TEASER) -> Page:
    """Return a page whose text and teasers differ in looks and class names, not in tag paths."""
    story = "".join(f"<p {{0}}>{text}</p>" for text in texts(number))
    teasers = "".join(f"<p {{1}}>{teaser(number + step)}</p>" for step in (0, 1, 2))
    body = f'<ul><li>Home</li><li>World</li></ul><div class="story">{story}</div><div class="promo">{teasers}</div>'
    html = marked(body, TEXT, teaser_look, head=f"<title>{title(number)}</title>")
    return Page(f"https://{SITE}/rendered/{number}.html", html)


def learned(*pages: Page, **options: object) -> SelectorRulePattern:
    (pattern,) = VisualLearner(VisualOptions(**options)).learn(pages)  # type: ignore[arg-type]
    assert isinstance(pattern, SelectorRulePattern)
    return pattern


def selectors(pattern: SelectorRulePattern) -> list[str]:
    return [str(rule.selector) for rule in pattern.rules]


def test_plain_pages_are_learned_from_by_tag_paths() -> None:
    pattern = learned(*sample())
    assert "body > div.story > p" in selectors(pattern)
    assert not pattern.rendered
    assert (pattern.name, pattern.site_wide, pattern.support) == (SITE_WIDE, True, 8)
    assert PatternSet([pattern]).strip(page(20)).text == whole_text(20)


def test_widths_tell_looks_apart_as_well() -> None:
    pages = [rendered(number, NARROW) for number in range(8)]
    assert selectors(learned(*pages, min_share=0.2)) == ["body > div.story > p"]


@pytest.mark.parametrize(("plain", "looks"), [(0, True), (4, True), (5, False), (7, False)])
def test_half_of_the_pages_must_be_rendered(plain: int, looks: bool) -> None:
    pages = [rendered(number) for number in range(8)]
    pages[:plain] = [replace(page, html=str(page.html).replace("data-stemmer-", "data-")) for page in pages[:plain]]
    pattern = learned(*pages)
    assert pattern.rendered is looks
    assert pattern.support == (8 - plain if looks else 8), "only pages of one form are learned from"


class TestWhichClustersBecomeRules:
    """The program's limits, and ours."""

    @staticmethod
    def site(count: int, others: str, odd: str = "") -> list[Page]:
        return [
            Page(
                f"https://{SITE}/{n}",
                f"<title>{title(n)}</title><main>{''.join(f'<p>{t}</p>' for t in texts(n))}</main>"
                + others.format(title(n))
                + (odd if n == 0 else ""),
            )
            for n in range(count)
        ]

    def test_links_are_not_text(self) -> None:
        pages = self.site(4, "<h3>{0}</h3><ul><li><a href='/x'>{0}</a></li></ul>")
        assert selectors(learned(*pages, min_share=0)) == ["body > main > p", "body > h3"]

    def test_what_stands_beside_the_best_text_needs_no_share_of_it(self) -> None:
        pages = self.site(4, "<h3>{0}</h3>")
        moved = [
            replace(p, html=str(p.html).replace("</main>", f"<h3>{title(n)}</h3></main>")) for n, p in enumerate(pages)
        ]
        assert selectors(learned(*moved, min_share=0.9)) == ["body > main > p", "body > main > h3"]

    def test_a_cluster_that_rarely_has_to_do_with_the_title_needs_a_high_score(self) -> None:
        """The cluster is related on a page in four, in a place common to all."""
        odd = f"<h3>{title(0)}</h3>" * 2
        pages = self.site(4, "<h3>Any other business</h3>", odd)
        assert "body > h3" not in selectors(learned(*pages, min_score=1e6))
        assert "body > h3" in selectors(learned(*pages, min_score=1e3))
        assert "body > h3" in selectors(learned(*pages, min_score=1e6, min_confidence=0.25))


# Terms of texts, and the choice of clusters with a page's own text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", {}, id="empty"),
        pytest.param("… — !", {}, id="no words"),
        pytest.param("Rain", {"rain": 1}, id="a word of four"),
        pytest.param("ox", {"ox": 1}, id="a shorter word"),
        pytest.param("rains rains", {"rain": 2, "ains": 2}, id="overlapping grams"),
        pytest.param("a_b", {"a": 1, "b": 1}, id="an underscore separates"),
        pytest.param("日本語", {"日本": 1, "本語": 1}, id="bigrams where words are not separated"),
        pytest.param("日", {"日": 1}, id="a single character"),
        pytest.param("NHK日本", {"nhk": 1, "日本": 1}, id="scripts are apart"),
        pytest.param("мосты", {"мост": 1, "осты": 1}, id="any alphabet"),
    ],
)
def test_terms_are_ngrams(text: str, expected: dict[str, int]) -> None:
    assert Counter(terms(text)) == expected


def test_the_score_of_a_cluster_on_the_micro_example() -> None:
    """The score of a page is relevance times coherence; what is on every page is dropped (algorithms §6.3)."""

    def page(hints: str, *blocks: str) -> PageTerms:
        """Return a page with a cluster of texts, and one of links for sharing."""
        counted = [(0, text.split()) for text in blocks] + [(1, ["share"])]
        return PageTerms.of(counted, Counter(hints.split()))

    pages = [page("alpha storm", "alpha storm", "alpha rain"), page("bravo cup", "bravo cup final")]
    score = (4 * log(2) + 2 * log(2)) * 4 * log(2)
    assert round(score, 3) == 11.531
    assert page_scores(pages[0], idf_of(pages))[0] == pytest.approx(score)
    mean = pytest.approx((score + 4 * log(2)) / 2)
    assert cluster_scores(pages) == {0: ClusterScore(mean, 1.0, 2)}  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        pytest.param("", [], id="nothing"),
        pytest.param("<title> Storm\n hits </title>", ["Storm hits"], id="title"),
        pytest.param('<meta name="Description" content="Rain.">', ["Rain."], id="description, any case"),
        pytest.param(
            '<meta property="og:title" content="A"><meta name="twitter:description" content="B">',
            ["A", "B"],
            id="Open Graph and Twitter",
        ),
        pytest.param('<title>A</title><meta property="og:title" content="A">', ["A", "A"], id="repeats count"),
        pytest.param('<meta name="description"><meta name="description" content=" ">', [], id="empty ones"),
        pytest.param('<meta name="keywords" content="rain">', [], id="other metadata"),
        pytest.param("<svg><title>A drawing</title></svg>", [], id="the title of a drawing"),
    ],
)
def test_hints(head: str, expected: list[str]) -> None:
    assert page_hints(parse(f"<html><head>{head}</head><body><p>text</p></body></html>")) == expected


# Blocks by their looks, and their clusters


def test_clusters_are_those_of_one_look_in_chains_of_widths_numbered_whatever_the_order() -> None:
    """As of DBSCAN with points of one cluster at most half a deviation of widths apart."""
    assert set(clusters_of({BlockShape("p", "", width): 1 for width in range(0, 1000, 100)}).values()) == {0}
    shapes = [("p", "", 10), ("h1", "", 500), ("p", "color: red", 10), ("p", "", 900)]
    for ordered in (shapes, shapes[::-1]):
        found = clusters_of({BlockShape(*shape): 1 for shape in ordered})
        assert [found[BlockShape(*shape)] for shape in shapes] == [1, 0, 3, 2]
    assert clusters_of({}) == {}


def found(page: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(str(block.selector).split(" > ")[-1], block.texts) for block in visual_blocks(parse(page))]


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        pytest.param("<p>one<p>two", [("p", ("one",)), ("p", ("two",))], id="paragraphs"),
        pytest.param("<p>a <b>bold <i>slanted</i></b> word</p>", [("p", ("a ", "bold ", "slanted", " word"))],
            id="inline elements are part of what holds them"),
        pytest.param("<p>a<br>b</p>", [("p", ("a", "b"))], id="a line break does not part"),
        pytest.param("<div>a<p>b</p>c</div>", [("div", ("a", "c")), ("p", ("b",))], id="text around a block"),
        pytest.param("<div><a href=/>x</a></div>", [("div", ("x",))], id="a link is inline"),
        pytest.param("<div> \n<p>&nbsp;</p></div>", [], id="white space"),
        pytest.param("<div><script>s</script><style>s</style><noscript>n</noscript><template>t</template></div>", [],
            id="what is never on the screen"),
        pytest.param("<div><script>s</script>tail</div>", [("div", ("tail",))], id="text after it"),
        pytest.param("<div>a<!-- comment -->b</div>", [("div", ("ab",))], id="comments"),
        pytest.param("<x-card>own</x-card>", [("x-card", ("own",))], id="custom elements are blocks"),
    ],
)  # fmt: skip
def test_blocks_without_a_browser(page: str, expected: list[tuple[str, tuple[str, ...]]]) -> None:
    assert found(page) == expected


def test_links_are_counted() -> None:
    menu, text = visual_blocks(parse("<ul><li><a>Home</a> <a>News</a></li></ul><p>More <a>here</a></p>"))
    assert (menu.link_chars, text.link_chars) == (8, 4)


def test_texts_of_rendered_pages_belong_to_the_marked_element_around_them() -> None:
    page = marked(
        "<div><p {0}>Heavy <b>rain</b></p><span {1}>shown as a block</span><p {hidden}>gone <i {hidden}>too</i></p>"
        "<section>belongs <p>to</p> no marked element</section></div>",
        (690, {"color": "red", "font-size": "12px"}),
        (300, {}),
    )
    assert found(page) == [
        ("p", ("Heavy ", "rain")),
        ("span", ("shown as a block",)),
        ("body", ("belongs ", "to", " no marked element")),
    ]
