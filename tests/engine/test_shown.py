"""The native check of a page."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import shown as native
from scrapy_stemmer.page import document
from scrapy_stemmer.page.elements import element_key
from tests.engine.test_read import trees

PIECES = st.sampled_from(
    "<template> <template\tid=B:0> <template\tid=B> <template\tshadowrootmode=open> </template> <noscript> </noscript> "
    "<button> </button> <select> <svg> </svg> <script>a</script> <style>b</style> <textarea> "
    "<div\tclass=fragment> <div\tclass=crayon-pre> <div\tclass=fragment&amp;> <textarea\tname=code> "
    "<textarea\treadonly> <iframe> <b> </b> <i>2019</i><b>First</b> <p> <br> é a\u2003b <!--c-->".split(" ")
)


def right(body: etree._Element, top: etree._Element | None = None) -> None:
    """Look at an element of a tree in several ways that must agree."""
    top = body if top is None else top
    looks = [native.look(top, body, few) for few in range(12)]
    enough = [has_enough for has_enough, *_ in looks]
    assert enough == sorted(enough, reverse=True)
    assert {tuple(others) for _, *others in map(_hashed, looks)} == {tuple(_hashed(looks[0])[1:])}
    assert bool(looks[0][2]) == (next(body.iter("button"), None) is not None)
    assert all(each.getnext() is not None and not each.tail for each in looks[0][3])
    assert native.look(top, None, 0) == (True, looks[0][1], [], [], [], [])


def _hashed(look: tuple[object, ...]) -> tuple[object, ...]:
    """Return what a look tells, with lists as tuples."""
    return tuple(tuple(each) if isinstance(each, list) else each for each in look)


LOOKS = {
    "<p>abc": (3, []),
    "<p> a <b>b</b>\n<i> c </i>": (3, []),
    "<p>a<script>b</script><style>c</style><!--d-->e": (2, []),
    "<noscript>a</noscript>b<button>c</button>d": (2, []),
    "<p>a<template>b</template>": (1, []),
    "<textarea>a\nb</textarea>c": (1, []),
    "<div class=fragment>a</div>": (1, []),
    "<svg>a</svg><select>b</select>c": (1, []),
    "<p>a<math>x</math><ruby>y</ruby><input type=CheckBox><input type=text>": (3, ["math", "ruby", "input"]),
    "<title>a</title><meta name=a content=b><link rel=canonical href=/c>": (1, ["title", "meta", "link"]),
    "<link rel=canonical href=/c><p>a": (1, []),
    "<script type='Math/TeX'>x</script><script type=application/LD+json>{}</script><p>a": (1, ["math", "script"]),
}
"""Markup with the characters that are read anyway, and the tags of what the page says of itself."""


@pytest.mark.parametrize("html", LOOKS)
def test_what_is_looked_for(html: str) -> None:
    root = etree.HTML(f"<html><head></head><body>{html}")
    length, tags = LOOKS[html]
    found = [native.look(root, root[-1], few)[0] for few in range(6)]
    assert found == [few <= length for few in range(6)]
    assert [tag for tag, _, _ in native.look(root, root[-1], 0)[1]] == tags


@given(st.lists(PIECES, max_size=12).map("".join))
@example("<template><template id='B:0'></template></template>a")
@example("<noscript>a</noscript>b<button>a<button>a</button>b</button>b")
def test_any_markup_that_counts(html: str) -> None:
    root = etree.HTML(f"<body>{html}")
    right(root[-1], root)


@given(trees())
def test_any_tree(top: etree._Element) -> None:
    right(top)
    for element in top.iter("*"):
        right(element)


def test_what_is_around_the_element_does_not_count() -> None:
    root = etree.HTML("<body><p>a</p>bcd<template id='B:0'></template></body>")
    right(root[0][0], root)
    for few, body, odd in ((1, root[0][0], []), (4, root[0], [root[0][1]])):
        assert [native.look(root, body, each)[0] for each in (few, few + 1)] == [True, False]
        assert native.look(root, body, few)[-1] == odd


def test_what_a_page_says_of_itself() -> None:
    head = """<title>A <b>rain</b></title><meta property=og:title content='R&amp;n'><meta name=author itemprop=x>
    <meta itemprop=headline content=Rain><script type='application/ld+json'>{"a": 1}</script><script>b</script>
    <script type='Math/TeX; mode=display'>x</script><link rel='Canonical x' href=/c><link rel=icon href=/i>"""
    root = etree.HTML(f"{head}<body><svg><title>Icon</title></svg><math>x</math><title></title>y")
    said = native.look(root, None, 0)[1]
    assert said[0] == ("title", (), root.findtext(".//title"))
    assert said[1] == ("meta", ("og:title", "", "", "", "head"), "R&n")
    assert [each[0] for each in said] == ["title", "meta", "meta", "meta", "script", "math", "link", "math"]


@given(
    trees(), st.sampled_from(["class", "id", "itemprop"]), st.sampled_from(["", "a", "é"]), st.sampled_from(["*", "p"])
)
def test_elements_by_an_attribute(top: etree._Element, name: str, part: str, tag: str) -> None:
    for root in top.iter(etree.Element):
        wanted = [each for each in root.iter(tag) if part in each.get(name, "\n" if part else "")]
        assert native.having(root, name, part, tag) == [each for each in wanted if each.get(name) is not None]


@given(trees())
def test_what_is_right_in_an_element(top: etree._Element) -> None:
    for root in top.iter(etree.Element):
        for unread in (frozenset[str](), frozenset({"p", "b"})):
            first, *others = native.inside(root, unread)
            inner = [each for each in others if isinstance(each, tuple)]
            read = [each for each in root if isinstance(each.tag, str) and each.tag not in unread]
            assert inner == [(each, element_key(each)) for each in read]
            tails = [each.tail or "" for each in root if not isinstance(each, etree._Entity)]
            texts = [each for each in others if not isinstance(each, tuple)]
            assert texts == [text for text in tails if text.strip()]
            assert first == (root.text if (root.text or "").strip() else "")


def test_only_elements_in_the_namespace_of_the_page_say_something_of_it() -> None:
    xhtml = "http://www.w3.org/1999/xhtml"
    svg = f"<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:title>Icon</s:title><title xmlns='{xhtml}'>B</title></s:svg>"
    for html, titles in (
        (f"<html xmlns='{xhtml}'><title>Rain</title>{svg}</html>", ["Rain", "B"]),
        (f"<html><title>Rain</title>{svg}</html>", ["Rain"]),
    ):
        said = native.look(etree.fromstring(html), None, 0)[1]
        assert said == [("title", (), title) for title in titles]


@pytest.mark.parametrize(
    ("html", "compared"),
    [
        ("<p a=1><p b=1>", 2),
        ("<p" + " a=1" * 100 + "><p" + " " * 1000 + ">", 100 * 100),
        ("<a<b c><a<b>", 1),
        ("<a b='c' d = e f=\"g<p b=h i=>", 6 * 6),
        ("<p a='>' b>", 2 * 2),
        ('<p ="a b" c>', 3 * 3),
        ('<p a=b"c d>', 2 * 2),
        ("<a b='c", 2 * 2),
        ("<p 'a' b c>", 3 * 3),
        ("<a/b=x" * 5, 5),
        ("<a x=\"<a x='" * 4, 89),
    ],
    ids=lambda value: str(value)[:20],
)
def test_comparisons_of_attributes_as_parsers_may_read_them(html: str, compared: int) -> None:
    assert native.weigh(html.encode(), 10_000) == (html.count("<"), compared)


@pytest.mark.parametrize("element", [None, "body"])
def test_what_is_no_element_is_refused(element: object) -> None:
    with pytest.raises(TypeError):
        native.look(element, None, 1)


def edited(change: Callable[[etree._Element], object]) -> int:
    """Return the fingerprint of an edited tree."""
    root = etree.HTML("<body class='a b'><p id=c>Rain <b>fell</b> here.</p><!-- d --><p>Snow" + " fell" * 400)
    before = native.fingerprint(root)
    change(root[0])
    after: int = native.fingerprint(root)
    return after - before


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body.remove(body[0]),
        lambda body: body[0].remove(body[0][0]),
        lambda body: body.append(body[0]),
        lambda body: body[0].set("id", "d"),
        lambda body: body[0].set("name", ""),
        lambda body: body[0].attrib.clear(),
        lambda body: body.set("class", "a c"),
        lambda body: setattr(body[0], "text", "Rail "),
        lambda body: setattr(body[0][0], "tail", None),
        lambda body: setattr(body[0], "tag", "q"),
        lambda body: setattr(body[1], "text", " e "),
        lambda body: setattr(body[2], "text", body[2].text.replace("fell", "melt")),
        lambda body: body.clear(),
        lambda body: body[0][0].append(body[2]),
    ],
)
def test_a_tree_that_was_changed_has_another_fingerprint(change: Callable[[etree._Element], object]) -> None:
    assert edited(change)


def test_a_tree_that_was_read_has_the_same() -> None:
    assert not edited(lambda body: (body.xpath(".//p[@id]"), list(body.iter()), etree.tostring(body), body[0].attrib))


OUTER = st.sampled_from(
    "<head> </head> <body> </body> <main> <title> </title> <script> </script> <p> a <!--c--> <frameset> <noscript> "
    "<html> </html> <nav>".split(" ")
)


@given(st.lists(OUTER, min_size=1, max_size=12).map("".join))
@example("<html><head><main>a")
@example("<html><body>a</body>b<script>c</script>")
def test_the_body_of_a_tree(html: str) -> None:
    root = document.parse(html)
    for each in (root, *root):
        found = native.body_of(each)
        bodies = [each] if each.tag == "body" else each.findall("body")
        assert found is (bodies[0] if bodies else each[0] if [inner.tag for inner in each] == ["head"] else each)
