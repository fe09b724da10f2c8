"""What each element of a page becomes in HTML: images, captions, places, code, formulas, tasks."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from lxml import etree
from lxml.html import document_fromstring

from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.elements import BLOCK_LEVEL
from scrapy_stemmer.writing import formulas
from scrapy_stemmer.writing.pruned_html import pruned_html
from tests.strategies import markup

URL = "https://a.example/d/p"


def kept(html: str, *, without: str = "aside") -> str:
    """The HTML of a part of a page but for the text in some elements, with ``~`` for the page's host."""
    pruned = whole(html, without)
    inner = pruned.removeprefix("<div><p>Before</p>\n").removesuffix("<p>After</p>\n</div>").strip("\n")
    return inner.replace("https://a.example", "~")


def whole(html: str, without: str = "aside") -> str:
    root = parse(f"<html><body><div><p>Before</p>{html}<p>After</p></div></body></html>")
    dropped = {inner for element in root.iter(without) for inner in element.iter()}
    every = ((element, is_tail) for element in root.iter() for is_tail in (False, True))
    kept_texts = [
        (element, is_tail)
        for element, is_tail in every
        if ((element.tail if is_tail else element.text) or "").strip()
        and (element.getparent() if is_tail else element) not in dropped
        and (is_tail or element.tag not in ("script", "style", "noscript"))
    ]
    return pruned_html(root, kept_texts, URL)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param("<p>a<img src=i.png alt=I> b</p>", '<p>a<img src="~/d/i.png" alt="I"> b</p>', id="absolute"),
        pytest.param('<p>a<img src="data:image/gif;base64,R0" data-src="/i.png"></p>', '<p>a<img src="~/i.png"></p>',
            id="lazy"),
        pytest.param('<p>a<img data-srcset="/i.png 1x, /j.png 2x"></p>',
            '<p>a<img src="~/i.png" srcset="~/i.png 1x, ~/j.png 2x"></p>', id="lazy, for several sizes"),
        pytest.param("<p>a<picture><source srcset='/s.webp 1x'><img></picture></p>", '<p>a<img src="~/s.webp"></p>',
            id="a picture"),
        pytest.param('<p>a<img class="lazy"><noscript><img src="/i.png"></noscript></p>', '<p>a<img src="~/i.png"></p>',
            id="a twin for those without scripts"),
        pytest.param('<p>a<img src="/i.png"><noscript><img src="/count.gif"></noscript></p>',
            '<p>a<img src="~/i.png"></p>', id="no twin"),
        pytest.param('<p>a<img src="/dot.gif" data-srcset="/i.png 1x"></p>',
            '<p>a<img src="~/i.png" srcset="~/i.png 1x"></p>', id="lazy, beside what is shown until then"),
        pytest.param("<p>a<a href=/big><img src=/i.png></a> <span><i><img src=/j.png></i></span></p>",
            '<p>a<a href="~/big"><img src="~/i.png"></a><img src="~/j.png"></p>', id="wrapped, amid text"),
        pytest.param("<p>a<span><a href=/b><img src=/i.png><img src=/j.png></a></span><a href='j:x'>"
            "<img src=/k.png></a></p>",
            '<p>a<a href="~/b"><img src="~/i.png"><img src="~/j.png"></a><img src="~/k.png"></p>', id="linked"),
        pytest.param("<p><a href=/b>a <img src=/i.png></a></p>", '<p><a href="~/b">a <img src="~/i.png"></a></p>',
            id="with text in a link"),
        pytest.param("<p>a<noscript><img src=/i.png></noscript><img class=lazy src='data:image/gif;base64,R0'></p>",
            '<p>a<img src="~/i.png"></p>', id="a twin before it"),
        pytest.param("<p>a<img class=lazy><noscript><img src=/i.png></noscript><img class=lazy data-src=/j.png></p>",
            '<p>a<img src="~/i.png"><img src="~/j.png"></p>', id="a twin of another one"),
        pytest.param("<ul><li>a</li><li><a href=/b><img src=/i.png></a></li>"
            "<li><aside>b</aside><img src=/k.png></li></ul>",
            '<ul><li>a</li>\n<li><a href="~/b"><img src="~/i.png"></a></li>\n</ul>',
            id="items of a list"),
        pytest.param('<p>a<span><aside><math><mi>x</mi></math></aside><img class="mwe-math-fallback-image-inline" '
            "src=/x.svg alt=x></span></p>", '<p>a<img src="~/x.svg" alt="x">\n</p>', id="a formula, as an image"),
        pytest.param('<p>a<img src="data:image/svg+xml,x" data-image-loader="/i.png?w=9" data-path="x y.png" '
            'alt="i.png"></p>', '<p>a<img src="~/i.png?w=9" alt="i.png"></p>', id="lazy, by an attribute of any name"),
        pytest.param("<div><a href=/b><img src=/i.png></a><div>Told<a href=/b><img src=/more.png width=15></a>"
            "</div></div>", '<a href="~/b"><img src="~/i.png"></a><div>Told</div>', id="with a caption in a block"),
        pytest.param("<div><a href=/x><img src=/i.png></a><b>a</b><b>b</b><b>c</b></div>",
            "<div><b>a</b><b>b</b><b>c</b></div>", id="one of several"),
        pytest.param("<p>a<img src=/i.gif width=1 height=1></p>", "<p>a</p>", id="a point"),
        pytest.param("<p>a<img src='javascript:x'></p>", "<p>a</p>", id="unsafe"),
        pytest.param("<p>a<img src=x onerror=e style=s></p>", '<p>a<img src="~/d/x"></p>', id="handlers"),
        pytest.param("<figure><a href=/big><img src=/i.png></a><figcaption>Told</figcaption></figure>",
            '<figure><a href="~/big"><img src="~/i.png"></a><figcaption>Told</figcaption>\n</figure>',
            id="a figure with its caption"),
        pytest.param("<p><img src=/i.png></p>", '<p><img src="~/i.png"></p>', id="an image by itself"),
        pytest.param("<aside><p>Ad</p><img src=/ad.png></aside>", "", id="but not one of what is dropped"),
    ],
)  # fmt: skip
def test_images(html: str, expected: str) -> None:
    assert kept(html) == expected


