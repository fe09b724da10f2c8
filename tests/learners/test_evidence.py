"""The evidence learner on small sites of all types: what it keeps of them, and what it says about it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer import MatchOptions, Page, PatternSet, Stripped, learn
from scrapy_stemmer.core.evidence.ablation import EvidenceKind
from scrapy_stemmer.learners.evidence import MAX_SAMPLES, NAME, EvidenceLearner, EvidenceOptions
from scrapy_stemmer.learning import DEFAULT_LEARNER
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Role
from scrapy_stemmer.patterns.evidence import EvidencePattern
from scrapy_stemmer.patterns.evidence_page import UNREAD
from tests.core.evidence.made import ARTICLE, FOOTER, MENU, TOPICS, prose, story

HOST = "https://news.example"


def pages(htmls: Sequence[str | bytes]) -> list[Page]:
    return [Page(f"{HOST}/{number}", html) for number, html in enumerate(htmls)]


def patterns(htmls: Sequence[str | bytes]) -> PatternSet:
    return PatternSet(EvidenceLearner().learn(pages(htmls)))


def stripped(htmls: Sequence[str | bytes], new: str | bytes) -> Stripped:
    """A page as a site labels it that was learned from others."""
    return patterns(htmls).strip(Page(f"{HOST}/new", new))


def lines(htmls: Sequence[str | bytes], new: str | bytes) -> list[str]:
    return stripped(htmls, new).text.split("\n")


STORIES = [story(topic) for topic in TOPICS]
FESTIVAL = [prose("festival", number) for number in range(4)]


class TestArticles:
    def test_the_text_and_the_title(self) -> None:
        found = stripped(STORIES, story("festival"))
        assert (found.title, found.text.split("\n")) == ("festival news", FESTIVAL)

    def test_the_markup_of_the_text_alone(self) -> None:
        html = stripped(STORIES, story("festival", inside="<p>It was <b>really</b> big, they said to us.</p>")).html
        assert "<b>really</b>" in html
        assert "Copyright" not in html
        assert "Home" not in html

    def test_captions_are_not_text(self) -> None:
        figure = "<figure><img src=a><figcaption>The festival, seen from the harbour.</figcaption></figure>"
        assert lines(STORIES, story("festival", inside=figure)) == FESTIVAL

    def test_captions_are_text_for_who_wants_them(self) -> None:
        figure = "<figure><img src=a><figcaption>The festival, seen from the harbour.</figcaption></figure>"
        options = MatchOptions(text_roles=frozenset({Role.MAIN, Role.CAPTION}))
        found = patterns(STORIES).strip(Page(f"{HOST}/new", story("festival", inside=figure)), options)
        seen = "The festival, seen from the harbour."
        assert found.text.split("\n") == [*FESTIVAL[:2], seen, *FESTIVAL[2:]]
        assert seen in found.html

    def test_related_boxes_are_not_text(self) -> None:
        box = "<div class=related-stories><h3>Read this too</h3><p>The mayor speaks of guests, rain and snow.</p></div>"
        assert lines(STORIES, story("festival", inside=box)) == FESTIVAL
        assert lines(STORIES, story("festival", extra=box)) == FESTIVAL

    @pytest.mark.parametrize("hidden", ["hidden", "class=sr-only", "style='display:none'"])
    def test_hidden_text_is_not_text(self, hidden: str) -> None:
        box = f"<div {hidden}>This is read aloud, and never shown to anyone.</div>"
        assert lines(STORIES, story("festival", inside=box)) == FESTIVAL

    def test_names_made_for_each_page_do_no_harm(self) -> None:
        def named(topic: str) -> str:
            return story(topic).replace("<p>", f'<p class="css-{topic}9" id="{topic}-7">')

        assert lines([named(topic) for topic in TOPICS], named("festival")) == FESTIVAL

    def test_without_metadata_and_class_names_the_title_is_text_too(self) -> None:
        """Nothing says that these are articles; what is in the region is kept."""

        def plain(topic: str) -> str:
            return story(topic).replace(ARTICLE, "").replace(" class=story", "")

        assert lines([plain(topic) for topic in TOPICS], plain("festival")) == ["festival news", *FESTIVAL]


RAIN = ("大雨", "地震", "選挙", "祭り")


def japanese(topic: str) -> str:
    """Short paragraphs, no spaces, no word longer than some characters."""
    texts = "".join(f"<p>{topic}について、{number}日の朝に住民が語った。町は静かだった。</p>" for number in range(1, 4))
    return (
        f"<html><head><title>{topic}の話｜例新聞</title>{ARTICLE}</head><body><nav><a href=/>ホーム</a> "
        f"<a href=/s>スポーツ</a></nav><div class=kiji><h1>{topic}の話</h1>{texts}</div>"
        "<footer>無断転載を禁じます。例新聞社。</footer></body></html>"
    )


def test_a_japanese_site() -> None:
    found = stripped([japanese(topic) for topic in RAIN], japanese("台風"))
    assert found.title == "台風の話"
    assert [line[:5] for line in found.text.split("\n")] == ["台風につい"] * 3
    assert "ホーム" not in found.text
    assert "無断転載" not in found.text


def guide(name: str) -> str:
    """A page of documentation: short sections, code, a list, a table; no metadata."""
    return (
        f"<html><head><title>{name} — Tool manual</title></head><body><nav class=sidebar><ul><li><a href=/a>Install</a>"
        f"<li><a href=/b>Use</a></ul></nav><main><h1>{name}</h1><p>With {name}, a stream is read in {name} order.</p>"
        f"<h2>Options of {name}</h2><ul><li><b>{name}_depth</b>: how deep {name} goes.</li></ul>"
        f"<pre>tool {name} --depth 3</pre><table><tr><td>{name}_size</td><td>of {name} in bytes</td></tr></table>"
        "</main><footer>Built with love by the Tool project.</footer></body></html>"
    )


def test_of_documentation_all_is_kept_the_title_too() -> None:
    found = stripped([guide(name) for name in ("reader", "writer", "filter", "sorter")], guide("joiner"))
    assert found.text.split("\n") == [
        "joiner",
        "With joiner, a stream is read in joiner order.",
        "Options of joiner",
        "joiner_depth: how deep joiner goes.",
        "tool joiner --depth 3",
        "joiner_size",
        "of joiner in bytes",
    ]
    assert found.title == "joiner"
    assert {block.text for block in found.blocks if block.role is Role.TEMPLATE} >= {"Install", "Use"}


def index(topics: Sequence[str]) -> str:
    teasers = "".join(
        f"<div class=teaser><a href=/{topic}><h3>{prose(topic, 0)}</h3></a><p>{prose(topic, 1)}</p></div>"
        for topic in topics
    )
    return f"<html><title>Index | Example News</title><body>{MENU}<main>{teasers}</main>{FOOTER}</body></html>"


def test_of_an_index_page_the_teasers_are_kept() -> None:
    sites = [index([f"{topic}{letter}" for letter in "abc"]) for topic in TOPICS[:4]]
    found = lines(sites, index(["festival", "ferry", "forest"]))
    assert found == [prose(topic, number) for topic in ("festival", "ferry", "forest") for number in (0, 1)]


def test_an_index_page_among_articles_is_told_by_its_metadata() -> None:
    mixed = [*STORIES, index(["harvesta", "harvestb"]), index(["tunnela", "tunnelb"])]
    assert lines(mixed, story("festival")) == FESTIVAL
    found = stripped(mixed, index(["ferry", "forest"])).text
    assert all(prose(topic, 1) in found for topic in ("ferry", "forest"))


class TestFewPages:
    def test_one_page_says_a_lot(self) -> None:
        found = lines(STORIES[:1], story("festival"))
        assert found == FESTIVAL

    def test_one_page_strips_itself(self) -> None:
        assert lines(STORIES[:1], STORIES[0]) == [prose("storm", number) for number in range(4)]

    def test_pages_without_text_are_no_pages(self) -> None:
        empty = ["", "<body></body>", "<p>—</p>", "<frameset><frame src=a></frameset>"]
        assert patterns(empty).patterns == ()
        (found,) = patterns([*STORIES, *empty]).patterns
        assert found.support == len(STORIES)

    @pytest.mark.parametrize("html", ["<p>Rain</p>", "<p>7", "<td>x", "<h1>Rain</h1>", "<a>Home</a>", "x"])
    def test_pages_with_hardly_any(self, html: str) -> None:
        found = stripped([html, f"{html}y"], html)
        assert found.similarity <= 1.0
        assert len(found.blocks) <= 1

    def test_no_pages(self) -> None:
        assert EvidenceLearner().learn([]) == []


class TestPattern:
    def test_one_pattern_a_site(self) -> None:
        (found,) = EvidenceLearner().learn(pages(STORIES))
        assert isinstance(found, EvidencePattern)
        assert (found.site, found.name, found.site_wide, found.support) == ("news.example", NAME, True, 6)
        assert found.score == sum(found.model.votes.values()) > 0
        assert [(sample.url, sample.title) for sample in found.samples] == [
            (f"{HOST}/{number}", f"{topic} news") for number, topic in enumerate(TOPICS[:MAX_SAMPLES])
        ]

    def test_copies_under_other_addresses_count_once(self) -> None:
        copies = [Page(f"{HOST}/copy/{number}", html) for number, html in enumerate(STORIES)]
        (once,) = EvidenceLearner().learn(pages(STORIES))
        assert EvidenceLearner().learn([*copies, *pages(STORIES)]) == [once]

    def test_copies_of_one_address_in_other_markup_count_once_whatever_their_order(self) -> None:
        """As when an A/B test serves other class names."""
        first, *others = pages(STORIES)
        variant = Page(first.url, str(first.html).replace("class=story", "class=tale"))
        found = [codec.dumps(EvidenceLearner().learn(order)) for order in permutations([first, variant, others[0]])]
        assert len(set(found)) == 1

    def test_the_charset_of_pages_that_declare_none_is_an_option(self) -> None:
        html = story("storm").replace("storm", "Stürme").encode("cp1252")
        default, chosen = (
            EvidenceLearner(options).learn(pages([html]))[0].samples[0].title
            for options in (None, EvidenceOptions(default_charset="cp1252"))
        )
        assert (default, chosen) == ("St\ufffdrme news | Example News", "Stürme news | Example News")


def test_a_page_is_stripped_without_what_its_site_was_learned_without() -> None:
    figure = "<figure><figcaption>The festival, seen from the harbour.</figcaption></figure>"
    learner = EvidenceLearner(EvidenceOptions(without=frozenset({EvidenceKind.ELEMENTS})))
    found = PatternSet(codec.loads(codec.dumps(learner.learn(pages(STORIES)))))
    text = found.strip(Page(f"{HOST}/new", story("festival", inside=figure))).text
    assert "seen from the harbour" in text
    assert "seen from the harbour" not in stripped(STORIES, story("festival", inside=figure)).text


class TestExplanation:
    """Each block says what decided."""

    def test_why_blocks_are_text_or_not(self) -> None:
        box = "<figure><figcaption>The festival, seen from the harbour.</figcaption></figure>"
        found = {block.text: block.evidence for block in stripped(STORIES, story("festival", inside=box)).blocks}
        assert found["festival news"] == ("title -1.0",)
        assert found[FESTIVAL[1]][0] == "running text +2.0"
        assert found["The festival, seen from the harbour."][0] == "figure -4.0"
        assert found["Home Sport"] == (UNREAD, "whole link -5.0", "repeated -3.7")
        assert found["Copyright Example News, all rights reserved."] == (
            UNREAD,
            "repeated -4.4",
            "outside the region -3.0",
        )

    def test_of_a_page_of_another_form_why_the_rest_is_not(self) -> None:
        other = story("festival").replace("class=story", "class=other")
        found = {block.text: block.evidence for block in stripped(STORIES, other).blocks}
        assert found["Home Sport"][0] == "whole link -5.0"
        assert "repeated" in " ".join(found["Copyright Example News, all rights reserved."])

    def test_at_most_three_reasons_each(self) -> None:
        for block in stripped(STORIES, story("festival")).blocks:
            assert 1 <= len(block.evidence) <= 3
            assert UNREAD not in block.evidence[1:]
            values = [abs(float(reason.rsplit(" ", 1)[1])) for reason in block.evidence if reason != UNREAD]
            assert values == sorted(values, reverse=True)


def deep_tree(depth: int) -> etree._Element:
    """A tree deeper than what the parser makes."""
    root = etree.Element("html")
    last = etree.SubElement(root, "body")
    for _ in range(depth):
        last = etree.SubElement(last, "div")
    etree.SubElement(last, "p").text = prose("deep", 0)
    return root


def test_20_000_nested_elements() -> None:
    sample = [*pages(STORIES), *(Page(f"{HOST}/deep/{number}", deep_tree(20_000 + number)) for number in range(2))]
    found = PatternSet(EvidenceLearner().learn(sample))
    assert found.strip(Page(f"{HOST}/new", story("festival"))).text.split("\n") == FESTIVAL
    loaded = PatternSet(codec.loads(codec.dumps(found.patterns)))
    options = MatchOptions(site_threshold=0.0)
    assert loaded.strip(sample[-1], options) == found.strip(sample[-1], options)


@given(st.lists(st.binary(max_size=200), min_size=1, max_size=4))
def test_arbitrary_bytes(bodies: list[bytes]) -> None:
    found = patterns(bodies)
    loaded = PatternSet(codec.loads(codec.dumps(found.patterns)))
    options = MatchOptions(site_threshold=0.0)
    for page in pages(bodies):
        result = found.strip(page, options)
        assert loaded.strip(page, options) == result
        assert all(0.0 <= block.noise_confidence <= 1.0 for block in result.blocks)


MARKUP = st.lists(
    st.sampled_from(["<p>", "</p>", "<div class=a>", "</div>", "<a href=/>", "</a>", "<h1>", "<svg><title>", "<li>"])
    | st.sampled_from(
        ["rain fell ", "大雨", "7", "<br>", "<body>", "<frameset>", "</body>", "<x-y hidden>", "<table>"]
    ),
    max_size=30,
).map("".join)


@given(st.lists(MARKUP, min_size=1, max_size=4))
def test_arbitrary_markup(htmls: list[str]) -> None:
    found = patterns(htmls)
    loaded = PatternSet(codec.loads(codec.dumps(found.patterns)))
    assert loaded.patterns == found.patterns
    for page in pages(htmls):
        assert loaded.strip(page, MatchOptions(site_threshold=0.0)) == found.strip(
            page, MatchOptions(site_threshold=0.0)
        )


def test_it_is_the_default() -> None:
    assert EvidenceLearner.name == DEFAULT_LEARNER
    assert learn(pages(STORIES)).patterns == patterns(STORIES).patterns
