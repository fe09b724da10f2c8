"""Selector rules: where on a site's pages the text stands, as selectors, after Zhou & Sun §6.

A rule stands for a cluster of blocks that look alike. It was learned with a browser, or from tag paths alone, and is
applied without one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from lxml import etree

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock, Piece
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.learners.noise import label_by_noise
from scrapy_stemmer.learners.visual.block_selectors import Levels, Selector
from scrapy_stemmer.learners.visual.visual_blocks import INLINE
from scrapy_stemmer.patterns.base import MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.record import Record

UNSELECTED_NOISE = 0.9
"""Noise confidence of a text that no rule selects: 97 % of such words on the project's news pages are template, 77 %
on its pages of mixed kinds (measured)."""

LEAST_SURE_NOISE = 0.5
"""Noise confidence of what a rule of confidence 0 would select: such a text is still rather main text."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A selector of main text.

    :param selector: the elements that hold it.
    :param score: how much its text has to do with the titles and descriptions of the pages it was learned from,
        and with itself; it grows with the square of the text's length.
    :param confidence: on which share of the pages that have its blocks they had to do with that at all.
    :param pages: on how many pages they stood.
    :param example: the beginning of one of its texts, for the people who read pattern files.
    """

    selector: Selector
    score: float
    confidence: float
    pages: int = 0
    example: str = ""

    @property
    def noise(self) -> float:
        """The noise confidence of what it selects."""
        return LEAST_SURE_NOISE * (1.0 - self.confidence)


@dataclass(frozen=True, kw_only=True)
class SelectorRulePattern(Pattern):
    """The rules of a site, for all its pages.

    :param rules: by falling score.
    :param rendered: whether a browser had rendered the pages that they were learned from.
    """

    kind: ClassVar[str] = "selector_rule"
    block_options: ClassVar[BlockOptions] = BlockOptions()

    rules: tuple[Rule, ...]
    rendered: bool = False

    def match(self, document: Document, options: MatchOptions) -> PageMatch | None:
        """Label a page when any rule selects text on it.

        The similarity is the confidence of the surest rule that does; it must be above the threshold for patterns
        over all pages of a site.
        """
        blocks = document.blocks(self.block_options)
        selection = _Selection(self.rules, document.root)
        noise = [selection.noise_of(block) for block in blocks]
        similarity = max((rule.confidence for rule in selection.used), default=0.0)
        if similarity <= options.site_threshold:
            return None
        return PageMatch(self.name, similarity, label_by_noise(blocks, noise, options))

    def to_record(self) -> dict[str, Any]:
        """The fields of this kind as JSON values."""
        return {"rendered": self.rendered, "rules": [_rule_record(rule) for rule in self.rules]}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        """The pattern of a record; see :meth:`Pattern.from_record`."""
        rules = tuple(_rule(entry) for entry in record.records("rules"))
        return cls(rules=rules, rendered=record.flag("rendered", False), **common)


class _Selection:
    """What rules select on one page.

    :param used: the rules that have selected something so far.
    """

    def __init__(self, rules: Iterable[Rule], root: etree._Element) -> None:
        self._levels = Levels(root)
        self._rules: defaultdict[str, list[Rule]] = defaultdict(list)
        for rule in sorted(rules, key=lambda rule: -rule.score):
            self._rules[rule.selector.path].append(rule)
        self._known: dict[etree._Element, Rule | None] = {}
        self.used: set[Rule] = set()

    def noise_of(self, block: LayoutBlock) -> float:
        """The noise confidence of a block: the mean of its characters'."""
        total = noise = 0.0
        for piece in block.pieces:
            weight = len(_text_of(piece).strip())
            total += weight
            noise += weight * self._noise_at(piece)
        return noise / total if total else UNSELECTED_NOISE

    def _noise_at(self, piece: Piece) -> float:
        element = piece.element.getparent() if piece.is_tail else piece.element
        rule = None if element is None else self._rule_of(element)
        if rule is None or not _text_of(piece).strip():
            return UNSELECTED_NOISE
        self.used.add(rule)
        return rule.noise

    def _rule_of(self, element: etree._Element) -> Rule | None:
        """The rule for an element's own text: one that selects it, or for inline elements what they are part of."""
        passed = []
        found: Rule | None = None
        above: etree._Element | None = element
        while above is not None and above not in self._known:
            passed.append(above)
            found = self._selecting(above)
            above = above.getparent() if found is None and above.tag in INLINE else None
        if above is not None:
            found = self._known[above]
        self._known.update(dict.fromkeys(passed, found))
        return found

    def _selecting(self, element: etree._Element) -> Rule | None:
        """The rule of highest score that selects an element."""
        rules = self._rules.get(self._levels.path(element), ())
        if not rules:
            return None
        selector = self._levels.selector(element)
        return next((rule for rule in rules if rule.selector.admits(selector)), None)


def _text_of(piece: Piece) -> str:
    return (piece.element.tail if piece.is_tail else piece.element.text) or ""


def _rule_record(rule: Rule) -> dict[str, Any]:
    record: dict[str, Any] = {
        "selector": str(rule.selector),
        "score": rule.score,
        "confidence": rule.confidence,
        "pages": rule.pages,
        "example": rule.example,
    }
    # For whoever reads the file: such a selector may select too much.
    return {**record, "vague": True} if rule.selector.is_vague else record


def _rule(record: Record) -> Rule:
    try:
        selector = Selector.parse(record.text("selector"))
    except ValueError as error:
        raise record.error("selector", str(error)) from error
    return Rule(
        selector=selector,
        score=record.number("score", least=0.0),
        confidence=record.number("confidence", least=0.0, most=1.0),
        pages=record.whole("pages", least=0, default=0),
        example=record.optional_text("example") or "",
    )
