"""The kept part of a tree as HTML."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.core.blocks import Piece, blocks_of
from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.prune import pruned_html
from scrapy_stemmer.core.text import significant
from tests.strategies import markup, without_implied_p


def prune(html: str, *texts: str) -> str:
    """What is left of a page when the blocks with these texts are kept."""
    root = parse(html)
    return pruned_html(root, pieces_of(root, *texts))


def pieces_of(root: etree._Element, *texts: str) -> list[Piece]:
    return [piece for block in blocks_of(root) if block.text in texts for piece in block.pieces]


@pytest.mark.parametrize(
    ("html", "texts", "expected"),
    [
        pytest.param("<p>a</p><p>b</p>", [], "", id="nothing kept"),
        pytest.param("<div><p>a</p><p>b</p></div>", ["a"], "<p>a</p>", id="the smallest element around it"),
        pytest.param("<div><p>a</p>x<p>b</p></div>", ["a", "b"], "<div><p>a</p>\n<p>b</p>\n</div>", id="around both"),
        pytest.param(
            '<p class=c id=i style=s onclick=e lang=en>a <a href="/x" class=c>b</a></p>',
            ["a b"],
            '<p lang="en">a <a href="/x">b</a></p>',
            id="links kept, classes and handlers dropped",
        ),
        pytest.param(
            '<p>a<img src="i.png" alt="I"> b</p>', ["a b"], '<p>a<img src="i.png" alt="I"> b</p>', id="images"
        ),
        pytest.param("<div>a<br>b<hr>c</div>", ["a", "c"], "<div>a<br><hr>c</div>", id="line breaks"),
        pytest.param("<div>a<script>x</script>b</div>", ["ab"], "<div>ab</div>", id="no scripts"),
        pytest.param(
            "<p>un<b>be</b><i>liev</i>able</p>",
            ["unbelievable"],
            "<p>un<b>be</b><i>liev</i>able</p>",
            id="words stay whole",
        ),
        pytest.param("<p>1 &lt; 2 &amp; 3</p>", ["1 < 2 & 3"], "<p>1 &lt; 2 &amp; 3</p>", id="text is escaped"),
        pytest.param("a<b>b</b>", ["ab"], "<div>a<b>b</b></div>", id="bare text", marks=without_implied_p),
        pytest.param("<o:p>a</o:p>", ["a"], "<span>a</span>", id="a name that no element can be given"),
    ],
)
def test_pruned_html(html: str, texts: list[str], expected: str) -> None:
    assert prune(html, *texts) == expected


@pytest.mark.parametrize(
    "href",
    [
        "javascript:alert(1)",
        " JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "java\nscript:alert(1)",
        "vbscript:x",
        "data:text/html,<script>alert(1)</script>",
    ],
)
def test_addresses_that_run_code_are_dropped(href: str) -> None:
    root = parse("<p>a <a>b</a></p>")
    link = root.find(".//a")
    assert link is not None
    link.set("href", href)
    assert pruned_html(root, pieces_of(root, "a b")) == "<p>a <a>b</a></p>"


def test_a_control_character_before_the_scheme_is_seen_through() -> None:
    assert "href" not in prune('<p>a <a href="\x01javascript:alert(1)">b</a></p>', "a b")


def test_the_body_becomes_a_div() -> None:
    assert prune("<body>a<p>b</p>c</body>", "a", "c").startswith("<div>")


def test_the_order_of_pieces_does_not_matter() -> None:
    root = parse("<div><p>a</p><p>b</p></div>")
    pieces = pieces_of(root, "a", "b")
    assert pruned_html(root, pieces) == pruned_html(root, pieces[::-1])


@given(markup(), st.data())
def test_the_kept_text_is_all_there_and_nothing_else(case: tuple[str, str], data: st.DataObject) -> None:
    root = parse(f"<html><body><div>{case[0]}</div></body></html>")
    before = etree.tostring(root)
    blocks = blocks_of(root)
    kept = [block for block in blocks if data.draw(st.booleans())]
    html = pruned_html(root, [piece for block in kept for piece in block.pieces])
    found = "".join(parse(html).itertext()) if html else ""
    assert significant(found) == "".join(block.sig for block in kept)
    assert etree.tostring(root) == before


def test_deep_trees_are_copied() -> None:
    depth = 2000
    html = prune("<div><i>" * (depth // 2) + "deep" + "</i></div>" * (depth // 2) + "<p>b</p>", "deep", "b")
    assert "deep" in html
    assert "b" in html


def test_control_characters_in_text_are_left_out() -> None:
    root = parse("<p>a\x01b<br>c\x02d<img alt='e\x03f'></p>")
    texts = [block.text for block in blocks_of(root)]
    assert pruned_html(root, pieces_of(root, *texts)) == '<p>ab<br>cd<img alt="ef"></p>'
