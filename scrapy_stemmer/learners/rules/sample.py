"""The pages of a sample as one table: elements and blocks of all pages with the paths that they stand on."""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import NamedTuple

from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.learners.rules.names import looks_lasting
from scrapy_stemmer.learners.rules.packed import key_of


class Component(NamedTuple):
    """An element as a part of paths.

    :param tag: its name.
    :param names: its identifier as ``#id`` and class names as ``.class``, those that count, sorted.
    :param role: its ARIA role.
    :param hidden: whether an attribute hides it.
    """

    tag: str
    names: tuple[str, ...] = ()
    role: str = ""
    hidden: bool = False


def names_of(signature: Signature) -> list[str]:
    """All names of an element, as ``#id`` and ``.class``."""
    names = ["." + name for name in signature.classes.split()]
    if signature.id:
        names.append("#" + signature.id.strip())
    return names


def common_names(pages: Sequence[Columns], signatures: Sequence[Signature]) -> frozenset[str]:
    """The names that count in paths: those of at least two pages; of a single page those that look lasting."""
    by_signature = [names_of(signature) for signature in signatures]
    if len(pages) == 1:
        return frozenset(name for number in set(pages[0].signatures) for name in by_signature[number] if looks_lasting(name))
    once: set[str] = set()
    common: set[str] = set()
    for page in pages:
        names = {name for number in set(page.signatures) for name in by_signature[number]}
        common |= names & once
        once |= names
    return frozenset(common)


class HashedNames:
    """Names of which only the keys are known.

    :param keys: of the names.
    """

    def __init__(self, keys: frozenset[int]) -> None:
        self._keys = keys

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and key_of(name) in self._keys


class Paths:
    """The paths of a site as a tree; path 0 is the body.

    :ivar parents: for each path the number of the one above it, -1 for the body.
    :ivar components: for each path its last component.
    """

    def __init__(self) -> None:
        self.parents: list[int] = []
        self.components: list[Component] = []
        self._children: dict[tuple[int, Component], int] = {}

    def child(self, parent: int, component: Component) -> int:
        """The path of a component below another path; it is added when there is none."""
        key = (parent, component)
        found = self._children.get(key)
        if found is None:
            found = self._children[key] = len(self.parents)
            self.parents.append(parent)
            self.components.append(component)
        return found

    def __len__(self) -> int:
        return len(self.parents)


class Placer:
    """Finds the paths of the elements of pages.

    :param names: the names that count in paths.
    :ivar paths: those that were found; they grow with the pages.
    """

    def __init__(self, names: Container[str]) -> None:
        self.names = names
        self.paths = Paths()
        self._known: dict[tuple[int, int], int] = {}

    def component(self, signature: Signature) -> Component:
        """The component of an element, with the names that count."""
        names = sorted({name for name in names_of(signature) if name in self.names})
        return Component(signature.tag, tuple(names), signature.role.lower(), signature.hidden)

    def place(self, page: Columns, signatures: Sequence[Signature]) -> list[int]:
        """For each element of a page the number of its path."""
        known, placed = self._known, list[int]()
        append = placed.append
        for parent, number in zip(page.parents, page.signatures, strict=True):
            above = placed[parent] if parent >= 0 else -1
            path = known.get((above, number))
            if path is None:
                path = known[above, number] = self.paths.child(above, self.component(signatures[number]))
            append(path)
        return placed
