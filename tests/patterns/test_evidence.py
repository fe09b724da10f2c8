"""What the evidence learner knows of a site, as a pattern: its record, and what it says of pages."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer import MatchOptions, Page, PatternFileError, PatternSet, Stripped
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence import reading, surroundings
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.core.evidence.classes import ClassMeans
from scrapy_stemmer.core.evidence.model import SiteModel
from scrapy_stemmer.core.evidence.paths import PathTree
from scrapy_stemmer.core.evidence.walk import outline_of
from scrapy_stemmer.core.labels import MAIN_ROLES, SUB_ROLES
from scrapy_stemmer.core.prune import pruned_html
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch, Role
from scrapy_stemmer.patterns.evidence import MAX_EVIDENCE, UNREAD, UNREAD_NOISE, EvidencePattern
from scrapy_stemmer.strip import strip
from tests.core.evidence.made import FOOTER, MENU, TOPICS, led, made_pages, made_sites, prose, site, story
from tests.strategies import json_values

HEADER = json.dumps({"format": codec.FORMAT, "version": codec.VERSION})


def pattern(model: SiteModel) -> EvidencePattern:
    return EvidencePattern(
        site="news.example", name="(all pages)", support=model.pages, score=9.5, site_wide=True, model=model
    )


SMALL = SiteModel(
    pages=3,
    names=frozenset({".story", "#main"}),
    repeats={255: 3, 1: 2},
    singles={10: 2, 2**64 - 1: 0, 11: 2},
    paths=PathTree([(-1, "body"), (0, "div.story"), (1, "p"), (0, "nav")]),
    classes=ClassMeans({2: (0.25, 0.0, 1.0, 2.5)}, {"p*": (0.25, 0.0, 1.0, 2.5), "p": (0.25, 0.0, 1.0, 2.25)}),
    threshold=-0.5,
    votes={0: 1.5, 1: 3.0},
    shares={0: (0.1, 0.2), 1: (0.0, 0.0), 2: (0.0, 0.25), 3: (1.0, 1.0)},
    dominance=0.75,
    article_share=1.0,
    title_parts=frozenset({"Example News"}),
    regions={(3, 1): 250.5, (1,): 99.5, (0,): 100.0},
    outposts=frozenset({3, 2}),
)

RECORD: dict[str, Any] = {
    "article_share": 1.0,
    "classes": [["p", 0.25, 0.0, 1.0, 2.25], ["p*", 0.25, 0.0, 1.0, 2.5]],
    "dominance": 0.75,
    "names": ["#main", ".story"],
    "outposts": [2, 3],
    "pages": 3,
    "paths": [
        [-1, "body", 1.5, 0.1, 0.2],
        [0, "div.story", 3.0, 0.0, 0.0],
        [1, "p", 0.0, 0.0, 0.25, 0.25, 0.0, 1.0, 2.5],
        [0, "nav", 0.0, 1.0, 1.0],
    ],
    "regions": [[[0], 100.0], [[1], 99.5], [[3, 1], 250.5]],
    "repeats": [["0000000000000001", 2], ["00000000000000ff", 3]],
    "singles": [["ffffffffffffffff"], [], ["000000000000000a", "000000000000000b"]],
    "threshold": -0.5,
    "title_parts": ["Example News"],
}
"""What is written of that model. Files with such lines exist: every later version must be able to read it."""


def record_of(found: EvidencePattern) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(codec.dumps([found]).split("\n")[1])
    return record


def loaded(record: dict[str, Any]) -> EvidencePattern:
    (found,) = codec.loads(f"{HEADER}\n{json.dumps(record)}\n")
    assert isinstance(found, EvidencePattern)
    return found


LEARNED = pattern(site())
ONE_PAGE = pattern(site([story("storm")]))


class TestRecord:
    def test_what_was_switched_off_is_kept(self) -> None:
        off = replace(SMALL, without=frozenset({EvidenceKind.NAMES, EvidenceKind.LINKS}))
        assert pattern(off).to_record() == RECORD | {"without": ["links", "names"]}
        assert loaded(record_of(pattern(off))).model == off

    def test_what_is_written(self) -> None:
        assert pattern(SMALL).to_record() == RECORD

    def test_what_is_read(self) -> None:
        assert loaded(record_of(pattern(SMALL))) == pattern(SMALL)

    @pytest.mark.parametrize("found", [LEARNED, ONE_PAGE], ids=["six pages", "one page"])
    def test_what_was_learned_is_the_same_when_it_was_saved(self, found: EvidencePattern) -> None:
        again = loaded(record_of(found))
        assert again == found
        assert codec.dumps([again]) == codec.dumps([found])

    def test_a_saved_pattern_labels_to_the_last_digit_alike(self) -> None:
        again = loaded(record_of(LEARNED))
        for html in [*map(story, TOPICS), story("festival"), "<body><p>Something, else.</p></body>"]:
            assert match(html, again) == match(html, LEARNED)


def changed(path: tuple[Any, ...], value: Any) -> dict[str, Any]:
    """The record with another value at a place."""
    record = deepcopy(record_of(pattern(SMALL)))
    inner = record
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return record


def error_of(record: dict[str, Any]) -> PatternFileError:
    with pytest.raises(PatternFileError) as caught:
        loaded(record)
    assert caught.value.line == 2
    return caught.value


WRONG: list[tuple[tuple[Any, ...], Any, str]] = [
    (("pages",), 0, "pages"),
    (("pages",), "3", "pages"),
    (("names",), None, "names"),
    (("names",), [7], "names[0]"),
    (("singles",), None, "singles"),
    (("singles",), {}, "singles"),
    (("singles",), [[], [], [], []], "singles"),
    (("singles", 1), "000000000000000a", "singles[1]"),
    (("singles", 1), ["a"], "singles[1]"),
    (("singles", 0), ["0x0000000000000a"], "singles[0]"),
    (("singles", 2), ["000000000000000A"], "singles[2]"),
    (("singles", 2, 1), 10, "singles[2]"),
    (("singles", 2, 1), None, "singles[2]"),
    (("regions",), None, "regions"),
    (("regions",), {"1": 250.5}, "regions"),
    (("regions", 0), 1, "regions[0]"),
    (("regions", 0), [[1]], "regions[0].value"),
    (("regions", 0), [[1], 250.5, 3], "regions[0]"),
    (("regions", 1), [1, 250.5], "regions[1].paths"),
    (("regions", 1), [None, 250.5], "regions[1].paths"),
    (("regions", 1), [[], 250.5], "regions[1].paths"),
    (("regions", 1), [[4], 250.5], "regions[1].paths[0]"),
    (("regions", 1), [[-1], 250.5], "regions[1].paths[0]"),
    (("regions", 2), [[3, 4], 250.5], "regions[2].paths[1]"),
    (("regions", 2), [[3, "1"], 250.5], "regions[2].paths[1]"),
    (("regions", 2), [[3, True], 250.5], "regions[2].paths[1]"),
    (("regions", 2), [[3, [1]], 250.5], "regions[2].paths[1]"),
    (("regions", 1), [[1], "250.5"], "regions[1].value"),
    (("regions", 1), [[1], float("nan")], "regions[1].value"),
    (("outposts",), None, "outposts"),
    (("outposts",), 2, "outposts"),
    (("outposts", 0), 4, "outposts[0]"),
    (("outposts", 1), -1, "outposts[1]"),
    (("outposts", 1), "2", "outposts[1]"),
    (("outposts", 1), 2.0, "outposts[1]"),
    (("outposts", 1), True, "outposts[1]"),
    (("repeats",), {}, "repeats"),
    (("repeats", 0), ["00000000000000ff"], "repeats[0].pages"),
    (("repeats", 0), ["00000000000000ff", 0], "repeats[0].pages"),
    (("repeats", 1), ["00000000000000ff", 4], "repeats[1].pages"),
    (("repeats", 1), ["ff", 2], "repeats[1].text"),
    (("repeats", 1), ["00000000000000ff", 2, 3], "repeats[1]"),
    (("paths",), [], "paths"),
    (("paths",), None, "paths"),
    (("paths", 0, 0), 0, "paths[0].parent"),
    (("paths", 0, 0), -2, "paths[0].parent"),
    (("paths", 1, 0), -1, "paths[1].parent"),
    (("paths", 1, 0), 1, "paths[1].parent"),
    (("paths", 1, 0), 2, "paths[1].parent"),
    (("paths", 1, 1), 5, "paths[1].component"),
    (("paths", 3, 1), "div.story", "paths[3].component"),
    (("paths", 1, 2), -0.5, "paths[1].vote"),
    (("paths", 1, 3), 1.5, "paths[1].link"),
    (("paths", 1, 4), None, "paths[1].repeated"),
    (("paths", 1), [0, "div.story", 3.0], "paths[1].link"),
    (("paths", 1), [0, "div.story", 3.0, 0.0, 0.0, 0.5], "paths[1].link_of_class"),
    (("paths", 2, 5), 1.25, "paths[2].static"),
    (("paths", 2, 7), -1, "paths[2].long"),
    (("paths", 2, 8), 4.5, "paths[2].worth"),
    (("paths", 2), "p", "paths[2]"),
    (("classes", 0, 0), 1, "classes[0].suffix"),
    (("classes", 0), ["p", 0.25, 0.0, 1.0], "classes[0].worth"),
    (("classes", 1, 2), 2, "classes[1].link_of_class"),
    (("threshold",), None, "threshold"),
    (("dominance",), 1.1, "dominance"),
    (("article_share",), -0.1, "article_share"),
    (("title_parts",), "Example News", "title_parts"),
    (("without",), ["links", "luck"], "without[1]"),
]


@pytest.mark.parametrize(("path", "value", "field"), WRONG)
def test_a_wrong_field_is_named(path: tuple[Any, ...], value: Any, field: str) -> None:
    assert error_of(changed(path, value)).field == field


@pytest.mark.parametrize(
    "field",
    "pages names repeats singles paths regions outposts classes threshold dominance article_share".split(),
)
def test_a_missing_field_is_named(field: str) -> None:
    record = record_of(pattern(SMALL))
    del record[field]
    assert error_of(record).field == field


def test_an_error_tells_the_file_the_line_and_the_field(tmp_path: Path) -> None:
    path = tmp_path / "news.jsonl"
    path.write_text(f"{HEADER}\n{json.dumps(changed(('regions', 2), [[3, 4], 250.5]))}\n", encoding="utf-8")
    with pytest.raises(PatternFileError) as caught:
        PatternSet.load(str(path))
    assert (caught.value.line, caught.value.field) == (2, "regions[2].paths[1]")
    assert str(path) in str(caught.value)
    assert "must be the number of a path, 0 to 3, not 4" in str(caught.value)


def test_of_a_single_page_no_names_are_known() -> None:
    assert record_of(ONE_PAGE)["names"] is None
    assert loaded(record_of(ONE_PAGE)).model.names is None


@given(st.sampled_from(sorted(RECORD)), json_values())
def test_any_other_value_is_read_or_refused_and_what_is_read_can_be_used(field: str, value: Any) -> None:
    try:
        found = loaded(changed((field,), value))
    except PatternFileError:
        return
    match(story("festival"), found)


@given(st.integers(0, 3), st.integers(0, 8), json_values())
def test_any_other_value_in_a_path_too(row: int, column: int, value: Any) -> None:
    record = record_of(pattern(SMALL))
    if column >= len(record["paths"][row]):
        return
    record["paths"][row][column] = value
    try:
        found = loaded(record)
    except PatternFileError:
        return
    match(story("festival"), found)


def match(html: str, found: EvidencePattern = LEARNED, threshold: float = 0.0) -> PageMatch | None:
    document = Document(Page("https://news.example/new", html))
    return found.match(document, MatchOptions(site_threshold=threshold))


def matched(html: str, found: EvidencePattern = LEARNED, threshold: float = 0.0) -> PageMatch:
    result = match(html, found, threshold)
    assert result is not None
    return result


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

    def test_a_threshold_of_1_switches_it_off(self) -> None:
        assert match(story("festival"), threshold=1.0) is None

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
    from scrapy_stemmer import MatchOptions, learn
    from tests.samplesite import sample

    patterns, page = learn(sample(), "evidence"), sample()[0]
    lengths = [len(patterns.strip(page, MatchOptions(diffscore=share)).text) for share in (0.01, 0.5, 0.9999)]
    assert lengths == sorted(lengths, reverse=True)
    assert lengths[0] > lengths[2]


def learned(sample: list[str]) -> EvidencePattern:
    return pattern(site(sample))


def strip_(html: str | etree._Element, found: EvidencePattern) -> Stripped:
    return strip([found], Document(Page("https://news.example/new", html)), MatchOptions(site_threshold=0.0))


def said(stripped: Stripped) -> tuple[object, ...]:
    """All that is said of a page."""
    return (
        (stripped.matched, stripped.similarity, stripped.title, stripped.text, stripped.sub_text, stripped.html),
        [(block.text, block.path, block.role, block.noise_confidence, block.evidence) for block in stripped.blocks],
    )


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

    @given(made_sites(), st.lists(made_pages(), min_size=1, max_size=3))
    def test_saved_or_not_and_whatever_was_stripped_before(self, sample: list[str], htmls: list[str]) -> None:
        warm = learned(sample)
        first = [said(strip_(html, warm)) for html in htmls]
        again = loaded(record_of(warm))
        assert [said(strip_(html, warm)) for html in reversed(htmls)] == first[::-1]
        assert [said(strip_(html, again)) for html in htmls] == first
        assert [said(strip_(html, learned(sample))) for html in htmls] == first
        assert warm == again == learned(sample)


def test_blocks_may_be_asked_for_when_the_places_of_the_page_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [story("festival", extra=f"<x-{n}><dl><dd>Rain</dd></dl></x-{n}>") for n in range(9)]
    expected = [said(strip_(html, learned(list(map(story, TOPICS))))) for html in pages]
    monkeypatch.setattr(reading, "MAX_KNOWN", 2)
    found = learned(list(map(story, TOPICS)))
    stripped = [strip_(html, found) for html in pages]
    assert [said(one) for one in stripped] == expected


def test_a_stamped_pattern_knows_the_places_of_its_sample_too() -> None:
    found = learned(list(map(story, TOPICS)))
    stamped = found.stamped("2026-11-21T12:00:00Z")
    assert stamped.learned == "2026-11-21T12:00:00Z"
    assert stamped.model is found.model
    assert stamped._reader is found._reader


def test_threads_share_a_pattern() -> None:
    """As those of a crawl do; views and places are forgotten now and then."""
    found = learned([*map(story, TOPICS[:3]), *map(led, TOPICS[3:])])
    pages = [
        story("abcdef"[n % 6], inside=f"<x-{n}><dl><dd>Rain</dd></dl></x-{n}>") if n % 2 else led("abcdef"[n % 6])
        for n in range(60)
    ]
    expected = [said(strip_(html, loaded(record_of(found)))) for html in pages]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda html: said(strip_(html, found)), pages)) == expected


def test_threads_share_a_pattern_that_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "MAX_KNOWN", 30)
    monkeypatch.setattr(surroundings, "MAX_VIEWS", 2)
    test_threads_share_a_pattern()


class TestLaterWork:
    """Blocks of text come at once; the others are made when they are asked for."""

    def test_the_text_needs_no_blocks(self, monkeypatch: pytest.MonkeyPatch) -> None:
        def forbidden(*_: object, **__: object) -> None:
            raise AssertionError("blocks were made")

        monkeypatch.setattr("scrapy_stemmer.patterns.evidence.LabelledBlock", forbidden)
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

    def test_a_used_pattern_can_be_copied(self) -> None:
        found = learned([story("storm"), story("bridge")])
        first = said(strip_(story("festival"), found))
        for copy in (deepcopy(found), pickle.loads(pickle.dumps(found)), replace(found, name="other")):
            assert said(strip_(story("festival"), copy)) == first


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
