"""Copies among the pages of a sample."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.rules.learn.counting import copies_in
from scrapy_stemmer.learners.rules.learner import RulesLearner
from tests.learners.rules.made import of_texts
from tests.samplesite import NAVIGATION, SITE, article, headline, page, sentence

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

# Copies count once


def texts(*blocks: tuple[str, int]) -> ReadPage:
    """Return a page of blocks, given their characters outside links; links have ten."""
    padded = [text.replace(" ", "_").ljust(plain or 10, ".") for text, plain in blocks]
    linked = [0 if plain else len(text) for text, (_, plain) in zip(padded, blocks, strict=True)]
    return of_texts(padded, linked)


def groups(*pages: ReadPage) -> list[tuple[int, ...]]:
    return list(map(tuple, copies_in(pages)))


CHROME = (("navigation", 0), ("footer", 60))


def own(name: str, length: int = 400) -> ReadPage:
    """Return a page with a unique text."""
    return texts(*CHROME, (name, length))


def test_pages_that_share_most_of_their_own_text_are() -> None:
    first, second = texts(*CHROME, ("a", 400), ("price", 20)), texts(("a", 400), ("other price", 20))
    assert groups(first, own("b"), second, own("c")) == [(0, 2), (1,), (3,)]


def test_pages_of_a_section_share_its_links_and_are_no_copies() -> None:
    menu = tuple((f"chapter {number}", 0) for number in range(80))
    pages = [texts(*CHROME, *menu, (name, 250)) for name in "abc"]
    assert groups(*pages, own("d"), own("e")) == [(0,), (1,), (2,), (3,), (4,)]


def test_lists_with_little_text_are_told_apart_by_their_links() -> None:
    lists = [texts(*CHROME, ("Articles", 8), *((f"{name} {number}", 0) for number in range(9))) for name in "ab"]
    assert groups(*lists, own("c")) == [(0,), (1,), (2,)]


def test_the_groups_are_those_of_any_order() -> None:
    pages = [own("a"), own("a"), own("b"), texts(("a", 400), ("x", 50)), own("c"), own("c")]
    expected = {frozenset(group) for group in groups(*pages)}
    for seed in range(5):
        order = list(range(len(pages)))
        Random(seed).shuffle(order)
        found = groups(*(pages[number] for number in order))
        assert {frozenset(order[number] for number in group) for group in found} == expected


# Learning from such a sample; ``test_placeholders`` and ``test_poisoning`` have others


def test_the_copy_that_stands_for_the_others_is_the_fullest_and_has_all_links() -> None:
    full, printed = article(0), article(0).replace(NAVIGATION, "")
    others = [page(number) for number in range(1, 5)]
    copies = [
        Page(f"https://{SITE}/a/print", printed, ("Print",)),
        Page(f"https://{SITE}/b", full, (headline(0),)),
    ]
    (pattern,) = RulesLearner().learn([*copies, *others])
    assert pattern.support == 5
    assert f"https://{SITE}/a/print" not in {each.url for each in pattern.samples}
    assert sentence(Random(1), 3) not in PatternSet([pattern]).strip(page(0)).text
