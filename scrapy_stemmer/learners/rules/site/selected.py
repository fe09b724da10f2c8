"""Elements within lines selected by rules by hand, with their paths."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, takewhile

from lxml import etree

from scrapy_stemmer._engine import native
from scrapy_stemmer.fields.rules import finder
from scrapy_stemmer.learners.rules.site.columns import Signature, body_of
from scrapy_stemmer.learners.rules.site.paths import Component, names_of
from scrapy_stemmer.learners.rules.site.rules import DROP, Rule
from scrapy_stemmer.page.selectors import Selector, written

within_lines: Callable[[Iterable[etree._Element]], list[etree._Element]] = native("read.within_lines")
"""Return the elements of a tree that stand within lines: inline ones by name, custom ones by place and content."""


def marked_within_lines(root: etree._Element, rules: Sequence[Rule]) -> dict[int, bool]:
    """Return the elements within lines selected by rules by hand, by number: True for elements read as blocks.

    Dropped elements need no block. Paths have block-level elements alone.
    """
    within = _WithinLines(root, [rule.selector for rule in rules])
    decided = {element: rule for rule in rules for element in within.selected(rule.selector)}
    kept = [element for element, rule in decided.items() if rule.action != DROP]
    around: set[etree._Element] = set()
    for element in kept:
        around.update(list(takewhile(lambda each: each not in around, chain([element], element.iterancestors()))))
    in_lines = set(within_lines(around))
    lines = (takewhile(in_lines.__contains__, chain([element], element.iterancestors())) for element in kept)
    blocks = set(chain.from_iterable(lines))
    found = decided.keys() | blocks
    if not found:
        return {}  # nearly all pages
    return {number: element in blocks for number, element in enumerate(body_of(root).iter()) if element in found}


class _WithinLines:
    """The elements within lines of a page, each looked at once for all rules, and their paths."""

    def __init__(self, root: etree._Element, selectors: Iterable[Selector]) -> None:
        self._root = root
        marks = dict.fromkeys(mark for selector in selectors for mark in _marks(selector))
        self._bits = {mark: 1 << number for number, mark in enumerate(marks)}
        self._found: dict[str, list[etree._Element]] = {}  # by the last component
        self.parents: list[int] = []
        self.components: list[Component] = []
        self._on: list[int] = []  # by path, the bits of the marks on it
        self._paths: dict[etree._Element, int] = {}
        self._numbers: dict[tuple[int, Component], int] = {}

    def selected(self, selector: Selector) -> Iterator[etree._Element]:
        """Yield the elements of a selector.

        XPath of many components takes time that grows with the depth of a page for each of them.
        """
        last = selector.steps[-1]
        component = written(last.tag, sorted(last.names))
        if component not in self._found:
            self._found[component] = within_lines(finder(component)(self._root))
        if len(selector.steps) == 1:
            yield from self._found[component]
            return
        bits = sum(map(self._bits.__getitem__, _marks(selector)))
        matching: dict[int, bool] = {}
        for element in self._found[component]:
            path = self._path(element)
            if self._on[path] & bits == bits:
                if path not in matching:
                    matching[path] = selector.matches(self, path)
                if matching[path]:
                    yield element

    def _path(self, element: etree._Element) -> int:
        line: list[etree._Element] = []
        each: etree._Element | None = element
        while each is not None and each not in self._paths:
            line.append(each)
            each = each.getparent()
        path = -1 if each is None else self._paths[each]
        for each in reversed(line):
            path = self._paths[each] = self._path_within(path, each)
        return path

    def _path_within(self, outer: int, element: etree._Element) -> int:
        signature = Signature(str(element.tag), element.get("id", ""), element.get("class", ""))
        component = Component(signature.tag, names_of(signature))
        number = self._numbers.setdefault((outer, component), len(self.parents))
        if number == len(self.parents):
            self.parents.append(outer)
            self.components.append(component)
            on = self._on[outer] if outer >= 0 else 0
            for mark in (component.tag, *component.names):
                on |= self._bits.get(mark, 0)
            self._on.append(on)
        return number


def _marks(selector: Selector) -> set[str]:
    """Return the tags and names of a selector."""
    return {*selector.names, *(step.tag for step in selector.steps if step.tag)}
