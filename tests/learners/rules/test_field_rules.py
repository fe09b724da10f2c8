"""Rules of fields in patterns: learned, written to files, corrected by hand."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, PatternFileError, PatternSet, learn
from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patternset import Stripped
from tests.fields.pages import AUTHORS, day, html, url

BYLINE = "<div class=byline>By <span class=who>{author}</span> on <span class=when>{day}</span></div>"


@pytest.fixture(scope="module")
def learned() -> PatternSet:
    return learn([Page(url(number), html(number, BYLINE)) for number in range(5)])


def only(patterns: PatternSet) -> RulesPattern:
    (pattern,) = patterns.patterns
    assert isinstance(pattern, RulesPattern)
    return pattern


def edited(patterns: PatternSet, line: str) -> PatternSet:
    """Return patterns with a line added by hand below their rules."""
    text = codec.dumps(patterns.patterns).replace("\n ], ", f",\n  {line}\n ], ", 1)
    return PatternSet(codec.loads(text))


def stripped(patterns: PatternSet) -> Stripped:
    return patterns.strip(Page(url(5), html(5, BYLINE)))


def test_rules_of_fields_have_a_line_each(learned: PatternSet) -> None:
    text = codec.dumps(learned.patterns)
    assert '\n  {"authors": "span.who", "sure": 0.95, "check": ' in text
    assert PatternSet(codec.loads(text)) == learned
    assert [rule.is_users for rule in only(PatternSet(codec.loads(text))).field_rules] == [False, False]


def test_a_page_is_read_by_them(learned: PatternSet) -> None:
    fields = stripped(learned).fields
    assert (fields.authors, fields.published) == ((AUTHORS[5],), day(5))


def test_fields_are_read_only_when_they_are_asked_for(learned: PatternSet, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scrapy_stemmer.patternset.read_fields", lambda *_: pytest.fail("was read"))
    assert stripped(learned).text


def test_some_fields_are_read_alone(learned: PatternSet) -> None:
    found = stripped(learned)
    some = found.read_fields(["published", "language"])
    assert some.as_dict() == {
        "published": day(5),
        "language": "en",
        "sources": {"published": "rule", "language": "html"},
        "confidence": {"published": 0.99},
    }
    assert (found.fields.authors, found.read_fields(["published"])) == ((AUTHORS[5],), found.fields)


@pytest.mark.parametrize(
    "line",
    [
        '{"authors": "div.byline", "after": "on"}',
        '{"published": "span.when @title"}',
        '{"distrust": "json-ld", "for": "authors"}',
        '{"dates": "mdy"}',
    ],
)
def test_a_rule_by_hand_is_kept_when_the_site_is_learned_again(learned: PatternSet, line: str) -> None:
    (users,) = [rule for rule in only(edited(learned, line)).field_rules if rule.is_users]
    again = learned.corrected_by(edited(learned, line).patterns)
    assert users in only(again).field_rules
    assert line.removesuffix("}") in codec.dumps(again.patterns)


def test_a_rule_that_was_changed_is_one_by_hand(learned: PatternSet) -> None:
    text = codec.dumps(learned.patterns).replace('"authors": "span.who"', '"authors": "h1"')
    changed = PatternSet(codec.loads(text))
    assert FieldRule("authors", "h1", is_users=True) in only(changed).field_rules


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"authors": "a >"}', "is no CSS selector"),
        ('{"dates": "ymd"}', "must be dmy or mdy"),
        ('{"distrust": "json-ld"}', "needs a field"),
        ('{"authors": "a", "keep": "b"}', "must have one of"),
        ('{"authors": 7}', "must be a text"),
    ],
)
def test_rules_that_cannot_be_used_are_told(learned: PatternSet, line: str, message: str) -> None:
    with pytest.raises(PatternFileError, match=message):
        edited(learned, line)


def test_a_pattern_of_a_single_page_reads_it_as_one_of_which_nothing_is_known() -> None:
    patterns = learn([Page(url(5), html(5, BYLINE))])
    assert only(patterns).field_rules == ()
    assert (stripped(patterns).fields.authors, stripped(patterns).fields.sources["authors"]) == ((AUTHORS[5],), "guess")


def test_somebody_may_use_all_of_css(learned: PatternSet) -> None:
    rules = [FieldRule("published", "div > time:last-of-type, .none @datetime", is_users=True)]
    page = Page(url(5), "<div><time datetime=2020-01-02>a</time><time datetime=2021-01-02>b</time></div><p>Text</p>")
    found = PatternSet([only(learned).with_rules(rules)])
    assert found.strip(page).fields.published == "2021-01-02"
    (xpath, *_) = only(found).to_selectors().fields_xpath["published"]
    assert parse(page.html).xpath(xpath) == ["2021-01-02"]


def test_rules_of_fields_are_exported_as_xpath(learned: PatternSet) -> None:
    found = only(learned).with_rules([FieldRule("published", "time.t @datetime", is_users=True)]).to_selectors()
    when = "contains(concat(' ', normalize-space(@class), ' '), ' {} ')"
    assert [each.partition("]/")[2] for each in found.fields_xpath["published"]] == ["@datetime", ""]
    assert when.format("who") in found.fields_xpath["authors"][0]


def test_learned_rules_that_somebody_distrusts_stay_so_when_the_site_is_learned_again(learned: PatternSet) -> None:
    distrust = FieldRule("distrust", "rule", of="authors", is_users=True)
    again = only(learned).corrected_by(only(learned).with_rules([distrust]))
    assert stripped(learned).fields.authors
    assert stripped(PatternSet([again])).fields.authors == ()
    assert "authors" not in again.to_selectors().fields_xpath
