"""Builders of pages, paths and scorers, a line each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from lxml import etree

from scrapy_stemmer import Page, StripOptions, Stripped
from scrapy_stemmer.learners.rules.decide.decide import verdicts_of
from scrapy_stemmer.learners.rules.decide.features import FEATURE_NAMES, PageFacts
from scrapy_stemmer.learners.rules.decide.scorer import FORMAT, VERSION, Scorer, features, measures_of
from scrapy_stemmer.learners.rules.learner import RulesLearner
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.columns import Signatures, body_of
from scrapy_stemmer.learners.rules.site.hints import PathFeatures
from scrapy_stemmer.learners.rules.site.paths import Component, Paths, Selector, common_names
from scrapy_stemmer.learners.rules.site.reading import SamplePage, read_page, sample_page
from scrapy_stemmer.learners.rules.site.rules import Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge, Placer, Site, new_path
from scrapy_stemmer.page.document import Document, parse
from scrapy_stemmer.page.shown import Head, head_of, metadata_in
from scrapy_stemmer.patternset import strip_by

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import Path, ReadPage, Verdicts

SITE = "news.example"


def rule(line: str, **more: Any) -> Rule:
    """Return the rule of a line such as ``drop .ad``."""
    action, _, selector = line.partition(" ")
    return Rule(action, Selector.parse(selector), **more)


MENU = "<nav><a href=/>Home</a> <a href=/sport>Sport</a></nav>"
FOOTER = "<footer>Copyright Example News, all rights reserved.</footer>"

ARTICLE = '<meta property="og:type" content="article">'
"""Metadata in the head of an article."""


def prose(topic: str, number: int) -> str:
    """Return a paragraph unique to a topic and a number."""
    return f"The {topic} of day {'i' * (number + 1)} was seen, heard and told of, by everyone in {topic} town."


def story(topic: str, *, inside: str = "", head: str | None = None) -> str:
    """An article: a menu, a headline, three paragraphs, a footer.

    :param inside: markup in the article, after its text.
    :param head: markup in the head in place of a title.
    """
    title = f"<title>{topic} news | Example News</title>" if head is None else head
    text = "".join(f"<p>{prose(topic, number)}</p>" for number in range(3))
    return (
        f"<html><head>{title}</head><body>{MENU}<div class=story><h1>{topic} news</h1>{text}{inside}</div>"
        f"{FOOTER}</body></html>"
    )


TOPICS = ("storm", "harbour", "election", "museum", "bridge", "winter")


def page(number: int, html: str, *anchors: str) -> Page:
    return Page(f"https://{SITE}/{number}", html, anchors=anchors)


def stories(count: int = len(TOPICS), **more: Any) -> list[Page]:
    return [page(number, story(topic, **more)) for number, topic in enumerate(TOPICS[:count])]


def body(html: str | bytes) -> etree._Element:
    return body_of(parse(html))


def columns(html: str | bytes, signatures: Signatures | None = None) -> ReadPage:
    return read_page(body(html), Signatures() if signatures is None else signatures)


def of_texts(texts: Sequence[str], linked: Sequence[int] = ()) -> ReadPage:
    """Return a page on one path with an element for each text, of which some characters are in a link."""
    in_links = [*linked, *[0] * (len(texts) - len(linked))]
    parts = ((text[:end], text[end:]) for text, end in zip(texts, in_links, strict=True))
    page = columns("".join(f"<p><a href=/a>{escape(one)}</a>{escape(other)}" for one, other in parts))
    page.site_paths = [new_path(None, False, False, False, 0)]
    return page


def verdicts(
    odds: Sequence[float], is_text: Sequence[bool], texts: Sequence[str], linked: Sequence[int] = ()
) -> Verdicts:
    """Return decisions on blocks, each in an element of its own."""
    found = verdicts_of(of_texts(texts, linked), [0.0])
    for block, (odd, is_one) in enumerate(zip(odds, is_text, strict=True)):
        found.set(block, is_one, odd, -1)
    return found


def f1_of(odds: Sequence[float], is_text: Sequence[bool], lengths: Sequence[int]) -> float:
    """Return the expected F1 of blocks."""
    return verdicts(odds, is_text, ["x" * length for length in lengths]).expected_f1(False, (), 0.0, 0.0, 1.0)


def head(html: str) -> Head:
    return head_of(metadata_in(parse(f"<html><head>{html}</head><body><p>x</p></body></html>")))


def document(html: str) -> Document:
    """Return a page to strip."""
    return Document(page(0, html))


def component(text: str) -> Component:
    """Return the component written as ``div#a.b``."""
    (step,) = Selector.parse(text).steps
    return Component(step.tag, tuple(sorted(step.names)))


