"""The native check of a page, compared with the plain check on any tree."""

from __future__ import annotations

from collections.abc import Callable
from unittest.mock import patch

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer._engine import shown as native
from scrapy_stemmer.page import document
from scrapy_stemmer.page.shown import NAMED_BY, is_parted
from tests.engine.test_read import trees
from tests.reference.columns import body_of_in_python
from tests.reference.document import weigh_in_python
from tests.reference.elements import having_in_python, inside_in_python
from tests.reference.shown import look_in_python
from tests.strategies import markup

PIECES = st.sampled_from(
    "<template> <template\tid=B:0> <template\tid=B> <template\tshadowrootmode=open> </template> <noscript> </noscript> "
    "<button> </button> <select> <svg> </svg> <script>a</script> <style>b</style> <textarea> "
    "<div\tclass=fragment> <div\tclass=crayon-pre> <div\tclass=fragment&amp;> <textarea\tname=code> "
    "<textarea\treadonly> <iframe> <b> </b> <p> <br> é a\u2003b <!--c-->".split(" ")
)


def same(body: etree._Element, top: etree._Element | None = None) -> None:
    top = body if top is None else top
    for few in range(12):
        assert native.look(top, body, few) == look_in_python(top, body, few), few
    assert native.look(top, None, 0) == look_in_python(top, None, 0)


@given(st.lists(PIECES, max_size=12).map("".join))
@example("<template><template id='B:0'></template></template>a")
@example("<noscript>a</noscript>b<button>a<button>a</button>b</button>b")
def test_any_markup_that_counts(html: str) -> None:
    root = etree.HTML(f"<body>{html}")
    same(root[-1], root)


@given(markup())
def test_any_markup(case: tuple[str, str]) -> None:
    root = etree.HTML(f"<body>{case[0]}</body>")
    same(root)
    same(root[-1], root)


@given(trees())
def test_any_tree(top: etree._Element) -> None:
    same(top)
    for element in top.iter("*"):
        same(element)


def test_what_is_around_the_element_does_not_count() -> None:
    root = etree.HTML("<body><p>a</p>bcd<template id='B:0'></template></body>")
    same(root[0][0], root)
    assert native.look(root, root[0][0], 1)[0]
    assert not native.look(root, root[0], 1)[0]


def test_what_a_page_says_of_itself() -> None:
    head = """<title>A <b>rain</b></title><meta property=og:title content='R&amp;n'><meta name=author itemprop=x>
    <meta itemprop=headline content=Rain><script type='application/ld+json'>{"a": 1}</script><script>b</script>
    <script type='Math/TeX; mode=display'>x</script><link rel='Canonical x' href=/c><link rel=icon href=/i>"""
    root = etree.HTML(f"{head}<body><svg><title>Icon</title></svg><math>x</math><title></title>y")
    said = native.look(root, None, 0)[1]
    assert said == look_in_python(root, None, 0)[1]
    assert [each[0] for each in said] == ["title", "meta", "meta", "meta", "script", "math", "link", "math"]


HEADS = st.sampled_from(
    "<head> </head> <body> <p> <meta\tname=a\tcontent=b> <meta\titemprop=a> <meta\thttp-equiv=a\tproperty=&amp;>"
    " <link\trel=canonical\thref=/c> <link\trel='CANONICAL\ta'> <link> <title>T</title> <!--c--> x".split(" ")
)


@given(st.lists(HEADS, max_size=9).map("".join))
def test_any_head(html: str) -> None:
    root = etree.HTML(f"<html>{html}</html>")
    assert native.look(root, None, 0) == look_in_python(root, None, 0)
    for tag, names, _ in native.look(root, None, 0)[1]:
        assert len(names) == (len(NAMED_BY) + 1 if tag == "meta" else 0)


@given(
    trees(), st.sampled_from(["class", "id", "itemprop"]), st.sampled_from(["", "a", "é"]), st.sampled_from(["*", "p"])
)
def test_elements_by_an_attribute(top: etree._Element, name: str, part: str, tag: str) -> None:
    for root in top.iter(etree.Element):
        assert native.having(root, name, part, tag) == having_in_python(root, name, part, tag)


