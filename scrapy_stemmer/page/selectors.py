"""Selectors: the part of CSS that depends on the place of an element alone, and any CSS as XPath.

``.post``, ``div#main > p`` and ``#content .box`` are selectors; ``*`` is any element.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

from cssselect import SelectorError, parse
from cssselect.parser import Class, CombinedSelector, Element, Hash
from parsel.csstranslator import HTMLTranslator

if TYPE_CHECKING:
    from cssselect.parser import Tree


class _Component(Protocol):
    """Element on a path, with an identifier as ``#id`` and class names as ``.class``."""

    @property
    def tag(self) -> str: ...
    @property
    def names(self) -> tuple[str, ...]: ...


class PathTree(Protocol):
    """Tree of paths of elements: the last element of each path, and the number of its parent path, -1 for none."""

    @property
    def parents(self) -> Sequence[int]: ...
    @property
    def components(self) -> Sequence[_Component]: ...


MAX_STEPS = 100  # components of a selector, at most: more are unreadable
_TRANSLATOR = HTMLTranslator()
# Characters to escape in an identifier of CSS, and a leading digit or a single hyphen.
_UNSAFE = re.compile(r"(?s)^(?=-?\d)(-?)(.)|^-(?=-|$)|[^\w\x80-\U0010ffff-]", re.ASCII)


class Step(NamedTuple):
    tag: str  # name of an element, "" for any
    names: frozenset[str]  # required identifiers as ``#id`` and classes as ``.class``
    child: bool = False  # a match must be a child of the previous component's match


@dataclass(frozen=True)
class Selector:
    text: str  # as written
    steps: tuple[Step, ...]  # from the outermost to the innermost

    @classmethod
    def of(cls, tag: str, names: Sequence[str] = ()) -> Selector:
        return cls(written(tag, names), (Step(tag.lower(), frozenset(names)),))

    @classmethod
    def parse(cls, text: str) -> Selector:
        """Return the selector of a text, such as browsers copy.

        :raises ValueError: for invalid CSS, or CSS about more than the place of an element.
        """
        with _read(text):
            parsed = parse(text)
            if len(parsed) > 1:
                raise ValueError(f"{text!r} is {len(parsed)} selectors; write a rule for each")
            if parsed[0].pseudo_element is not None:
                raise ValueError(f"{text!r} asks for a part of an element, {str(parsed[0].pseudo_element)!r}")
            components = list(_components(parsed[0].parsed_tree))[::-1]
        if len(components) > MAX_STEPS:
            raise ValueError(f"has {len(components)} components; {MAX_STEPS} are allowed")
        if [tag for tag, _, _ in components[:2]] == ["html", "body"]:
            del components[0]  # browsers copy html, where no path begins
        selector = cls.of(*components[0][:2])
        for tag, names, is_child in components[1:]:
            selector = cls.of(tag, names).within(selector, child=is_child)
        return selector

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        return frozenset().union(*(step.names for step in self.steps))

    def within(self, outer: Selector, *, child: bool = False) -> Selector:
        first, *others = self.steps
        steps = *outer.steps, first._replace(child=child), *others
        return Selector(f"{outer.text}{' > ' if child else ' '}{self.text}", steps)

    def matches(self, paths: PathTree, path: int) -> bool:
        steps, parents, components = self.steps, paths.parents, paths.components
        # Steps joined by ``>`` are tried together, the last at the end of the path and earlier steps further out:
        # the innermost place leaves most room for the outer steps.
        step = innermost = len(steps) - 1
        start: int | None = None
        while path >= 0:
            (tag, names, is_child), component = steps[step], components[path]
            if tag in ("", component.tag) and names.issubset(component.names):
                if step == 0:
                    return True
                step, path = step - 1, parents[path]
                if not is_child:
                    innermost, start = step, path
            elif start is None:
                return False
            else:
                step, start = innermost, parents[start]
                path = start
        return False


class _Unknown(Exception):  # noqa: N818 - never seen outside
    """Unsupported part of a selector."""


