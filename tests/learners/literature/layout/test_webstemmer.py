"""Webstemmer's own pattern files and linkinfo."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer import MatchOptions, Page, PatternFileError, PatternSet, Role
from scrapy_stemmer.learners.literature.blocks import ORIGINAL_BLOCKS
from scrapy_stemmer.learners.literature.layout.pattern import LayoutPattern, Section
from scrapy_stemmer.learners.literature.layout.webstemmer import (
    MAINSCORE_OF_MAIN,
    dumps,
    loads,
    read_linkinfo,
    url_of,
    write_linkinfo,
)
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Sample
from tests import microexample
from tests.learners.literature.layout.test_pattern import EXTRACTED
from tests.strategies import layout_patterns

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

OLD = """\
### fname='/data/ex.200509210801.zip'
### cluster_threshold=0.970000
### title_threshold=0.600000
### pages=2

# 210.4 <200509210801/ex.com/a/1.html>
#\t200509210801/ex.com/a/1.html
#\t200509290801/ex.com/a/2.html
(210.4, '200509210801/ex.com/a/1.html', 2, 3, [(0.51, 'title'), (0.0, 'div:id=nav'), (0.73, 'h1:class=head'), \
(0.74, 'div:class=body/p'), (0.6, 'div:class=foot')])
"""
"""Output of a version before 0.6, at which extract.py 0.6 itself breaks off."""

LINE = "(1.0, '2000/ex.com/1', 0, [(0.5, 9.0, 'p')])"
OLD_LINE = "(1.0, '2000/ex.com/1', 0, 0, [(0.5, 'p')])"


def error_of(text: str, **options: Any) -> PatternFileError:
    with pytest.raises(PatternFileError) as caught:
        loads(text, **options)
    return caught.value


def roles(pattern: LayoutPattern, page: Page, **options: Any) -> list[Role]:
    return [block.role for block in PatternSet([pattern]).strip(page, MatchOptions(**options)).blocks]


class TestNewFormat:
    def test_fields(self) -> None:
        (pattern,) = loads(NEW)
        assert (pattern.site, pattern.name, pattern.support) == ("ex.com", "200001010000/ex.com/a/1.html", 3)
        assert pattern.score == pytest.approx(80.564901, abs=1e-6)
        assert pattern.title_index == 2
        assert list(pattern.features) == microexample.FEATURES
        assert pattern.sections[3] == Section("div:class=body/p", 0.74747474747474751, 49.333333333333336)
        assert pattern.samples == tuple(Sample(f"http://ex.com/a/{number}.html") for number in (1, 3, 2))

    def test_pages_are_read_and_aligned_as_the_original_does(self) -> None:
        (pattern,) = loads(NEW)
        assert (pattern.alignment, pattern.block_options) == ("original", ORIGINAL_BLOCKS)

    @pytest.mark.parametrize("number", [1, 2, 3])
    @pytest.mark.parametrize("mainscore", [10.0, 50.0])
    def test_labels_are_those_of_extract_py(self, number: int, mainscore: float) -> None:
        page = microexample.page(number)
        assert roles(loads(NEW)[0], page, mainscore=mainscore) == roles(EXTRACTED, page, mainscore=mainscore)

    def test_imported_patterns_can_be_saved_as_ours(self) -> None:
        patterns = loads(NEW + OLD.replace("1.html", "9.html"))
        assert codec.loads(codec.dumps(patterns)) == sorted(patterns, key=lambda pattern: -pattern.score)


class TestOldFormat:
    def test_scores(self) -> None:
        (pattern,) = loads(OLD)
        assert [section.mainscore for section in pattern.sections] == [0, 0, 0, MAINSCORE_OF_MAIN, 0]
        assert (pattern.title_index, pattern.support, pattern.score) == (2, 2, 210.4)

    def test_the_named_section_is_main_text_and_others_that_vary_are_sub_text(self) -> None:
        labelled = roles(loads(OLD)[0], microexample.page(1))
        assert labelled == [Role.SUB, Role.TEMPLATE, Role.TITLE, Role.MAIN, Role.MAIN, Role.SUB]

    @pytest.mark.parametrize("index", ["-1", "-1, -1"])
    def test_no_title_and_no_main_text(self, index: str) -> None:
        (pattern,) = loads(f"(1.0, '2000/ex.com/1', {index}, [{'(0.5, 9.0, ' if index == '-1' else '(0.5, '}'p')])")
        assert pattern.title_index is None
        assert pattern.sections[0].mainscore < MAINSCORE_OF_MAIN


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


@pytest.mark.parametrize(
    ("comments", "support", "samples"),
    [
        pytest.param("", 0, 0, id="no comments"),
        pytest.param("# 1.0 <n>\n", 0, 0, id="no pages"),
        pytest.param("# 1.0 <n>\n#\tx/ex.com/1\n#\t x/ex.com/2\n", 2, 2, id="pages after tab, or tab and space"),
        pytest.param("#       x/ex.com/1\n", 1, 1, id="after spaces, as the documentation prints it"),
        pytest.param("".join(f"#\tx/ex.com/{n}\n" for n in range(9)), 9, 5, id="only five are kept as samples"),
        pytest.param("# support=9\n#\tx/ex.com/1\n", 9, 1, id="as we write it when not all pages are known"),
    ],
)
def test_pages_and_support(comments: str, support: int, samples: int) -> None:
    (pattern,) = loads(comments + LINE)
    assert (pattern.support, len(pattern.samples)) == (support, samples)


def test_pages_belong_to_the_pattern_that_follows() -> None:
    other = LINE.replace("com/1", "com/2")
    first, second = loads(f"#\tx/ex.com/1\n{LINE}\n\n#\tx/ex.com/2\n#\tx/ex.com/3\n{other}\n")
    assert (first.support, second.support) == (1, 2)


@pytest.mark.parametrize("where", ["before", "after"])
def test_the_expression_for_attribute_values_holds_for_all_patterns(where: str) -> None:
    mangle = "!mangle_pat='[^0-9]+'\n"
    text = mangle + LINE if where == "before" else f"{LINE}\n{mangle}"
    (pattern,) = loads(text)
    assert pattern.block_options == replace(ORIGINAL_BLOCKS, mangle="[^0-9]+")


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


def test_windows_line_ends_and_empty_lines() -> None:
    assert loads(NEW.replace("\n", "\r\n")) == loads(NEW) == loads(NEW.replace("\n", "\n\n"))


def test_a_file_with_a_header_alone_has_no_patterns() -> None:
    assert loads("### version=0.6.1\n### pages=3\n") == []


@pytest.mark.parametrize(
    ("text", "line", "field", "message"),
    [
        pytest.param("", None, None, "no pattern file of Webstemmer", id="empty"),
        pytest.param('{"format": "scrapy-stemmer patterns", "version": 1}', 1, None, "must be", id="our own format"),
        pytest.param(f"\n{LINE[:-4]}", 2, None, "Was the file cut off?", id="torn"),
        pytest.param("__import__('os').system('x')", 1, None, "code is never run", id="code"),
        pytest.param(LINE.replace("1.0", "open('x')"), 1, None, "code is never run", id="code in a field"),
        pytest.param("(" * 10_000, 1, None, "not a Python literal", id="nested without end"),
        pytest.param("(1.0, 'x')", 1, None, "(score, name, title_index, sections) or", id="too few fields"),
        pytest.param("1.0", 1, None, "must be (score", id="no tuple"),
        pytest.param(LINE.replace("1.0", "'1'"), 1, "score", "must be a number", id="score"),
        pytest.param(LINE.replace("1.0", "1e999"), 1, "score", "finite number", id="infinite score"),
        pytest.param(LINE.replace("'2000/ex.com/1'", "7"), 1, "name", "must be a text", id="name"),
        pytest.param(LINE.replace(", 0,", ", 0.0,"), 1, "title_index", "whole number", id="title no whole number"),
        pytest.param(LINE.replace(", 0,", ", 1,"), 1, "title_index", "one of the 1 sections", id="title out of range"),
        pytest.param(LINE.replace(", 0,", ", -2,"), 1, "title_index", "at least -1", id="title below range"),
        pytest.param(OLD_LINE.replace(", 0, [", ", 1, ["), 1, "main_index", "one of the 1", id="main out of range"),
        pytest.param(OLD_LINE.replace(", 0, [", ", None, ["), 1, "main_index", "whole number", id="main none"),
        pytest.param(LINE.replace("[", "(").replace("]", ",)"), 1, "sections", "must be a list", id="no list"),
        pytest.param(LINE.replace("(0.5, 9.0, 'p')", "'p'"), 1, "sections[0]", "(diffscore, mainscore", id="section"),
        pytest.param(
            LINE.replace(" 9.0,", ""), 1, "sections[0]", "must be (diffscore, mainscore, feature).", id="old section"
        ),
        pytest.param(LINE.replace("9.0", "None"), 1, "sections[0].mainscore", "must be a number", id="mainscore"),
        pytest.param(LINE.replace("0.5", "1.5"), 1, "sections[0].diffscore", "between 0.0 and 1.0", id="diffscore"),
        pytest.param(LINE.replace("'p'", "b'p'"), 1, "sections[0].feature", "must be a text", id="feature"),
        pytest.param(
            f"{LINE}\n{LINE}", 2, "name", "a pattern of this name in line 1 already", id="the same name twice"
        ),
        pytest.param("!magic=1", 1, None, "only !mangle_pat=", id="unknown instruction"),
        pytest.param("!mangle_pat=[0-9]", 1, None, "not a Python literal", id="expression without quotes"),
        pytest.param("!mangle_pat='['", 1, "mangle_pat", "not a regular expression", id="expression"),
        pytest.param("!mangle_pat='([a-z])[0-9]'", 1, "mangle_pat", "has a group", id="expression with a group"),
        pytest.param("(1.0, 'all', -1, [])", 1, "name", "--site", id="site unknown"),
    ],
)
def test_errors_name_line_and_field(text: str, line: int | None, field: str | None, message: str) -> None:
    error = error_of(text)
    assert (error.line, error.field) == (line, field)
    assert message in str(error)


@given(st.text())
def test_arbitrary_text_never_raises_anything_else(text: str) -> None:
    for read in (loads, read_linkinfo):
        with suppress(PatternFileError):
            read(text)


class TestExport:
    def test_what_is_written(self) -> None:
        assert dumps([replace(EXTRACTED, samples=(Sample("http://ex.com/a/1.html", "t"),))]) == (
            "### version=0.6.1\n"
            "\n"
            "# 80.564901 <micro>\n"
            "# support=3\n"
            "#\thttp://ex.com/a/1.html\n"
            "(80.564901, 'micro', 2, [(0.514286, 12, 'title'), (0, 0, 'div:id=nav'), "
            "(0.734694, 12, 'h1:class=head'), (0.747475, 49.3333, 'div:class=body/p'), (0, 0, 'div:class=foot')])\n"
        )

    def test_no_title_is_minus_one(self) -> None:
        assert "'micro', -1, [" in dumps([replace(EXTRACTED, title_index=None)])

    def test_mangling_is_written_once(self) -> None:
        pattern = replace(EXTRACTED, block_options=replace(ORIGINAL_BLOCKS, mangle="[^0-9]+"))
        assert dumps([pattern, replace(pattern, name="b")]).count("!mangle_pat='[^0-9]+'\n") == 1

    def test_patterns_that_are_mangled_differently_are_refused(self) -> None:
        other = replace(EXTRACTED, name="b", block_options=replace(ORIGINAL_BLOCKS, mangle="[a-z]"))
        with pytest.raises(PatternFileError, match="one !mangle_pat for all") as caught:
            dumps([EXTRACTED, other])
        assert caught.value.field == "blocks.mangle"

    def test_features_are_ascii_as_webstemmer_makes_them(self) -> None:
        pattern = replace(EXTRACTED, sections=(Section("div:class=日本", 0.5, 1.0),), title_index=None)
        assert "'div:class=??'" in dumps([pattern])

    def test_nothing_in_names_can_begin_another_line(self) -> None:
        evil = "x>\n!mangle_pat='y'\n"
        pattern = replace(EXTRACTED, name=evil, samples=(Sample(f"http://ex.com/{evil}"),))
        (loaded,) = loads(dumps([pattern]))
        assert (loaded.name, loaded.block_options.mangle) == (evil, None)

    @given(st.lists(layout_patterns(), max_size=3, unique_by=lambda pattern: (pattern.site, pattern.name)))
    def test_round_trip(self, patterns: list[LayoutPattern]) -> None:
        mangle = patterns[0].block_options.mangle if patterns else None
        same = [
            replace(
                pattern,
                block_options=replace(ORIGINAL_BLOCKS, mangle=mangle),
                samples=(Sample(f"http://{pattern.site}/a"), *pattern.samples),
            )
            for pattern in patterns
        ]
        expected = [
            replace(
                pattern,
                sections=tuple(
                    replace(section, feature=ascii_of(section.feature), support=0, repeated=())
                    for section in pattern.sections
                ),
                samples=tuple(Sample(sample.url) for sample in pattern.samples),
                learned=None,
                site_wide=False,
                alignment="original",
            )
            for pattern in sorted(same, key=lambda pattern: (pattern.site, -pattern.score, pattern.name))
        ]
        loaded = loads(dumps(same))
        assert [replace(pattern, site="") for pattern in loaded] == [replace(pattern, site="") for pattern in expected]
        assert loads(dumps(loaded)) == sorted(loaded, key=lambda pattern: (pattern.site, -pattern.score, pattern.name))


def ascii_of(text: str) -> str:
    return text.encode("ascii", "replace").decode("ascii")


@pytest.mark.parametrize(
    ("name", "url"),
    [
        pytest.param("200001010000/ex.com/a/1.html?p=2", "http://ex.com/a/1.html?p=2", id="name"),
        pytest.param("https://ex.com/a", "https://ex.com/a", id="already a URL"),
        pytest.param("all", None, id="no host"),
        pytest.param("all/", None, id="an empty host"),
    ],
)
def test_url_of(name: str, url: str | None) -> None:
    assert url_of(name) == url


class TestLinkinfo:
    def test_what_is_read(self) -> None:
        text = (
            "('2000/ex.com/a', [u'First', 'second', u'\\u65e5\\u672c', u'caf\\xe9'])\n"
            "\n"
            "(u'2000/ex.com/b', [])\r\n"
            "('2000/ex.com/a', ['First'])\n"
        )
        assert read_linkinfo(text) == {
            "2000/ex.com/a": ("First", "second", "日本", "café", "First"),
            "2000/ex.com/b": (),
        }

    def test_what_is_written(self) -> None:
        """Texts are u'' literals with escapes, which Python 2 reads back."""
        text = write_linkinfo({"2000/ex.com/b": ["日", "it's"], "2000/ex.com/a": []})
        assert text == "('2000/ex.com/a', [])\n('2000/ex.com/b', [u'\\u65e5', u\"it's\"])\n"

    @given(st.dictionaries(st.text(), st.lists(st.text(), max_size=3).map(tuple), max_size=4))
    def test_round_trip(self, links: dict[str, tuple[str, ...]]) -> None:
        assert read_linkinfo(write_linkinfo(links)) == links

    @pytest.mark.parametrize(
        ("text", "field", "message"),
        [
            pytest.param("('a', ['b'", None, "cut off", id="torn"),
            pytest.param("__import__('os').system('x')", None, "code is never run", id="code"),
            pytest.param("('a',)", None, "must be (name, texts)", id="too few"),
            pytest.param("(1, [])", "name", "must be a text", id="name"),
            pytest.param("('a', 'b')", "texts", "must be a list", id="texts"),
            pytest.param("('a', ['b', 1])", "texts[1]", "must be a text", id="one of the texts"),
        ],
    )
    def test_errors_name_line_and_field(self, text: str, field: str | None, message: str) -> None:
        with pytest.raises(PatternFileError) as caught:
            read_linkinfo(f"('x', [])\n{text}\n")
        assert (caught.value.line, caught.value.field) == (2, field)
        assert message in str(caught.value)
