"""``scrapy stemmer teach``: corrections become rules by hand, and errors name their place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, StemmerError, learn
from scrapy_stemmer.learners.rules.pattern import MAX_FIELD_RULES, RulesPattern
from tests.commands.subcommand import run
from tests.crawl.website import FOOTER, Article

SITE = "a.example"


def article(number: int, inside: str = "") -> Page:
    html = Article(number, 4).html().replace("</p><p>", f"</p>{inside}<p>", 1)
    return Page(f"http://{SITE}/{number}", html)


@pytest.fixture
def patterns(tmp_path: Path) -> Path:
    """Write a pattern file of two sites."""
    path = tmp_path / "p.jsonl"
    others = [Page(f"http://b.example/{number}", Article(number).html()) for number in range(6)]
    learn([*map(article, range(6)), *others]).save(str(path))
    return path


def correction(action: str, selector: str, site: str = SITE, **fields: Any) -> dict[str, Any]:
    return {"site": site, "action": action, "selector": selector, **fields}


def teach(patterns: Path, *corrections: Any, text: str | None = None) -> list[str]:
    """Return the output of the command."""
    path = patterns.with_name("corrections.json")
    path.write_text(json.dumps(corrections) if text is None else text, encoding="utf-8")
    return run("teach", patterns, path)


def by_hand(patterns: Path, site: str = SITE) -> list[str]:
    """Return the user's rules of a site."""
    (pattern,) = PatternSet.load(str(patterns)).of_site(site)
    assert isinstance(pattern, RulesPattern)
    return [rule.line for rule in pattern.rules if rule.is_users]


def text_of(patterns: Path, page: Page) -> str:
    return PatternSet.load(str(patterns)).strip(page).text


def test_more_rules_of_fields_than_a_site_can_have_are_refused_and_not_read(patterns: Path) -> None:
    before = patterns.read_bytes()
    many = [correction("authors", f".x{number}") for number in range(MAX_FIELD_RULES + 1)]
    with pytest.raises(StemmerError, match=r"a\.example then has 1,001 rules of fields, at most 1,000"):
        teach(patterns, *many)
    assert patterns.read_bytes() == before
    teach(patterns, *many[1:])
    last = f'{{"authors": ".x{MAX_FIELD_RULES}"}}'
    patterns.write_text(patterns.read_text().replace(last, f'{last}, {{"authors": ".more"}}'))
    loaded = PatternSet.load(str(patterns))
    assert (list(loaded.sites), list(loaded.broken)) == (["b.example"], ["a.example"])


def test_a_correction_is_obeyed_on_all_pages_and_by_no_other_site(patterns: Path) -> None:
    assert teach(patterns, correction("keep", ".foot", url="http://a.example/1")) == [
        "a.example: keep .foot",
        f"1 rule by hand of 1 site put into {patterns}",
    ]
    assert FOOTER in text_of(patterns, article(40))
    assert by_hand(patterns) == ["keep .foot"]
    assert by_hand(patterns, "b.example") == []


def test_a_correction_overrules_the_scorer(patterns: Path) -> None:
    note = "A note that none of the learned pages had, and that goes on for a while, with a comma."
    page = article(40, f"<section class='note'><div><p>{note}</p></div></section>")
    assert note in text_of(patterns, page)
    teach(patterns, correction("drop", "section.note"))
    assert note not in text_of(patterns, page)
    assert Article(40, 4).body[0] in text_of(patterns, page)


def test_a_field_of_the_users_own_is_obeyed_and_stays(patterns: Path) -> None:
    page = article(40, "<b class='price' data-was='25'>£19.90</b>")
    own = [
        {"site": SITE, "field": "price", "at": ".price", "url": page.url},
        {"site": SITE, "field": "was", "at": ".price", "attribute": "data-was"},
        {"site": SITE, "action": "sku", "selector": ".price @data-was"},
    ]
    assert teach(patterns, *own)[:2] == ["a.example: price .price", "a.example: was .price @data-was"]
    learn(map(article, range(10, 16))).merge_into(str(patterns))
    fields = PatternSet.load(str(patterns)).strip(page).fields
    assert (fields.price, fields.sku, fields["was"]) == ("19.90", "25", "25")
    assert PatternSet.load(str(patterns)).own_fields == ("was",)


def test_a_title_is_corrected(patterns: Path) -> None:
    page = article(40, "<p class='name'>What it is called</p>")
    teach(patterns, correction("title", "p.name"))
    assert PatternSet.load(str(patterns)).strip(page).title == "What it is called"


def test_of_two_for_the_same_elements_the_newer_one_holds_and_this_is_told(patterns: Path) -> None:
    teach(patterns, correction("keep", ".foot"))
    assert teach(patterns, correction("keep", ".foot"), correction("title", ".foot"))[:2] == [
        "a.example: keep .foot (as before)",
        "a.example: title .foot",
    ]
    assert teach(patterns, correction("drop", ".foot"))[0] == "a.example: drop .foot (in place of your 'keep .foot')"
    assert by_hand(patterns) == ["title .foot", "drop .foot"]
    said = teach(patterns, correction("keep", ".nav"), correction("drop", ".nav"))
    assert said[1:] == [
        "a.example: drop .nav (in place of your 'keep .nav')",
        f"1 rule by hand of 1 site put into {patterns}",
    ]


