"""Document of a page's frame: allowed contents only."""

from __future__ import annotations

import pytest

from scrapy_stemmer import LabelledBlock, LayoutBlock, Role
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.report.drawing import clean_css, frame_of


def frame(html: str, texts: str = "p", base: str | None = None) -> str:
    """Return the frame of a page with the texts of some elements as blocks; class "no" is template."""
    root = parse(html)
    elements = [element for element in root.iter(*texts.split()) if element.text]
    blocks = [
        LabelledBlock(LayoutBlock("p", "", "", 0, 0, pieces=(Piece(element, False),)), Role.MAIN, 0.1)
        for element in elements
    ]
    return frame_of(
        root, blocks, ["template" if element.get("class") == "no" else "text" for element in elements], base
    )


def body_of(document: str) -> str:
    return document.partition("<body")[2].partition(">")[2].partition("</body>")[0]


def test_texts_are_marked_with_block_role_and_how_sure() -> None:
    assert body_of(frame("<body><p>One<p class=no>Two")) == (
        '<p><stemmer-block data-stemmer-block="0" data-stemmer-role="text" style="--s:0.80">One</stemmer-block></p>'
        '<p class="no" data-stemmer-off=""><stemmer-block data-stemmer-block="1" data-stemmer-role="template" '
        'style="--s:0.80" data-stemmer-off="">Two</stemmer-block></p>'
    )


def test_what_the_template_has_is_off_and_images_amid_text_are_not() -> None:
    drawing = body_of(frame("<body><ul><li><img alt=a></ul><div><p>Text <img alt=b></p></div>"))
    assert '<ul data-stemmer-off="">' in drawing
    assert '<img alt="b">' in drawing


HOSTILE = {
    "script": "<script>pwn()</script>",
    "handler": "<p onclick=pwn() ONLOAD=pwn()>x",
    "address": "<a href=javascript:pwn() ping=//pwn>x</a>",
    "frame": "<iframe src=//pwn srcdoc='<script>pwn()</script>'></iframe>",
    "form": "<form action=//pwn><button formaction=//pwn>x</button></form>",
    "head": "<base href=//pwn><meta http-equiv=refresh content='0;url=//pwn'><link rel=stylesheet href=//pwn>",
    "object": "<object data=//pwn></object><embed src=//pwn><video src=//pwn poster=//pwn></video>",
    "image": "<img src=//pwn srcset='//pwn 2x'><input type=image src=//pwn><body background=//pwn>",
    "drawing": "<svg><script>pwn()</script><a xlink:href=//pwn><image href=//pwn /></a><animate onbegin=pwn()></svg>",
    "style": "<style>@import '//pwn'; p { background: url(//pwn) }</style><p style='background: URL( //pwn )'>x",
    "noscript": "<noscript><p title='</noscript><script>pwn()</script>'></noscript>",
    "raw": "<xmp><script>pwn()</script></xmp><noembed></noembed><plaintext><script>pwn()</script>",
    "mark": "<stemmer-block onclick=pwn() style='background: url(//pwn)' data-stemmer-block=pwn>x</stemmer-block>",
    "name": "<x:pwn/onclick=1><p pwn\"='1'>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_nothing_hostile_is_left(html: str) -> None:
    drawing = frame(f"<p>Text</p>{html}")
    assert "Text</stemmer-block>" in drawing
    assert "pwn" not in drawing.replace("&lt;script&gt;pwn()", "")
    assert "<script" not in drawing


def test_style_rules_stay_within_their_element() -> None:
    assert clean_css("p { content: '</style><script>pwn()</script>' }", None).lower().count("</style") == 0
    assert clean_css("@font-face { src: url(data:font/woff2,x) }", None) == "@font-face { src: url(data:font/woff2,x) }"
    assert clean_css('p { background: #fff url("x.png") no-repeat }', None) == "p { background: #fff none no-repeat }"
    for loading in ("image-set('//pwn' 1x)", "-webkit-Image-Set( '//pwn' 1x, '//pwn' 2x )"):
        assert "//" not in clean_css(f"p {{ background: {loading} }}", None)


def test_online_a_page_loads_images_and_style_sheets_of_the_web_and_nothing_else() -> None:
    head = "<head><link rel=stylesheet href=/a.css><link rel=stylesheet href=javascript:pwn()>"
    drawing = frame(f"{head}<body><p>Text<img src=b.png><img src=file:///etc/passwd>", base="http://a.example/x/")
    assert '<link rel="stylesheet" href="http://a.example/a.css">' in drawing
    assert '<img src="http://a.example/x/b.png">' in drawing
    assert "pwn" not in drawing
    assert "passwd" not in drawing
    assert "default-src 'none'" in drawing
    assert "script-src" not in drawing


def test_a_page_with_characters_that_no_document_may_hold_is_drawn() -> None:
    drawing = frame("<p class='a\x0bb'>Wo\x00rd \x0c\x1b \ud800 &#x1b;</p>tail\x02")
    assert "Word" in drawing
    assert "\x1b" not in drawing
