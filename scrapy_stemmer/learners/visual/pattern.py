"""Selector rules: where on a site's pages the text stands, as selectors, after Zhou & Sun §6.

A rule stands for a cluster of blocks that look alike. It was learned with a browser, or from tag paths alone, and is
applied without one.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from lxml import etree

from scrapy_stemmer.core.blocks import BlockOptions, LayoutBlock, Piece
from scrapy_stemmer.core.document import Document
from scrapy_stemmer.learners.noise import label_by_noise
from scrapy_stemmer.learners.visual.visual_blocks import INLINE
from scrapy_stemmer.patterns.base import MatchOptions, PageMatch, Pattern
from scrapy_stemmer.patterns.record import Record

MAX_DEPTH = 128
"""Levels of a selector below the body. What is nested deeper counts as part of its ancestor on this level, since
selectors of pages with thousands of levels would cost the square of them. Real pages have some thirty."""

LEFT_OUT = frozenset({"html", "head", "body", "tbody"})
"""Elements that are no level of a selector. A browser adds ``tbody`` where the page's author has not; and where the
author leaves out ``body``, parsers differ in what they take for the head."""

_SEPARATORS = re.compile(r"[\s#.>/]")
_CLASS = re.compile(r"[a-zA-Z][a-zA-Z0-9_-]+")
_IDENTIFIER = re.compile(r"[^\s#.>]+")
_STEP = re.compile(r"(?P<tag>[^\s#.>]+)(?:#(?P<id>[^\s#.>]+))?(?P<classes>(?:\.[a-zA-Z][a-zA-Z0-9_-]+)*)")


@dataclass(frozen=True, slots=True)
class Step:
    """One element of a selector.

    :param tag: its name.
    :param id: its identifier, "" for none. One with white space or a character of the selectors' own is none.
    :param classes: its class names that are letters, digits, hyphens and underscores.
    """

    tag: str
    id: str = ""
    classes: frozenset[str] = frozenset()

    @classmethod
    def of(cls, element: etree._Element) -> Self:
        """The step of an element."""
        identifier = element.get("id", "")
        classes = element.get("class", "").split()
        return cls(
            _tag_of(element),
            identifier if _IDENTIFIER.fullmatch(identifier) else "",
            frozenset(filter(_CLASS.fullmatch, classes)),
        )

    def __str__(self) -> str:
        return "".join((self.tag, f"#{self.id}" if self.id else "", *(f".{name}" for name in sorted(self.classes))))

    def common(self, other: Step) -> Step:
        """What two steps of one name have in common."""
        if self == other:
            return self
        return Step(self.tag, self.id if self.id == other.id else "", self.classes & other.classes)

    def admits(self, other: Step) -> bool:
        """Whether ``other``, of an element, has all that this one asks for."""
        return self.tag == other.tag and self.id in ("", other.id) and self.classes <= other.classes


@dataclass(frozen=True, slots=True)
class Selector:
    """The elements below the body that lead to a text, outermost first; none for text in the body itself."""

    steps: tuple[Step, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """The selector that :func:`str` has written.

        :raises ValueError: when the text is none.
        """
        body, *parts = text.split(" > ")
        found = [_STEP.fullmatch(part) for part in parts]
        if body != "body" or None in found:
            raise ValueError('is not a selector such as "body > div#main > p.text"')
        return cls(tuple(_parsed(match) for match in found if match is not None))

    def __str__(self) -> str:
        return " > ".join(("body", *map(str, self.steps)))

    @property
    def path(self) -> str:
        """The names of the elements: selectors with the same one can be consolidated."""
        return "/".join(step.tag for step in self.steps)

    @property
    def is_vague(self) -> bool:
        """Whether it has neither an identifier nor a class name, and so may select more than it was made of."""
        return not any(step.id or step.classes for step in self.steps)

    def common(self, other: Selector) -> Selector:
        """The selector of all that either of two with the same path selects."""
        if self.steps == other.steps:
            return self
        return Selector(tuple(a.common(b) for a, b in zip(self.steps, other.steps, strict=True)))

    def admits(self, other: Selector) -> bool:
        """Whether it selects the element of ``other``."""
        return len(self.steps) == len(other.steps) and self._begins(other)

    @property
    def container(self) -> Selector:
        """The selector of the element around."""
        return Selector(self.steps[:-1])

    def holds(self, other: Selector) -> bool:
        """Whether it selects an element around the one of ``other``."""
        return len(self.steps) < len(other.steps) and self._begins(other)

    def _begins(self, other: Selector) -> bool:
        return all(a.admits(b) for a, b in zip(self.steps, other.steps, strict=False))


def consolidated(selectors: Sequence[Selector]) -> list[Selector]:
    """Selectors of one path as one each, sorted by path.

    Intersecting every pair of a group is the same as intersecting the whole group at once.
    """
    groups: dict[str, Selector] = {}
    for selector in selectors:
        known = groups.setdefault(selector.path, selector)
        groups[selector.path] = known.common(selector)
    return [groups[path] for path in sorted(groups)]


@dataclass(slots=True)
class Levels:
    """The selectors of a tree's elements; each level is worked out once.

    :param root: the tree's root.
    """

    root: etree._Element
    _depths: dict[etree._Element, int] = field(default_factory=dict)
    _paths: dict[etree._Element, str] = field(default_factory=dict)
    _chains: dict[etree._Element, tuple[Step, ...]] = field(default_factory=dict)
    _steps: dict[tuple[str, str | None, str | None], Step] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._depths[self.root] = 0
        self._paths[self.root] = ""
        self._chains[self.root] = ()

    def path(self, element: etree._Element) -> str:
        """The path of an element; that of its ancestor on the last level for one that is deeper.

        :raises ValueError: for an element of another tree.
        """
        above, *below = _line(element, self._paths)
        for element in below:
            self._enter(element, above)
            above = element
        return self._paths[above]

    def _enter(self, element: etree._Element, above: etree._Element) -> None:
        depth, path, tag = self._depths[above], self._paths[above], _tag_of(element)
        if tag not in LEFT_OUT and depth < MAX_DEPTH:
            depth, path = depth + 1, f"{path}/{tag}" if path else tag
        self._depths[element] = depth
        self._paths[element] = path

    def selector(self, element: etree._Element) -> Selector:
        """The selector of an element.

        :raises ValueError: for an element of another tree.
        """
        self.path(element)
        above, *below = _line(element, self._chains)
        for element in below:
            is_level = self._depths[element] > self._depths[above]
            self._chains[element] = self._chains[above] + ((self._step(element),) if is_level else ())
            above = element
        return Selector(self._chains[above])

    def _step(self, element: etree._Element) -> Step:
        """A step; a page repeats few of them many times."""
        key = (str(element.tag), element.get("id"), element.get("class"))
        if key not in self._steps:
            self._steps[key] = Step.of(element)
        return self._steps[key]


def _line(element: etree._Element, known: Container[etree._Element]) -> list[etree._Element]:
    """The elements from the first known one above an element down to the element."""
    line = [element]
    while line[-1] not in known:
        above = line[-1].getparent()
        if above is None:
            raise ValueError("The element is of another tree.")
        line.append(above)
    return line[::-1]


def _tag_of(element: etree._Element) -> str:
    """An element's name, without what stands for white space or a separator in a selector."""
    tag = str(element.tag)
    return tag if tag.isalnum() else _SEPARATORS.sub("-", tag)


def _parsed(match: re.Match[str]) -> Step:
    return Step(match["tag"], match["id"] or "", frozenset(filter(None, match["classes"].split("."))))


# Selector rules: where on a site's pages the text stands, as selectors, after Zhou & Sun §6.
#
# A rule stands for a cluster of blocks that look alike. It was learned with a browser, or from tag paths alone, and is
# applied without one

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
