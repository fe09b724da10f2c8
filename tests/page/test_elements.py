"""Links of headings to themselves, and the beginnings of texts."""

from __future__ import annotations

import pytest

from scrapy_stemmer.page.document import parse
from scrapy_stemmer.page.elements import first_chars, is_permalink


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("<a class=headerlink href=#x>¶</a>", True),
        ("<a href='/page.html#x'> # </a>", True),
        ("<a href=#x><span><i>\U0001f517\ufe0f</i></span> <!-- x --></a>", True),
        ("<a href=#x>\uf0c1</a>", True),
        ("<a href=#x>\u200b</a>", True),
        ("<a href=/x>#</a>", False),
        ("<a href=#x></a>", False),
        ("<a href=#x><img src=x></a>", False),
        ("<a href=#x># 12</a>", False),
        ("<a href=#x>↩</a>", False),
        (f"<a href=#x>#{' ' * 80}</a>", False),
        (f"<a href=#x>{'<b>' * 8}#</a>", True),
        (f"<a href=#x>{'<b>' * 9}#</a>", False),
        ("<h2>Ferries<a class=headerlink href=#a>Permalien</a></h2>", False),
        ("<h2>Ferries and boats<a class=headerlink href=#a>Permalien</a></h2>", True),
        ("<h2>Ferries and boats<a href=#a>Permalien</a></h2>", False),
        ("<h2>A<a class=headerlink href=#a> Permalink </a></h2>", True),
        ("<h2>A <a href=#a>[<i>link</i>]</a></h2>", True),
        ("<h2>A<a href=#a>Link to this heading</a></h2>", True),
        ("<h2>A<a href=#a>[#]</a></h2>", True),
        ("<h2>A<a href=#a>[1]</a></h2>", False),
        ("<h2>A<a href=/a>[#]</a></h2>", False),
        ("<h2><a href=#a>[#]</a></h2>", False),
        ("<h2><a class=headerlink href=#a>Permalink</a></h2>", False),
        ("<h2><a class=permalink href=#a>Ferries</a>, 2020</h2>", False),
        (f"<h2>A{'<b></b>' * 60}<a href=#a>Permalink</a></h2>", False),
        ("<a href=#x>\U000f0001</a>", True),
    ],
)
def test_permalinks_say_nothing_but_that(link: str, expected: bool) -> None:
    assert is_permalink(next(parse(f"<div>{link}</div>").iter("a"))) is expected


def test_first_characters_are_taken_of_few_texts_without_a_look_at_later_ones() -> None:
    texts = iter(["abc", "defgh", "later"])
    assert first_chars(texts, 5, between=" ") == "abc de"
    assert next(texts) == "later"
    assert first_chars(iter("abcdef"), 5, 2) == "ab"
