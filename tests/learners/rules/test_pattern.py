"""A site's rules as a pattern: written, read, edited and refused."""

from __future__ import annotations

import json
import pickle
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from scrapy_stemmer import PatternFileError, PatternSet, Role, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge
from scrapy_stemmer.patterns import codec
from tests.learners.rules.made import learned, prose, rule, stories, story, stripped

HEADER = json.dumps({"format": codec.FILE_FORMAT, "version": codec.FILE_VERSION})


def pattern(*rules: Rule, **known: Any) -> RulesPattern:
    pages = known.pop("pages", 3)
    return RulesPattern(
        site="news.example", name="site", support=pages, score=9.5, site_wide=True, rules=rules,
        knowledge=Knowledge(pages=pages, **known),
    )  # fmt: skip


SMALL = pattern(
    rule("keep body", sure=0.9),
    rule("drop #side > .ad", role=Role.RELATED, sure=0.75),
    rule("title .headline", sure=1.0),
    rule("keep .mine", is_users=True),
    names=frozenset({1, 2}),
    decided=frozenset({3, 2**24 - 1}),
    undecided=frozenset({5}),
    parts=frozenset({6}),
    texts={7: 3, 8: 2, 9: 2},
    title_parts=frozenset({"News", "Example"}),
)


def text_of(found: RulesPattern) -> str:
    return codec.dumps([found]).partition("\n")[2]


def record_of(found: RulesPattern) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(text_of(found))
    return record


def loaded(text: str) -> RulesPattern:
    (found,) = codec.loads(f"{HEADER}\n{text}\n")
    assert isinstance(found, RulesPattern)
    return found


class TestWhatIsWritten:
    def test_each_rule_has_a_line_of_its_own(self) -> None:
        lines = [line.strip().rstrip(",") for line in text_of(SMALL).split("\n")]
        rules = [json.loads(line) for line in lines if line.startswith('{"') and '"site"' not in line]
        assert [next(iter(found.items())) for found in rules] == [
            ("keep", "body"), ("drop", "#side > .ad"), ("title", ".headline"), ("keep", ".mine"),
        ]  # fmt: skip
        assert rules[1]["role"] == "related"

    def test_what_is_for_the_program_only_stands_behind_them_in_a_line_of_its_own(self) -> None:
        lines = text_of(SMALL).rstrip().split("\n")
        assert [number for number, line in enumerate(lines) if '"~' in line] == [len(lines) - 1]
        assert lines[-1].startswith(' "~decided": ')
        assert all(line[0] == " " for line in lines[1:])

    def test_learned_rules_have_a_checksum_a_user_s_has_none(self) -> None:
        assert ["check" in found for found in record_of(SMALL)["rules"]] == [True, True, True, False]


class TestRoundTrip:
    @pytest.mark.parametrize("found", [SMALL, learned(stories()), learned(stories(1))], ids=["small", "six", "one"])
    def test_what_was_saved_is_the_same_when_it_is_loaded(self, found: RulesPattern) -> None:
        again = loaded(text_of(found))
        assert again == found
        assert codec.dumps([again]) == codec.dumps([found])

    @pytest.mark.parametrize(
        "copy", [deepcopy, lambda found: pickle.loads(pickle.dumps(found))], ids=["copy", "pickle"]
    )
    def test_copies_are_the_same_whether_pages_were_stripped_or_not(self, copy: Any) -> None:
        found = learned(stories())
        first = stripped(found, story("ferry"))
        again = copy(found)
        assert again == found
        assert stripped(again, story("ferry")) == first
        assert copy(SMALL) == SMALL

    def test_fields_that_may_be_left_out(self) -> None:
        """A person writes a pattern from nothing."""
        found = loaded(
            '{"site": "a.b", "name": "mine", "score": 1, "kind": "rules", "support": 1, "rules": [{"keep": ".post"}]}'
        )
        assert found.rules == (rule("keep .post", is_users=True),)
        assert found.knowledge == Knowledge(pages=1)


def changed(path: tuple[Any, ...], value: Any) -> str:
    """The record with another value at a place; ``...`` stands for none."""
    record = record_of(SMALL)
    inner: Any = record
    for part in path[:-1]:
        inner = inner[part]
    if value is ...:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return json.dumps(record)


