"""Rules as CSS and XPath, and as files of ftr-site-config."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from parsel import Selector as Parsed

from scrapy_stemmer import Page, learn
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.paths import Selector
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge
from scrapy_stemmer.outputs import config_name, site_config
from scrapy_stemmer.page.selectors import xpath_test
from tests.commands.subcommand import run
from tests.crawl.website import Article

HTML = """
<body class="post"><nav>Menu</nav>
<div id="it's" class="post big"><h1 class="headline">Title</h1><p>One <b>bold</b></p>
  <div class="promo">Buy<div class="note">Note</div></div><script>x()</script>
  <aside class="promo last">Last</aside><my-box><p>Two</p></my-box></div>
<h1>Second</h1><footer>Foot</footer></body>
"""


def pattern(*lines: str) -> RulesPattern:
    """Return a pattern of rules such as ``drop .promo``."""
    rules = tuple(Rule(action, Selector.parse(text)) for action, _, text in (line.partition(" ") for line in lines))
    nothing: frozenset[int] = frozenset()
    known = Knowledge(
        pages=1, names=nothing, decided=nothing, undecided=nothing, parts=nothing, ends=nothing, texts={},
        title_parts=frozenset(),
    )  # fmt: skip
    return RulesPattern(site="a.example", name="site", support=1, score=1.0, rules=rules, knowledge=known)


def texts(nodes: Iterable[str]) -> list[str]:
    return [" ".join(text.split()) for text in nodes if text.strip()]


def kept(*lines: str) -> list[str]:
    return texts(Parsed(HTML).xpath(pattern(*lines).to_selectors().text_xpath).getall())


def test_the_nearest_rule_decides() -> None:
    assert kept("drop body", "keep .post", "drop .promo") == ["Title", "One", "bold", "Two"]
    assert kept("drop body", "keep .post", "drop .promo", "keep .note") == ["Title", "One", "bold", "Note", "Two"]
    assert kept("keep body", "drop nav", "drop footer", "drop .post") == ["Second"]
    assert kept("keep nav") == ["Menu"]
    assert kept() == []


def test_marks_of_permalinks_are_no_text() -> None:
    html = "<article><h2>One<a href=#one>¶</a></h2><p>Two<a href=#note>1</a> <a href=/x>§</a></p></article>"
    assert texts(Parsed(html).xpath(pattern("keep article").to_selectors().text_xpath).getall()) == [
        *("One", "Two", "1", "§")
    ]


def test_learned_rules_have_no_say_within_those_of_the_user() -> None:
    learned = pattern("drop body", "keep .post", "drop .promo")
    mine = learned.with_rules([Rule("drop", Selector.parse(".post"), is_users=True)])
    assert texts(Parsed(HTML).xpath(mine.to_selectors().text_xpath).getall()) == []
    mine = learned.with_rules([Rule("keep", Selector.parse(".post"), is_users=True)])
    found = mine.to_selectors()
    assert texts(Parsed(HTML).xpath(found.text_xpath).getall()) == [
        "Title",
        "One",
        "bold",
        "Buy",
        "Note",
        "Last",
        "Two",
    ]
    assert Parsed(HTML).xpath(found.strip_xpath).getall() == []
    assert len(Parsed(HTML).xpath(found.body_xpath)) == 1
    mine = mine.with_rules([Rule("drop", Selector.parse("aside"), is_users=True)])
    assert texts(Parsed(HTML).xpath(mine.to_selectors().text_xpath).getall())[-2:] == ["Note", "Two"]


def test_of_two_rules_for_one_element_the_more_special_one_wins_then_the_last() -> None:
    assert kept("drop body", "keep aside", "drop .promo.last") == []
    assert kept("drop body", "keep .promo.last", "drop aside") == ["Last"]
    assert kept("drop body", "keep aside", "drop .promo") == []
    assert kept("drop body", "drop .promo", "keep aside") == ["Last"]


@pytest.mark.parametrize(
    ("selector", "expected"),
    [
        ("h1", ["Title", "Second"]),
        (".post > h1", ["Title"]),
        (".big p", ["One bold", "Two"]),
        (".big > p", ["One bold"]),
        ("body > * > p", ["One bold"]),
        (r"#it\'s > my-box p", ["Two"]),
        ("*.headline", ["Title"]),
    ],
)
def test_a_selector_is_the_same_as_xpath_and_as_css(selector: str, expected: list[str]) -> None:
    by_xpath = Parsed(HTML).xpath(f"//*[{xpath_test(Selector.parse(selector))}]")
    assert [" ".join(found.xpath("string()").get("").split()) for found in by_xpath] == expected
    # Classes of the body count in CSS only.
    by_css = Parsed(HTML.replace(' class="post"', "", 1)).css(selector)
    assert [" ".join(found.xpath("string()").get("").split()) for found in by_css] == expected


def test_what_is_no_text_of_the_page_is_left_out() -> None:
    silent = (
        "<video>Your browser is old</video><object>No</object><svg><desc>Drawn</desc></svg><select><option>1</select>"
    )
    page = Parsed(f"<body><div class='2col -1'>One{silent}</div>")
    found = pattern("drop body", r"keep .\32 col.-\31").to_selectors()
    assert texts(page.xpath(found.text_xpath).getall()) == ["One"]
    assert page.css(found.keep[0]).xpath("@class").getall() == ["2col -1"]


def test_titles_and_lists_of_css() -> None:
    found = pattern("drop body", "keep .post", "drop .promo", "title .headline").to_selectors()
    assert (found.keep, found.drop, found.title) == ((".post",), ("body", ".promo"), (".headline",))
    assert Parsed(HTML).xpath(found.title_xpath[0]).xpath("string()").getall() == ["Title"]
    assert pattern("keep body").to_selectors().title == ("h1",)


@pytest.fixture
def learned(tmp_path: Path) -> Path:
    path = tmp_path / "p.jsonl"
    learn([Page(f"http://a.example/{n}", Article(n).html()) for n in range(6)]).save(str(path))
    return path


def test_what_is_learned_finds_the_text_of_other_pages(learned: Path, tmp_path: Path) -> None:
    output = tmp_path / "selectors.jsonl"
    assert run("export", learned, "-o", output, "--format", "selectors") == [f"1 pattern now in {output} (selectors)"]
    (found,) = map(json.loads, output.read_text(encoding="utf-8").splitlines())
    page = Parsed(Article(40).html())
    assert texts(page.xpath(found["text_xpath"]).getall())[-3:] == Article(40).body
    assert page.xpath(found["title_xpath"][0]).xpath("string()").get() == Article(40).headline


def applied(config: str, html: str) -> dict[str, list[str]]:
    """Return a page after a file of ftr-site-config, applied as by its readers: first ``strip``, then ``title`` and
    ``body``."""
    lines = [line.split(": ", 1) for line in config.splitlines()]
    root = Parsed(html).root
    for name, value in lines:
        if name == "strip":
            for element in root.xpath(value):
                element.getparent().remove(element)
    return {
        name: [" ".join("".join(found.itertext()).split()) for key, value in lines if key == name
               for found in root.xpath(value)]
        for name in ("title", "body")
    }  # fmt: skip


def test_a_file_of_ftr_site_config() -> None:
    config = site_config(pattern("drop body", "keep .post", "drop aside", "title .headline"))
    assert [line.partition(":")[0] for line in config.splitlines()] == ["title", "body", "strip", "prune", "tidy"]
    assert applied(config, HTML) == {"title": ["Title"], "body": ["TitleOne bold BuyNotex() Two"]}
    assert "strip:" not in site_config(pattern("drop body", "keep .post"))


def test_a_site_has_a_file(learned: Path, tmp_path: Path) -> None:
    run("export", learned, "-o", tmp_path / "ftr", "--format", "ftr")
    config = (tmp_path / "ftr" / "a.example.txt").read_text(encoding="utf-8")
    assert "test_url: http://a.example/0\n" in config
    found = applied(config, Article(40).html())
    assert found["title"] == [Article(40).headline]
    assert all(text in " ".join(found["body"]) for text in Article(40).body)
    assert config_name("a.example:8000") == "a.example.txt"
