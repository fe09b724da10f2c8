"""Webstemmer's own pattern files and linkinfo."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import BlockOptions, PatternFileError
from scrapy_stemmer.learners.literature.layout.pattern import Section
from scrapy_stemmer.learners.literature.layout.webstemmer import (
    dumps,
    loads,
    read_linkinfo,
    write_linkinfo,
)
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Sample
from tests.learners.literature.layout.test_pattern import EXTRACTED

NEW = """\
### version=0.6.1
### fname='ex.200001010000.zip'
### cluster_threshold=0.970000
### title_threshold=0.600000
### pages=3

# 80.5649011690 <200001010000/ex.com/a/1.html>
#\t 200001010000/ex.com/a/1.html
#\t 200001010000/ex.com/a/3.html
#\t 200001010000/ex.com/a/2.html
(80.564901168994723, '200001010000/ex.com/a/1.html', 2, [(0.51428571428571423, 12.0, 'title'), \
(0.0, 0.0, 'div:id=nav'), (0.73469387755102045, 12.0, 'h1:class=head'), \
(0.74747474747474751, 49.333333333333336, 'div:class=body/p'), (0.0, 0.0, 'div:class=foot')])

"""
"""Output of analyze.py 0.6: a tab and a space before pages, numbers with 17 digits."""


LINE = "(1.0, '2000/ex.com/1', 0, [(0.5, 9.0, 'p')])"


def error_of(text: str, **options: Any) -> PatternFileError:
    with pytest.raises(PatternFileError) as caught:
        loads(text, **options)
    return caught.value


class TestNewFormat:
    def test_pages_are_read_and_aligned_as_the_original_does(self) -> None:
        (pattern,) = loads(NEW)
        assert pattern.blocks == BlockOptions(None, original=True)

    def test_imported_patterns_can_be_saved_as_ours(self) -> None:
        patterns = loads(NEW + NEW.replace("1.html", "9.html").replace("80.5", "70.5"))
        assert codec.loads(codec.dumps(patterns)) == sorted(patterns, key=lambda pattern: -pattern.score)


@pytest.mark.parametrize(
    ("name", "pages", "site", "expected"),
    [
        pytest.param("2000/www.Ex.com/1", [], None, "ex.com", id="from the name"),
        pytest.param("2000/ex.com:8080/1", [], None, "ex.com:8080", id="with a port"),
        pytest.param("https://ex.com/1", [], None, "ex.com", id="from a URL as name"),
        pytest.param("all", ["2000/ex.com/1"], None, "ex.com", id="from the pages"),
        pytest.param("2000/ex.com/1", [], "news.example", "news.example", id="as told"),
        pytest.param("all", [], "", "", id="as told: the site of pages without a host"),
    ],
)
def test_the_site(name: str, pages: list[str], site: str | None, expected: str) -> None:
    comments = "".join(f"#\t{page}\n" for page in pages)
    (pattern,) = loads(f"{comments}(1.0, {name!r}, -1, [])", site=site)
    assert pattern.site == expected


@pytest.mark.parametrize("where", ["before", "after"])
def test_the_expression_for_attribute_values_holds_for_all_patterns(where: str) -> None:
    mangle = "!mangle_pat='[^0-9]+'\n"
    text = mangle + LINE if where == "before" else f"{LINE}\n{mangle}"
    (pattern,) = loads(text)
    assert pattern.blocks == BlockOptions("[^0-9]+", original=True)


@pytest.mark.parametrize(
    ("literal", "name"),
    [
        pytest.param(r"'2000/ex.com/\xe6\x97\xa5'", "2000/ex.com/日", id="bytes, as Python 2 writes them"),
        pytest.param(r"u'2000/ex.com/\u65e5'", "2000/ex.com/日", id="u''"),
        pytest.param("'2000/ex.com/日'", "2000/ex.com/日", id="as it is"),
        pytest.param(r"'2000/ex.com/caf\xe9'", "2000/ex.com/café", id="bytes that are no UTF-8"),
        pytest.param("'2000/ex.com/Ã©'", "2000/ex.com/Ã©", id="not mended when nobody escaped it"),
    ],
)
def test_names_outside_ascii(literal: str, name: str) -> None:
    (pattern,) = loads(f"(1.0, {literal}, -1, [])")
    assert pattern.name == name


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        pytest.param("", None, None, "no pattern file of Webstemmer", id="empty"),
        pytest.param(f"\n{LINE[:-4]}", 2, None, "Was the file cut off?", id="torn"),
        pytest.param("__import__('os').system('x')", 1, None, "code is never run", id="code"),
        pytest.param("(" * 10_000, 1, None, "not a Python literal", id="nested without end"),
        pytest.param("(1.0, 'x')", 1, None, "(score, name, title_index, sections).", id="too few fields"),
        pytest.param(LINE.replace(", 0,", ", 1,"), 1, "title_index", "one of the 1 sections", id="title out of range"),
        pytest.param(LINE.replace("(0.5, 9.0, 'p')", "'p'"), 1, "sections[0]", "(diffscore, mainscore", id="section"),
        pytest.param(LINE.replace("0.5", "1.5"), 1, "sections[0].diffscore", "between 0 and 1", id="diffscore"),
        pytest.param(
            f"{LINE}\n{LINE}", 2, "name", "a pattern of this name in line 1 already", id="the same name twice"
        ),
        pytest.param("!magic=1", 1, None, "only !mangle_pat=", id="unknown instruction"),
        pytest.param("!mangle_pat='['", 1, "mangle_pat", "not a regular expression", id="expression"),
        pytest.param("!mangle_pat='([a-z])[0-9]'", 1, "mangle_pat", "has a group", id="expression with a group"),
        pytest.param("(1.0, 'all', -1, [])", 1, "name", "--site", id="site unknown"),
    ],
)
def test_errors_name_line_and_field(text: str, line: int | None, field: str | None, message: str) -> None:
    error = error_of(text)
    assert (error.line, error.field) == (line, field)
    assert message in str(error)


class TestExport:
    def test_what_is_written(self) -> None:
        assert dumps([replace(EXTRACTED, samples=(Sample("http://ex.com/a/1.html", "t"),))]) == (
            "### version=0.6.1\n"
            "\n"
            "# 80.564901 <micro>\n"
            "#\thttp://ex.com/a/1.html\n"
            "(80.564901, 'micro', 2, [(0.514286, 12, 'title'), (0, 0, 'div:id=nav'), "
            "(0.734694, 12, 'h1:class=head'), (0.747475, 49.3333, 'div:class=body/p'), (0, 0, 'div:class=foot')])\n"
        )

    def test_no_title_is_minus_one_and_features_are_ascii_as_webstemmer_makes_them(self) -> None:
        pattern = replace(EXTRACTED, sections=(Section("div:class=日本", 0.5, 1.0),), title=None)
        assert "'micro', -1, [(0.5, 1.0, 'div:class=??')]" in dumps([pattern])

    def test_nothing_in_names_can_begin_another_line(self) -> None:
        evil = "x>\n!mangle_pat='y'\n"
        pattern = replace(EXTRACTED, name=evil, samples=(Sample(f"http://ex.com/{evil}"),))
        (loaded,) = loads(dumps([pattern]))
        assert (loaded.name, loaded.blocks.mangle) == (evil, None)

    @pytest.mark.parametrize("text", [NEW, NEW.replace("# 80", "!mangle_pat='[a-z]'\n# 80")], ids=["plain", "-P"])
    def test_what_is_written_is_read_again(self, text: str) -> None:
        patterns = loads(text)
        assert loads(dumps(patterns)) == patterns

    def test_layouts_that_extract_py_cannot_use_are_refused(self) -> None:
        with pytest.raises(PatternFileError, match="'original': True"):
            dumps([replace(EXTRACTED, blocks=BlockOptions(None))])

    def test_patterns_are_written_by_site_and_score(self) -> None:
        made = [replace(EXTRACTED, site=site, name=f"2000/{site}/{score}", score=score) for site, score in
                (("b.example", 2.0), ("a.example", 1.0), ("a.example", 3.0))]  # fmt: skip
        assert [(each.site, each.score) for each in loads(dumps(made))] == [
            ("a.example", 3.0), ("a.example", 1.0), ("b.example", 2.0),
        ]  # fmt: skip


class TestLinkinfo:
    @given(st.dictionaries(st.text(), st.lists(st.text(), max_size=3).map(tuple), max_size=4))
    def test_round_trip(self, links: dict[str, tuple[str, ...]]) -> None:
        assert read_linkinfo(write_linkinfo(links)) == links

    @pytest.mark.parametrize(
        ("text", "field", "message"),
        [
            pytest.param("('a', ['b'", None, "cut off", id="torn"),
            pytest.param("('a',)", None, "must be (name, texts)", id="too few"),
        ],
    )
    def test_errors_name_line_and_field(self, text: str, field: str | None, message: str) -> None:
        with pytest.raises(PatternFileError) as caught:
            read_linkinfo(f"('x', [])\n{text}\n")
        assert (caught.value.line, caught.value.field) == (2, field)
        assert message in str(caught.value)