class TestDamage:
    @pytest.mark.parametrize(
        ("path", "value", "field"),
        [
            (("rules",), ..., "rules"),
            (("rules", 1), "drop .ad", "rules[1]"),
            (("rules", 1), {"keep": "p", "drop": "p"}, "rules[1]"),
            (("rules", 1, "drop"), 7, "rules[1].drop"),
            (("rules", 1, "drop"), "p:hover", "rules[1].drop"),
            (("rules", 1, "role"), "noise", "rules[1].role"),
            (("rules", 1, "sure"), 1.5, "rules[1].sure"),
            (("rules", 1, "sure"), ..., "rules[1].sure"),
            (("rules", 1, "check"), 7, "rules[1].check"),
            (("support",), 0, "support"),
            (("support",), 10**12, "support"),
            (("titles_share",), "News", "titles_share"),
            (("titles_share",), [7], "titles_share[0]"),
            *(((name,), value, name) for name in ("~decided", "~undecided", "~parts", "~names")
              for value in (7, "A", "AA==", "日本日本")),
            (("~texts",), "AAAA", "~texts"),
            (("~texts",), {"4": "AAAA"}, "~texts.4"),
            (("~texts",), {"x": "AAAA"}, "~texts.x"),
            (("~texts",), {"0": "AAAA"}, "~texts.0"),
            (("~texts",), {"2": "A"}, "~texts.2"),
            (("~contested",), "AAAA", "~contested"),
            (("~contested",), {"101": "AAAA"}, "~contested.101"),
            (("~contested",), {"0": "AAAA"}, "~contested.0"),
            (("~texts",), {"2": 7}, "~texts.2"),
            (("~texts",), {"²": "AAAA"}, "~texts.²"),
            (("~texts",), {"9" * 5_000: "AAAA"}, f"~texts.{'9' * 5_000}"),
        ],
    )  # fmt: skip
    def test_each_damaged_field_is_named(self, path: tuple[Any, ...], value: Any, field: str) -> None:
        with pytest.raises(PatternFileError) as caught:
            loaded(changed(path, value))
        assert (caught.value.line, caught.value.field) == (2, field)