SENTENCE = "The herring shed of Lundmere was found to lean, which surprised the people of the town."
IMAGE = '<img src="~/i.png">'


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<figure><img src=/i.png><figcaption>c</figcaption></figure>",
            f"<figure>{IMAGE}<figcaption>c</figcaption></figure>"),
        ("<div class=elementor-widget-image><div><img src=/i.png></div></div>", f"<p>{IMAGE}</p>"),
        ("<section><div><img src=/i.png></div><div><img src=/j.png></div></section>",
            f'<p>{IMAGE}<img src="~/j.png"></p>'),
        ("<ul><li><img src=/i.png></li></ul>", f"<p>{IMAGE}</p>"),
        ("<span><img src=/i.png></span>", IMAGE),
        ("<amp-img src=/i.png><noscript><img src=/i.png></noscript></amp-img>", IMAGE),
        ("<x-island><figure><picture><source srcset='/i.png, /j.png 2x'><img></picture></figure></x-island>",
            f"<figure>{IMAGE}</figure>"),
        ("<div><figure><a href=/i.png><img src='data:image/svg+xml,x'></a></figure></div>",
            f'<figure><a href="~/i.png">{IMAGE}</a></figure>'),
        ("<div>Photo: Ann<figure><img src=/i.png></figure></div>", f"<figure>{IMAGE}</figure>"),
        ("<aside><figure><img src=/i.png><figcaption>c</figcaption></figure></aside>",
            f"<figure>{IMAGE}<figcaption>c</figcaption></figure>"),
        ("<div style='background-image:url(/i.png)'></div>", ""),
        ("<div><img src=/i.png width=32 height=32></div>", ""),
        ("<div class=author-avatar><img src=/i.png></div>", ""),
        ("<div><a href=/x><img src=/i.png></a><a href=/y><img src=/j.png></a></div>", ""),
        ("<div class='icon'><img src=/i.png></div>", ""),
        ("<div><a href=/more><figure><img src=/i.png></figure>More of it</a></div>", ""),
        ("<div>An advertisement<img src=/i.png></div>", ""),
    ],
)  # fmt: skip
def test_images_between_paragraphs_stay_wherever_they_stand_but_no_decorations(html: str, expected: str) -> None:
    around = f"<div><p>{SENTENCE}</p></div>"
    root = parse(f"<html><body><main>{around}{html}{around}</main></body></html>")
    pieces = [(paragraph, False) for paragraph in root.iter("p")]
    found = pruned_html(root, pieces, URL).replace("\n", "").replace("https://a.example", "~")
    assert found.removeprefix("<main>").removesuffix("</main>") == f"<p>{SENTENCE}</p>{expected}<p>{SENTENCE}</p>"


