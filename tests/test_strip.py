"""Results of stripping, for any page."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Collection
from dataclasses import asdict, replace
from typing import Any

import pytest
from lxml import etree

from scrapy_stemmer import BlockOptions, Page, Reason, Role, StripOptions, learn, strip
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.page.blocks import MAIN_ROLES, PageKind
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.patterns.base import LabelledBlock, Labels, LazyBlocks
from scrapy_stemmer.patternset import EMPTY, Stripped, strip_by
from tests.samplesite import SITE, article, headline, page, sample, whole_text

LEARNED = learn(sample(), "layout")


def site_page(html: bytes | str | etree._Element) -> Page:
    return Page(f"https://{SITE}/x", html)


def main(*features: str) -> tuple[Section, ...]:
    """Sections of main text."""
    return tuple(Section(feature, 1.0, 99.0) for feature in features)


def layout(name: str, *features: str, site_wide: bool = False) -> LayoutPattern:
    """Return a pattern whose sections are all main text."""
    return LayoutPattern(site=SITE, name=name, support=2, score=1.0, sections=main(*features), site_wide=site_wide)


def test_the_html_goes_on_as_markdown_and_as_a_selector() -> None:
    html = article(20).replace("</h1>", "</h1><p>See <a href='more?a=1'>more of it</a>, there is a lot to read.</p>", 1)
    stripped = pickle.loads(pickle.dumps(strip(site_page(html))))
    link = f"[more of it](https://{SITE}/more?a=1)"
    assert stripped.markdown.startswith(f"# {headline(20)}\n\nSee {link}, there is a lot to read.\n\n")
    assert stripped.selector.css("a::attr(href)").getall() == [f"https://{SITE}/more?a=1"]
    assert stripped.selector.root.base_url == f"https://{SITE}/x"


def test_a_page_of_an_unknown_site_is_stripped_by_itself() -> None:
    page = Page("https://other.example/", article(1))
    stripped = LEARNED.strip(page)
    assert (stripped.matched, stripped.pattern, stripped.similarity) == (False, None, 0.0)
    assert stripped == strip(page)
    assert (stripped.text, stripped.title) == (whole_text(1), headline(1))


class TestReasons:
    """Reasons of pages without text; only these have a reason."""

    @pytest.mark.parametrize(
        ("html", "why"),
        [
            pytest.param("", Reason.EMPTY, id="nothing"),
            pytest.param("<body><img src=x><script>text()</script>", Reason.EMPTY, id="no text"),
            pytest.param(article(20), None, id="an article"),
        ],
    )
    @pytest.mark.parametrize("url", [f"https://{SITE}/x", "https://other.example/"])
    def test_of_a_page(self, html: str, why: Reason | None, url: str) -> None:
        stripped = LEARNED.strip(Page(url, html), StripOptions())
        assert (stripped.reason, bool(stripped.text)) == (why, why is None)
        assert stripped.html == "" if why else stripped.html

    @pytest.mark.parametrize("learner", ["rules", "layout"])
    def test_too_low_a_confidence(self, learner: str) -> None:
        """Learners without a confidence have no threshold."""
        patterns = learn(sample(), learner)
        free = patterns.strip(page(20))
        at, above = (
            patterns.strip(page(20), StripOptions(min_confidence=(free.confidence or 0.9) + more)) for more in (0, 1e-9)
        )
        assert at.text == free.text
        has_some = free.confidence is not None
        assert above.reason == (Reason.LOW_CONFIDENCE if has_some else None)
        assert ((above.title, above.text, above.sub_text, above.html) == (None, "", "", "")) == has_some
        assert above.confidence == free.confidence
        assert above.blocks == free.blocks

    @pytest.mark.parametrize("kind", PageKind)
    def test_pages_that_are_no_content(self, kind: PageKind) -> None:
        class Other(Said):
            def placeholder(self) -> PageKind | None:
                return kind

        stripped = Stripped(matched=True, _labels=Other())
        expected = {PageKind.ERROR: Reason.ERROR, PageKind.CONSENT: Reason.CONSENT}.get(kind)
        assert (stripped.reason, stripped.text) == (expected, "" if expected else "one\ntwo")
        assert pickle.loads(pickle.dumps(stripped)).reason == expected


class TestWhichPatternWins:
    document = Document(site_page("<p>paragraph</p><h1>heading</h1><pre>preformatted text</pre>"))

    def winner(self, *patterns: LayoutPattern, threshold: float = 0.0) -> str | None:
        return strip_by([replace(each, threshold=threshold) for each in patterns], self.document).pattern

    def test_the_one_that_knows_most_text(self) -> None:
        one, two, none = (replace(layout(name), blocks=BlockOptions(original=True)) for name in ("one", "two", "none"))
        one, two = replace(one, sections=main("p")), replace(two, sections=main("p", "h1"))
        assert self.winner(none, one, two) == "two"

    def test_a_layout_before_the_whole_site(self) -> None:
        whole = layout("whole", "p", "h1", "pre", site_wide=True)
        assert self.winner(whole, layout("a", "p")) == "a"
        assert self.winner(whole, layout("a", "table")) == "whole"

    def test_none(self) -> None:
        assert self.winner() is None
        assert self.winner(layout("a", "p"), threshold=1.0) is None
        assert strip_by([], self.document) == strip(self.document.page)


class Said(Labels):
    """A page match with roles but no blocks."""

    SAID = ((Role.TITLE, "one"), (Role.MAIN, "two"), (Role.SUB, "three"))

    def blocks(self) -> list[LabelledBlock]:
        raise AssertionError("blocks were made")

    def title(self) -> str:
        return "the one"

    def text(self, roles: Collection[Role]) -> str:
        return "\n".join(text for role, text in self.SAID if role in roles)

    def html(self, roles: Collection[Role]) -> str:
        return "".join(f"<p>{text}</p>" for role, text in self.SAID if role in roles)

    def placeholder(self) -> PageKind | None:
        return None

    def kind(self) -> PageKind:
        return PageKind.LIST

    def confidence(self) -> float:
        return 0.5


def test_what_is_said_of_a_page_is_what_its_labels_tell() -> None:
    """Blocks are made on first access."""
    labels = Said()
    stripped = Stripped(matched=True, blocks=LazyBlocks(labels.blocks), _labels=labels)
    assert (stripped.kind, stripped.confidence) == (PageKind.LIST, 0.5)
    assert (stripped.title, stripped.text, stripped.sub_text) == ("the one", "one\ntwo", "three")
    assert stripped.html == "<p>one</p><p>two</p>"
    assert replace(stripped, text_roles=MAIN_ROLES).text == "two"
    with pytest.raises(AssertionError, match="blocks were made"):
        _ = stripped.main


SAID = ("matched", "pattern", "similarity", "kind", "confidence", "title", "text", "sub_text", "html", "blocks")


@pytest.mark.parametrize("learner", ["rules", "layout", "text_mdl", "dom_hash", "regex_tree"])
@pytest.mark.parametrize(
    "copied",
    [
        pytest.param(lambda value: pickle.loads(pickle.dumps(value)), id="pickle"),
        pytest.param(copy.deepcopy, id="deepcopy"),
        pytest.param(copy.copy, id="copy"),
    ],
)
def test_a_copy_says_the_same(learner: str, copied: Callable[[Any], Any]) -> None:
    """A copy may go to another process; the page itself stays behind."""
    found = learn(sample(), learner).strip(site_page(article(20)))
    again = copied(found)
    assert again == found
    assert [getattr(again, name) for name in SAID] == [getattr(found, name) for name in SAID]
    assert found.blocks
    assert [copied(block) for block in found.blocks] == list(found.blocks)


SHELL = "<title>Ferry</title><p>Menu</p><script type='application/ld+json'>{%s}</script>"
"""A page whose text is only in a script."""


def test_where_the_text_stands() -> None:
    """Copies have the place, too."""
    prose = "The ferry left an hour late, and nobody on board seemed to mind. " * 9
    found = learn(sample(), "rules").strip(site_page(SHELL % f'"articleBody": "{prose}"'))
    assert (found.source, found.text) == ("script", prose.strip())
    assert pickle.loads(pickle.dumps(found)).source == asdict(found)["source"] == "script"
    plain = learn(sample(), "layout").strip(site_page(article(20)))
    assert (plain.source, EMPTY.source) == ("page", "page")


@pytest.mark.parametrize("learner", ["rules", "layout", "regex_tree"])
def test_a_page_and_its_blocks_as_dicts(learner: str) -> None:
    found = learn(sample(), learner).strip(site_page(article(20)))
    assert asdict(found)["pattern"] == found.pattern
    assert len(asdict(found)["blocks"]) == len(found.blocks)
    assert asdict(found.blocks[0])["block"]["text"] == found.blocks[0].text
