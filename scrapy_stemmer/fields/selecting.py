"""Elements found by a CSS selector, in work that grows with the page.

XPath looks at all siblings or ancestors of each element again. Here each component of a selector is found by XPath, and
combinators are followed once for each element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from lxml import etree

from scrapy_stemmer.page.selectors import Part, parts_of

MAX_VISITS = 50_000_000  # siblings visited for a component about these, at most: a quarter of a second
OF_LEVEL = 10  # times that a level of depth takes as long as a sibling

_OF_SIBLINGS = re.compile("sibling::")
_OF_DEPTH = re.compile(r"descendant|ancestor|\(\.,")

_Elements = set[etree._Element]
_FoundPart = tuple[str, etree.XPath, bool, bool]  # combinator, finder, and flags: visits siblings, visits levels


class SelectorError(ValueError):
    """Selector that can't be tried on a page; the message says why."""


class CssFinder:
    """Finder of the elements of any CSS in a tree, in order.

    Calls raise :class:`SelectorError` for a page with too many elements to visit for a component, such as
    ``p:nth-child(2)`` among 10,000 siblings.

    :raises ValueError: for invalid CSS.
    :raises etree.XPathError: for a namespace, which HTML lacks.
    """

    def __init__(self, css: str) -> None:
        self._css = css
        self._selectors = [[_found_part(part) for part in parts] for parts in parts_of(css)]
        self(etree.Element("html"))

    def __call__(self, root: etree._Element) -> list[etree._Element]:
        if not self._may_visit(root):
            raise SelectorError(f"{self._css!r} would visit too many elements of the page")
        if len(self._selectors) == 1:
            return self._found(self._selectors[0], root)
        found = {element for parts in self._selectors for element in self._found(parts, root)}
        return [element for element in root.getroottree().iter() if element in found]

    def _found(self, parts: Sequence[_FoundPart], root: etree._Element) -> list[etree._Element]:
        (_, find, *_), *others = parts
        found: list[etree._Element] = find(root)
        for combinator, find, *_ in others:
            follow = _FOLLOWED[combinator]
            found = follow(find(root), set(found)) if found else []
        return found

    def _may_visit(self, root: etree._Element) -> bool:
        kinds = {(siblings, depth) for parts in self._selectors for _, _, siblings, depth in parts}
        kinds.discard((False, False))
        if not kinds:
            return True
        of_siblings, of_depth, deepest = _visits(root)
        costs = {(True, False): of_siblings, (False, True): OF_LEVEL * of_depth, (True, True): of_siblings * deepest}
        return max(costs[kind] for kind in kinds) <= MAX_VISITS


def _found_part(part: Part) -> _FoundPart:
    combinator, expression = part
    of_siblings, of_depth = (axis.search(expression) is not None for axis in (_OF_SIBLINGS, _OF_DEPTH))
    return combinator, etree.XPath(expression), of_siblings, of_depth


def _visits(root: etree._Element) -> tuple[int, int, int]:
    """Return the pairs of siblings of a tree, the sum of the elements' depths, and the depth of the tree."""
    siblings = depths = deepest = depth = 0
    for event, element in etree.iterwalk(root.getroottree(), events=("start", "end"), tag="*"):
        if event == "start":
            depth += 1
            deepest = max(deepest, depth)
            depths += depth
            siblings += len(element) ** 2
        else:
            depth -= 1
    return siblings, depths, deepest


# Combinators: each function keeps the elements in relation to outer or earlier elements


def _children(elements: Iterable[etree._Element], outer: _Elements) -> list[etree._Element]:
    return [element for element in elements if element.getparent() in outer]


def _next(elements: Iterable[etree._Element], before: _Elements) -> list[etree._Element]:
    return [element for element in elements if next(_siblings_before(element), None) in before]


def _siblings_before(element: etree._Element) -> Iterator[etree._Element]:
    return element.itersiblings("*", preceding=True)


def _reached(
    way: Callable[[etree._Element], Iterator[etree._Element]],
) -> Callable[[Iterable[etree._Element], _Elements], list[etree._Element]]:
    """Return a function that keeps the elements from which a way leads to goals, passing each element once."""

    def reaching(elements: Iterable[etree._Element], goals: _Elements) -> list[etree._Element]:
        leads: dict[etree._Element, bool] = {}

        def is_one(element: etree._Element) -> bool:
            passed, found = [element], False
            for each in way(element):
                if each in goals or each in leads:
                    found = each in goals or leads[each]
                    break
                passed.append(each)
            leads.update(dict.fromkeys(passed, found))
            return found

        return [element for element in elements if (leads[element] if element in leads else is_one(element))]

    return reaching


_FOLLOWED = {" ": _reached(etree._Element.iterancestors), ">": _children, "+": _next, "~": _reached(_siblings_before)}
