"""Selectors: the elements from a page's body to a text, by name, identifier and class names.

After Zhou & Sun, section 6, and their program. Selectors with the same names are consolidated into
one by leaving out what differs, so that one rule stands for a group of blocks.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, field
from typing import Self

from lxml import etree

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
