"""The paths of a page's tree, and templates of paths: fitting, noise, written form."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from lxml import etree

from scrapy_stemmer import MatchOptions, Page, PatternFileError
from scrapy_stemmer.learners.literature.text_mdl.learner import as_paths
from scrapy_stemmer.learners.literature.text_mdl.pattern import (
    ROOT,
    EssentialPathPattern,
    TemplatePath,
    element_paths,
    example_of,
    text_path,
    text_paths,
)
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.page.text import collapse
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import PageMatch, Role
from tests.strategies import markup


def tags_of(html: str) -> set[str]:
    """The paths of a page's elements, readable: names joined by slashes."""
    return {"/".join(named(element)) for element in element_paths(parse(html))}


def named(element: etree._Element) -> list[str]:
    return [str(ancestor.tag) for ancestor in reversed([element, *element.iterancestors()])]


def texts_of(html: str) -> list[str]:
    return list(text_paths(element_paths(parse(html))).values())


def test_a_path_is_the_names_from_the_root_on() -> None:
    assert tags_of("<div><p>one</p><p>two</p></div>") == {"html", "html/body", "html/body/div", "html/body/div/p"}


def test_elements_of_one_path_have_one_hash() -> None:
    paths = element_paths(parse('<ul><li class="a">1</li><li id="b">2</li></ul><ol><li>3</li></ol>'))
    items = [path for element, path in paths.items() if element.tag == "li"]
    assert items[0] == items[1] != items[2]


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        pytest.param("<p>a <b>b</b> c</p>", ["a", "c", "b"], id="text, then tails, then what is inside"),
        pytest.param("<p> a \n  b </p>", ["a b"], id="white space is collapsed"),
        pytest.param("<p>a</p><p>a</p>", ["a"], id="one place and wording counts once"),
        pytest.param("<p>a</p><div>a</div>", ["a", "a"], id="the same wording elsewhere is another path"),
        pytest.param("<p>a<script>x</script>b</p><svg><text>y</text></svg>", ["a", "b"], id="what is not seen"),
        pytest.param("", [], id="nothing"),
    ],
)
def test_texts(html: str, texts: list[str]) -> None:
    assert texts_of(html) == texts


def test_a_text_is_no_element() -> None:
    assert len({text_path(ROOT, "p"), *element_paths(etree.Element("p")).values()}) == 2


def test_comments_in_a_given_tree_do_not_hide_the_text_after_them() -> None:
    root = etree.fromstring("<p>a<!-- x -->b<?y?>c</p>")
    assert list(text_paths(element_paths(root)).values()) == ["a", "b", "c"]


def test_the_root_of_a_part_of_a_tree_has_no_path_above_it() -> None:
    whole = etree.fromstring("<html><body><p/></body></html>")
    part = whole[0]
    assert list(element_paths(part).values()) == list(element_paths(etree.fromstring("<body><p/></body>")).values())


def test_a_page_of_4_000_nested_elements() -> None:
    root = innermost = etree.Element("html")
    for _ in range(4_000):
        innermost = etree.SubElement(innermost, "div")
    innermost.text = "deep"
    elements = element_paths(root)
    assert len(set(elements.values())) == 4_001
    assert len(text_paths(elements)) == 1


def test_an_example_shows_the_innermost_elements() -> None:
    *_, item = element_paths(parse("<div><ul><li><a>x</a></li></ul></div>"))
    assert example_of(item) == "ul/li/a"
    assert example_of(etree.Element("html")) == "html"


def test_documents_are_sorted_and_distinct() -> None:
    assert as_paths([3, 1, 3, 2**64 - 1]).tolist() == [1, 3, 2**64 - 1]


@given(markup())
def test_every_word_that_is_seen_is_in_a_text(drawn: tuple[str, str]) -> None:
    html, seen = drawn
    known = " ".join(texts_of(f"<html><body><div>{html}</div></body></html>"))
    assert set("".join(collapse(seen).split())) <= set(known)


# Templates of paths

HTML = "<html><body><ul><li>Home</li></ul><p>{}</p><div>Contact us</div></body></html>"


