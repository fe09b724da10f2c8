"""The tree of a page as browsers show it: segments, shadow roots, and text read when a page has no more."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest
from lxml import etree

from scrapy_stemmer import Page, strip
from scrapy_stemmer.learners.rules.site.columns import Signatures, body_of
from scrapy_stemmer.learners.rules.site.reading import read_page
from scrapy_stemmer.page import shown
from scrapy_stemmer.page.document import Document, OwnPage, parse, root_of
from scrapy_stemmer.page.shown import SHELL_CHARS, Source, look

URL = "http://site.example/page"
POST = "The ferry left an hour late because the harbour was full of fog, and nobody on board seemed to mind at all. "
LONG = "".join(f"<p>{number} {POST}</p>" for number in range(5))
ENOUGH = "".join(f"<p>{number} {POST}</p>" for number in range(9))
"""More text than shells have."""


def texts(html: str | bytes | etree._Element) -> list[str]:
    """Return the texts read from a page."""
    return read_page(body_of(root_of(Page(URL, html))), Signatures()).texts


def source(html: str) -> str:
    return Document(Page(URL, html)).shown.source


def ld_json(**fields: object) -> str:
    return f"<script type='application/ld+json'>{json.dumps(fields)}</script>"


def state(data: object) -> str:
    return f"<script id='__NEXT_DATA__' type='application/json'>{json.dumps(data)}</script>"


SEGMENTS = {
    "a segment": (
        "<p>one<div><template id='B:0'></template></div><p>three<div hidden id='S:0'><p>two</div>",
        "one two three",
    ),
    "within a line": ("<p>one <template id='P:a'></template>three</p><div hidden id='S:a'>two </div>", "one two three"),
    "in another segment": (
        "<div><template id=B:0></template></div><p>four<div hidden id=S:1><p>two</div>"
        "<div hidden id=S:0><p>one<p><template id='P:1'></template><p>three</div>",
        "one two three four",
    ),
    "of a table": (
        "<table><tr><td>one</td></tr><template id='P:2'></template></table><p>three"
        "<table hidden><tbody id='S:2'><tr><td>two</td></tr></tbody></table>",
        "one two three",
    ),
    "with a prefix": ("<template id='app-B:0'></template><p>two<div hidden id='app-S:0'><p>one</div>", "one two"),
    "without its template": ("<p>one<template id='B:1'></template><div hidden id='S:0'><p>two</div>", "one two"),
    "twice": (
        "<template id='B:0'></template><p>two<div id='S:0'><p>one</div><div id='S:0'><p>three</div>",
        "one two three",
    ),
    "in a circle": (
        "<p>one<div id=S:0><p>two<template id=B:1></template></div><div id=S:1>three<template id=B:0></template></div>",
        "one two three",
    ),
    "of itself": ("<p>one<div id='S:0'><p>two<template id='B:0'></template></div>", "one two"),
}

SHADOW_ROOTS = {
    "a root": ("<x-a><template shadowrootmode=open><p>one</template></x-a><p>two", "one two"),
    "as once": ("<x-a><template shadowroot=open><p>one</template></x-a><p>two", "one two"),
    "no root": ("<x-a><template><p>none</template></x-a><p>two", "two"),
    "slots": (
        "<x-a><template shadowrootmode=open><p><slot name=b>none</slot><p>two<p><slot>none</slot><p>four</template>"
        "<b>three</b><i slot=b>one</i></x-a><p>five",
        "one two three four five",
    ),
    "what a slot has else": ("<x-a><template shadowrootmode=open><slot><p>one</slot></template></x-a>", "one"),
    "roots in roots": (
        "<x-a><template shadowrootmode=open><p>one<x-b><template shadowrootmode=closed><p>two<slot></slot><p>four"
        "</template><p>three</x-b><slot></slot></template><p>five</x-a>",
        "one two three four five",
    ),
    "comments": ("<x-a><template shadowrootmode=open><slot></slot></template><!-- a --><p>one<!-- b --></x-a>", "one"),
}


FIELDS = {
    "that a script shows as code": ("one<textarea name='code' class='python'>two\n  three</textarea>", "one two three"),
    "that nobody may change": ("one<textarea readonly>two\nthree</textarea>", "one two three"),
    "that is to be filled in": ("one<textarea name='comment'>two\nthree</textarea>", "one"),
    "of one line, to be copied": ("one<textarea readonly>\ntwo\n</textarea>", "one"),
}


@pytest.mark.parametrize(
    ("html", "is_code"),
    [
        ("<div class=fragment><div class=line>a</div><div class=line>b</div></div>", True),
        ("<div class=fragment><div class=foldopen><div class=line>a</div></div></div>", True),
        ("<div class=fragment><p>a</p></div>", False),
        ("<div class=crayon-pre><div class=crayon-line>a</div></div>", True),
        ("<div class=crayon-pre>a</div>", False),
        ("<textarea readonly>a\nb</textarea>", True),
        ("<textarea readonly class='crayon-plain print-no'>a\nb</textarea>", False),
        ("<div class=code><div class=line>a</div></div>", False),
    ],
)
def test_code_of_doxygen_and_crayon(html: str, is_code: bool) -> None:
    root = Document(Page(URL, f"<html><body>{html}{ENOUGH}</body></html>")).root
    assert len(list(root.iter("pre"))) == is_code


FORMULAS = {
    "of a line": ("one <script type='math/tex'>two</script> three", "one two three"),
    "with control characters": ("one <script type='math/tex'>t\x1bwo\ufffe</script> three", "one two three"),
    "of lines": ("<p>one<div><script type='math/tex; mode=display'> two\n</script></div><p>three", "one two three"),
    "that is none": ("one <script type='text/x-mathjax-config'>none</script>two", "one two"),
}


BUILT = [SEGMENTS, SHADOW_ROOTS, FIELDS, FORMULAS]


@pytest.mark.parametrize(("html", "expected"), [case for cases in BUILT for case in cases.values()])
def test_what_browsers_build_is_read_at_its_place(html: str, expected: str) -> None:
    body = f"<html><body>{html}</body></html>"
    assert " ".join(texts(body)) == expected
    assert " ".join(texts(body.encode())) == expected
    assert " ".join(texts(parse(body))) == expected
    assert " ".join(texts(etree.HTML(body))) == expected  # with comments, as Scrapy parses pages
    assert source(body) == Source.PAGE


FALLBACKS = {
    "posts in noscript": (f"<p>Menu</p><noscript><div>{LONG}</div></noscript>", Source.NOSCRIPT),
    "an open button": (f"<p>Menu</p><button><svg></svg><main>{LONG}</main>", Source.PAGE),
    "buttons in an open button": (f"<button><main>{LONG}<button>Send</button></main>", Source.PAGE),
    "an article in JSON-LD": (f"<p>Menu</p>{ld_json(articleBody=POST * 5)}", Source.SCRIPT),
    "beside broken JSON": (
        f"<script type='application/json'>{{</script><p>Menu</p>{ld_json(articleBody=POST * 5)}",
        Source.SCRIPT,
    ),
    "in a graph": (ld_json(**{"@graph": [{"name": "x"}, {"articleBody": POST * 5}]}), Source.SCRIPT),
    "beside more text": (ld_json(articleBody=POST * 5, comment=[{"text": "None " * 400}]), Source.SCRIPT),
    "state of a shell": (state({"props": {"post": {"title": "x", "body_html": LONG}}}), Source.SCRIPT),
    "state with escaped markup": (state({"body": LONG.replace("<", "&lt;").replace(">", "&gt;")}), Source.SCRIPT),
    "state in pieces": (state({"blocks": [{"type": "p", "text": POST + str(i)} for i in range(5)]}), Source.SCRIPT),
    "a list of values": (state([{"posts": 1}, [2], {"content": 3}, LONG]), Source.SCRIPT),
}

NOT_READ = {
    "images": "<p>Menu</p><noscript><div><p><img src=a></div></noscript>",
    "requests": "<noscript><p>None: you need to enable JavaScript to run this page.</p></noscript>",
    "labels": "<button><p>None</p></button>" * 60,
    "not enough": f"<p>{POST * 3}</p><noscript><p>None {POST * 4}</p></noscript>",
    "a full page": f"{ENOUGH}<noscript><p>None {LONG * 9}</noscript><button><p>None {LONG * 9}</button>",
    "a short page with JSON of another one": f"<h1>A</h1><p>{POST * 3}</p>" + state({"top": [{"content": LONG}]}),
    "JSON of other things": "<p>Menu</p>" + state({"related": [{"content": LONG}], "comments": {"text": LONG}}),
    "a full page with JSON": ENOUGH + ld_json(articleBody="None " * 2000) + state({"text": "None " * 2000}),
    "a full page behind": f"<noscript><p>None {LONG * 9}</noscript><button><p>None {LONG}</button></button>{ENOUGH}",
    "templates": f"<template><p>None {LONG}</template>",
    "code": state({"body": "none{a:b}" * 90, "content": "none" * 300, "html": "12 34 none" * 90}),
    "other keys": state({"description": "None " * 200, "text": ["none"], "body": None, "html": 7}),
    "broken JSON": f"<script type='application/json'>{{'text': 'None {POST * 9}'</script>",
    "other scripts": f"<script>text = 'None {POST * 9}'</script>",
    "a deep one": f"<script type='application/json'>{'[' * 9999}</script>" + state({"x": [[[{"text": 1}]]]}),
}


@pytest.mark.parametrize(("html", "expected"), FALLBACKS.values(), ids=FALLBACKS)
def test_what_is_read_where_a_page_has_no_other_text(html: str, expected: Source) -> None:
    body = f"<html><body>{html}</body></html>"
    found = " ".join(texts(body))
    assert found.count("The ferry left an hour late") == 5
    assert source(body) == expected
    assert ("Menu" in found) == ("Menu" in html and expected is not Source.SCRIPT)
    assert "None" not in found


@pytest.mark.parametrize("html", NOT_READ.values(), ids=NOT_READ)
def test_what_is_not_read(html: str) -> None:
    assert "none" not in " ".join(texts(f"<body>{html}")).lower()
    assert source(f"<body>{html}") == Source.PAGE


@pytest.mark.parametrize(
    "html", [case[0] for group in (SEGMENTS, SHADOW_ROOTS, FIELDS, FALLBACKS) for case in group.values()]
)
def test_a_tree_that_is_given_is_not_changed(html: str) -> None:
    """Names in a namespace make no difference."""
    root = parse(f"<html><body>{html}</body></html>")
    named = deepcopy(root)
    for element in named.iter("*"):
        element.tag = "{http://www.w3.org/1999/xhtml}" + str(element.tag)
    before, document = etree.tostring(root), Document(Page(URL, root))
    assert texts(root) == read_page(body_of(document.root), Signatures()).texts == texts(f"<body>{html}")
    assert texts(named) == texts(root)
    assert etree.tostring(root) == before


def test_a_tree_is_returned_itself_where_there_is_nothing_to_do() -> None:
    root = parse(f"<body>{ENOUGH}<noscript><img></noscript><button>Send</button><template><p>None</template>")
    assert root_of(OwnPage(URL, root)) is root


HOSTILE = {
    "templates": "<template id=B:1>" * 20_000,
    "segments": "".join(f"<div id=S:{i}><template id=P:{i + 1}></template></div>" for i in range(5_000))
    + "<template id=B:0>",
    "segments in segments": "".join(f"<div id=S:{i}>" for i in range(5_000))
    + "".join(f"<template id=B:{i}></template>" for i in range(5_000)),
    "shadow roots": "<x-a><template shadowrootmode=open><slot></slot></template>" * 5_000,
    "shadow roots in shadow roots": "<x-a><template shadowrootmode=open><slot>" * 5_000,
    "slots": "<x-a><template shadowrootmode=open>" + "<slot>" * 5_000 + "</template>" + "<b>" * 5_000,
    "buttons": "<button><p>" * 10_000,
    "noscripts": "<noscript>" * 10_000 + LONG,
    "deep": "<span>" * 20_000,
    "deep JSON": state([[[]]]).replace("[[[]]]", "[" * 100_000 + "]" * 100_000),
    "wide JSON": state({"a": [{"text": POST, "b": {"c": i}} for i in range(20_000)]}),
    "much JSON": state({"text": POST * 100_000}),
    "tags in JSON": state({"text": "<" * 200_000 + "<a" * 100_000 + "&lt;p" * 100_000}),
}


@pytest.mark.slow
@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE)
def test_hostile_pages_are_read(html: str) -> None:
    assert isinstance(texts(f"<body>{html}{html}"), list)


def test_what_is_moved_into_slots_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown, "MAX_MOVED", 1000)
    host = "<x-a><template shadowrootmode=open><p>first<slot></slot></template><div>{}</div></x-a>"
    root = root_of(Page(URL, f"<body>{host.format('<b></b>' * 1000)}{host.format('x')}"))
    assert [len(slot) for slot in root.findall(".//x-a")] == [1, 2]


def test_a_shell_has_few_characters() -> None:
    """White space does not count."""
    for characters, expected in ((SHELL_CHARS - 100, Source.NOSCRIPT), (SHELL_CHARS, Source.PAGE)):
        text = "a " * characters
        assert source(f"<body><p>{text}</p><noscript>{LONG * 9}</noscript>") == expected


@pytest.mark.parametrize(
    ("html", "is_read"),
    [
        ("<h3><button aria-expanded=false>Who mends it?</button></h3>", True),
        ("<dl><dt><button>Who mends it?</button></dt></dl>", True),
        ("<button itemprop=name>Who mends it?</button>", True),
        ("<div class=accordion-item><button>Who mends it?</button><div>The keeper of the quay does.</div></div>", True),
        ("<button class=accordion>Who mends it?</button><!--a--><p>The keeper of the quay does.", True),
        ("<button>Share</button>", False),
        ("<nav><h2><button aria-expanded=false>Menu</button></h2></nav>", False),
        (
            "<button aria-expanded=false aria-controls=x>Show more</button><div>All that there is to be shown.</div>",
            False,
        ),
    ],
)
def test_only_buttons_that_name_what_they_open_are_read(html: str, is_read: bool) -> None:
    root = etree.HTML(f"<body>{ENOUGH}{html}")  # with comments
    (label,) = root.iterfind(".//button")
    assert any(str(label.text) in text for text in texts(root)) is is_read
    assert strip(Page(URL, root)).text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<span>March 2019</span><span>First seen</span>", "March 2019 First seen"),
        ("<b>Range</b><span>12 miles</span>", "Range 12 miles"),
        ("<a href=/a>One</a><a href=/b>two</a>", "One two"),
        ("<span class=d-flex><b>one</b><i>two</i></span>", "one two"),
        ("<b>O</b><span>nce</span>", "Once"),
        ("<span>21</span><span>st</span>", "21st"),
        ("<code><b>get</b><b>Name</b></code>", "getName"),
        ("<i>tkinter.ttk.</i><b>Treeview(master=None, **options)</b>", "tkinter.ttk.Treeview(master=None, **options)"),
        ("<span>Read it.</span><span>Share</span>", "Read it. Share"),
    ],
)
def test_what_a_style_parts_is_apart(html: str, text: str) -> None:
    assert texts(f"{ENOUGH}<p>{html}</p>")[-1] == text


APART = f"<html><body>{ENOUGH}<p>Seen <span>March 2019</span><span>First <b>Range</b><span>12 miles</span></span></p>"


def test_all_results_of_such_a_tree_have_the_spaces() -> None:
    html = APART + "<table><tr><td><b>Big</b><i>2 kg</i><td>b</table>"
    own, foreign = strip(Page(URL, html)), strip(OwnPage(URL, etree.HTML(html)))
    assert "Big 2 kg" in foreign.text
    for name in ("text", "html", "title", "markdown"):
        assert getattr(own, name) == getattr(foreign, name)
    assert [block.block.text for block in own.blocks] == [block.block.text for block in foreign.blocks]


def test_buttons_in_each_other_are_looked_at_once() -> None:
    root = body = etree.Element("body")
    for _ in range(20_000):
        body = etree.SubElement(body, "button", {"class": "faq"})
    assert look(root, root, 0)[2] == [(root[0], False)]


@pytest.mark.parametrize("around", ["nav", "header", "div><nav><div"])
def test_only_headings_are_labels_in_menus(around: str) -> None:
    button = "<button role=tab>Quays</button>"
    for html, is_read in (
        (button, False),
        (f"<h2>{button}</h2>", True),
        (f"<h2>{button[:7]} aria-haspopup=true {button[7:]}", False),
    ):
        root = root_of(Page(URL, f"<body>{ENOUGH}<{around}>{'<div>' * 9}{html}"))
        assert (root.find(".//button") is None) is is_read
