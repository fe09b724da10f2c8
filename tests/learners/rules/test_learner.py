"""The rules learner: a site's pages give a single pattern, in any order."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.drift import level_of
from scrapy_stemmer.fields.learning import PageFields, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.learners.rules.learn.learning import NAMED_PAGES, PATTERN_NAME
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.learners.rules.site import reading
from scrapy_stemmer.page.document import parse
from scrapy_stemmer.patterns import codec
from tests.learners.rules.made import (
    CHROME_IS_NOISE,
    SITE,
    TOPICS,
    learned,
    lines,
    page,
    prose,
    scorer,
    stories,
    story,
    stripped,
)


def text_of(pages: list[Page]) -> str:
    return codec.dumps(RulesLearner(scorer=CHROME_IS_NOISE).learn(pages))


def test_pages_whose_fields_fail_are_learned_from_but_for_these(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(tree: PageTree, *others: Any) -> PageFields:
        if tree.url.endswith(("/1", "/2")):
            raise OverflowError("too large")
        return page_fields(tree, *others)

    whole = learned(stories())
    monkeypatch.setattr(reading, "page_fields", failing)
    pattern = learned(stories())
    assert pattern == replace(whole, field_rules=pattern.field_rules)
    (line,) = caplog.messages
    assert line.startswith("Authors and dates are not learned from 2 pages whose fields fail: ")
    assert line.endswith(f"https://{SITE}/1 (OverflowError: too large)")


class TestThePattern:
    def test_it_is_one_of_few_rules_for_all_pages_of_the_site(self) -> None:
        found = learned(stories())
        assert (found.site, found.name, found.support, found.site_wide) == (SITE, PATTERN_NAME, len(TOPICS), True)
        assert found.score > 0
        assert len(lines(found)) <= 5
        page = stripped(found, story("ferry"))
        assert page.matched
        assert page.text.endswith("\n".join(prose("ferry", number) for number in range(3)))

    def test_it_names_some_pages_with_their_titles(self) -> None:
        named = [(f"https://{SITE}/{number}", f"{topic} news") for number, topic in enumerate(TOPICS[:NAMED_PAGES])]
        assert [(sample.url, sample.title) for sample in learned(stories()).samples] == named

    def test_it_names_content_before_lists_and_of_most_kinds_of_addresses(self) -> None:
        links = "".join(f"<li><a href=/a/{topic}>{prose(topic, 0)}</a></li>" for topic in TOPICS)
        pages = {f"a/all-{number}": story("list").replace("<p>", f"<ul>{links}</ul><p>", 1) for number in range(6)}
        pages |= {"a": story("about"), "delivery": story("delivery")}
        pages |= {f"news/{number}": story(topic) for number, topic in enumerate(TOPICS)}
        samples = learned([Page(f"https://{SITE}/{path}", html) for path, html in pages.items()]).samples
        named = [sample.url.removeprefix(f"https://{SITE}/") for sample in samples]
        assert named == ["news/0", "news/1", "news/2", "a", "delivery", "news/3"]


WALL = page(7, "<title>Just a moment...</title><p>Checking your browser before accessing the site.")
SHELL = page(8, f"<body><script type='application/json'>{json.dumps({'body': ' '.join(map(prose, TOPICS, range(6)))})}")
SAMPLES = {
    "a site": stories(),
    "a page": stories(1),
    "copies": [*stories(4), page(9, story(TOPICS[0]))],
    "placeholders and no text": [*stories(4), WALL, page(10, "")],
    "a script": [*stories(3), SHELL],
    "bytes": [Page(each.url, str(each.html).encode()) for each in stories(3)],
    "trees": [Page(each.url, parse(str(each.html))) for each in stories(3)],
}


class TestTheLevel:
    @pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
    def test_it_is_that_of_the_sample_stripped_again(self, sample: list[Page]) -> None:
        patterns = learn(sample)
        level = level_of(patterns.strip(each) for each in sample)
        assert [each.level for each in patterns.patterns] == [level]


class TestTheSample:
    @pytest.mark.parametrize("html", ["", " ", "<p></p>", "<script>x</script>", b"\x00\x01", "<p>…</p>"])
    def test_pages_without_text_are_left_out(self, html: str) -> None:
        assert RulesLearner().learn([page(1, html)]) == []
        assert learned([page(0, html), *stories()[1:]]).support == len(TOPICS) - 1

    def test_links_to_any_address_of_a_page_tell_its_title(self) -> None:
        html = "<p class=name>All about {0}</p><p>" + "Some text of the {0}. " * 9 + "</p>"
        pages = [page(number, html.format(topic)) for number, topic in enumerate(TOPICS)]
        copies = [page(90 + n, html.format(topic), f"All about {topic}") for n, topic in enumerate(TOPICS)]
        assert [line for line in lines(learned([*pages, *copies])) if line.startswith("title")] == ["title .name"]


class TestOrder:
    """Beside that of usual pages, which the contract of all learners has."""

    def test_that_of_several_pages_of_one_address_does_not_matter(self) -> None:
        pages = [page(1, story(topic)) for topic in TOPICS[:3]]
        assert len({text_of(list(order)) for order in permutations(pages)}) == 1

    def test_nor_does_that_of_pages_of_one_address_and_text_and_other_markup(self) -> None:
        htmls = [f"<{tag} class='a {name}'><p>One</p></{tag}><p class={name}>Two</p>" for tag, name in
                 (("div", "x"), ("ul", "y"), ("nav", "z"))]  # fmt: skip
        pages = [*(page(1, html) for html in htmls), page(2, "<div class='x y z'><p>Three</p></div>")]
        assert len({text_of(list(order)) for order in permutations(pages)}) == 1

    def test_nor_that_of_links_to_a_page(self) -> None:
        one = [page(n, story(topic), "More", f"{topic} news") for n, topic in enumerate(TOPICS)]
        other = [page(n, story(topic), f"{topic} news", "More") for n, topic in enumerate(TOPICS)]
        assert text_of(one) == text_of(other)


class TestNames:
    @pytest.mark.parametrize("name", ["two\nlines", "a b", "md:flex", "x>y", "#1", "日本", "a.b", "\\", "50%", " "])
    def test_any_name_is_learned_saved_and_read_again(self, name: str) -> None:
        html = "<div id='{1}'><h1>{0}</h1><p>Text of the {0}.</p></div><my-menu.v2>Home Sport</my-menu.v2>"
        pages = [page(number, html.format(topic, name)) for number, topic in enumerate(TOPICS)]
        found = learned(pages, scorer(["in_section", 9, "low", 3, ["tag_p", 0.5, "low", -3, 3]]))
        again = codec.loads(codec.dumps([found]))
        assert again == [found]
        assert stripped(found, html.format("ferry", name)).text == "ferry\nText of the ferry."

    @pytest.mark.parametrize("tag", ["o:my-part", "my-card.v2", "x-日本"])
    def test_so_is_any_element(self, tag: str) -> None:
        html = f"<{tag}>Text of the {{0}}.</{tag}><nav>Home</nav>"
        found = learned([page(number, html.format(topic)) for number, topic in enumerate(TOPICS)])
        assert codec.loads(codec.dumps([found])) == [found]
        assert stripped(found, html.format("ferry")).text == "Text of the ferry."


@pytest.mark.parametrize("html", [story("ferry", inside="<aside>More about it</aside>"), "<h2>Some</h2><p>Short text."])
def test_the_only_page_that_was_learned_is_stripped_as_by_itself(html: str) -> None:
    """Its texts count as known on further pages of the site, not on the page itself."""
    only = page(1, html)
    found, alone = learn([only]), strip(only)
    assert found.strip(only).text == alone.text
    assert (found.strip(only).confidence or 0) > 0.9 * (alone.confidence or 1)
    added = "".join(f"<p>{prose('new', number)}</p>" for number in range(3))
    other = page(2, html.replace("<body>", f"<body>{added}") if "<body>" in html else added + html)
    assert "new town" in found.strip(other).text
