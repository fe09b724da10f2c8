"""A browser's marks in a page: read, and removed."""

from __future__ import annotations

import pytest
from lxml import etree

from scrapy_stemmer.learners.literature.rendering import (
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


def test_marks_are_taken_out() -> None:
    page = PLAIN.replace("<p", '<p data-stemmer-block="690 0"', 1)
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


def test_looks() -> None:
    page = marked("<p {0}>a</p><p {1}>b</p><p {hidden}>c</p><p>d</p>", (690, {"b": "2", "a": "1"}), (0, {}))
    body = body_of(page)
    rendering = Rendering(body.getroottree().getroot())
    assert rendering
    assert [rendering.look(element) for element in body] == [Look("a: 1; b: 2", 690), Look("", 0), None, None]
    assert [rendering.hides(element) for element in body] == [False, False, True, False]


def test_style_text() -> None:
    assert style_text({"color": "red", "border": "0"}) == "border: 0; color: red"
