"""Title rules: what links and heads call the pages."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page
from scrapy_stemmer.learners.rules.learning import MAX_TITLE_RULES
from tests.learners.rules.made import TOPICS, learned, page, prose

NO_HEAD = ""


def story(topic: str, *, head: str = NO_HEAD, tag: str = "div", name: str = "name") -> str:
    """An article whose title stands in no heading."""
    text = "".join(f"<p>{prose(topic, number)}</p>" for number in range(2))
    return f"<html><head>{head}</head><body><{tag} class={name}>The {topic}</{tag}><div class=text>{text}</div></body>"


def titles(pages: list[Page]) -> list[str]:
    return [rule.selector.text for rule in learned(pages).rules if rule.action == "title"]


def test_the_texts_of_links_tell_where_the_head_says_nothing() -> None:
    assert titles([page(n, story(topic), "More", f"The {topic}") for n, topic in enumerate(TOPICS)]) == [".name"]


def test_so_does_the_head_where_no_link_is_known() -> None:
    pages = [page(n, story(topic, head=f"<title>The {topic} | News</title>")) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == [".name"]


def test_case_and_white_space_do_not_matter() -> None:
    assert titles([page(n, story(topic), f" the\n{topic.upper()} ") for n, topic in enumerate(TOPICS)]) == [".name"]


@pytest.mark.parametrize("letters", ["abcdef", "雨雪風雲霧雷"])
def test_links_do_not_vote(letters: str) -> None:
    pages = [page(n, story(f"<a href=/>{letter * 9}</a>"), f"The {letter * 9}") for n, letter in enumerate(letters)]
    inside = [Page(each.url, each.html.replace("The <a", "<a"), anchors=(each.anchors[0][4:],)) for each in pages]
    assert titles(inside) == []


def test_without_either_there_is_no_rule() -> None:
    assert titles([page(n, story(topic), "More", "Next") for n, topic in enumerate(TOPICS)]) == []


def test_one_page_of_many_tells_nothing() -> None:
    pages = [page(n, story(topic), *([f"The {topic}"] if n == 0 else [])) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == []


def test_of_a_single_page_its_own_vote_counts() -> None:
    assert titles([page(1, story("storm"), "The storm")]) == [".name"]


def test_pages_of_several_layouts_have_their_titles_at_several_places() -> None:
    pages = [page(n, story(topic, name=f"t{'abc'[n % 2]}"), f"The {topic}") for n, topic in enumerate(TOPICS)]
    assert sorted(titles(pages)) == [".ta", ".tb"]
    assert len(titles(pages)) <= MAX_TITLE_RULES


def test_what_all_titles_share_is_no_title() -> None:
    head = "<title>Example News</title>"
    pages = [
        page(n, f"<head>{head}</head><p class=site>Example News</p>{story(topic)}") for n, topic in enumerate(TOPICS)
    ]
    assert titles(pages) == []


def test_a_place_that_mostly_says_something_else_holds_no_titles() -> None:
    pages = [page(n, story(topic), *([f"The {topic}"] if n < 2 else [])) for n, topic in enumerate(TOPICS)]
    assert titles(pages) == []


@pytest.mark.parametrize("share", [3, 4, 6])
def test_a_rule_is_as_sure_as_pages_vote_for_it(share: int) -> None:
    pages = [page(n, story(topic), *([f"The {topic}"] if n < share else [])) for n, topic in enumerate(TOPICS)]
    (found,) = [rule for rule in learned(pages).rules if rule.action == "title"]
    assert found.sure == pytest.approx(share / len(TOPICS), abs=0.01)
