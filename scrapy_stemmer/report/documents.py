"""The documents of a site: its layouts with their rules in words, its sample pages block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrapy_stemmer.core.blocks import SUB_ROLES, Role
from scrapy_stemmer.core.document import Document, Page
from scrapy_stemmer.core.selectors import Step
from scrapy_stemmer.learners.rules.paths import HashedNames
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, Rule
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.report.drawing import drawn
from scrapy_stemmer.report.figures import PageFigures, SiteFigures
from scrapy_stemmer.report.selecting import Offer, Offers, SelectorOffers
from scrapy_stemmer.report.templates import rendered


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is made of a pattern file, and of pages that need not declare their charset.

    :param is_online: whether shown pages may load images and style sheets.
    :param key: of the corrections that a browser keeps for this report.
    """

    uri: str
    folder: Path
    match: MatchOptions
    charset: str
    is_online: bool
    key: str


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A sample page as the report shows it.

    :param title: what stripping has found, else what tells the page from others.
    :param kind: what the page is there for, where the learner can say.
    :param groups: for each block its group of roles, ``title``, ``text``, ``sub`` or ``template``.
    :param offers: for each block where it stands, and selectors for corrections.
    :param frame: the document that shows the page.
    """

    figures: PageFigures
    title: str
    kind: str | None
    blocks: tuple[LabelledBlock, ...]
    groups: tuple[str, ...]
    offers: tuple[Offers, ...]
    frame: str


def read_samples(patterns: Sequence[Pattern], pages: Sequence[Page], options: ReportOptions) -> list[SamplePage]:
    """The sample pages of a site, the least sure ones first."""
    documents = [Document(page, options.charset) for page in pages]
    rules = next((pattern for pattern in patterns if isinstance(pattern, RulesPattern)), None)
    selecting = None
    if rules is not None:
        selecting = SelectorOffers((document.root for document in documents), HashedNames(rules.knowledge.names))
    found = []
    for number, document in enumerate(documents):
        page, stripped = document.page, strip_by(patterns, document, options.match)
        blocks = tuple(stripped.blocks)
        groups = tuple(_group(block, stripped) for block in blocks)
        figures, kind = PageFigures.of(page, stripped), stripped.kind
        title = stripped.title or page.url.rstrip("/").rpartition("/")[2] or page.url
        offers = selecting.of_page(number) if selecting else []
        if len(offers) != len(blocks):  # another learner, which has other blocks and no rules
            offers = [Offers(block.path) for block in blocks]
        # From here on the tree is changed: nothing is asked of what was stripped.
        frame = drawn(document.root, blocks, groups, page.url if options.is_online else None)
        found.append(SamplePage(figures, title, kind, blocks, groups, tuple(offers), frame))
    return sorted(found, key=lambda page: (page.figures.confidence or 0.0, page.figures.url))


def _group(block: LabelledBlock, stripped: Stripped) -> str:
    if block.role is Role.TITLE:
        return "title"
    if block.role in stripped.text_roles:
        return "text"
    return "sub" if block.role in SUB_ROLES else "template"


def site_documents(
    site: SiteFigures, patterns: Sequence[Pattern], samples: Sequence[SamplePage], options: ReportOptions
) -> Iterator[tuple[str, str]]:
    """The name and the text of each document of a site.

    :param samples: those of all its layouts.
    """
    shared = {"site": site, "key": options.key}
    by_name: dict[str | None, Pattern] = {pattern.name: pattern for pattern in patterns}
    for number, layout in enumerate(site.layouts, 1):
        pattern = by_name.get(layout)
        own = [(at, page) for at, page in enumerate(samples, 1) if page.figures.layout == layout]
        # For each reason that decided on blocks the characters of their texts; the scorer's decisions count together.
        chars: Counter[str] = Counter()
        for block in (block for _, page in own for block in page.blocks):
            reason = block.evidence[0] if block.evidence else ""
            chars["scored" if reason.startswith("scored ") else reason] += len(block.text)
        yield (
            f"layout-{number}.html",
            rendered(
                "layout.html",
                layout=layout,
                figures=site.of_layout(layout),
                pattern=pattern,
                rules=pattern.rules if isinstance(pattern, RulesPattern) else None,
                in_words=in_words,
                chars=chars,
                samples=own,
                **shared,
            ),
        )
    for number, page in enumerate(samples, 1):
        yield (
            f"page-{number}.html",
            rendered(
                "page.html",
                page=page,
                number=number,
                last=len(samples),
                data=data_of(site.site, page),
                is_online=options.is_online,
                **shared,
            ),
        )


def in_words(rule: Rule) -> str:
    """A rule as a sentence."""
    *outer, last = rule.selector.steps
    if not outer and last.tag == "body":
        return f"{rule.action.capitalize()} all text that no other rule is for"
    text, inner = _step_in_words(last), last
    for step in reversed(outer):
        text += f" {'directly' if inner.child else 'somewhere'} in {_step_in_words(step)}"
        inner = step
    begin = {KEEP: "Keep the text in", DROP: "Drop the text in"}.get(rule.action, "The title is the text of")
    return f"{begin} {text}{f': {rule.role}' if rule.role else ''}"


def _step_in_words(step: Step) -> str:
    ids = " and ".join(sorted(name[1:] for name in step.names if name.startswith("#")))
    classes = " and ".join(sorted(name[1:] for name in step.names if name.startswith(".")))
    named = [f"with the id {ids}"] if ids else []
    named += [f"of class {classes}"] if classes else []
    return " ".join([f"{step.tag} elements" if step.tag else "elements", " and ".join(named)]).strip()


def why_in_words(evidence: Sequence[str]) -> str:
    """What decided on a block, as it is read."""
    reason = evidence[0] if evidence else ""
    if reason.startswith("scored "):
        return f"no rule here; the scorer gave {reason.removeprefix('scored ')} (above 0 is text)"
    return f"rule: {reason}" if reason else "not told by this learner"


def data_of(site: str, page: SamplePage) -> dict[str, Any]:
    """What the script knows of a page."""
    distinct = {id(offers): offers for offers in page.offers}
    places = {key: place for place, key in enumerate(distinct)}
    table: dict[Offer, int] = {}
    paths: list[dict[str, Any]] = []
    for of_path in distinct.values():
        around, own = ([table.setdefault(each, len(table)) for each in some] for some in (of_path.around, of_path.own))
        paths.append({**of_path._asdict(), "around": around, "own": own})
    blocks = [
        {"path": places[id(offers)], "why": why_in_words(block.evidence)}
        for block, offers in zip(page.blocks, page.offers, strict=True)
    ]
    return {"site": site, "url": page.figures.url, "offers": [*table], "paths": paths, "blocks": blocks}