class TestEdits:
    """Edits by hand in a file."""

    def edited(self, old: str, new: str, found: RulesPattern = SMALL) -> RulesPattern:
        text = text_of(found)
        assert text.count(old) == 1, text
        return loaded(text.replace(old, new))

    @pytest.mark.parametrize(
        ("old", "new", "is_users"),
        [
            ('"drop": "#side > .ad"', '"drop": "#side > .advert"', True),
            ('"drop": "#side > .ad"', '"keep": "#side > .ad"', True),
            ('"role": "related"', '"role": "caption"', True),
            ('"sure": 0.75', '"sure": 0.5', False),
        ],
    )
    def test_an_edited_rule_is_the_user_s_unless_its_certainty_was(self, old: str, new: str, is_users: bool) -> None:
        assert [found.is_users for found in self.edited(old, new).rules] == [False, is_users, False, True]

    def test_a_new_line_is_a_rule_of_the_user_s(self) -> None:
        found = self.edited('  {"title"', '  {"drop": ".promo"},\n  {"title"')
        assert [each.line for each in found.rules if each.is_users] == ["drop .promo", "keep .mine"]

    @pytest.mark.parametrize(
        ("line", "rule"),
        [
            ('{"field": "price", "at": ".price"}', "price .price"),
            ('{"field": "price", "at": ".price", "attribute": "content"}', "price .price @content"),
            ('{"field": "sizes", "at": ".sizes > li", "all": true}', "sizes .sizes > li (all)"),
            ('{"field": "code", "at": "//dt[.=\'Code\']/../dd[1]"}', "code //dt[.='Code']/../dd[1]"),
            ('{"field": "code", "at": ".code", "after": "Item no."}', "code .code after Item no."),
        ],
    )  # fmt: skip
    def test_a_line_names_a_field_of_the_user_s_own_and_is_written_as_it_was(self, line: str, rule: str) -> None:
        found = self.edited('  {"title"', f'  {line},\n  {{"title"')
        assert [each.line for each in found.field_rules if each.is_users] == [rule]
        assert f"\n  {line}" in text_of(found)
        assert found.own_fields == (() if rule.startswith("price") else (rule.partition(" ")[0],))
        assert found.to_selectors().fields_xpath.keys() == {rule.partition(" ")[0]}

    def test_a_field_of_products_may_be_written_as_other_fields_are(self) -> None:
        found = self.edited('  {"title"', '  {"price": ".price"},\n  {"title"')
        assert '{"field": "price", "at": ".price"}' in text_of(found)

    @pytest.mark.parametrize(
        ("line", "field", "problem"),
        [
            ({"field": "two words", "at": "b"}, "field", "can't name a field"),
            ({"field": "authors", "at": "b"}, "field", 'has rules of its own, such as {"authors": ".authors"}'),
            ({"field": 3, "at": "b"}, "field", "must be a text, not a whole number"),
            ({"field": "it"}, "at", "is missing; it must be a text"),
            ({"field": "it", "at": "b["}, "at", "is no CSS selector"),
            ({"field": "it", "at": "b", "all": 1}, "all", "must be true or false"),
            (
                {"field": "it", "at": "b", "attr": "x"},
                "attr",
                "is no part of a field: field, at, attribute, all",
            ),
            ({"field": "it", "at": "b", "drop": "b"}, "", "must have one of keep, drop"),
        ],
    )
    def test_a_wrong_part_of_a_field_is_named(self, line: dict[str, Any], field: str, problem: str) -> None:
        with pytest.raises(PatternFileError) as raised:
            self.edited('  {"title"', f'  {json.dumps(line)},\n  {{"title"')
        assert (raised.value.line, raised.value.field) == (2, ".".join(filter(None, ("rules[2]", field))))
        assert problem in raised.value.message

    def test_a_line_can_be_deleted(self) -> None:
        text = text_of(SMALL)
        lines = [line for line in text.split("\n") if "#side" not in line]
        assert [each.line for each in loaded("\n".join(lines)).rules] == ["keep body", "title .headline", "keep .mine"]

    def test_an_edited_rule_is_obeyed_also_where_no_learned_page_had_text(self) -> None:
        found = learned(stories())
        mine = replace(
            found, rules=(*found.rules, *(rule(line, is_users=True) for line in ("drop .promo", "keep footer")))
        )
        html = story("ferry", inside="<div class=promo><ul><li>Buy this, it is cheap.</ul></div>")
        before, after = stripped(found, html).text, stripped(mine, html).text
        assert ("Buy this" in before, "Copyright" in before) == (True, False)
        assert ("Buy this" in after, "Copyright" in after, prose("ferry", 2) in after) == (False, True, True)

    def test_a_user_can_say_where_titles_stand(self) -> None:
        found = learned(stories(head="<title>x</title>"))
        html = story("ferry", head="", inside="<p class=name>All about the ferry</p>").replace("h1>", "div>")
        mine = replace(found, rules=(*found.rules, rule("title .name", is_users=True)))
        assert stripped(mine, html).title == "All about the ferry"


class TestCorrections:
    """Corrections by hand, kept by relearning."""

    def corrected(self, *rules: Rule) -> list[str]:
        earlier = pattern(rule("keep body"), *rules)
        new = pattern(rule("keep body"), rule("drop .ad"), rule("title h2"))
        found = new.corrected_by(earlier)
        assert isinstance(found, RulesPattern)
        assert found.knowledge == new.knowledge
        return [f"{each.line}{'!' if each.is_users else ''}" for each in found.rules]

    @pytest.mark.parametrize(
        ("line", "is_users", "expected"),
        [
            pytest.param("keep .a", True, "keep body, drop .ad, title h2, keep .a!", id="a user's is added"),
            pytest.param("keep .ad", True, "keep body, title h2, keep .ad!", id="in place of one for its elements"),
            pytest.param("title .ad", True, "keep body, drop .ad, title h2, title .ad!", id="but titles are apart"),
            pytest.param("drop .old", False, "keep body, drop .ad, title h2", id="learned ones are gone"),
        ],
    )
    def test_rules_of_earlier(self, line: str, is_users: bool, expected: str) -> None:
        assert self.corrected(rule(line, is_users=is_users)) == expected.split(", ")

    def test_another_kind_of_pattern_corrects_nothing(self) -> None:
        (other,) = learn(stories(), "shingle").patterns[:1]
        assert SMALL.corrected_by(other) is SMALL

    def test_sets_of_patterns_correct_each_site_by_its_own(self) -> None:
        mine = replace(pattern(rule("drop .mine", is_users=True)), site="other.example")
        assert PatternSet([SMALL]).corrected_by([mine]) == PatternSet([SMALL])
        both = PatternSet([SMALL, replace(SMALL, site="other.example")]).corrected_by([mine])
        assert ["drop .mine" in [each.line for each in found.rules] for found in both.patterns] == [False, True]  # type: ignore[attr-defined]
