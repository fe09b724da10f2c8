"""The selectors of rules: CSS of a tag, an identifier and class names, with spaces and ``>`` between components.

``.post``, ``div#main > p`` and ``#content .box`` are selectors; ``*`` is any element. Nothing else of CSS is known.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from scrapy_stemmer.learners.rules.sample import Paths

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

    @cached_property
    def _runs(self) -> list[list[Step]]:
        """The components in runs that ``>`` joins, the innermost run first, and in each the innermost component."""
        runs: list[list[Step]] = [[]]
        for step in reversed(self.steps):
            runs[-1].append(step)
            if not step.child:
                runs.append([])
        return runs[:-1]

    def matches(self, paths: Paths, path: int) -> bool:
        """Whether it matches the element at the end of a path.

        Each run is laid as far in as it fits: that leaves most room for those around it, so no other way is tried.
        """
        innermost, *others = self._runs
        top = _top_of(innermost, paths, path)
        for run in others:
            if top < 0:
                return False
            inside = paths.parents[top]
            while inside >= 0 and (top := _top_of(run, paths, inside)) < 0:
                inside = paths.parents[inside]
            if inside < 0:
                return False
        return top >= 0


def _top_of(run: Sequence[Step], paths: Paths, path: int) -> int:
    """The path of the outermost component of a run whose innermost one is at the end of a path; -1 if none."""
    components, parents = paths.components, paths.parents
    top = path
    for number, (tag, names, _) in enumerate(run):
        top = parents[top] if number else top
        if top < 0 or (tag and tag != components[top].tag):
            return -1
        for name in names:
            if name not in components[top].names:
                return -1
    return top


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