def pattern(html: str, *, support: int = 4, pages: int = 4, site_wide: bool = False) -> EssentialPathPattern:
    """The template of all paths of a page, each on ``support`` of ``pages`` pages."""
    elements = element_paths(parse(html))
    return EssentialPathPattern(
        site="news.example",
        name="https://news.example/1",
        support=pages,
        score=7.0,
        site_wide=site_wide,
        tags=tuple(TemplatePath(path, support) for path in sorted(set(elements.values()))),
        texts=tuple(TemplatePath(path, support, text) for path, text in sorted(text_paths(elements).items())),
    )


ANYTHING = MatchOptions(threshold=0.0)
NOTHING = MatchOptions(threshold=1.0, site_threshold=1.0)


def match(template: EssentialPathPattern, html: str, options: MatchOptions | None = None) -> PageMatch | None:
    return template.match(Document(Page("https://news.example/2", html)), options or MatchOptions())


def noise_of(template: EssentialPathPattern, html: str) -> dict[str, float]:
    page_match = match(template, html, ANYTHING)
    assert page_match is not None
    return {block.text: block.noise_confidence for block in page_match.blocks}


def test_a_text_of_the_template_is_noise_where_it_stood() -> None:
    template = pattern(HTML.format(""))
    assert noise_of(template, HTML.format("Rain fell")) == {"Home": 1.0, "Rain fell": 0.0, "Contact us": 1.0}


def test_a_text_of_the_template_is_no_noise_at_another_place() -> None:
    template = pattern(HTML.format(""))
    assert noise_of(template, HTML.format("Home"))["Home"] == 0.0


def test_noise_is_the_share_of_pages() -> None:
    template = pattern(HTML.format(""), support=3)
    assert noise_of(template, HTML.format("Rain fell"))["Home"] == 0.75


def test_a_block_is_as_noisy_as_its_characters() -> None:
    """Four of the eleven letters of ``By Jane Doe ago`` are of the template."""
    page = HTML.format("By<b>Jane Doe</b>at")
    template = pattern(HTML.format("By<b></b>at"))
    assert noise_of(template, page)["ByJane Doeat"] == pytest.approx(4 / 11)


def test_repeated_texts_are_noise_in_any_cluster() -> None:
    template = pattern(HTML.format(""))
    elsewhere = pattern("<html><body><p>Read more</p></body></html>", support=2).texts
    page = HTML.format("Read more")
    assert noise_of(template, page)["Read more"] == 0.0
    assert noise_of(replace(template, repeated=elsewhere), page)["Read more"] == 1.0


def test_roles_follow_from_noise() -> None:
    page_match = match(pattern(HTML.format("")), HTML.format("Rain fell"))
    assert page_match is not None
    assert [block.role for block in page_match.blocks] == [Role.TEMPLATE, Role.MAIN, Role.TEMPLATE]


@pytest.mark.parametrize(
    ("tags", "page", "similarity"),
    [
        pytest.param("<p><b>", "<p><b>", 1.0, id="the same"),
        pytest.param("<p><b>", "<p>", 3 / 4, id="the page lacks a path"),
        pytest.param("<p>", "<p><b>", 3 / 3.1, id="a path of the page's own counts a tenth"),
        pytest.param("<p>", "<frameset>", 1 / 3.1, id="nothing but html in common"),
    ],
)
def test_similarity(tags: str, page: str, similarity: float) -> None:
    """Beside the given elements there are ``html`` and ``body``."""
    paths = frozenset(element_paths(parse(page)).values())
    assert pattern(tags).similarity(paths) == pytest.approx(similarity)


def test_a_template_of_little_does_not_fit_every_page() -> None:
    page = frozenset(element_paths(parse(HTML.format("<b><i></i></b>"))).values())
    assert pattern(HTML).similarity(page) > pattern("<p>").similarity(page)


def test_paths_that_few_pages_have_count_less() -> None:
    common, rare = TemplatePath(1, 4), TemplatePath(2, 3)
    template = replace(pattern(HTML), tags=(common, rare))
    assert template.similarity(frozenset({1})) == pytest.approx(1 / 1.75)
    assert template.similarity(frozenset({2})) == pytest.approx(0.75 / 1.75)


