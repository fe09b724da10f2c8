"""What the evidence learner's pattern says of a page: its blocks, at once and when they are asked for."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer import MatchOptions, Page, learn
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence.walk import outline_of
from scrapy_stemmer.core.labels import MAIN_ROLES, SUB_ROLES
from scrapy_stemmer.core.prune import pruned_html
from scrapy_stemmer.patterns.base import Role
from scrapy_stemmer.patterns.evidence_page import MAX_EVIDENCE, UNREAD, UNREAD_NOISE
from tests.core.evidence.made import FOOTER, MENU, TOPICS, made_pages, made_sites, prose, site, story
from tests.patterns.learnedsite import LEARNED, ONE_PAGE, learned, match, matched, pattern, strip_
from tests.samplesite import sample


class TestMatch:
    def test_the_roles_of_blocks(self) -> None:
        blocks = matched(story("festival", inside="<div>Seen by the harbour, they say</div>")).blocks
        assert [block.role for block in blocks] == [
            Role.TEMPLATE,
            Role.TITLE,
            Role.MAIN,
            Role.MAIN,
            blocks[4].role,
            Role.MAIN,
            Role.MAIN,
            Role.TEMPLATE,
        ]

    def test_what_varies_in_the_region_and_is_not_text_says_what_it_is(self) -> None:
        html = story("festival", inside="<div class=byline>By Ann Other</div>")
        (byline,) = [block for block in matched(html).blocks if block.text == "By Ann Other"]
        assert byline.role is Role.BYLINE

    def test_noise_is_below_a_half_just_when_a_block_is_text(self) -> None:
        for block in matched(story("festival")).blocks:
            if block.role is not Role.TITLE:
                assert (block.noise_confidence < 0.5) == (block.role is Role.MAIN)

    def test_blocks_say_what_decided_the_strongest_first(self) -> None:
        menu, _, text, *_ = matched(story("festival")).blocks
        assert menu.evidence == ("no text there in the sample -4.6", "whole link -5.0", "repeated -3.7")
        assert text.evidence == ("running text +2.0", "odds +1.2", "inside the region +1.0")
        assert len(text.evidence) == MAX_EVIDENCE

    def test_of_a_page_that_was_read_as_a_whole_the_rest_too(self) -> None:
        menu, *_ = matched(story("festival").replace("class=story", "class=other")).blocks
        assert menu.evidence[:2] == ("whole link -5.0", "repeated -3.7")

    def test_blocks_are_named_by_their_last_elements(self) -> None:
        assert [block.path for block in matched(story("festival")).blocks[:3]] == [
            "body/nav",
            "body/div.story/h1",
            "body/div.story/p",
        ]

    def test_weights_of_layout_blocks(self) -> None:
        (block,) = [
            block.block
            for block in matched(story("festival", inside="<p>大雨 <a href=/>ab</a></p>")).blocks
            if "大雨" in block.text
        ]
        assert (block.sig, block.weight, block.weight_noanchor) == ("大雨ab", 4, 3)

    def test_similarity_is_the_share_of_text_below_known_elements(self) -> None:
        assert matched(story("festival")).similarity == 1.0
        found = matched("<body><div class=story><p>abcde</p></div><dl><dd>fghij</dd></dl></body>")
        assert found.similarity == 0.5

    def test_a_page_that_the_site_knows_nothing_of_is_stripped_with_a_low_confidence(self) -> None:
        rows = "".join(f"<tr><td>{prose('festival', number)}</td></tr>" for number in range(9))
        found = matched(f"<body>{MENU}<table>{rows}</table>{FOOTER}</body>", threshold=0.9)
        assert [block.text for block in found.blocks if block.role in MAIN_ROLES] == [
            prose("festival", number) for number in range(9)
        ]
        assert found.similarity < 0.5
        assert found.labels is not None
        assert found.labels.confidence() < 0.3

    @pytest.mark.parametrize("html", ["", "<body></body>", "<frameset><frame src=a></frameset>", "<p>—</p>"])
    def test_a_page_without_text_does_not_match(self, html: str) -> None:
        assert match(html) is None

    @pytest.mark.parametrize(
        ("heading", "title"),
        [
            ("<h1>festival news</h1>", "festival news"),
            ("<h1>festival news [Video]</h1>", "festival news"),
            ("<h1>Guests came from afar</h1>", "Guests came from afar"),
            ("<h1>Example News</h1>", "festival news"),
            ("<h1>Example News</h1><h1>festival news</h1>", "festival news"),
            ("", "festival news"),
        ],
    )
    def test_the_title_is_what_heading_and_head_agree_on(self, heading: str, title: str) -> None:
        """Without a heading of its own, what the head says, without the site's name."""
        found = matched(story("festival").replace("<h1>festival news</h1>", heading))
        assert found.labels is not None
        assert found.labels.title() == title

    def test_a_page_that_nothing_names_has_no_title(self) -> None:
        found = matched("<body><div class=story><p>Rain fell.</p></div></body>")
        assert found.labels is not None
        assert found.labels.title() is None

    def test_of_articles_the_title_is_no_text_of_open_pages_it_is(self) -> None:
        assert matched(story("festival")).text_roles == MAIN_ROLES
        guide = pattern(site([story(topic).replace("og:type", "x") for topic in TOPICS]))
        assert matched(story("festival").replace("og:type", "x"), guide).text_roles == MAIN_ROLES | {Role.TITLE}

    @given(st.binary(max_size=300))
    def test_no_page_is_an_error(self, html: bytes) -> None:
        page = Page("https://news.example/odd", b"<div class=story><p>known</p></div>" + html)
        LEARNED.match(Document(page), MatchOptions(site_threshold=0.0))


