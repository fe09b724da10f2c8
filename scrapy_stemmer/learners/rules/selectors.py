"""The selectors of rules: CSS of a tag, an identifier and class names, with spaces and ``>`` between components.

``.post``, ``div#main > p`` and ``#content .box`` are selectors; ``*`` is any element. Nothing else of CSS is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scrapy_stemmer.learners.rules.sample import Component, Paths

_SIMPLE = re.compile(r"(?s)(?P<tag>\*|(?:[^\W_]|\\.)(?:[\w-]|\\.)*)?(?P<names>(?:[#.](?:[\w-]|[^\x00-\x7f]|\\.)+)*)")
_TOKEN = re.compile(r"(?s)(?:\\.|[^\s>\\])+|>|\\")
_NAME = re.compile(r"(?s)[#.](?:[^#.\\]|\\.)+")
_PLAIN = re.compile(r"[^\w-]")
_ESCAPE = re.compile(r"(?s)\\(.)")


MAX_STEPS = 100
"""Components of a selector, at most: more of them nobody can read."""


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
    def parse(cls, text: str) -> Selector:
        """The selector of a text.

        :raises ValueError: when it is none; says where.
        """
        steps: list[Step] = []
        child = False
        for token in _TOKEN.findall(text):
            if token == ">":  # noqa: S105 - no password
                if child or not steps:
                    raise ValueError(f"{text!r} has '>' without an element before it")
                child = True
                continue
            steps.append(_step(token, text, child))
            child = False
        if child or not steps:
            raise ValueError(f"{text!r} is no selector: it must end with an element, an identifier or a class")
        if len(steps) > MAX_STEPS:
            raise ValueError(f"has {len(steps)} components; {MAX_STEPS} are allowed")
        return cls(" ".join(_TOKEN.findall(text)), tuple(steps))

    def __str__(self) -> str:
        return self.text

    @property
    def names(self) -> frozenset[str]:
        """All names in it."""
        return frozenset().union(*(step.names for step in self.steps))

    def matches(self, paths: Paths, path: int) -> bool:
        """Whether it matches the element at the end of a path."""
        return self._fits(paths.components, paths.parents, path, len(self.steps) - 1)

    def _fits(self, components: Sequence[Component], parents: Sequence[int], path: int, step: int) -> bool:
        tag, names, child = self.steps[step]
        component = components[path]
        if tag and tag != component.tag:
            return False
        for name in names:
            if name not in component.names:
                return False
        if step == 0:
            return True
        above = parents[path]
        if child:
            return above >= 0 and self._fits(components, parents, above, step - 1)
        while above >= 0:
            if self._fits(components, parents, above, step - 1):
                return True
            above = parents[above]
        return False


def _step(token: str, text: str, child: bool) -> Step:
    found = _SIMPLE.fullmatch(token)
    if not found:
        raise ValueError(
            f"{text!r} has {token!r}, which is not a tag, #identifier or .class, or several of them joined; "
            "escape other characters with a backslash"
        )
    tag = found["tag"] or ""
    names = [_ESCAPE.sub(r"\1", name) for name in _NAME.findall(found["names"])]
    return Step("" if tag == "*" else _ESCAPE.sub(r"\1", tag).lower(), frozenset(names), child)


def written(tag: str, names: Sequence[str] = ()) -> str:
    """One component as text, with what CSS has no plain place for escaped."""
    return _escaped(tag) + "".join(name[0] + _escaped(name[1:]) for name in names)


def _escaped(text: str) -> str:
    return _PLAIN.sub(lambda found: "\\" + found[0], text)
