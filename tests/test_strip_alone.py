"""A single page, without further pages of its site."""

from __future__ import annotations

import json
import math
import pickle
import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given

from benchmarks.sets import bundled_set
from scrapy_stemmer import Page, PageKind, Role, StripOptions, Stripped, learn, strip
from tests.learners.rules.made import CHROME_IS_NOISE, TOPICS, page, prose, scorer, story
from tests.strategies import markup

BUNDLED = [Page(gold.url, gold.html) for gold in bundled_set().pages]
STORIES = [page(number, story(topic, inside="<aside>Read also</aside>")) for number, topic in enumerate(TOPICS)]


STORM = STORIES[0]


def said(stripped: Stripped) -> dict[str, Any]:
    """Return the results of a page, without pattern and title."""
    noise = [(block.text, block.noise_confidence) for block in stripped.blocks]
    names = ("text", "html", "kind", "confidence", "source")
    return {name: getattr(stripped, name) for name in names} | {"noise": noise}


@pytest.mark.parametrize("pages", [pytest.param(BUNDLED, marks=pytest.mark.slow), STORIES], ids=["bundled", "stories"])
def test_a_page_alone_is_stripped_as_by_a_pattern_learned_from_it(pages: Sequence[Page]) -> None:
    for each in pages:
        assert said(strip(each)) == said(learn([each]).strip(each)), each.url


@given(markup())
def test_any_page_alone_is_stripped_as_by_a_pattern_learned_from_it(drawn: tuple[str, str]) -> None:
    odd = Page("https://odd.example/", drawn[0])
    assert said(strip(odd)) == said(learn([odd]).strip(odd))


@pytest.mark.parametrize("share", [7, -0.1, math.nan])
def test_a_confidence_is_between_0_and_1(share: float) -> None:
    with pytest.raises(ValueError, match=rf"min_confidence must be between 0 and 1, not {share}"):
        StripOptions(min_confidence=share)


def test_all_else_is_there() -> None:
    stripped = strip(STORM, scorer=CHROME_IS_NOISE)
    assert stripped.title == "storm news"
    assert stripped.text.split("\n") == ["storm news", *(prose("storm", number) for number in range(3)), "Read also"]
    assert "Copyright" not in stripped.html
    assert stripped.kind is PageKind.CONTENT
    assert 0 < (stripped.confidence or 0) < 1
    assert [block.evidence for block in stripped.blocks][:2] == [("scored -3.0",), ("scored +3.0",)]


class TestTheTitle:
    @pytest.mark.parametrize(
        ("head", "body", "title"),
        [
            ("Storm", "<div class=headline>Storm</div>", "Storm"),
            ("Storm", "<h1>The Heron</h1><h2>Storm</h2>", "Storm"),
            ("Storm - The Heron", "<ul><li>Storm</ul><h1>Storm</h1>", "Storm"),
            ("Storm", "<h1>Quite another</h1>", "Quite another"),
            ("Storm", "<h1>The Heron</h1><h2><a href=/storm>Storm</a></h2>", "Storm"),
            (
                "Sea - A storm at sea</title><meta name=og:title content='A storm at sea'><title>",
                "<h1>A storm at sea</h1><h1>Sea</h1>",
                "A storm at sea",
            ),
            ("The Heron: A storm at sea", "<h1>The Heron</h1><h1><a href=/>A storm at sea</a></h1>", "A storm at sea"),
            ("The Heron - Storm", "<h1>Storm</h1><h2>Heron</h2>", "Storm"),
            ("Storm", "<a href=/>Storm</a>", "Storm"),
            ("", "<h2>Storm</h2>", None),
        ],
    )
    def test_is_a_heading_or_what_says_the_same_as_the_head(self, head: str, body: str, title: str | None) -> None:
        assert strip(Page("https://x.example/", f"<title>{head}</title>{body}<p>Text.</p>")).title == title

    @pytest.mark.parametrize(
        ("body", "titles"),
        [
            ("<p>Storm</p><p>Storm</p>", [0]),
            ("<p>Storm</p><h1>Storm</h1>", [1]),
            ("<p><a href=/>Storm</a></p><div>storm</div>", [1]),
            ("<p>A storm</p>", []),
        ],
    )
    def test_is_one_block(self, body: str, titles: list[int]) -> None:
        blocks = strip(Page("https://x.example/", f"<title>Storm</title>{body}<p>Text.</p>")).blocks
        assert [index for index, block in enumerate(blocks) if block.role is Role.TITLE] == titles


def test_title_text_and_markdown_have_no_characters_that_control_terminals() -> None:
    escape = "\x1b[2J&#7;\x9b"
    head = f"<title>The storm {escape}</title><h1>The storm {escape}</h1>"
    by = f"<p>By <a rel=author href=/a>Ann Lee {escape}</a> <a rel=tag href=/t>a{escape}</a>"
    html = f"{head}{by}<p>{prose('storm', 60)} {escape}<pre>a{escape}</pre>"
    found = strip(Page("https://a.example/", html))
    fields = json.dumps(found.fields.as_dict(), ensure_ascii=False)
    texts = [found.title or "", found.text, found.markdown, found.sub_text, fields]
    assert "The storm" in texts[0]
    assert texts[1].count("[2J") >= 2
    assert "".join(texts).replace("\n", "").isprintable()


def test_a_doubtful_page_keeps_what_is_likeliest_instead_of_nothing() -> None:
    doubtful = scorer(["in_nav", 98, "low", -4, -1])
    found = strip(STORM, scorer=doubtful)
    assert prose(TOPICS[0], 0) in found.text
    assert "Home Sport" not in found.text
    assert found.confidence is not None
    assert found.confidence < 0.5


def test_on_a_sure_page_only_blocks_are_text_that_are_more_likely_so_than_not() -> None:
    assert "Home Sport" not in strip(STORM, scorer=scorer(["in_nav", 98, "low", -0.1, 5])).text


def test_a_result_is_one_line() -> None:
    text = "The tide <b>rises</b> &amp; falls twice a day on this coast, as it has done for as long as anybody knows. "
    found = strip(Page("http://a.example/", f"<title>T</title><h1>The tide &lt;i&gt;</h1><p>{text * 9}"))
    line = repr(found)
    assert "\n" not in line
    assert line.startswith("<Stripped 'The tide <i>', ")
    assert re.search(r" characters, content, confidence 0\.\d\d, no pattern fits>$", line)
    assert repr(pickle.loads(pickle.dumps(found))) == line
    long = strip(Page("http://a.example/", f"<h1>{'Tide ' * 40}</h1><p>{text * 9}"))
    assert len(repr(long)) < 200
    assert "…" in repr(long)
