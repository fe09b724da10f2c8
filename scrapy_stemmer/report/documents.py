"""The documents of a site: its layouts with their rules in words, its sample pages block by block."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from scrapy_stemmer.core.blocks import SUB_ROLES, Role
from scrapy_stemmer.core.document import Document, Page
from scrapy_stemmer.core.selectors import Selector, Step
from scrapy_stemmer.fields.dates import DMY
from scrapy_stemmer.fields.rules import DATES, DISTRUST, FIELDS, RULE, FieldRule
from scrapy_stemmer.learners.rules.paths import HashedNames
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, Rule
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip_by
from scrapy_stemmer.report.drawing import frame_of, rendered
from scrapy_stemmer.report.figures import PageFigures, SiteFigures, worst_first
from scrapy_stemmer.report.selecting import Offer, Offers, SelectorOffers

MIN_RUN = 4  # blocks of template in a row that are folded in the list of blocks
MAX_LISTED = 1000  # pages of a layout that are listed, the worst ones


@dataclass(frozen=True, slots=True)
class ReportOptions:
    """How a report is made of a pattern file, and of pages that need not declare their charset."""

    uri: str
    folder: Path
    match: MatchOptions
    charset: str
    is_online: bool  # whether shown pages may load images and style sheets
    key: str  # of the corrections that a browser keeps for this report


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A sample page as the report shows it."""

    figures: PageFigures
    blocks: tuple[LabelledBlock, ...]
    groups: tuple[str, ...]  # for each block its group of roles, ``title``, ``text``, ``sub`` or ``template``
    offers: tuple[Offers, ...]  # for each block where it stands, and selectors for corrections
    frame: str  # the document that shows the page
    markdown: str  # its text as Markdown
    # its authors, dates and other fields, as far as it has them, each with its source
    fields: Mapping[str, tuple[str, str]]

    @property
    def runs(self) -> list[tuple[bool, list[int]]]:
        """The numbers of its blocks, those of a run of template together, and whether they are such a run."""
        runs = []
        for group, numbers in groupby(range(len(self.groups)), key=self.groups.__getitem__):
            run = list(numbers)
            is_run = group == "template" and len(run) >= MIN_RUN
            runs += [(True, run)] if is_run else [(False, [number]) for number in run]
        return runs


def read_samples(patterns: Sequence[Pattern], pages: Sequence[Page], options: ReportOptions) -> list[ShownPage]:
    """The sample pages of a site, the least sure ones first."""
    documents = [Document(page, options.charset) for page in pages]
    rules = next((pattern for pattern in patterns if isinstance(pattern, RulesPattern)), None)
    selecting = None
    if rules is not None:
        selecting = SelectorOffers((document.root for document in documents), HashedNames(rules.knowledge.names))
    samples = []
    for number, document in enumerate(documents):
        page, stripped = document.page, strip_by(patterns, document, options.match)
        blocks = tuple(stripped.blocks)
        groups = tuple(_group(block, stripped) for block in blocks)
        figures, markdown, fields = PageFigures.of(page, stripped), stripped.markdown, _shown_fields(stripped)
        offers = selecting.of_page(number) if selecting else []
        if len(offers) != len(blocks):  # another learner, which has other blocks and no rules
            offers = [Offers(block.path) for block in blocks]
        # From here on the tree is changed: nothing is asked of what was stripped.
        frame = frame_of(document.root, blocks, groups, page.url if options.is_online else None)
        samples.append(ShownPage(figures, blocks, groups, tuple(offers), frame, markdown, fields))
    return sorted(samples, key=lambda page: (page.figures.health, page.figures.matched, page.figures.url))


def _shown_fields(stripped: Stripped) -> dict[str, tuple[str, str]]:
    """The fields that a page has, each as a text with its source."""
    known = {name: value for name in FIELDS if (value := stripped.fields[name])}
    texts = {name: value if isinstance(value, str) else ", ".join(value) for name, value in known.items()}
    return {name: (text, stripped.fields.sources.get(name, "")) for name, text in texts.items()}


def _group(block: LabelledBlock, stripped: Stripped) -> str:
    if block.role is Role.TITLE:
        return "title"
    if block.role in stripped.text_roles:
        return "text"
    return "sub" if block.role in SUB_ROLES else "template"


def site_documents(
    site: SiteFigures, patterns: Sequence[Pattern], samples: Sequence[ShownPage], options: ReportOptions
) -> Iterator[tuple[str, str]]:
    """The name and the text of each document of a site, with the samples of all its layouts."""
    taught = taught_in(patterns)
    shared: dict[str, Any] = {"site": site, "key": options.key, "taught": taught}
    by_name: dict[str | None, Pattern] = {pattern.name: pattern for pattern in patterns}
    for number, layout in enumerate(site.layouts, 1):
        yield f"layout-{number}.html", _layout_document(layout, by_name.get(layout), samples, **shared)
    own_rules = {(action, where) for _, action, where in taught}
    for number, page in enumerate(samples, 1):
        data = data_of(site.site, page, own_rules)
        shown = {"page": page, "number": number, "last": len(samples), "data": data, "is_online": options.is_online}
        yield f"page-{number}.html", rendered("page.html", **shown, **shared)


