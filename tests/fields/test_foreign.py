"""Comments and teasers, whose names and dates are not the page's."""

from __future__ import annotations

import pytest

from scrapy_stemmer.fields import foreign
from scrapy_stemmer.fields.reading import read_fields
from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.page.document import parse
from tests.fields.pages import AUTHORS, LATEST, day, read, rules_of, url

TEXTS = {
    "short": "<p>The harbour was seen by many, and nobody knew why.</p>",
    "several": "<p>The harbour was seen by many, and nobody knew why.</p>" * 5,
    "long": f"<p>{'The harbour was seen by many, and nobody knew why. ' * 5}</p>" * 3,
    "lines": "The harbour was seen by many, and nobody knew why.<br>It blew for days, and then no more.<br>",
}

PARTS = {
    "named": (
        "<div id=comments>",
        "<div class=comment><cite class=fn>{a}</cite> <time datetime={d}>{d}</time><p>Well said.</p></div>",
    ),
    "wordpress": (
        "<div id=comments class=comments-area><h2>Thoughts</h2><ol class=comment-list>",
        "<li class='comment even'><article class=comment-body><footer class=comment-meta><div class='comment-author "
        "vcard'><b class=fn>{a}</b> <span class=says>says:</span></div><div class=comment-metadata><a href=#c><time "
        "datetime={d}>{d}</time></a></div></footer><p>Well said.</p></article></li>",
    ),
    "unnamed": (
        "<div class=feedback>",
        "<div class=item><cite class=fn>{a}</cite> <time datetime={d}>{d}</time><p>Well said.</p></div>",
    ),
    "responses": (
        "<div id=responses><h3>1 response</h3>",
        "<div class=c><span class=author>{a}</span> <span class=when>{d}</span><p>Well said.</p></div>",
    ),
    "related": (
        "<aside class=related>",
        "<div><a href=/s{n}>A day of number {n}</a><span class=author>By {a}</span><time datetime={d}></time></div>",
    ),
    "cards": (
        "<section class=cards>",
        "<div class=card><h3><a href=/s{n}>A day of number {n}</a></h3><span class=by>{a}</span>"
        "<span class=dt>{d}</span></div>",
    ),
}


def page(part: str, text: str, number: int, byline: str = "") -> str:
    start, item = PARTS[part]
    items = "".join(
        item.format(a=AUTHORS[(number + each) % 6], d=day((number + each) % 6), n=7 * number + each)
        for each in range(3)
    )
    title = f"Ships at the pier {number}"
    return (
        f"<html lang=en><head><title>{title}</title></head><body><h1>{title}</h1>{byline}{TEXTS[text]}"
        f"{start}{items}</body></html>"
    )


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("part", PARTS)
def test_who_comments_or_wrote_another_page_is_no_author(part: str, text: str) -> None:
    pages = [page(part, text, number) for number in range(6)]
    for rules in (rules_of(*pages[:5]), None):
        fields = read_fields(parse(pages[5]), url(5), LATEST, rules)
        assert (fields.authors, fields.published) == ((), None)


@pytest.mark.parametrize("part", PARTS)
def test_rules_of_a_site_find_nothing_in_such_parts(part: str) -> None:
    byline = "<div class=by><cite class=fn>Zoe Zed</cite> <time datetime=2024-01-02></time></div>"
    rules = (
        *(FieldRule("authors", target) for target in ("cite", "b.fn", "span.author", "span.by")),
        *(FieldRule("published", target) for target in ("time @datetime", "span.dt")),
    )
    assert read(page(part, "long", 0), rules).as_dict().keys() & {"authors", "published"} == set()
    found = read(page(part, "long", 0, byline), rules)
    assert (found.authors, found.published) == (("Zoe Zed",), "2024-01-02")


def test_a_rule_by_hand_finds_what_stands_there() -> None:
    assert AUTHORS[0] in read(page("named", "long", 0), (FieldRule("authors", "cite", is_users=True),)).authors


def test_authors_in_boxes_below_the_text_are_those_of_the_page() -> None:
    def written(number: int) -> str:
        boxes = "".join(
            f"<div class=author-box><a href=/team/{name[:2]}>{name}</a><p>Writes of ships.</p>"
            f"<a href=/more/{name[:2]}>All that I wrote</a></div>"
            for name in (AUTHORS[number], AUTHORS[(number + 2) % 6])
        )
        return f"<html><title>A day</title><h1>A day</h1><p class=d>{day(number)}</p>{TEXTS['long']}{boxes}</html>"

    rules = rules_of(*map(written, range(5)))
    assert AUTHORS[5] in read(written(5), rules).authors


def test_a_title_that_is_a_sentence_is_no_text_above_the_first_post() -> None:
    def thread(number: int) -> str:
        posts = "".join(
            f"<div class=post><h3><a href=#p>Which was it?</a></h3><b class=author>{AUTHORS[(number + each) % 6]}</b>"
            f" <i>{day((number + each) % 6)}</i><p>It was the other one.</p></div>"
            for each in range(3)
        )
        return f"<html><title>Which was it?</title><h2><a href=/t>Which was it?</a></h2>{posts}</html>"

    for rules in (rules_of(*map(thread, range(5))), None):
        fields = read_fields(parse(thread(5)), url(5), LATEST, rules)
        assert (fields.authors, fields.published) == (AUTHORS[5:], day(5))


def test_elements_are_compared_up_to_a_number_of_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages nest up to 55 deep, hostile pages 2,000."""
    looked: list[str] = []
    monkeypatch.setattr(foreign, "signs_of", lambda names: looked.append(names) or 0)
    times = "".join(f"<time>{number} May 2020</time>" for number in range(1, 9))
    html = f"<h1>Head</h1><p>{'The ferry ran at noon. ' * 9}</p>{'<div>' * 300}{times}"
    _ = read_fields(parse(html), url(1), "Head")
    assert 8 <= len(looked) <= 8 * foreign.LEVELS_OF_PART
