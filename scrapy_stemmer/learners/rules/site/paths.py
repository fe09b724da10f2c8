"""Paths of elements on a site's pages, and the names that count in paths.

A path is the sequence of components from the body inwards: tags with common names. The paths of a site form a tree.
Selectors of rules are matched with paths, not with pages.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, permutations
from typing import TYPE_CHECKING, Any, NamedTuple
from zlib import crc32

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.page.selectors import Selector as Selector

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

# Keys of texts, links, names and paths
#
# Keys have 24 bits. On a site with 300 keys, 1 in 50,000 further keys is taken for a known key: the text counts as
# repeated, the path as known.

MASK = (1 << 24) - 1


def name_key(text: str, start: int = 0) -> int:
    """Return the key of a text. For a sequence of texts, ``start`` is the key of the previous text."""
    return crc32(text.encode("utf-8", "surrogatepass"), start) & MASK


def packed_keys(keys: Iterable[int]) -> str:
    """Return a set of keys as text: base64 of three bytes a key, sorted."""
    return b64encode(b"".join(key.to_bytes(3) for key in sorted(keys))).decode("ascii")


def unpacked(text: str) -> frozenset[int]:
    """Return the keys in a text of :func:`packed_keys`."""
    data = b64decode(text, validate=True)
    if len(data) % 3:
        raise ValueError(f"has {len(data)} bytes, not three for each key")
    return frozenset(int.from_bytes(data[at : at + 3]) for at in range(0, len(data), 3))


# Components and paths

LABEL_SHARE = 0.5  # share of a name's pages with the name as label of the page; list pages have several labels
MAX_UNLIKE = 5000  # distinct elements of a single page with counted names
MIN_NUMBERED = 5  # names with different numbers, at least, for numbered elements
MAX_NUMBERED = 1.1  # elements a page with each of the names, at most, in the mean
_NUMBER = re.compile(r"\d+")
_NAMES_WITH_DIGITS = re.compile(r"\0([^\0\d]*+\d[^\0]*)")
_DIGIT_AND_LETTER = re.compile(r"\d[a-z]")
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_MIXTURE = re.compile(r"\d[a-z]|[a-z]\d")


class Component(NamedTuple):
    """An element as a part of paths."""

    tag: str
    names: tuple[str, ...] = ()  # common names as ``#id`` and ``.class``, sorted
    role: str = ""  # ARIA role
    hidden: bool = False  # hidden by an attribute


def length_of_component(component: Component) -> int:
    return len(component.tag) + len(component.role) + len("".join(component.names))


@lru_cache(512)
def component_of(signature: Signature) -> Component:
    """Return an element with all names, for each site to choose from."""
    return Component(signature.tag, names_of(signature), signature.role.lower(), signature.hidden)


def names_of(signature: Signature) -> tuple[str, ...]:
    """Return the names of an element as ``#id`` and ``.class``, sorted.

    Names with a backslash are left out: cssselect takes an escaped backslash for the next character's escape.
    """
    names = ["." + name for name in signature.classes.split()]
    if identifier := signature.id.strip():
        names.append("#" + identifier)
    if "\\" in signature.classes or "\\" in identifier:
        names = [name for name in names if "\\" not in name]
    return tuple(sorted(set(names))) if len(names) > 1 else tuple(names)


def looks_lasting(name: str) -> bool:
    """Return True for names that seem chosen by people: few digits, no mixture of letters and digits."""
    return not _THREE_DIGITS.search(name) and (len(name) <= 6 or not _MIXTURE.search(name))


def common_names(pages: Sequence[ReadPage], signatures: Sequence[Signature]) -> frozenset[str]:
    """Return the names of at least two pages, without labels of pages.

    Generated names, such as ``post-3255``, must be on half of the pages, and never count on a single page. Only the
    first :data:`MAX_UNLIKE` distinct elements of a single page count: strangers can give each element a new name.
    """
    if len(pages) == 1:
        signatures = signatures[:MAX_UNLIKE]
    by_signature = [component_of(signature).names for signature in signatures]
    elements = [{number for number in page.signatures if number < len(by_signature)} for page in pages]
    having: Counter[str] = Counter()
    for numbers in elements:
        having.update(frozenset().union(*[by_signature[number] for number in numbers]))
    with_digits = set(_NAMES_WITH_DIGITS.findall("\0".join(["", *having])))
    numbered = _numbered(pages, {name: having[name] for name in with_digits}, by_signature)
    passing = {
        name
        for name in with_digits
        if name in numbered or not (having[name] * 2 >= len(pages) > 1 or looks_lasting(name))
    }
    if len(pages) == 1:
        return frozenset(having.keys() - passing)  # no labels without a second page
    common = {name for name, number in having.items() if number >= 2} - passing
    able = [[name for name in names if name in common] for names in by_signature]
    return frozenset(common - _page_labels(elements, having, able))


def _numbered(pages: Sequence[ReadPage], having: Mapping[str, int], by_signature: Sequence[Sequence[str]]) -> set[str]:
    """Return the names that number elements, such as ``item-7`` beside ``item-1``: many, each on an element of a page.

    Names of layouts, such as ``col-4``, stand on several elements of a page. Names made by tools, such as
    ``sc-1x2y-4``, tell elements apart.
    """
    if len(having) < MIN_NUMBERED:
        return set()  # most pages
    families: defaultdict[str, list[str]] = defaultdict(list)
    for name, family in zip(having, _NUMBER.sub("0", "\0".join(having)).split("\0"), strict=True):
        families[family].append(name)
    numbered = [
        names
        for family, names in families.items()
        if len(names) >= MIN_NUMBERED and not _DIGIT_AND_LETTER.search(family)
    ]
    if not numbered:
        return set()
    elements: Counter[str] = Counter()  # with each name
    for page in pages:
        for number, times in Counter(page.signatures).items():
            for name in by_signature[number] if number < len(by_signature) else ():
                if name in having:
                    elements[name] += times
    found: set[str] = set()
    for names in numbered:
        total = sum([elements[name] for name in names])
        if total <= MAX_NUMBERED * sum([having[name] for name in names]):
            found.update(names)
    return found


def _page_labels(
    pages: Sequence[Iterable[int]], having: Counter[str], by_signature: Sequence[Sequence[str]]
) -> set[str]:
    """Return the names that label a page rather than an element, such as ``category-news`` beside ``post``.

    On most pages, a label is on exactly the elements of a second name. Further pages have the second name alone.
    """
    alike: Counter[tuple[str, str]] = Counter()
    for page in pages:
        elements: defaultdict[str, list[int]] = defaultdict(list)
        for number in page:
            for name in by_signature[number]:
                elements[name].append(number)
        by_elements: defaultdict[tuple[int, ...], list[str]] = defaultdict(list)
        for name, numbers in elements.items():
            by_elements[tuple(numbers)].append(name)
        for names in by_elements.values():
            if len(names) > 1:
                alike.update((name, other) for name, other in permutations(names, 2) if having[name] < having[other])
    return {name for (name, _), times in alike.items() if times >= LABEL_SHARE * having[name]}


BODY = Component("body")  # start of every path, without the names, as rules hold for all pages


@dataclass(frozen=True)
class HashedNames:
    """Names known only by their keys."""

    keys: frozenset[int]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name_key(name) in self.keys


MAX_DEPTH = 200  # elements on a path; deeper elements share its end. The deepest of 4,828 real pages has 55.


_path_tree: Callable[[int], Any] = native("site.PathTree")


class Paths:
    """Tree of a site's paths. Path 0 is the body."""

    def __init__(self) -> None:
        self.tree = _path_tree(MAX_DEPTH)
        self.parents: list[int] = self.tree.parents  # number of each path's parent, -1 for the body
        self.components: list[Component] = self.tree.components  # last component of each path
        self.kinds: list[int] = self.tree.kinds  # number of this component
        self.by_kind: list[Component] = self.tree.by_kind  # different components by number

    def child(self, parent: int, component: Component) -> int:
        """Return the path of a component below a parent. A new path is added, but none below :data:`MAX_DEPTH`."""
        found: int = self.tree.child(parent, component)
        return found

    def line(self, path: int) -> Iterator[int]:
        while path >= 0:
            yield path
            path = self.parents[path]

    def end(self, path: int) -> tuple[Component, Component | None]:
        """Return the last two components of a path, the innermost first; ``None`` above the body."""
        parent = self.parents[path]
        return self.components[path], self.components[parent] if parent >= 0 else None

    def end_selector(self, path: int) -> Selector:
        parent, own = self.parents[path], Selector.of(*self.components[path][:2])
        return own.within(Selector.of(*self.components[parent][:2]), child=True) if parent >= 0 else own

    def __len__(self) -> int:
        return len(self.parents)


class PathIndex:
    """The paths of a site by tag and name, to find matches of selectors."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self._bits: dict[str, int] = {}
        self._last: defaultdict[str, list[int]] = defaultdict(list)
        self._on: list[int] = []  # by path, the bits of all tags and names on it
        for path, (parent, component) in enumerate(zip(paths.parents, paths.components, strict=True)):
            bits = self._on[parent] if parent >= 0 else 0
            for token in (component.tag, *component.names):
                self._last[token].append(path)
                bits |= self._bits.setdefault(token, 1 << len(self._bits))
            self._on.append(bits)

    def matching(self, selector: Selector) -> Iterator[int]:
        tokens = [[*step.names, *([step.tag] if step.tag else [])] for step in selector.steps]
        bits = 0
        for token in chain.from_iterable(tokens):
            if token not in self._bits:
                return
            bits |= self._bits[token]
        for path in min((self._last[token] for token in tokens[-1]), key=len, default=range(len(self._on))):
            if self._on[path] & bits == bits and selector.matches(self.paths, path):
                yield path


Steps: Callable[[Any], Any] = native("site.Steps")
"""Table of steps from path to path by element, in a tree of paths; see ``scrapy_stemmer/_engine/site.pyx``."""
