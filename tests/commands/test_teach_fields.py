"""``scrapy stemmer teach --example``: a field of one's own from its value on a page."""

from __future__ import annotations

from itertools import starmap
from pathlib import Path

import pytest

from scrapy_stemmer import Page, PatternSet, StemmerError, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from tests.commands.subcommand import feed_of, run
from tests.crawl.website import Article, Website

SITE = "http://shop.example"


def thing(number: int) -> str:
    """Return the page of a product, whose values tell its number."""
    line = f"<div class='buy'><b class='price'>£{number}.90</b> <i class='stock'>{number} left</i></div>"
    line += f"<s class='was'>£{number}.99</s>" if number in (3, 5, 6) else ""
    return Article(number).html(line + (f"<p class='note'>Note {number}</p>" if number == 3 else ""))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a folder with a pattern file and pages: eight products, and two others."""
    htmls = {f"{SITE}/things/thing-{number}": thing(number) for number in range(8)}
    learn(starmap(Page, htmls.items())).save(str(tmp_path / "p.jsonl"))
    feed_of(tmp_path / "pages.jsonl", htmls | {f"{SITE}/{name}": Article(90).html() for name in ("about", "contact")})
    return tmp_path


def teach(folder: Path, *examples: tuple[str, ...]) -> list[str]:
    options = [word for example in examples for word in ("--example", *example)]
    return run("teach", folder / "p.jsonl", "--pages", folder / "pages.jsonl", *options)


THREE = f"{SITE}/things/thing-3"


def test_the_rules_of_examples_are_told_written_and_obeyed(folder: Path) -> None:
    five = f"{SITE}/things/thing-5"
    told = teach(folder, (THREE, "price", "3.90"), (THREE, "stock", "3 left"), (five, "stock", "5 left"))
    others = "other pages (pages with such an address), such as"
    assert told == [
        f".price gives '3.90', and a value on 7 of 7 {others} '0.90', '1.90', '2.90'",
        f".stock gives '3 left', and a value on 6 of 6 {others} '0 left', '1 left', '2 left'",
        "shop.example: price .price",
        "shop.example: stock .stock",
        f"2 rules by hand of 1 site put into {folder / 'p.jsonl'}",
    ]
    found = PatternSet.load(str(folder / "p.jsonl")).strip(Page(f"{SITE}/things/thing-40", thing(40))).fields
    assert (found.price, found["stock"]) == ("40.90", "40 left")


@pytest.mark.parametrize(
    ("example", "problem"),
    [
        ((THREE, "price", "4.90"), "price: the page has no text '4.90'. Is it filled in by a script?"),
        ((THREE, "stock", "3 le"), "no element has exactly '3 le'. Give the whole text of one, such as '3 left'"),
        ((THREE, "note", "Note 3"), "no selector gives 'Note 3' and a value on most pages with such an address; .note"),
        ((THREE, "text", "Note 3"), "text: 'text' is the name of another result"),
        ((THREE, "price"), "give the URL of a page, the name of a field, and its value"),
        (("http://other.example/1", "price", "1"), "other.example"),
    ],
)
def test_failing_examples_write_nothing(folder: Path, example: tuple[str, ...], problem: str) -> None:
    before = (folder / "p.jsonl").read_bytes()
    with pytest.raises(StemmerError) as raised:
        teach(folder, (THREE, "left", "3 left"), example)
    assert problem in str(raised.value)
    assert (folder / "p.jsonl").read_bytes() == before


def test_a_value_of_a_few_pages_is_taught_by_a_name_of_its_own(folder: Path) -> None:
    feed_of(folder / "other.jsonl", {f"{SITE}/things/{name}": thing(5) for name in ("mug", "cup")})
    told = teach(folder, (THREE, "was", "£3.99"))
    assert told[0].startswith(".was gives '£3.99', and a value on 2 of 7 other pages")
    words = "--pages", folder / "pages.jsonl", folder / "other.jsonl", "--example", THREE, "was", "£3.99"
    assert run("teach", folder / "p.jsonl", *words)[0].startswith(".was gives '£3.99', and a value on 4 of 9 other")


def test_examples_that_have_no_selector_in_common_are_told(folder: Path) -> None:
    with pytest.raises(StemmerError, match="number: no selector gives the values of all examples"):
        teach(folder, (THREE, "number", "3.90"), (f"{SITE}/things/thing-5", "number", "5 left"))


def test_without_corrections_and_examples_it_says_what_to_name(folder: Path) -> None:
    with pytest.raises(StemmerError, match="name a file of CORRECTIONS, or an example"):
        run("teach", folder / "p.jsonl")


@pytest.mark.slow
def test_without_sources_the_pages_of_the_sample_are_fetched(tmp_path: Path, website: Website) -> None:
    pages = [Page(website.url(f"/things/thing-{number}"), thing(number)) for number in range(8)]
    learn(pages).save(str(tmp_path / "p.jsonl"))
    for number, page in enumerate(pages):
        website.add(f"/things/thing-{number}", str(page.html))
    told = run("teach", tmp_path / "p.jsonl", "--example", pages[7].url, "stock", "7 left")
    assert told[0].startswith(".stock gives '7 left', and a value on 6 of 6 other pages")
    (pattern,) = PatternSet.load(str(tmp_path / "p.jsonl")).patterns
    assert isinstance(pattern, RulesPattern)
    assert pattern.own_fields == ("stock",)
