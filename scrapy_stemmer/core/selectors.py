"""Selectors: CSS of tags, identifiers and class names, with spaces and ``>`` between components; nothing else of CSS.

``.post``, ``div#main > p`` and ``#content .box`` are selectors; ``*`` is any element.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class _Component(Protocol):
    """An element on a path."""

    @property
    def tag(self) -> str:
        """Its name."""

    @property
    def names(self) -> tuple[str, ...]:
        """Its identifier as ``#id`` and class names as ``.class``."""


class Paths(Protocol):
    """Paths of elements as a tree: each ends with an element; that of the outermost has -1 above it."""

    @property
    def parents(self) -> Sequence[int]:
        """For each path the number of the one above it."""

    @property
    def components(self) -> Sequence[_Component]:
        """For each path its last element."""


_SIMPLE = re.compile(r"(?s)(?P<tag>\*|(?:\w|\\.)(?:[\w-]|\\.)*)?(?P<names>(?:[#.](?:[\w-]|[^\x00-\x7f]|\\.)+)*)")
_TOKEN = re.compile(r"(?s)(?:\\.|[^\s>\\])+|>|\\")
_NAME = re.compile(r"(?s)[#.](?:[^#.\\]|\\.)+")
_PLAIN = re.compile(r"[^\w-]")
_ESCAPE = re.compile(r"(?s)\\(.)")
MAX_STEPS = 100  # components of a selector, at most: more of them nobody can read


class Step(NamedTuple):
    """One component of a selector.

    :param tag: name of an element, "" for any.
    :param names: identifiers as ``#id`` and classes as ``.class`` that it must have.
    :param child: whether it must stand right below what the component before it matches.
    """

    tag: str
    names: frozenset[str]
    child: bool = False


@dataclass(frozen=True)
class Selector:
    """A selector of one or more components.

    :param text: as it is written.
    :param steps: its components, the outermost first.
    """

    text: str
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, tag: str, names: Sequence[str] = ()) -> Selector:
        """The selector of one component of such a tag, "" for any, and such names."""
        return cls(written(tag, names), (Step(tag.lower(), frozenset(names)),))

    @classmethod
    def parse(cls, text: str) -> Selector:
        """The selector of a text.

        :raises ValueError: when it is none; says where.
        """
        tokens = _TOKEN.findall(text)
        steps: list[Step] = []
        child = False
        for token in tokens:
            found = _SIMPLE.fullmatch(token)
            if found:
                tag = _ESCAPE.sub(r"\1", (found["tag"] or "").removeprefix("*")).lower()
                steps.append(
                    Step(tag, frozenset(_ESCAPE.sub(r"\1", name) for name in _NAME.findall(found["names"])), child)
                )
            elif token != ">":  # noqa: S105 - no password
                raise ValueError(
                    f"{text!r} has {token!r}, which is not a tag, #identifier or .class, or several of them joined; "
                    "escape other characters with a backslash"
                )
            elif child or not steps:
                raise ValueError(f"{text!r} has '>' without an element before it")
            child = not found
        if child or not steps:
            raise ValueError(f"{text!r} is no selector: it must end with an element, an identifier or a class")
        if len(steps) > MAX_STEPS:
            raise ValueError(f"has {len(steps)} components; {MAX_STEPS} are allowed")
        return cls(" ".join(tokens), tuple(steps))

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        """All names in it."""
        return frozenset().union(*(step.names for step in self.steps))

    def within(self, outer: Selector, *, child: bool = False) -> Selector:
        """A selector of what this one matches in the elements of another one.

        :param child: whether only right below them.
        """
        first, *others = self.steps
        steps = *outer.steps, first._replace(child=child), *others
        return Selector(f"{outer.text}{' > ' if child else ' '}{self.text}", steps)

    def matches(self, paths: Paths, path: int) -> bool:
        """Whether it matches the element at the end of a path."""
        steps, parents, components = self.steps, paths.parents, paths.components
        # Steps joined by ``>`` are tried together, those of the end at the path, others from place to place outwards:
        # the innermost place leaves most room for what is further out.
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


def written(tag: str, names: Sequence[str] = ()) -> str:
    """One component as text, with what CSS has no plain place for escaped."""
    parts = [("", tag), *((name[0], name[1:]) for name in names)]
    return "".join(mark + _PLAIN.sub(r"\\\g<0>", text) for mark, text in parts)


def xpath_test(selector: Selector) -> str:
    """XPath 1.0 of whether an element is one that a selector matches."""
    found = ""
    for step in selector.steps:
        tests = [f"self::{step.tag}" if step.tag.isalnum() else f"name() = {_quoted(step.tag)}"] if step.tag else []
        for name in sorted(step.names):
            if name.startswith("#"):
                tests.append(f"normalize-space(@id) = {_quoted(name[1:])}")
            else:
                tests.append(f"contains(concat(' ', normalize-space(@class), ' '), {_quoted(f' {name[1:]} ')})")
        if step.names:
            tests.append("not(self::body)")  # the names of a page's body tell pages apart; rules don't see them
        if found:
            tests = [*(tests or ["true()"]), f"{'parent' if step.child else 'ancestor'}::*[{found}]"]
        found = " and ".join(tests) or "true()"
    return f"({found})"


def _quoted(text: str) -> str:
    """A text in XPath, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in text.split("'")) + ")"
