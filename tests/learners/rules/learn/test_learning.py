"""Knowledge of a site, from the pages of a sample."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.learn.learning import MAX_REPEATS, MIN_PAGES_OF_PARTS, PlacedSample, learned_pattern
from scrapy_stemmer.learners.rules.site.columns import text_key
from scrapy_stemmer.learners.rules.site.paths import MASK
from scrapy_stemmer.learners.rules.site.site import Knowledge
from scrapy_stemmer.page.blocks import MAIN_ROLES
from tests.learners.rules.made import (
    FOOTER,
    MENU,
    TOPICS,
    learned,
    page,
    sample,
    scorer,
    stories,
    story,
    stripped,
)


def known(*htmls: str) -> Knowledge:
    return learned([page(number, html) for number, html in enumerate(htmls)]).knowledge


def count_of(knowledge: Knowledge, text: str) -> int:
    return knowledge.texts.get(text_key(text) & MASK, 0)


class TestRulesAndWhereTheyDecide:
    def test_rules_are_as_sure_as_the_scores_of_the_text_that_they_decide_on(self) -> None:
        pages, signatures = sample(stories())
        unsure = learned_pattern(pages, signatures, scorer(0.2)).rules[0].sure
        sure = learned_pattern(pages, signatures, scorer(2)).rules[0].sure
        assert 0.5 < unsure < sure <= 1

    def test_where_scores_and_rules_agree_the_rules_decide(self) -> None:
        found = known(*(story(topic) for topic in ("storm", "ferry")))
        assert found.decided
        assert not found.undecided

    def test_where_blocks_of_one_path_are_scored_both_ways_the_scorer_decides(self) -> None:
        by = scorer(["last_mark", 0.5, "low", -3, 3])
        htmls = [f"<div><p>{topic} is text.</p><p>{topic} is none</p></div>" for topic in ("storm", "ferry", "rain")]
        found = learned([page(number, html) for number, html in enumerate(htmls)], by).knowledge
        assert found.undecided
        assert not found.decided

    @pytest.mark.parametrize(
        ("name", "told", "is_kept"),
        [
            pytest.param("{}", "{} is a function that tells of itself.", True, id="a row of a table"),
            pytest.param("{}", f"{{}} is a function. {'It tells a lot. ' * 30}", False, id="columns of a layout"),
            pytest.param("{}<p>Joined</p><p>in</p><p>May</p>", "{} is a function.", False, id="many blocks in a cell"),
            pytest.param("{}</td></tr><tr><td class=told>", "{} is a function.", False, id="another row"),
        ],
    )
    def test_what_stands_beside_text_in_a_row_is_text(self, name: str, told: str, is_kept: bool) -> None:
        row = f"<table><tr><td class=name>{name}</td><td class=told>{told}</td></tr></table>"
        htmls = [f"<div>{row.format(topic, topic)}</div>" for topic in ("storm", "ferry", "rain")]
        by = scorer(["last_mark", 0.5, "low", -1, 1])
        found = learned([page(number, html) for number, html in enumerate(htmls)], by)
        blocks = stripped(found, htmls[0]).blocks
        assert [block.role in MAIN_ROLES for block in blocks if block.text == "storm"] == [is_kept]

    def test_elements_in_which_all_is_decided_alike_are_parts_when_pages_are_many(self) -> None:
        many = [page(number, story(f"{TOPICS[0]}{number}")) for number in range(MIN_PAGES_OF_PARTS)]
        assert learned(many).knowledge.parts
        assert not learned(stories(2)).knowledge.parts

    def test_rules_of_a_single_page_decide_nothing(self) -> None:
        found = learned(stories(1)).knowledge
        assert (found.decided, found.parts) == (frozenset(), frozenset())
        assert found.undecided


class TestRepeats:
    def test_shares_are_of_the_other_pages(self) -> None:
        pages, signatures = sample(
            [page(0, "<p>a</p><p>a</p><p>b</p>"), page(1, "<p>a</p><p>c</p>"), page(2, "<p>a</p>b")]
        )
        shares = [facts.repeated for facts in PlacedSample(pages, list(signatures)).facts]
        assert list(map(list, shares)) == [[1.0, 1.0, 0.5], [1.0, 0.0], [1.0, 0.5]]  # type: ignore[arg-type]
        alone, signatures = sample([page(0, "<p>a</p>")])
        assert PlacedSample(alone, list(signatures)).facts[0].others == 0

    @pytest.mark.parametrize(
        ("pages", "text", "count"),
        [
            ([f"{MENU}<p>{topic}</p>{FOOTER}" for topic in TOPICS[:3]], "Home Sport", 3),
            ([f"{MENU}<p>{topic}</p>{FOOTER}" for topic in TOPICS[:3]], "storm", 0),
            (["<p>storm</p><p>storm</p>"], "storm", 1),
            (["<p>More</p><p>More</p><p>x</p>", "<p>More</p>", "<p>y</p>"], "More", 2),
            ([f"<p>{len(topic)} minutes ago</p>{story(topic)}" for topic in TOPICS[:2]], "9 minutes ago", 2),
        ],
    )
    def test_texts_of_several_pages_and_all_of_a_single_one_are_counted_once_a_page(
        self, pages: list[str], text: str, count: int
    ) -> None:
        assert count_of(known(*pages), text) == count

    @pytest.mark.parametrize("text", ["Phone +44 {} {}", "Saltmere {} Hatherby {}", "w{}x7 w{}x9 w1x{}"])
    def test_numbers_matter_where_most_of_a_page_differs_in_nothing_else(self, text: str) -> None:
        """In telephone lists, results and statistics only the digits are the page's own: no template."""
        rows = [[text.format(n, n * row, row) for row in range(100, 112)] for n in range(1000, 1004)]
        pages = [f"{MENU}{''.join(f'<p>{row}</p>' for row in page)}{FOOTER}" for page in rows]
        read, signatures = sample([page(number, html) for number, html in enumerate(pages)])
        shares = [list(facts.repeated) for facts in PlacedSample(read, list(signatures)).facts]
        assert [share[1:-1] for share in shares] == [[0.0] * 12] * 4
        assert [(share[0], share[-1]) for share in shares] == [(1.0, 1.0)] * 4
        assert count_of(known(*pages), rows[0][0]) == 0
        assert count_of(known(*pages), "Home Sport") == 4

    def test_those_of_most_pages_are_kept_when_there_are_many(self) -> None:
        common = "".join(f"<p>Text {'i' * number}</p>" for number in range(MAX_REPEATS + 20))
        own = [f"<p>{topic * 9_999}</p>" for topic in ("storm", "ferry")]  # or they would be copies
        found = known(f"{common}<p>Menu</p>{own[0]}", f"{common}<p>Menu</p>{own[1]}", "<p>Menu</p>")
        assert len(found.texts) == MAX_REPEATS
        assert count_of(found, "Menu") == 3

    def test_what_titles_share(self) -> None:
        assert learned(stories(3)).knowledge.title_parts == {"Example News"}