@given(trees())
def test_what_is_right_in_an_element(top: etree._Element) -> None:
    for root in top.iter(etree.Element):
        for unread in (frozenset[str](), frozenset({"p", "b"})):
            assert native.inside(root, unread) == inside_in_python(root, unread)


def test_texts_and_elements_right_in_an_element() -> None:
    (p,) = etree.HTML("<p>a<!--c-->b<i class=d rel=e> </i> \u2003<br>f<script>g</script>\u200bh").iter("p")
    for inside in (native.inside, inside_in_python):
        a, b, (i, names), *others = inside(p, frozenset({"br", "script"}))
        assert (a, b, i.tag, names, others) == ("a", "b", "i", ("i", "d", "", "", "e"), ["f", "\u200bh"])
        assert inside(i, frozenset()) == [""]


def test_elements_whose_attribute_has_a_text_in_it() -> None:
    root = etree.HTML("<body class=ab><p class='a é'>x<!--a--><b class=''>y</b><p id=a class='b&amp;a'>")
    for having in (native.having, having_in_python):
        assert [each.tag for each in having(root, "class")] == ["body", "p", "b", "p"]
        assert [each.tag for each in having(root, "class", "a")] == ["body", "p", "p"]
        assert [each.tag for each in having(root, "class", "é", "p")] == ["p"]
        assert having(root[0][0], "class", "ab") == []


def test_only_elements_in_the_namespace_of_the_page_say_something_of_it() -> None:
    xhtml = "http://www.w3.org/1999/xhtml"
    svg = f"<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:title>Icon</s:title><title xmlns='{xhtml}'>B</title></s:svg>"
    for html in (f"<html xmlns='{xhtml}'><title>Rain</title>{svg}</html>", f"<html><title>Rain</title>{svg}</html>"):
        root = etree.fromstring(html)
        assert native.look(root, None, 0) == look_in_python(root, None, 0)


TOKENS = st.sampled_from([*"=\"'<>/a1_ \t-\0", "<p", '="', "c==", "\u00e9", "x=y"])


@given(st.lists(TOKENS, max_size=30).map("".join))
@example("<p" + " a=1" * 99 + ">")
@example("<p" + " a=1" * 100 + ">")
@example("<p" + " " * 999 + "><p" + " " * 1000 + ">")
@example("<a<b c><a<b>")
@example("<a b='c' d = e f=\"g<p b=h i=>")
def test_attributes_of_tags_that_may_not_end_as_they_seem_to(html: str) -> None:
    body = html.encode()
    for most in (0, 9, 10_000):
        assert native.weigh(body, most) == weigh_in_python(body, most), most


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
def test_usual_trees_stay_as_they_are(html: str) -> None:
    root = document.parse(html)
    for each in (root, *root):
        assert native.body_of(each) == body_of_in_python(each)
    with patch.object(document, "is_usual", lambda _: False):
        assert not native.is_usual(root) or document.as_html(root) is root


WORDS = st.text(alphabet="aZ09_.)! \u00e9\u00c9\u0663-", min_size=1, max_size=4)
NAMED = st.sampled_from(["", " class=Row", " class='x db'", " style='DISPLAY: block'", " class=a"])


@given(WORDS, WORDS, NAMED, NAMED, NAMED)
@example("March 2019", "First seen", "", "", "")
def test_all_elements_apart_are_touching(before: str, after: str, first: str, second: str, outer: str) -> None:
    body = document.parse(f"<body><p{outer}><span{first}>{before}</span><b{second}>{after}</b>")[-1]
    wanted = [each for each in body.iter("span") if is_parted(each)] if before.strip() and after.strip() else []
    edges = f"{before[-1]}{after[0]}"
    kinds = {(each.isdigit(), each.isupper(), each.islower()) for each in edges}
    if edges.isascii() and " " not in edges and len(kinds) > 1:
        assert set(wanted) <= set(native.touching(body))
