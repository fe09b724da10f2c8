"""A browser's marks in a page: read, and removed."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.learners.literature import rendering
from scrapy_stemmer.learners.literature.rendering import (
    STYLES_MARK,
    Look,
    Rendering,
    is_marked,
    style_text,
    without_marks,
)
from scrapy_stemmer.page.document import parse
from tests.rendered import marked

PLAIN = (
    '<!DOCTYPE html><html lang="en"><head><title>T</title><style>p > b{color:red}</style></head>'
    '<body class="a"><p title="a>b" data-x="&quot;q&quot;">Heavy <b>rain</b> "fell" &lt;p&gt;</p><br>'
    '<input disabled=""><p>2</p></body></html>'
)


def body_of(page: str) -> etree._Element:
    body = parse(page).find("body")
    assert body is not None
    return body


def test_the_script_writes_the_marks_that_are_read() -> None:
    assert set(re.findall("data-stemmer-[a-z]+", rendering.SCRIPT)) == {
        rendering.BLOCK_MARK,
        rendering.HIDDEN_MARK,
        rendering.STYLES_MARK,
        rendering.BOX_MARK,
    }
    assert set(re.findall(r'"(\w+)"', re.findall("unrendered = .*", rendering.SCRIPT)[0])) == rendering.UNRENDERED


def test_marks_are_taken_out() -> None:
    page = PLAIN.replace("<p", '<p data-stemmer-block="690 0" data-stemmer-box="-4 10 690 96"', 1)
    page = page.replace("<b>", '<b data-stemmer-hidden="">')
    page = page.replace('class="a"', 'class="a" data-stemmer-styles="[{&quot;font&quot;:&quot;a > b&quot;}]"')
    assert is_marked(page)
    assert without_marks(page) == PLAIN


@pytest.mark.parametrize(
    "html",
    [
        pytest.param(PLAIN, id="a page without marks"),
        pytest.param('<p>data-stemmer-block="1 2" is an attribute</p>', id="text"),
        pytest.param('<!-- <p data-stemmer-block="1 2"> -->', id="comment"),
        pytest.param("<script>a = '<p data-stemmer-block=\"1 2\">'</script>", id="script"),
        pytest.param('<textarea><p data-stemmer-block="1 2"></textarea>', id="text area"),
        pytest.param('<template><p data-stemmer-block="1 2"></p></template>', id="template"),
        pytest.param('<p title=" data-stemmer-block=&quot;1 2&quot;">', id="value of another attribute"),
        pytest.param('<p data-stemmer-block="mine">', id="an attribute of the page's own"),
        pytest.param('<p data-stemmer-blocks="1 2">', id="another name"),
    ],
)
def test_all_else_stays(html: str) -> None:
    assert without_marks(html) == html


@given(st.text(alphabet='<>/"= a-!data-stemmer-block="1 2"', max_size=60))
def test_any_text_without_our_names_stays(text: str) -> None:
    if "data-stemmer-" not in text:
        assert without_marks(text) == text


def test_looks() -> None:
    page = marked("<p {0}>a</p><p {1}>b</p><p {hidden}>c</p><p>d</p>", (690, {"b": "2", "a": "1"}), (0, {}))
    body = body_of(page)
    rendering = Rendering(body.getroottree().getroot())
    assert rendering
    assert [rendering.look(element) for element in body] == [Look("a: 1; b: 2", 690), Look("", 0), None, None]
    assert [rendering.hides(element) for element in body] == [False, False, True, False]


@pytest.mark.parametrize(
    "styles",
    [
        pytest.param("", id="empty"),
        pytest.param("{", id="not JSON"),
        pytest.param("[" * 100_000, id="nested too deep"),
        pytest.param('{"a": 1}', id="not a list"),
        pytest.param("[1]", id="not a list of styles"),
        pytest.param("[]", id="no styles"),
    ],
)
def test_what_is_not_ours_is_no_rendering(styles: str) -> None:
    """A page may have similar attributes of its own, or come from elsewhere."""
    body = body_of(f'<body {STYLES_MARK}="{html.escape(styles)}"><p data-stemmer-block="1 0">a</p>')
    rendering = Rendering(body.getroottree().getroot())
    assert not rendering
    assert rendering.look(body[0]) is None


@pytest.mark.parametrize("value", ["", "690", "690 1", "690 9999999999", "-1 0", "1e3 0", "x 0", "690 0 "])
def test_marks_that_lead_nowhere(value: str) -> None:
    body = body_of(f'<body {STYLES_MARK}="[{{}}]"><p data-stemmer-block="{value}">a</p>')
    assert Rendering(body.getroottree().getroot()).look(body[0]) is None


def test_style_text() -> None:
    assert style_text({"color": "red", "border": "0"}) == "border: 0; color: red"
