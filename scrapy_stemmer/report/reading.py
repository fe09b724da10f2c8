"""Sample pages read for the report: what is decided on each block and why, and the document of the page's frame."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrapy_stemmer.core.blocks import SUB_ROLES, Role
from scrapy_stemmer.core.document import Document, Page, PageParser
from scrapy_stemmer.learners.rules.paths import HashedNames
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.patterns.base import LabelledBlock, MatchOptions, Pattern
from scrapy_stemmer.patternset import Stripped, strip
from scrapy_stemmer.report.drawing import drawn
from scrapy_stemmer.report.figures import PageFigures
from scrapy_stemmer.report.selecting import Offers, SelectorOffers

GROUPS = ("title", "text", "sub", "template")
"""The groups of roles that are told apart by colour."""


@dataclass(frozen=True, slots=True)
class SamplePage:
    """A sample page as the report shows it.

    :param title: what stripping has found, else what tells the page from others.
    :param kind: what the page is there for, where the learner can say.
    :param groups: for each block its group of roles, one of :data:`GROUPS`.
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


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """How pages are stripped and shown.

    :param charset: that of pages that declare none.
    :param is_online: whether they may load images and style sheets.
    """

    match: MatchOptions
    charset: str
    is_online: bool = False


def read_samples(patterns: Sequence[Pattern], pages: Sequence[Page], options: ReadOptions) -> list[SamplePage]:
    """The sample pages of a site, the least sure ones first."""
    parser = PageParser()
    documents = [Document(page, options.charset, parser) for page in pages]
    rules = next((pattern for pattern in patterns if isinstance(pattern, RulesPattern)), None)
    selecting = None
    if rules is not None:
        names = HashedNames(rules.knowledge.names)
        selecting = SelectorOffers((document.root for document in documents), names)
    found = [_read(patterns, document, selecting, number, options) for number, document in enumerate(documents)]
    return sorted(found, key=lambda page: (page.figures.confidence or 0.0, page.figures.url))


def _read(
    patterns: Sequence[Pattern], document: Document, selecting: SelectorOffers | None, number: int, options: ReadOptions
) -> SamplePage:
    page = document.page
    stripped = strip(patterns, document, options.match)
    blocks = tuple(stripped.blocks)
    groups = tuple(_group(block, stripped) for block in blocks)
    figures, title, kind = PageFigures.of(page, stripped), stripped.title, stripped.kind
    offers = selecting.of_page(number) if selecting is not None else []
    if len(offers) != len(blocks):  # another learner, which has other blocks and no rules
        offers = [Offers(block.path) for block in blocks]
    # From here on the tree is changed: nothing is asked of what was stripped.
    kept = [group in ("title", "text") for group in groups]
    frame = drawn(document.root, blocks, kept, groups, page.url if options.is_online else None)
    return SamplePage(figures, title or _name_of(page.url), kind, blocks, groups, tuple(offers), frame)


def _group(block: LabelledBlock, stripped: Stripped) -> str:
    if block.role is Role.TITLE:
        return "title"
    if block.role in stripped.text_roles:
        return "text"
    return "sub" if block.role in SUB_ROLES else "template"


def _name_of(url: str) -> str:
    """What tells a page without a title from others of its site."""
    return url.rstrip("/").rpartition("/")[2] or url


def decided(pages: Sequence[SamplePage], layout: str | None) -> dict[str, int]:
    """For each reason that decided on blocks the characters of their texts; the scorer's decisions count together."""
    found: dict[str, int] = {}
    for block in _blocks(pages, layout):
        reason = block.evidence[0] if block.evidence else ""
        reason = "scored" if reason.startswith("scored ") else reason
        found[reason] = found.get(reason, 0) + len(block.text)
    return found


def _blocks(pages: Sequence[SamplePage], layout: str | None) -> Iterator[LabelledBlock]:
    return (block for page in pages if page.figures.layout == layout for block in page.blocks)