@pytest.mark.parametrize("end", ["", ","])
def test_a_correction_a_line_is_read_too(patterns: Path, end: str) -> None:
    lines = [json.dumps(correction("keep", selector)) + end for selector in (".foot", ".nav")]
    teach(patterns, text="\ufeff\n" + "\n\n".join(lines) + "\n")
    assert by_hand(patterns) == ["keep .foot", "keep .nav"]


@pytest.mark.parametrize(
    ("entries", "error"),
    [
        ([correction("keep", ".a:first")], "entry 1, field selector: '.a:first' has ':first'; a rule goes by tags"),
        (
            [correction("keep", ".a"), correction("hide", ".a")],
            "entry 2, field action: must be one of keep, drop, title",
        ),
        ([correction("keep", ".a", "c.example")], "entry 1, field site: there is no site 'c.example': "),
        ([{"site": SITE, "action": "keep"}], "entry 1, field selector: must be a text"),
        ([{"selector": ".a", "action": "keep"}], "entry 1, field site: must be a text"),
        (["drop .a"], "entry 1: is no JSON object"),
        ([], "has no corrections"),
        ([{"field": "price", "at": ".a"}], "entry 1, field site: must be a text"),
        ([{"site": SITE, "field": "price", "at": ".a["}], "entry 1, field at: '.a[' is no CSS selector"),
        ([{"site": SITE, "field": "price"}], "entry 1, field at: is missing; it must be a text"),
        ([{"site": SITE, "field": "text", "at": ".a"}], "entry 1, field field: 'text' is the name of another result"),
        ([correction("keep", f".{'a' * 10_000}")], "entry 1, field selector: has more than 10,000 characters"),
        ([correction("authors", "p", after={"a": "b" * 10_000})], "entry 1, field after: has more than 10,000"),
        ([correction("drop", f"p{':not(a)' * 1_000}")], "entry 1, field selector: has far too many parts"),
        ([correction("authors", f"p{':not(a)' * 1_000}")], "entry 1, field selector: has far too many parts"),
        ([correction("authors", "svg|a")], "entry 1, field selector: 'svg|a' can't be used: Undefined namespace"),
    ],
)
def test_what_cannot_be_used_is_told_and_nothing_is_written(patterns: Path, entries: list[Any], error: str) -> None:
    before = patterns.read_bytes()
    with pytest.raises(StemmerError, match=r"corrections\.json") as raised:
        teach(patterns, *entries)
    assert error in str(raised.value)
    assert patterns.read_bytes() == before


@pytest.mark.parametrize(
    ("text", "error"), [("[{", "not JSON"), ('{"site": "a"}\n{', "line 2: not JSON"), ("\n", "has no corrections")]
)
def test_a_file_without_corrections_is_refused(patterns: Path, text: str, error: str) -> None:
    with pytest.raises(StemmerError, match=error):
        teach(patterns, text=text)


def test_a_file_of_corrections_that_is_too_large_is_refused(patterns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_stemmer.commands.sources.base.MAX_BYTES", 1000)
    with pytest.raises(StemmerError, match=r"corrections\.json: larger than"):
        teach(patterns, text=" " * 1001)


def test_patterns_without_rules_cannot_be_corrected(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    learn(map(article, range(6)), "shingle").save(str(path))
    with pytest.raises(
        StemmerError, match=r"of the kind .*, which has no rules\. Learn it with STEMMER_LEARNER = 'rules'"
    ):
        teach(path, correction("keep", ".foot"))


def test_rules_of_fields_are_taught_too(patterns: Path) -> None:
    lines = teach(
        patterns,
        correction("authors", "div.by", after="told by"),
        correction("published", "time @datetime"),
        correction("distrust", "json-ld", **{"for": "authors"}),
    )
    assert lines[:3] == [
        "a.example: authors div.by after told by",
        "a.example: published time @datetime",
        "a.example: distrust json-ld for authors",
    ]
    page = article(7, "<div class=by>Told by Ann Lee</div><time datetime=2024-05-04>a day</time>")
    fields = PatternSet.load(str(patterns)).strip(page).fields
    assert (fields.authors, fields.published) == (("Ann Lee",), "2024-05-04")
    shown = [line.split() for line in run("show", patterns, "--site", SITE)]
    assert ["authors", "div.by", "after", "told", "by", "by", "hand"] in shown
    assert teach(patterns, correction("published", "time @datetime"))[0].endswith("(as before)")
    with pytest.raises(StemmerError, match="field selector: must be dmy or mdy"):
        teach(patterns, correction("dates", "ymd"))
