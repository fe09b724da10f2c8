"""Selector rules: places of the text on a site's pages, as selectors (section 6).

A rule stands for a cluster of blocks that look alike. Rules are learned with a browser or from tag paths, and applied
without a browser.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from lxml import etree

from scrapy_stemmer.learners.literature.base import NoisePattern, noise_by_piece
from scrapy_stemmer.page.blocks import LayoutBlock, Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.elements import INLINE
from scrapy_stemmer.page.selectors import MAX_STEPS, Selector, written
from scrapy_stemmer.patterns.record import Between, Record, Share

MAX_SELECTOR_DEPTH = MAX_STEPS - 1
"""Levels of a selector below the body; real pages have some thirty. Deeper elements count as their ancestor on the last
level, or selectors would cost the square of the levels."""

NO_LEVEL = frozenset({"html", "head", "body", "tbody"})  # elements left out of selectors

BOXLESS = INLINE | {"br"}
"""Elements without a box of their own unless a style sheet gives them one. Without a browser, their text belongs to the
element around them."""

_CLASS = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]+")
_IDENTIFIER = re.compile(r"[^\s#.>]+")


class TagStep(NamedTuple):
    """Element of a selector: its name, identifier (``#main``) and class names (``.text``)."""

    tag: str
    marks: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class TagPath:
    """Elements from the body down to a text, outermost first."""

    steps: tuple[TagStep, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        body, *steps = Selector.parse(text).steps
        if body.tag != "body" or not all(step.child and step.tag for step in steps):
            raise ValueError('is not a selector such as "body > div#main > p.text"')
        return cls(tuple(TagStep(step.tag, step.names) for step in steps))

    def __str__(self) -> str:
        return " > ".join(("body", *(written(tag, sorted(marks)) for tag, marks in self.steps)))

    @property
    def path(self) -> str:
        """The names of the elements; selectors with equal paths can be consolidated."""
        return "/".join([step.tag for step in self.steps])

    def common(self, other: TagPath) -> TagPath:
        pairs = zip(self.steps, other.steps, strict=True)
        return TagPath(tuple(TagStep(ours.tag, ours.marks & theirs.marks) for ours, theirs in pairs))

    def admits(self, other: TagPath) -> bool:
        pairs = zip(self.steps, other.steps, strict=False)
        return len(self.steps) == len(other.steps) and all(
            ours.tag == theirs.tag and ours.marks <= theirs.marks for ours, theirs in pairs
        )

    @property
    def container(self) -> TagPath:
        return TagPath(self.steps[:-1])

    def holds(self, other: TagPath) -> bool:
        return len(self.steps) < len(other.steps) and self.admits(TagPath(other.steps[: len(self.steps)]))


def selectors_of(root: etree._Element) -> dict[etree._Element, TagPath]:
    """Return the selector of each element; elements below the last level get their ancestor's."""

    @cache  # a page repeats few steps many times
    def step(tag: str, identifier: str, classes: str) -> TagStep:
        marks = {f".{name}" for name in classes.split() if _CLASS.fullmatch(name)}
        marks |= {f"#{identifier}"} if _IDENTIFIER.fullmatch(identifier) else set()
        return TagStep(tag, frozenset(marks))

    selectors: dict[Any, TagPath] = {root: TagPath()}
    for element in root.iterdescendants("*"):
        selector = selectors[element.getparent()]
        if element.tag not in NO_LEVEL and len(selector.steps) < MAX_SELECTOR_DEPTH:
            here = step(str(element.tag), element.get("id", ""), element.get("class", ""))
            selector = TagPath((*selector.steps, here))
        selectors[element] = selector
    return selectors


UNSELECTED_NOISE = 0.9
"""Noise confidence of a text that no rule selects. Of such words, 97 % on the project's news pages and 77 % on its
mixed pages are template (measured)."""


@dataclass(frozen=True, slots=True)
class SelectorRule:
    """Selector of main text."""

    selector: TagPath
    # similarity of the text to titles and descriptions, and of its blocks; grows with the square of length
    score: Annotated[float, Between(0.0)]
    confidence: Share  # share of pages with a similarity above zero, among pages with selected blocks
    pages: Annotated[int, Between(0)] = 0  # number of pages with selected blocks
    example: str = ""  # beginning of a selected text, for readers of pattern files

    @property
    def noise(self) -> float:
        return 0.5 * (1.0 - self.confidence)


@dataclass(frozen=True, kw_only=True)
class SelectorRulePattern(NoisePattern):
    """Rules of a site, for all its pages."""

    kind: ClassVar[str] = "selector_rule"

    rules: tuple[SelectorRule, ...]  # by falling score
    rendered: bool = False  # learned from pages rendered by a browser

    def read(self, document: Document, blocks: Sequence[LayoutBlock]) -> tuple[float, list[float], list[float]]:
        """Return the highest confidence of selecting rules, and the noise confidences of blocks."""
        by_path: defaultdict[str, list[SelectorRule]] = defaultdict(list)
        for rule in sorted(self.rules, key=lambda rule: -rule.score):
            by_path[rule.selector.path].append(rule)
        # The selecting rule of highest score for the text of each element
        rules: dict[etree._Element | None, SelectorRule | None] = {}
        for element, selector in selectors_of(document.root).items():
            own = next((rule for rule in by_path.get(selector.path, ()) if rule.selector.admits(selector)), None)
            rules[element] = rules.get(element.getparent()) if own is None and element.tag in BOXLESS else own
        used = [0.0]

        def noise_of(piece: Piece) -> float:
            rule = rules.get(piece.holder)
            if rule is None:
                return UNSELECTED_NOISE
            used.append(rule.confidence)
            return rule.noise

        noise = noise_by_piece(blocks, noise_of, UNSELECTED_NOISE)
        return max(used), noise, noise

    def to_record(self) -> dict[str, Any]:
        rules = [{**asdict(rule), "selector": str(rule.selector)} for rule in self.rules]
        return {"rendered": self.rendered, "rules": rules}

    @classmethod
    def from_record(cls, record: Record, common: dict[str, Any]) -> Self:
        rules = []
        for entry in record.records("rules"):
            try:
                selector = TagPath.parse(entry.text("selector"))
            except ValueError as error:
                raise entry.error("selector", str(error)) from error
            rules.append(entry.read(SelectorRule, selector=selector, example=entry.optional_text("example") or ""))
        return super().from_record(record, common | {"rules": tuple(rules)})
