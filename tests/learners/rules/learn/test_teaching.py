"""A teacher's answers on a few pages, as evidence on all pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import numpy as np
import pytest
from lxml import html as lxml_html

from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.learners.rules.learn import teaching
from scrapy_stemmer.learners.rules.learn.teaching import MAX_EVIDENCE, NEAR_WORDS, evidence, shares_in
from scrapy_stemmer.learners.rules.learner import RulesLearner
from tests.crawl.website import Article
from tests.learners.rules.made import scorer

Ask = Callable[[str, str], "str | None"]


def said(path: Sequence[int], page: Sequence[int], odds: Sequence[float], keeps: dict[int, list[bool]]) -> list[float]:
    """The evidence on blocks of equal lengths."""
    flags = {number: np.array(of_page) for number, of_page in keeps.items()}
    blocks = np.array(path), np.array(page), np.full(len(path), 100.0), np.array(odds)
    return [round(each, 2) for each in evidence(*blocks, flags).tolist()]


class TestEvidence:
    """Two paths, 0 with text and 1 without; path 2 is in doubt."""

    def test_a_teacher_who_agrees_where_the_scorer_is_sure_is_believed_elsewhere(self) -> None:
        found = said([0, 1, 2, 2], [0, 0, 0, 1], [5, -5, 0, 0], {0: [True, False, True]})
        assert found[2] == found[3] > 1
        assert said([0, 1, 2, 2], [0, 0, 0, 1], [5, -5, 0, 0], {0: [True, False, False]})[3] < -1

    def test_one_who_does_not_is_not(self) -> None:
        found = said([0, 1, 2, 2], [0, 0, 0, 1], [5, -5, 0, 0], {0: [False, False, True]})
        assert said([0, 1, 2, 2], [0, 0, 0, 1], [5, -5, 0, 0], {0: [True, False, True]})[3] > found[3]
        always = said([0, 1, 2, 2], [0, 0, 0, 1], [5, -5, 0, 0], {0: [True, True, True]})
        assert abs(always[3]) < found[3] / 3

    def test_several_pages_tell_more_than_one_and_none_more_than_the_most(self) -> None:
        path, page, odds = [0, 1, 2] * 3, [0, 0, 0, 1, 1, 1, 2, 2, 2], [5.0, -5.0, 0.0] * 3
        one = said(path, page, odds, {0: [True, False, True]})
        two = said(path, page, odds, {0: [True, False, True], 1: [True, False, True]})
        assert one[8] < two[8] <= MAX_EVIDENCE


@pytest.mark.parametrize(("between", "share"), [(NEAR_WORDS - 1, 1.0), (NEAR_WORDS, 0.0)])
@pytest.mark.parametrize("is_first", [True, False])
def test_a_short_block_is_in_a_text_that_goes_on_near_it(between: int, share: float, is_first: bool) -> None:
    """The text has a word of the menu at its beginning, or at its end."""
    text, others = [f"word{number}" for number in range(9)], [f"other{number}" for number in range(between)]
    blocks, said = [["Sport"], others, text], ["Sport", *text]
    if not is_first:
        blocks, said = [text, others, ["Sport"]], [*text, "Sport"]
    found = shares_in(blocks, said).tolist()
    assert found == ([share, 0.0, 1.0] if is_first else [1.0, 0.0, share])


DOUBT = scorer(0.1)
"""A scorer that finds everything a little more likely to be text than not."""


def article(number: int) -> Page:
    return Page(f"http://a.example/{number}", Article(number, 4).html())


def with_a_teaser(number: int) -> Page:
    """Return an article with the beginning of another article below."""
    teaser = f"<div class='next'><p>{Article(500 + number, 4).body[0]}</p></div></body>"
    return Page(f"http://a.example/{number}", Article(number, 4).html().replace("</body>", teaser))


def asked_about(pages: Sequence[Page], most: int, answer: Ask = lambda *_: "") -> list[str]:
    """Return the numbers of the pages shown to a teacher."""
    urls: list[str] = []

    def teacher(url: str, html: str) -> str | None:
        urls.append(url.rpartition("/")[2])
        return answer(url, html)

    learn(pages, RulesLearner(scorer=DOUBT), teacher=teacher, teacher_pages=most)
    return urls


def by_gold(url: str, _: str) -> str:
    return "\n".join(Article(int(url.rpartition("/")[2]), 4).text)


class TestAsking:
    def test_what_it_says_of_some_pages_holds_for_all(self) -> None:
        pages = [with_a_teaser(number) for number in range(6)]
        alone = learn(pages, RulesLearner(scorer=DOUBT))
        taught = learn(pages, RulesLearner(scorer=DOUBT), teacher=by_gold)
        page = with_a_teaser(40)
        assert Article(540, 4).body[0] in alone.strip(page).text
        assert taught.strip(page).text == "\n".join(Article(40, 4).text)

    def test_it_is_asked_about_so_many_pages_in_any_order_of_them_the_same(self) -> None:
        pages = [article(number) for number in range(5)]
        asked = asked_about(pages, 2)
        assert len(set(asked)) == 2
        assert {tuple(asked_about(order, 2)) for order in list(permutations(pages))[::29]} == {tuple(asked)}
        assert len(asked_about(pages, 9)) == 5

    def test_it_is_asked_about_pages_that_are_unlike(self) -> None:
        other = Page("http://a.example/list", "<ol class='teasers'><li>One of them, and more.<li>Another.</ol>")
        assert "list" in asked_about([*(article(number) for number in range(8)), other], 2)

    def test_none_is_no_answer_but_a_failure_is_one(self) -> None:
        pages = [article(number) for number in range(5)]

        def fails(url: str, html: str) -> str:
            raise RuntimeError("no")

        assert len(asked_about(pages, 2, lambda *_: None)) == 5
        assert len(asked_about(pages, 2, fails)) == 2

    def test_without_answers_all_is_as_without_a_teacher(self) -> None:
        pages = [article(number) for number in range(5)]
        assert learn(pages, teacher=lambda *_: None) == learn(pages)

    def test_not_about_pages_that_would_take_too_long(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(teaching, "MAX_ASKED", 30)
        assert asked_about([article(number) for number in range(5)], 2) == []

    @pytest.mark.parametrize("make", [str, str.encode, lxml_html.document_fromstring], ids=["text", "bytes", "tree"])
    def test_it_gets_the_html_as_text(self, make: Callable[[str], str]) -> None:
        got: list[str] = []
        learn([Page("http://a.example/1", make(Article(1).html()))], teacher=lambda url, html: got.append(html))
        assert Article(1).body[0] in got[0]
        assert "<h1" in got[0]

    def test_the_learner_itself_is_not_changed(self) -> None:
        found = RulesLearner()
        taught = found.taught_by(by_gold)
        assert (found.teacher, taught.teacher is not None) == (None, True)
        pages = [article(number) for number in range(5)]
        assert PatternSet(taught.learn(pages)) != PatternSet(RulesLearner(scorer=DOUBT).learn(pages))