def paths(*texts: str) -> Paths:
    """Return the body, and paths such as ``div.a > p`` with their ancestors."""
    found = Paths()
    found.child(-1, Component("body"))
    for text in texts:
        path = 0
        for part in text.split(" > "):
            path = found.child(path, component(part))
    return found


def path_of(known: Paths, text: str) -> int:
    """Return the number of a path such as ``div.a > p``; ``body`` comes first."""
    path = 0
    for part in [] if text == "body" else text.split(" > "):
        path = known.child(path, component(part))
    return path


def site_of(known: Paths, *rules: Rule) -> list[Path]:
    """The decisions of a site on some paths."""
    site = Site(rules, Knowledge(pages=1))
    site.paths = known
    site._add_paths()
    return site.of_path


def facts(htmls: Sequence[str], *, known: bool = True) -> tuple[list[PageFacts], Paths]:
    """Return pages ready for features, with each page's knowledge of the rest.

    :param known: give each page the texts of the rest.
    """
    signatures = Signatures()
    read = [columns(html, signatures) for html in htmls]
    placer = Placer(common_names(read, list(signatures)))
    found = []
    for number, one in enumerate(read):
        others = [other for other in read if other is not one] if known else []
        shares = [sum(text in other.texts for other in others) / max(1, len(others)) for text in one.texts]
        found.append(
            PageFacts(
                page=SamplePage(
                    url=f"https://{SITE}/{number}",
                    columns=one,
                    head=Head(),
                    anchors=(),
                ),
                paths=placed(placer, one, signatures),
                measures=measures_of(one),
                others=len(others),
                repeated=shares,
            )
        )
    return found, placer.paths


def placed(placer: Placer, page: ReadPage, signatures: Signatures) -> list[int]:
    """Return the path of each element of a page."""
    placer.place_page(page, list(signatures))
    return page.paths


def rows(html: str, *others: str) -> list[dict[str, float]]:
    """Return the features of a page's blocks by name, beside further pages."""
    pages, known = facts([html, *others])
    values = features(pages, PathFeatures(known))
    return [dict(zip(FEATURE_NAMES, row, strict=True)) for row in values[: len(pages[0].page.columns.texts)].tolist()]


def row(html: str, text: str, *others: str) -> dict[str, float]:
    """The features of the block with a text."""
    return rows(html, *others)[columns(html).texts.index(text)]


def scorer(*trees: Any, base: float = 0.0) -> Scorer:
    """Return a scorer of trees: [name, threshold, side of missing values, low, high]."""
    numbered = list(map(_numbered, trees))
    return Scorer.of_json(
        {"format": FORMAT, "version": VERSION, "features": list(FEATURE_NAMES), "base": base, "trees": numbered}
    )


def _numbered(tree: Any) -> Any:
    if not isinstance(tree, list):
        return tree
    name, threshold, missing, low, high = tree
    return [FEATURE_NAMES.index(name), threshold, ("low", "high").index(missing), _numbered(low), _numbered(high)]


CHROME_IS_NOISE = scorer(["in_nav", 98, "low", -3, ["in_footer", 98, "low", -3, 3]])
"""Text is everything outside navigation and footer, so that tests depend on no weights."""


def sample(pages: Sequence[Page]) -> tuple[list[SamplePage], Signatures]:
    signatures = Signatures()
    shown = (Document(Page(each.url, each.html)).shown for each in pages)
    read = (sample_page(each.url, tree, signatures, each.anchors) for each, tree in zip(pages, shown, strict=True))
    return list(read), signatures


def learned(pages: Sequence[Page], by: Scorer = CHROME_IS_NOISE) -> RulesPattern:
    """Return the pattern of pages, at least one with text."""
    (pattern,) = RulesLearner(scorer=by).learn(pages)
    assert isinstance(pattern, RulesPattern)
    return pattern


def lines(pattern: RulesPattern) -> list[str]:
    return [rule.line for rule in pattern.rules]


def stripped(pattern: RulesPattern, html: str | etree._Element, options: StripOptions | None = None) -> Stripped:
    """A page of the pattern's site, stripped."""
    return strip_by([pattern], Document(Page(f"https://{SITE}/new", html)), options)
