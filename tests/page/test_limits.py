"""Limits of a page, checked before it is parsed."""

from __future__ import annotations

import json
from random import Random

import pytest

from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.page import document
from scrapy_stemmer.page.document import MAX_TAGS, parse, weigh, weight_of

MANY = "".join(f" b{number}" for number in range(20_000))
URL = "https://hostile.example/a"
JSON = json.dumps({f"a {number}": f"<b>{number}</b>" for number in range(20_000)})
TEXT = "<p>The river rose over the meadows in the night, and the ferry stayed at the far bank until noon.</p>"


@pytest.mark.parametrize(
    "html",
    [
        f"<p{MANY}>",
        f"<p{MANY.replace(' ', chr(10))}>",
        f"<p{MANY.replace(' ', '/')}>",
        "<p" + "".join(f" b{number}='<>'" for number in range(20_000)) + ">",
        "<p" + "".join(f' b{number}\n=\n">"' for number in range(20_000)) + ">",
        f'<!-- <a x=" --><p c=">"{MANY}>',
        f'<textarea><a x="</textarea><p c=">"{MANY}>',
        f'<p a=b="c d=">"{MANY}>',
        f"<p a=b='c d=  '>'{MANY}>",
        f"<p ='a{MANY}'>",
        "<a/b=x" * 200_000,
        "<a x=\"<a x='" * 100_000,
        "<p>" * (MAX_TAGS + 1),
    ],
    ids=lambda html: f"{html[:24]}",
)
def test_pages_that_take_long_to_be_parsed_are_too_complex(html: str) -> None:
    assert weight_of(html).is_too_complex


@pytest.mark.parametrize(
    "html",
    [
        TEXT * 1000,
        "<p title='a > b' onclick=\"if (a < b) c(); \" class='a b '>Some text.</p>" * 5000,
        f"<div data-page='{JSON}'>",
        f"<script>for (i = 0; i<n; i++) {{ {'a = b * 2; ' * 2000} }}</script>{TEXT}",
        "<a" * 100_000,
        "<a" * 90_000 + ">",
        "x" * 1_000_000,
    ],
    ids=["text", "brackets in values", "JSON in a value", "a script", "one name", "one name with an end", "a word"],
)
def test_pages_that_do_not_are_not(html: str) -> None:
    assert not weight_of(html).is_too_complex


@pytest.mark.slow
def test_the_attributes_that_the_parser_finds_are_counted_wherever_quotes_and_comments_begin() -> None:
    tokens = [" ", "=", '"', "'", "<", ">", "/", "a", "<p ", "<!--", "-->", '="', " ='", "<textarea>", "</textarea>"]
    tokens += ["<script>", "</script>", '<a x="', "c=="]
    random, fuller, names = Random(1), 0, "".join(f" z{number}" for number in range(700))
    for _ in range(1500):
        before = "".join(random.choices(tokens, k=random.randint(0, 9)))
        inside = "".join(random.choices(tokens, k=random.randint(0, 8)))
        end = random.choice((">", '">', "'>"))
        html = f"{before}<p{inside}{names}{end}x</p>"
        most = max(len(element.attrib) for element in parse(html).iter("*"))
        if most > 600:
            fuller += 1
            # Two readings that meet share the rest, counted once.
            _, compared = weigh(html.encode(), 1_000_000)
            assert compared is not None
            assert compared > most * most / 2 - 2 * most, html[:80]
    assert fuller > 300


class TestPage:
    HTML = f"<body>{TEXT * 20}<p{MANY}>"

    @pytest.fixture(autouse=True)
    def parsed(self, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
        bodies: list[bytes] = []
        plain = document._parsed
        monkeypatch.setattr(document, "_parsed", lambda body: bodies.append(body) or plain(body))
        return bodies

    @pytest.mark.parametrize("html", [HTML, HTML.encode()], ids=["text", "bytes"])
    def test_a_page_over_the_limits_is_not_parsed_and_has_a_reason(
        self, html: str | bytes, parsed: list[bytes]
    ) -> None:
        stripped = strip(Page(URL, html))
        assert (stripped.reason, stripped.text, stripped.html, stripped.title) == ("too_complex", "", "", None)
        assert set(parsed) <= {b""}

    def test_a_page_over_the_limits_is_not_stripped_by_patterns(self, parsed: list[bytes]) -> None:
        patterns = learn([Page(f"{URL}/{number}", f"<body>{TEXT}<p>Page {number}</p>") for number in range(6)])
        del parsed[:]
        assert patterns.strip(Page(URL, self.HTML)).reason == "too_complex"
        assert set(parsed) <= {b""}

    def test_a_page_over_the_limits_is_not_learned_from(self, parsed: list[bytes]) -> None:
        assert len(learn([Page(f"{URL}/{number}", self.HTML) for number in range(6)])) == 0
        assert set(parsed) <= {b""}

    def test_html_in_its_scripts_is_not_parsed_either(self, parsed: list[bytes]) -> None:
        data = json.dumps({"body": self.HTML}).replace("<", "\\u003c")
        stripped = strip(Page(URL, f'<body><script type="application/json">{data}</script>'))
        assert stripped.reason == "empty"
        assert all(len(text) < len(self.HTML) or b"\\u003c" in text for text in parsed)