def test_the_image_between_the_title_and_the_text_stays() -> None:
    html = f"<h1>Title</h1><p>By Ann</p><figure><img src=/i.png></figure><div><p>{SENTENCE}</p><p>b</p></div>"
    root = parse(f"<html><body><article>{html}</article></body></html>")
    pieces = [(each, False) for each in (root.find(".//h1"), *root.find(".//div").iter("p"))]
    found = pruned_html(root, pieces, URL).replace("\n", "").replace("https://a.example", "~")
    assert found.startswith(f"<article><h1>Title</h1><figure>{IMAGE}</figure><p>")


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("Told", "Told"),
        ("Told<br>here", "Told<br>here"),
        ("<p>Told</p>\n<p>here</p>", "<p>Told</p>\n<p>here</p>"),
        ("By <a href=/ann>Ann</a>, <i>2024</i>", 'By <a href="~/ann">Ann</a>, <i>2024</i>'),
        ("Told<b hidden>no</b> <script>no</script>here", "Told here"),
        ("a&lt;b <a href='javascript:x'>c</a>", "a&lt;b c"),
    ],
)
def test_a_caption_that_is_no_text_of_the_page_stays_with_its_figure(caption: str, expected: str) -> None:
    html = f"<figure><img src=/i.png><figcaption>{caption}</figcaption></figure>"
    assert kept(html, without="figure") == f"<figure>{IMAGE}<figcaption>{expected}</figcaption></figure>"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        pytest.param('<p id="x">a <a href="#x">b</a></p>', '<p id="x">a <a href="#x">b</a></p>', id="kept"),
        pytest.param('<p id="x">a</p>', "<p>a</p>", id="no link leads there"),
        pytest.param('<p><a href="/d/p#x">b</a></p><aside id="x">c</aside>', '<p><a href="~/d/p#x">b</a></p>',
            id="not kept"),
        pytest.param('<a name="x"></a><p>b <a href="#x">c</a><span id="y"></span></p>',
            '<a id="x"></a><p>b <a href="#x">c</a></p>', id="an empty one"),
        pytest.param('<pre id="x">a</pre><p><a href="#x">b</a></p>', '<pre id="x">a</pre>\n<p><a href="#x">b</a></p>',
            id="code"),
        pytest.param('<pre><b id="x">a</b></pre><p><a href="#x">b</a></p>',
            '<pre>a</pre>\n<p><a href="~/d/p#x">b</a></p>', id="a line of code, whose name is lost"),
        pytest.param('<h2><a name="x">a</a></h2><p><a href="p#x">b</a></p>',
            '<h2><a name="x">a</a></h2>\n<p><a href="#x">b</a></p>', id="a name"),
        pytest.param('<aside><a name="x">a</a></aside><p id="x">b <a href="#x">c</a></p>',
            '<p id="x">b <a href="#x">c</a></p>', id="an identifier behind a name that is the same"),
    ],
)  # fmt: skip
def test_places_that_links_lead_to(html: str, expected: str) -> None:
    assert kept(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<div><div><p>a</p></div><div><p>b</p></div></div>", "<p>a</p>\n<p>b</p>"),
        ("<div>a<div><p>b</p></div></div>", "<div>a<p>b</p>\n</div>"),
        ("<div><a href=/a>a</a></div><div><a href=/b>b</a></div>",
         '<div><a href="~/a">a</a></div>\n<div><a href="~/b">b</a></div>'),
        ("<p><span>un<font>be</font></span><span lang=en>x</span></p>", '<p>unbe<span lang="en">x</span></p>'),
        ('<div style="white-space: PRE-wrap; color: red">a\n  b</div>', '<div style="white-space: pre-wrap">a\n '
            ' b</div>'),
    ],
)  # fmt: skip
def test_wrappers_that_say_nothing_go(html: str, expected: str) -> None:
    assert kept(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a</p><hr><p>b</p>", "<p>a</p>\n<hr>\n<p>b</p>"),
        ("<aside>x</aside><hr><p>b</p>", "<hr>\n<p>b</p>"),
        ("<div><p>a</p><hr><aside>x</aside></div>", "<p>a</p>"),
    ],
)
def test_rules_between_what_is_kept_stay(html: str, expected: str) -> None:
    assert kept(html) == expected


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<tr><td>a</td><td></td><td>c</td></tr>", "<tr><td>a</td>\n<td></td>\n<td>c</td>\n</tr>"),
        ("<tr><td>a</td><td colspan=2>✓</td></tr>", '<tr><td>a</td>\n<td colspan="2">✓</td>\n</tr>'),
        ("<tr><td>a</td><td><aside>menu</aside></td></tr>", "<tr><td>a</td>\n</tr>"),
    ],
)
def test_cells_without_words_stay_in_rows_that_are_kept(html: str, expected: str) -> None:
    assert kept(f"<table>{html}</table>") == f"<table>{expected}\n</table>"


