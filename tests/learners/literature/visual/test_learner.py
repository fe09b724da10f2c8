"""The learner of Zhou & Sun."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.literature.base import SITE_WIDE
from scrapy_stemmer.learners.literature.visual.learner import VisualLearner, VisualOptions, has_stemmer
from scrapy_stemmer.learners.literature.visual.pattern import SelectorRulePattern
from tests.rendered import marked, teaser, texts, title
from tests.samplesite import SITE, page, sample, whole_text

needs_stemmer = pytest.mark.skipif(not has_stemmer(), reason="snowballstemmer (extra `visual`) is not installed")

TEXT = (690, {"font-size": "16px"})
TEASER = (690, {"font-size": "12px"})
NARROW = (210, {"font-size": "16px"})


def rendered(number: int, teaser_look: tuple[int, dict[str, str]] = TEASER, teaser_class: str = "promo") -> Page:
    """Return a page whose text and teasers differ in looks and class names, not in tag paths."""
    story = "".join(f"<p {{0}}>{text}</p>" for text in texts(number))
    teasers = "".join(f"<p {{1}}>{teaser(number + step)}</p>" for step in (0, 1, 2))
    body = (
        "<ul><li>Home</li><li>World</li></ul>"
        f'<div class="story">{story}</div><div class="{teaser_class}">{teasers}</div>'
    )
    html = marked(body, TEXT, teaser_look, head=f"<title>{title(number)}</title>")
    return Page(f"https://{SITE}/rendered/{number}.html", html)


def unmarked(page: Page) -> Page:
    """Return the page without the browser's marks."""
    return replace(page, html=str(page.html).replace("data-stemmer-", "data-other-"))


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


class TestLooks:
    """Rendered pages."""

    PAGES = tuple(rendered(number) for number in range(8))

    def test_widths_tell_them_apart_as_well(self) -> None:
        pages = [rendered(number, teaser_look=NARROW) for number in range(8)]
        assert selectors(learned(*pages, min_share=0.2)) == ["body > div.story > p"]

    @pytest.mark.parametrize(("plain", "looks"), [(0, True), (4, True), (5, False), (7, False)])
    def test_half_of_the_pages_must_be_rendered(self, plain: int, looks: bool) -> None:
        pages = [unmarked(page) if number < plain else page for number, page in enumerate(self.PAGES)]
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


class TestLanguage:
    """Terms of texts."""

    JAPANESE = (
        (
            "大雨で川が氾濫",
            ("昨夜の大雨で川が氾濫し、橋が流された。", "市は住民に避難を呼びかけている。川の水位は高い。"),
        ),
        (
            "新しい図書館が開館",
            ("駅前に新しい図書館が開館した。蔵書は十万冊。", "図書館の館長は「新しい本を増やす」と話す。"),
        ),
        (
            "地元チームが優勝",
            ("地元のチームが決勝で勝ち、優勝を決めた。", "監督は「チームの優勝は皆のおかげ」と喜んだ。"),
        ),
    )

    @needs_stemmer
    @pytest.mark.parametrize("language", ["english", "auto", "any"])
    def test_english_pages_in_each_way(self, language: str) -> None:
        assert selectors(learned(*sample(), language=language))[0] == "body > div.story > p"

    @needs_stemmer
    def test_auto_tells_english(self) -> None:
        """In English *running* is *run*, and *the* and *was* are nothing."""
        pages = [
            Page(
                f"https://{SITE}/{n}",
                f"<title>The {word}s were on it</title><p>It was the {word}ing of the {word}s that he had been at.</p>"
                f"<p>He {word}ed with her and they were not to be {word}ing.</p><div>The were on it</div>",
            )
            for n, word in enumerate(("jump", "walk", "play", "talk"))
        ]
        by_words, by_grams = (learned(*pages, language=language) for language in ("english", "any"))
        assert learned(*pages, language="auto") == by_words
        assert by_words != by_grams
