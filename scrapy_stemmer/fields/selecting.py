"""Elements found by a CSS selector, in work that grows with the page.

XPath looks at all siblings or ancestors of each element again. Here each component of a selector is found apart, and
combinators are followed once for each element.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from lxml import etree

from scrapy_stemmer.page.elements import having
from scrapy_stemmer.page.lazily import short_cache
from scrapy_stemmer.page.selectors import Part, parts_of

MAX_VISITS = 50_000_000  # siblings visited for a component about these, at most: a quarter of a second
OF_LEVEL = 10  # times that a level of depth takes as long as a sibling

_OF_SIBLINGS = re.compile("sibling::")
_OF_DEPTH = re.compile(r"descendant|ancestor|\(\.,")
_QUOTED = re.compile(r"""\[[^\]\[]*+\]|"[^"]*+"|'[^']*+'""")  # with signs of combinators in a different meaning
_HAS_SEVERAL = re.compile(r":has\(\s*+[>+~]?\s*+[^\s)>+~]{1,80}+\s*+[^\s)]")  # more than one component

_Elements = set[etree._Element]
_FindsPart = Callable[[etree._Element], list[etree._Element]]


class SelectorError(ValueError):
    """Selector that can't be tried on a page; the message says why."""


@short_cache(1024)
def finder(css: str) -> CssFinder:
    """Return a function that finds the elements of a CSS selector in a tree, in order.

    :raises ValueError: for an invalid selector.
    """
    bare = _QUOTED.sub("", css)
    if bare.count("~") > 1 or bare.count(":has(") > 1 or _HAS_SEVERAL.search(bare):
        raise ValueError(
            f"{css!r} would take minutes on large pages: it may have one '~', and one ':has()' of one component"
        )
    try:
        return CssFinder(css)
    except etree.XPathError as error:  # a namespace, which HTML lacks
        raise ValueError(f"{css!r} can't be used: {error}") from error


class CssFinder:
    """Finder of the elements of any CSS in a tree, in order.

    Calls raise :class:`SelectorError` for a page with too many elements to visit for a component, such as
    ``p:nth-child(2)`` among 10,000 siblings.

    :raises ValueError: for invalid CSS.
    :raises etree.XPathError: for a namespace, which HTML lacks.
    """

    def __init__(self, css: str) -> None:
        self._css = css
        selectors = parts_of(css)
        self._selectors = [[(part.combinator, _finds(part)) for part in parts] for parts in selectors]
        paths = [part.xpath for parts in selectors for part in parts]
        kinds = {(bool(_OF_SIBLINGS.search(path)), bool(_OF_DEPTH.search(path))) for path in paths}
        self._kinds = kinds - {(False, False)}  # flags of components: visits siblings, visits levels
        self(etree.Element("html"))

    def __call__(self, root: etree._Element) -> list[etree._Element]:
        if not self._may_visit(root):
            raise SelectorError(f"{self._css!r} would visit too many elements of the page")
        if len(self._selectors) == 1:
            return self._found(self._selectors[0], root)
        found = {element for parts in self._selectors for element in self._found(parts, root)}
        return [element for element in root.getroottree().iter() if element in found]

    def _found(self, parts: Sequence[tuple[str, _FindsPart]], root: etree._Element) -> list[etree._Element]:
        (_, find), *others = parts
        found = find(root)
        for combinator, find in others:
            found = _FOLLOWED[combinator](find(root), set(found)) if found else []
        return found

    def _may_visit(self, root: etree._Element) -> bool:
        if not self._kinds:
            return True
        of_siblings, of_depth, deepest = _visits(root)
        costs = {(True, False): of_siblings, (False, True): OF_LEVEL * of_depth, (True, True): of_siblings * deepest}
        return max(costs[kind] for kind in self._kinds) <= MAX_VISITS


def _finds(part: Part) -> _FindsPart:
    """Return a function that finds a component: by tag and names, or else by XPath."""
    if part.step is None:
        return etree.XPath(part.xpath)
    tag, names = part.step.tag or "*", part.step.names
    classes, identifiers = (frozenset(name[1:] for name in names if name[0] == mark) for mark in ".#")
    return partial(_named, tag, classes, identifiers)


def _named(
    tag: str, classes: frozenset[str], identifiers: frozenset[str], root: etree._Element
) -> list[etree._Element]:
    """Return the elements with a tag and names; the longest name excludes most others."""
    elements: Iterable[etree._Element] = root.iter(tag)
    if names := identifiers or classes:
        elements = having(root, "id" if identifiers else "class", max(names, key=len), tag)
    if classes:
        elements = (element for element in elements if classes.issubset(element.get("class", "").split()))
    return [element for element in elements if not identifiers or identifiers <= {element.get("id")}]


def _visits(root: etree._Element) -> tuple[int, int, int]:
    """Return the pairs of siblings of a tree, the sum of the elements' depths, and the depth of the tree."""
    siblings = depths = deepest = depth = 0
    for event, element in etree.iterwalk(root.getroottree(), events=("start", "end"), tag="*"):
        depth += 1 if event == "start" else -1
        if event == "start":
            deepest = max(deepest, depth)
            depths += depth
            siblings += len(element) ** 2
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