FORMULA = (
    '<math display="block"><semantics><mrow><mi>x</mi></mrow>'
    '<annotation encoding="application/x-tex">\\f x</annotation></semantics></math>'
)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (FORMULA, '<math display="block" alttext="\\f x"><mrow><mi>x</mi></mrow></math>'),
        (f'<span class="katex"><span class="katex-mathml">{FORMULA}</span><span class="katex-html">x</span></span>',
         '<math display="block" alttext="\\f x"><mrow><mi>x</mi></mrow></math>'),
        (f'<mjx-container><b>x</b><mjx-assistive-mml>{FORMULA}</mjx-assistive-mml></mjx-container>',
         '<mjx-container><mjx-assistive-mml><math display="block" alttext="\\f x"><mrow><mi>x</mi></mrow></math>'
         "</mjx-assistive-mml></mjx-container>"),
        ("<math><mi>x</mi><mtext><style>y</style><img src=z></mtext></math>", "<math><mi>x</mi><mtext>y</mtext>"
            "</math>"),
    ],
)  # fmt: skip
def test_formulas_keep_their_mathml_and_their_tex(html: str, expected: str) -> None:
    written = kept(f"<p>a {html} b</p>")
    assert written == f"<p>a {expected} b</p>"


@given(markup())
@example(("<div><span><span>0</span><br></span>0</div>", "00"))
@example(("<p><b><i>a</i><nav></nav></b>b</p>", "ab"))
@example(("<div><p><span><hr>0</span></p>0</div>", "00"))
@example(("<div><p><span><div>0</div>0</span></p>0</div>", "000"))
def test_words_are_neither_glued_nor_broken(case: tuple[str, str]) -> None:
    assert visible(whole(case[0])) == visible(f"<div><p>Before</p>{case[0]}<p>After</p></div>")


def visible(html: str) -> list[str]:
    """Return the words of a page, separated only by white space and blocks."""
    return shown_text(html).split()


def shown_text(html: str) -> str:
    """Return the text of a page, with a line break at each end of a block."""
    root = parse(f"<html><body>{html}</body></html>")
    for element in root.iter("script", "style"):
        element.text = None
    for element in root.iter(*BLOCK_LEVEL, "br"):
        element.text, element.tail = f"\n{element.text or ''}", f"\n{element.tail or ''}"
    return "".join(root.itertext())


@pytest.mark.parametrize("space", ["\n", "  ", "\t", "\n\n    "])
def test_the_text_of_code_is_that_of_its_source(space: str) -> None:
    html = f"<pre>{space}<span>def</span>{space}<b>f</b>(){space}<code>  x</code>{space}</pre>"
    written = kept(html)
    (before,), (after,) = parse(html).iter("pre"), parse(written).iter("pre")
    assert "".join(after.itertext()) == "".join(before.itertext())


def test_a_page_of_one_block_of_code_is_code() -> None:
    root = etree.HTML("<html><body><pre><code><span>a</span>\n b</code></pre></body></html>")
    (span,) = root.iter("span")
    assert pruned_html(root, [(span, False), (span, True)]) == "<pre><code>a\n b</code></pre>"


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("<li><input type=checkbox checked disabled> a</li>", "<li>{} checked> a</li>"),
        ("<li class=task-list-item><label><input type=checkbox onclick=x></label>a</li>", "<li>{}>a</li>"),
        ("<li><label><input type=checkbox disabled> a</label></li>", "<li><label>{}> a</label></li>"),
        ("<li><input type=checkbox>a</li>", "<li>a</li>"),
        ("<li><input type=radio disabled>a</li>", "<li>a</li>"),
        ("<li><p><label><input type=checkbox disabled></label>a</li>", "<li><p>{}>a</p>\n</li>"),
        ("<li>a <input type=checkbox disabled></li>", "<li>a </li>"),
        ("<li>a<ul><li><input type=checkbox disabled>b</li></ul></li>", "<li>a<ul><li>{}>b</li>\n</ul>\n</li>"),
    ],
)
def test_boxes_of_tasks(item: str, expected: str) -> None:
    box = '<input type="checkbox" disabled'
    assert kept(f"<ul>{item}</ul>") == f"<ul>{expected.format(box)}\n</ul>"


def test_comments_beside_an_image_make_no_difference() -> None:
    html = "<div><!--a--><img src=/i.png><!--b--><!--c--><h2>Shown above</h2><!--d--><h3>Told of</h3></div>"
    headings = [(heading, False) for heading in document_fromstring(html).iter("h2", "h3")]
    root = headings[0][0].getroottree().getroot()
    assert pruned_html(root, headings, URL).startswith('<div><img src="https://a.example/i.png">')


def test_elements_beside_formulas_are_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[etree._Element] = []
    monkeypatch.setattr(formulas, "_is_twin", lambda element, **_: looked.append(element) is not None)
    root = parse(f"<p><b>x</b><span>{'<i>x</i>' * 9}<span>{'<math></math>' * 100}")
    formulas.twins_of_formulas(root, lambda _: True)
    assert 100 < len(looked) <= 100 * 2 * formulas.NEAR_FORMULA + 10