def test_running_text_is_main_text() -> None:
    main = [block.text for block in matched(story("festival")).blocks if block.role is Role.MAIN]
    assert main == [prose("festival", number) for number in range(4)]


def test_a_higher_diffscore_keeps_less_text() -> None:
    """``MatchOptions.diffscore`` is one minus the noise confidence from which blocks are not text."""
    patterns, page = learn(sample(), "evidence"), sample()[0]
    lengths = [len(patterns.strip(page, MatchOptions(diffscore=share)).text) for share in (0.01, 0.5, 0.9999)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[2]


class TestAnyPageOfAnySite:
    """What is said of a page at once, and what is worked out later, agree."""

    @given(made_sites(), made_pages())
    def test_the_text_is_that_of_the_blocks(self, sample: list[str], html: str) -> None:
        stripped = strip_(html, learned(sample))
        text, sub_text = stripped.text, stripped.sub_text
        blocks = list(stripped.blocks)
        assert text == "\n".join(block.text for block in blocks if block.role in stripped.text_roles)
        read = [block for block in blocks if UNREAD not in block.evidence]
        assert sub_text == "\n".join(block.text for block in read if block.role in SUB_ROLES)

    @given(made_sites(), made_pages())
    def test_the_title_is_or_begins_the_block_of_that_role(self, sample: list[str], html: str) -> None:
        stripped = strip_(html, learned(sample))
        titles = [block.text for block in stripped.blocks if block.role is Role.TITLE]
        assert len(titles) <= 1
        if titles:
            assert stripped.title
            assert titles[0].startswith(stripped.title)

    @given(made_sites(), made_pages())
    def test_blocks_are_all_texts_of_the_page_in_order(self, sample: list[str], html: str) -> None:
        stripped = strip_(html, learned(sample))
        found = [(block.text, block.block.pieces) for block in stripped.blocks]
        expected = outline_of(parse(html)).blocks
        assert [text for text, _ in found] == [block.text for block in expected]
        assert [len(pieces) for _, pieces in found] == [block.end - block.start for block in expected]
        assert all(0.0 <= block.noise_confidence <= 1.0 for block in stripped.blocks)

    @given(made_sites(), made_pages())
    def test_the_html_holds_the_text(self, sample: list[str], html: str) -> None:
        stripped = strip_(html, learned(sample))
        if stripped.html:
            assert "".join("".join(parse(stripped.html).itertext()).split()) == "".join(stripped.text.split())
        else:
            assert stripped.text == ""

    @given(made_sites(), made_pages(), st.sampled_from([MAIN_ROLES, SUB_ROLES, frozenset(Role)]))
    def test_the_html_is_that_of_the_blocks(self, sample: list[str], html: str, roles: frozenset[Role]) -> None:
        root = parse(html)
        found = replace(strip_(root, learned(sample)), text_roles=roles)
        if found.matched:
            blocks = [block.block for block in found.blocks if block.role in roles]
            assert found.html == pruned_html(root, [piece for block in blocks for piece in block.pieces])

    @given(made_sites(), made_pages(), st.data())
    def test_a_tree_that_the_user_has_changed_does_no_harm(
        self, sample: list[str], html: str, data: st.DataObject
    ) -> None:
        root = parse(html)
        found = strip_(root, learned(sample))
        inside = data.draw(st.sampled_from([element for element in root.iter() if element is not root] or [root]))
        if inside is root:
            root.clear()
        else:
            inside.getparent().remove(inside)
        del inside
        assert isinstance(found.html, str)


class TestLaterWork:
    """Blocks of text come at once; the others are made when they are asked for."""

    def test_the_text_needs_no_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def forbidden(*_: object, **__: object) -> None:
            raise AssertionError("blocks were made")

        monkeypatch.setattr("scrapy_stemmer.patterns.evidence_page.LabelledBlock", forbidden)
        stripped = strip_(story("festival"), LEARNED)
        assert stripped.text == "\n".join(prose("festival", number) for number in range(4))
        assert "festival town" in stripped.html
        assert stripped.title == "festival news"
        with pytest.raises(AssertionError, match="blocks were made"):
            len(stripped.blocks)

    def test_blocks_are_made_once(self) -> None:
        stripped = strip_(story("festival"), LEARNED)
        assert all(one is other for one, other in zip(stripped.blocks, stripped.blocks, strict=True))

    def test_blocks_outside_of_the_route_are_template(self) -> None:
        blocks = [block for block in matched(story("festival")).blocks if block.evidence[0] == UNREAD]
        assert [block.text for block in blocks] == ["Home Sport", "Copyright Example News, all rights reserved."]
        assert all(block.role is Role.TEMPLATE and block.noise_confidence >= UNREAD_NOISE for block in blocks)

    def test_a_date_line_below_the_title_is_read_wherever_it_stands(self) -> None:
        pages = [story(topic).replace("<div class=story><h1>", "<h1>") for topic in TOPICS]
        dated = [
            page.replace("</h1>", f"</h1><p>12.10.202{number}</p><div class=story>")
            for number, page in enumerate(pages)
        ]
        (date,) = [block for block in strip_(dated[0], learned(dated[1:])).blocks if block.text == "12.10.2020"]
        assert (date.role, UNREAD in date.evidence) == (Role.BYLINE, False)


@pytest.mark.parametrize("depth", [600, 20_000])
def test_deep_trees(depth: int) -> None:
    """Deeper than the parser makes them, and than Python calls functions."""
    root = parse(story("festival", extra="<x-y></x-y>"))
    (last,) = root.iter("x-y")
    for _ in range(depth):
        last = etree.SubElement(last, "div")
    etree.SubElement(last, "h1").text = "deep"
    stripped = strip_(root, LEARNED)
    assert stripped.text == "\n".join(prose("festival", number) for number in range(4))
    assert stripped.blocks[-2].text == "deep"
    assert strip_(root, ONE_PAGE).text == stripped.text
