"""The native look at a page tells what the plain one tells, whatever the tree."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.core.shown import is_plain_in_python
from tests.native.test_read import trees
from tests.strategies import markup

native = pytest.importorskip("scrapy_stemmer._native.shown", exc_type=ImportError)

PIECES = st.sampled_from(
    "<template> <template\tid=B:0> <template\tid=B> <template\tshadowrootmode=open> </template> <noscript> </noscript> "
    "<button> </button> <select> <svg> </svg> <script>a</script> <style>b</style> <textarea> "
    "<textarea\tname=code> <textarea\treadonly> <iframe> <b> </b> <p> "
    "<br> é a\u2003b <!--c-->".split(" ")
)


def same(body: etree._Element) -> None:
    """For all numbers of characters around that of the tree."""
    for few in range(12):
        assert native.is_plain(body, few) == is_plain_in_python(body, few), few


@given(st.lists(PIECES, max_size=12).map("".join))
@example("<template><template id='B:0'></template></template>a")
@example("<noscript>a</noscript>b<button>a<button>a</button>b</button>b")
def test_any_markup_that_counts(html: str) -> None:
    same(etree.HTML(f"<body>{html}")[-1])


@given(markup())
def test_any_markup(case: tuple[str, str]) -> None:
    same(etree.HTML(f"<body>{case[0]}</body>"))


@given(trees())
def test_any_tree(top: etree._Element) -> None:
    same(top)
    for element in top.iter("*"):
        same(element)


def test_what_is_around_the_element_does_not_count() -> None:
    body = etree.HTML("<body><p>a</p>bcd<template id='B:0'></template></body>")[0]
    same(body[0])
    assert native.is_plain(body[0], 1)
    assert not native.is_plain(body, 1)


@pytest.mark.parametrize("element", [None, "body"])
def test_what_is_no_element_is_refused(element: object) -> None:
    with pytest.raises(TypeError):
        native.is_plain(element, 1)