@contextmanager
def _read(css: str) -> Iterator[None]:
    try:
        yield
    except SelectorError as error:
        raise ValueError(f"{css!r} is no CSS selector: {error}") from error
    except RecursionError as error:
        raise ValueError("has far too many parts") from error
    except _Unknown as error:
        raise ValueError(
            f"{css!r} has {str(error)!r}; a rule goes by tags, #identifiers and .classes, with a space or '>' "
            "between components"
        ) from error


def _components(tree: Tree) -> Iterator[tuple[str, list[str], bool]]:
    """Yield the tag, the names and the kind of each component of a selector, the innermost first."""
    while isinstance(tree, CombinedSelector):
        if tree.combinator not in (" ", ">"):
            raise _Unknown(tree.combinator)
        yield *_component(tree.subselector), tree.combinator == ">"
        tree = tree.selector
    yield *_component(tree), False


def _component(tree: Tree) -> tuple[str, list[str]]:
    names: list[str] = []
    while not isinstance(tree, Element):
        if isinstance(tree, Class):
            names.append(f".{tree.class_name}")
        elif isinstance(tree, Hash):
            names.append(f"#{tree.id}")
        else:
            raise _Unknown(tree.canonical().removeprefix(tree.selector.canonical()).removeprefix("*"))
        tree = tree.selector
    if tree.namespace is not None:
        raise _Unknown(f"{tree.namespace}|")
    return tree.element or "", names[::-1]


def written(tag: str, names: Sequence[str] = ()) -> str:
    return escaped(tag) + "".join(name[0] + escaped(name[1:]) for name in names) or "*"


def escaped(name: str) -> str:
    """Return a name as an identifier of CSS, escaped as by ``CSS.escape`` of browsers.

    Two hyphens at the start are the exception: cssselect takes the first hyphen only if escaped.
    """
    return _UNSAFE.sub(_escape, name)


def _escape(match: re.Match[str]) -> str:
    text = match[0]
    before, last = text[:-1], text[-1]
    is_by_number = last.isdigit() or last < " " or last == "\x7f"
    return f"{before}\\{ord(last):x} " if is_by_number else f"{before}\\{last}"


def xpath_test(selector: Selector) -> str:
    outer = ""
    for step in selector.steps:
        expression = _TRANSLATOR.xpath(parse(written(step.tag, sorted(step.names)))[0].parsed_tree)
        tests = [] if expression.element == "*" else [f"self::{expression.element}"]
        tests += [expression.condition] if expression.condition else []
        if step.names:
            tests.append("not(self::body)")  # names of a body tell pages apart; rules ignore bodies
        if outer:
            tests = [*(tests or ["true()"]), f"{'parent' if step.child else 'ancestor'}::*[{outer}]"]
        outer = " and ".join(tests) or "true()"
    return f"({outer})"


class Part(NamedTuple):
    """Component of a selector."""

    combinator: str  # sign before the component; "" before the first one
    xpath: str  # path of all elements that the component selects
    step: Step | None  # ``None`` for a component about more than tag and names


def parts_of(css: str) -> list[list[Part]]:
    """Return the components of each selector of any CSS, the outermost first.

    :raises ValueError: for invalid CSS, or CSS beyond XPath.
    """
    selectors = []
    with _read(css):
        for selector in parse(css):
            tree, parts = selector.parsed_tree, list[Part]()
            while isinstance(tree, CombinedSelector):
                parts.append(_part(tree.combinator, tree.subselector))
                tree = tree.selector
            selectors.append([_part("", tree), *reversed(parts)])
    if (count := sum(map(len, selectors))) > MAX_STEPS:
        raise ValueError(f"has {count} components; {MAX_STEPS} are allowed")
    return selectors


def _part(combinator: str, tree: Tree) -> Part:
    step = None
    with suppress(_Unknown):
        tag, names = _component(tree)
        step = Step(tag.lower(), frozenset(names))
    return Part(combinator, f"//{_TRANSLATOR.xpath(tree)}", step)


def xpath_of(css: str, attribute: str = "") -> str:
    """Return XPath 1.0 of the elements that any CSS selects, or of their attribute.

    :raises ValueError: for invalid CSS, or CSS beyond XPath.
    """
    with _read(css):
        paths = [_TRANSLATOR.selector_to_xpath(selector, prefix="//") for selector in parse(css)]
    return " | ".join(f"{path}/@{attribute}" if attribute else path for path in paths)