def test_a_template_without_paths_fits_nothing() -> None:
    assert replace(pattern(HTML), tags=()).similarity(frozenset()) == 0.0
    assert match(replace(pattern(HTML), tags=()), HTML) is None


@pytest.mark.parametrize(
    ("site_wide", "matched"), [pytest.param(False, False, id="a layout"), pytest.param(True, True, id="all pages")]
)
def test_a_page_must_fit_better_than_the_threshold(site_wide: bool, matched: bool) -> None:
    template = pattern(HTML, site_wide=site_wide)
    assert (match(template, "<p>Rain fell") is not None) is matched
    assert match(template, "<p>Rain fell", NOTHING) is None


def test_strictly_a_page_has_all_paths_that_all_pages_had() -> None:
    template = replace(pattern("<p><b>"), support=4)
    often = replace(template, tags=tuple(replace(tag, support=3) for tag in template.tags))
    strict = MatchOptions(threshold=0.5, strict=True)
    assert match(template, "<p>Rain fell", MatchOptions(threshold=0.5)) is not None
    assert match(template, "<p>Rain fell", strict) is None
    assert match(template, "<p><b>Rain fell", strict) is not None
    assert match(often, "<p>Rain fell", strict) is not None


PATTERN = EssentialPathPattern(
    site="news.example",
    name="https://news.example/1",
    support=4,
    score=7.0,
    tags=(TemplatePath(1, 4, "html"), TemplatePath(2**64 - 1, 3, "html/body")),
    texts=(TemplatePath(3, 4, "Home"),),
    repeated=(TemplatePath(5, 2, "Read more"),),
)


def record(**fields: Any) -> dict[str, Any]:
    line: dict[str, Any] = json.loads(codec.dumps([PATTERN]).splitlines()[1])
    return line | fields


def load(line: dict[str, Any]) -> EssentialPathPattern:
    header = codec.dumps([])
    (loaded,) = codec.loads(header + json.dumps(line))
    assert isinstance(loaded, EssentialPathPattern)
    return loaded


def test_what_is_written() -> None:
    line = record()
    assert line["kind"] == "essential_path"
    assert line["tags"] == [
        {"path": "0000000000000001", "support": 4, "example": "html"},
        {"path": "ffffffffffffffff", "support": 3, "example": "html/body"},
    ]
    assert line["texts"] == [{"path": "0000000000000003", "support": 4, "example": "Home"}]
    assert line["repeated"] == [{"path": "0000000000000005", "support": 2, "example": "Read more"}]


def test_what_is_read() -> None:
    assert load(record()) == PATTERN


def test_what_may_be_absent() -> None:
    line = record(tags=[{"path": "0000000000000001", "support": 4}])
    del line["texts"], line["repeated"]
    assert load(line) == replace(PATTERN, tags=(TemplatePath(1, 4),), texts=(), repeated=())


@pytest.mark.parametrize(
    ("field", "entry", "place", "problem"),
    [
        pytest.param("tags", {"support": 4}, "tags[0].path", "missing", id="no path"),
        pytest.param("tags", {"path": "1", "support": 4}, "tags[0].path", "16 hex", id="short path"),
        pytest.param("tags", {"path": "0" * 15 + "G", "support": 4}, "tags[0].path", "16 hex", id="no digits"),
        pytest.param("texts", {"path": "0" * 16, "support": 2}, "texts[0].support", "more than half", id="too few"),
        pytest.param("texts", {"path": "0" * 16, "support": 5}, "texts[0].support", "more than half", id="too many"),
        pytest.param("repeated", {"path": "0" * 16, "support": 0}, "repeated[0].support", "at least 1", id="none"),
        pytest.param(
            "texts", {"path": "0" * 16, "support": 4, "example": 1}, "texts[0].example", "a text", id="example"
        ),
    ],
)
def test_errors_name_the_field(field: str, entry: dict[str, Any], place: str, problem: str) -> None:
    with pytest.raises(PatternFileError, match=problem) as caught:
        load(record(**{field: [entry]}))
    assert (caught.value.field, caught.value.line) == (place, 2)
