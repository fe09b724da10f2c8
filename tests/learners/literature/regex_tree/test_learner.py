"""Counts, choices and areas of the regex-tree learner; contract.py checks what all learners share."""

from __future__ import annotations

from scrapy_stemmer import Page, PatternSet, Stripped
from scrapy_stemmer.learners.literature.regex_tree.learner import RegexTreeLearner, RegexTreeOptions, finish
from scrapy_stemmer.learners.literature.regex_tree.pattern import RegexTreePattern
from scrapy_stemmer.learners.literature.regex_tree.template_tree import CHOICE, TEXT_ITEM, Item


def pages(*bodies: str) -> list[Page]:
    return [Page(f"https://ex.com/{number}", f"<body>{body}</body>") for number, body in enumerate(bodies)]


def learned(*bodies: str, options: RegexTreeOptions | None = None) -> RegexTreePattern:
    (pattern,) = RegexTreeLearner(options).learn(pages(*bodies))
    assert isinstance(pattern, RegexTreePattern)
    return pattern


def noise(pattern: RegexTreePattern) -> dict[str, float]:
    return {
        f"{kind}={value}": group.confidence
        for row in pattern.rows
        for group in row.noise
        for kind, value in group.features
    }


def strip(pattern: RegexTreePattern, body: str) -> Stripped:
    return PatternSet([pattern]).strip(Page("https://ex.com/new", f"<body>{body}</body>"))


class TestMicroExample:
    """The design note's four pages: a leaf with equal text on all, and a leaf with each page's own."""

    BODIES = tuple(f"<h2>Home</h2><h1>{title}</h1>" for title in ("alphas", "bravos", "charly", "deltas"))

    def test_a_section_of_template_alone_has_none(self) -> None:
        (section,) = strip(learned(*self.BODIES), "<h2>Home</h2>").sections
        assert section.importance == 0.0
        assert section.is_noise

    def test_what_one_page_of_fifteen_has_says_nothing(self) -> None:
        bodies = ["<h2>Home</h2><div><p>Only here</p></div>", *(f"<h2>Home</h2>{'x' * n}" for n in range(1, 15))]
        pattern = learned(*bodies)
        assert pattern.support == 15
        assert "text=Only here" not in noise(pattern)
        assert [row.name for row in pattern.rows] == ["html", "body", "h2", TEXT_ITEM, TEXT_ITEM]


def test_links_and_images_are_features_too() -> None:
    bodies = [f"<img src=/logo.png><a href=/home>{text}</a><p>{text}" for text in ("one", "two", "three")]
    assert noise(learned(*bodies)) == {"image=/logo.png": 1.0, "link=/home": 1.0}


def test_a_leaf_keeps_the_features_of_highest_confidence() -> None:
    bodies = ["<ul><li>a<li>b</ul>", "<ul><li>a<li>b<li>c</ul>", "<ul><li>a<li>c</ul>"]
    assert noise(learned(*bodies)) == {"text=a": 1.0, "text=b": 0.6667, "text=c": 0.6667}
    assert noise(learned(*bodies, options=RegexTreeOptions(min_confidence=0.7))) == {"text=a": 1.0}


def test_the_template_says_what_repeats_and_what_may_be_absent() -> None:
    pattern = learned(
        "<h1>a</h1><p>b</p><p>c</p><hr>", "<h1>d</h1><p>e</p><ul><li>x</ul><hr>", "<h1>f</h1><p>g</p><hr><i>i</i>"
    )
    assert [(row.depth, row.name, row.operator, row.pages) for row in pattern.rows] == [
        (0, "html", "", 3),
        (1, "body", "", 3),
        (2, "h1", "", 3),
        (3, TEXT_ITEM, "", 3),
        (2, "p", "*", 3),
        (3, TEXT_ITEM, "", 3),
        (2, "hr", "", 3),
    ]


def test_choices_of_which_one_alternative_is_left_are_no_choices() -> None:
    template = Item("body", [Item(CHOICE, [Item("p", support=4), Item("ul", support=1)], support=5)], support=5)
    finish(template, 5, RegexTreeOptions())
    assert [(item.name, item.optional) for item in template.kids] == [("p", True)]


def test_fifteen_pages_are_drawn_whatever_the_order() -> None:
    def names(sampled: list[Page]) -> list[str]:
        (pattern,) = RegexTreeLearner().learn(sampled)
        assert pattern.support == 15
        return [sample.url for sample in pattern.samples]

    sampled = pages(*(f"<p>{'x' * number}</p>" for number in range(1, 40)))
    assert names([*reversed(sampled), *sampled[:20]]) == names(sampled)


def test_copies_are_one_page() -> None:
    assert RegexTreeLearner().learn(pages("<p>a</p>", "<p>a</p>")) == []