def _layout_document(
    layout: str | None, pattern: Pattern | None, samples: Sequence[ShownPage], *, site: SiteFigures, **shared: Any
) -> str:
    figures = site.of_layout(layout)
    listed = worst_first(page for page in figures.pages if page.layout == layout)
    # For each reason that decided on blocks the characters of their texts; the scorer's decisions count together.
    chars: Counter[str] = Counter()
    for block in (block for page in samples if page.figures.layout == layout for block in page.blocks):
        reason = block.evidence[0] if block.evidence else ""
        chars["scored" if reason.startswith("scored ") else reason] += len(block.text)
    return rendered(
        "layout.html",
        layout=layout,
        figures=figures,
        pattern=pattern,
        rules=pattern.rules if isinstance(pattern, RulesPattern) else None,
        field_rules=pattern.field_rules if isinstance(pattern, RulesPattern) else (),
        in_words=in_words,
        chars=chars,
        pages=listed[:MAX_LISTED],
        more=len(listed[MAX_LISTED:]),
        numbers=page_numbers(samples),
        site=site,
        **shared,
    )


def page_numbers(samples: Sequence[ShownPage]) -> dict[str, int]:
    """The number of the document of each sample page, by its URL."""
    return {page.figures.url: number for number, page in enumerate(samples, 1)}


def taught_in(patterns: Sequence[Pattern]) -> list[tuple[str, str, str]]:
    """The rules by hand of patterns: the site, the action and the selector of each, as corrections have them."""
    return [
        (pattern.site, rule.action, rule.target if isinstance(rule, FieldRule) else str(rule.selector))
        for pattern in patterns
        if isinstance(pattern, RulesPattern)
        for rule in pattern.all_rules
        if rule.is_users
    ]


def in_words(rule: Rule | FieldRule) -> str:
    """A rule as a sentence."""
    if isinstance(rule, FieldRule):
        return _field_in_words(rule)
    if len(rule.selector.steps) == 1 and rule.selector.steps[0].tag == "body":
        return f"{rule.action.capitalize()} all text that no other rule is for"
    begin = {KEEP: "Keep the text in", DROP: "Drop the text in"}.get(rule.action, "The title is the text of")
    return f"{begin} {_place_in_words(rule.selector)}{f': {rule.role}' if rule.role else ''}"


def _field_in_words(rule: FieldRule) -> str:
    if rule.action == DATES:
        return f"In dates of numbers the {'day' if rule.target == DMY else 'month'} comes first"
    if rule.action == DISTRUST:
        source = "learned rules find" if rule.target == RULE else f"{rule.target} says"
        return f"What {source} of {rule.of} is wrong on this site"
    try:
        place = _place_in_words(Selector.parse(rule.selector))
    except ValueError:  # CSS that says more than where an element stands
        place = f"what {rule.selector} selects"
    what = f"attribute {rule.attribute}" if rule.attribute else "text"
    return f"{rule.action.capitalize()}: the {what} of {place}{f', after “{rule.after}”' if rule.after else ''}"


def _place_in_words(selector: Selector) -> str:
    *outer, inner = selector.steps
    text = _step_in_words(inner)
    for step in reversed(outer):
        text += f" {'directly' if inner.child else 'somewhere'} in {_step_in_words(step)}"
        inner = step
    return text


def _step_in_words(step: Step) -> str:
    ids = " and ".join(sorted(name[1:] for name in step.names if name.startswith("#")))
    classes = " and ".join(sorted(name[1:] for name in step.names if name.startswith(".")))
    named = [f"with the id {ids}"] if ids else []
    named += [f"of class {classes}"] if classes else []
    return " ".join([f"{step.tag} elements" if step.tag else "elements", " and ".join(named)]).strip()


def why_in_words(evidence: Sequence[str], taught: Container[tuple[str, str]] = ()) -> str:
    """What decided on a block, as it is read; ``taught`` are the actions and selectors of rules by hand."""
    reason = evidence[0] if evidence else ""
    if reason.startswith("scored "):
        return f"no rule here; the scorer gave {reason.removeprefix('scored ')} (above 0 is text)"
    action, _, selector = reason.partition(" ")
    kind = "your rule" if (action, selector) in taught else "rule"
    return f"{kind}: {reason}" if reason else "not told by this learner"


def data_of(site: str, page: ShownPage, taught: Container[tuple[str, str]] = ()) -> dict[str, Any]:
    """What the script knows of a page."""
    distinct = {id(offers): offers for offers in page.offers}
    places = {key: place for place, key in enumerate(distinct)}
    table: dict[Offer, int] = {}
    paths: list[dict[str, Any]] = []
    for of_path in distinct.values():
        around = [table.setdefault(offer, len(table)) for offer in of_path.around]
        own = [table.setdefault(offer, len(table)) for offer in of_path.own]
        paths.append({**of_path._asdict(), "around": around, "own": own})
    blocks = [
        {"path": places[id(offers)], "why": why_in_words(block.evidence, taught)}
        for block, offers in zip(page.blocks, page.offers, strict=True)
    ]
    return {"site": site, "url": page.figures.url, "offers": [*table], "paths": paths, "blocks": blocks}
