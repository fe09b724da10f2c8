"""Choice of pages for a good sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.walls import WALLS
from scrapy_stemmer import PageKind
from scrapy_stemmer.learners.rules.learn.sample_choice import PageLook, SampleChoice, look_of
from scrapy_stemmer.page.document import parse
from tests.samplesite import SITE, article

SIZE = 20

CONTENT, LIST = PageKind.CONTENT, PageKind.LIST


def look(html: str, url: str = f"https://{SITE}/1") -> PageLook:
    return look_of(url, parse(html))


class TestLooks:
    def test_articles_of_a_layout_look_alike(self) -> None:
        looks = {look(article(number), f"https://{SITE}/2024/{number}.html") for number in range(9)}
        assert [each.kind for each in looks] == [CONTENT]

    def test_another_layout_looks_otherwise(self) -> None:
        other = article(0).replace('class="story"', 'class="post-body"')
        assert look(other).layout != look(article(0)).layout
        assert look(other).kind is CONTENT

    @pytest.mark.parametrize("name", ["captcha", "login", "consent by the standard", "nginx", "script shell"])
    def test_placeholders_are_told(self, name: str) -> None:
        assert look(WALLS[name].html("/1")).kind == WALLS[name].kind

    @given(st.builds(PageLook, st.sampled_from(PageKind), st.integers(0)))
    def test_a_look_can_be_written(self, made: PageLook) -> None:
        assert PageLook.read(str(made)) == made
        assert PageLook.read("").kind is CONTENT

    @pytest.mark.parametrize("html", ["", "<frameset><frame src=/a></frameset>", "<body><img src=x></body>"])
    def test_pages_without_text_are_lists(self, html: str) -> None:
        assert look(html).kind is LIST


def looks(kind: PageKind, layout: int, count: int) -> list[PageLook]:
    return [PageLook(kind, layout)] * count


def chosen(met: Iterable[PageLook], size: int = SIZE) -> tuple[Counter[PageKind], int]:
    """Return the kinds of the pages in a sample, and the number of pages met until the sample is ready."""
    choice, kinds, count = SampleChoice(size), Counter[PageKind](), 0
    for each in met:
        if choice.is_ready:
            break
        count += 1
        if choice.wants(each):
            choice.take(each)
            kinds[each.kind] += 1
    assert choice.is_ready
    return kinds, count


LOOKS = st.lists(st.builds(PageLook, st.sampled_from(PageKind), st.integers(0, 3)))


class TestChoice:
    def test_lists_first(self) -> None:
        kinds, _ = chosen([*looks(LIST, 1, 60), *looks(CONTENT, 2, 60)])
        assert kinds[CONTENT] >= SIZE / 2
        assert kinds[LIST] >= 2

    def test_two_layouts_of_content_both_come_in(self) -> None:
        choice = SampleChoice(SIZE)
        for each in [*looks(CONTENT, 1, 15), *looks(CONTENT, 2, 12)]:
            if choice.wants(each):
                choice.take(each)
        assert choice.is_ready
        assert min(choice.taken.values()) >= SIZE / 3

    def test_errors_first(self) -> None:
        kinds, count = chosen([*looks(PageKind.ERROR, 1, 500), *looks(CONTENT, 2, 60)])
        assert set(kinds) == {CONTENT}
        assert count > 500

    def test_a_site_of_one_layout_does_not_wait_for_others_for_long(self) -> None:
        kinds, count = chosen(looks(CONTENT, 1, 500))
        assert kinds[CONTENT] >= SIZE / 2
        assert count <= 2 * SIZE

    def test_a_site_of_lists_alone_is_learned_too(self) -> None:
        kinds, count = chosen(looks(LIST, 1, 500))
        assert kinds[LIST] >= 4
        assert count <= 5 * SIZE

    def test_it_goes_on_where_it_was(self) -> None:
        met = [PageLook(Random(n).choice((CONTENT, LIST)), n % 3) for n in range(30)]
        choice, taken = SampleChoice(SIZE), []
        for each in met[:12]:
            if choice.wants(each):
                choice.take(each)
                taken.append(each)
        assert SampleChoice(SIZE, taken).taken == choice.taken

    @given(
        LOOKS,
        st.integers(1, 9),
    )
    def test_no_sample_is_too_large_or_has_placeholders(self, met: list[PageLook], size: int) -> None:
        choice = SampleChoice(size)
        for each in met:
            if choice.wants(each):
                choice.take(each)
        assert sum(choice.taken.values()) <= size
        assert {kind for kind, _ in choice.taken} <= {CONTENT, LIST}
