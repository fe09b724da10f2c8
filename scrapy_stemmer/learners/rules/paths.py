"""Where elements stand on the pages of a site: paths, the names that count in them, and selectors that match them.

A path is the elements from the body to an element, each with its tag and the names that count: a component. The paths
of a site are a tree. The selectors of rules are matched with paths, not with pages.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, permutations
from typing import Any, NamedTuple
from zlib import crc32

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.columns import Columns, Signature
from scrapy_stemmer.page.selectors import Selector as Selector

# Keys of texts, links, names and paths
#
# They have 24 bits. One key in 50,000 of a site with 300 of them stands for another one too: such a text counts as
# repeated, such a path as known.

MASK = (1 << 24) - 1


def name_key(text: str, start: int = 0) -> int:
    """The key of a text; that of a sequence of texts by giving the key of those before it."""
    return crc32(text.encode("utf-8", "surrogatepass"), start) & MASK


def packed_keys(keys: Iterable[int]) -> str:
    """A set of keys as text: base64 of three bytes a key, sorted."""
    return b64encode(b"".join(key.to_bytes(3) for key in sorted(keys))).decode("ascii")


def unpacked(text: str) -> frozenset[int]:
    """The keys of a text that :func:`packed_keys` made; a ValueError for any other."""
    data = b64decode(text, validate=True)
    if len(data) % 3:
        raise ValueError(f"has {len(data)} bytes, not three for each key")
    return frozenset(int.from_bytes(data[at : at + 3]) for at in range(0, len(data), 3))


# Components and paths

# A name labels a page where it does on this share of the pages that have it; lists of pages have several.
LABEL_SHARE = 0.5
MIN_NUMBERED = 5  # names that differ in their numbers alone, at least, are taken to number elements
MAX_NUMBERED = 1.1  # if each stands on at most this many elements of a page, in the mean
_NUMBER = re.compile(r"\d+")
_NAMES_WITH_DIGITS = re.compile(r"\0([^\0\d]*+\d[^\0]*)")
_DIGIT_AND_LETTER = re.compile(r"\d[a-z]")
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_MIXTURE = re.compile(r"\d[a-z]|[a-z]\d")


class Component(NamedTuple):
    """An element as a part of paths."""

    tag: str  # its name
    names: tuple[str, ...] = ()  # its identifier as ``#id`` and class names as ``.class``, those that count, sorted
    role: str = ""  # its ARIA role
    hidden: bool = False  # whether an attribute hides it


@lru_cache(512)  # a page alone asks twice, once for which names count
def names_of(signature: Signature) -> tuple[str, ...]:
    """All names of an element, as ``#id`` and ``.class``, sorted, without those that have a backslash: cssselect reads
    the escape of one as the escape of what follows."""
    names = {"." + name for name in signature.classes.split()}
    if signature.id and (identifier := signature.id.strip()):
        names.add("#" + identifier)
    if "\\" in signature.classes or "\\" in signature.id:
        names = {name for name in names if "\\" not in name}
    return tuple(sorted(names))


def looks_lasting(name: str) -> bool:
    """Whether a name looks as if people had chosen it, for all pages: few digits, no mixture of letters and digits."""
    return not _THREE_DIGITS.search(name) and (len(name) <= 6 or not _MIXTURE.search(name))


def common_names(pages: Sequence[Columns], signatures: Sequence[Signature]) -> frozenset[str]:
    """The names that count in paths: those of at least two pages, but for what only tells pages apart. Names that don't
    look as if people had chosen them for all pages, such as ``post-3255``, must stand on half of them; of a single page
    they don't count."""
    by_signature = [frozenset(names_of(signature)) for signature in signatures]
    elements = [Counter(page.signatures) for page in pages]
    having: Counter[str] = Counter()
    for numbers in elements:
        having.update(frozenset().union(*[by_signature[number] for number in numbers]))
    with_digits = set(_NAMES_WITH_DIGITS.findall("\0".join(["", *having])))
    numbered = _numbered(elements, {name: having[name] for name in with_digits}, by_signature)
    passing = {
        name
        for name in with_digits
        if name in numbered or not (having[name] * 2 >= len(pages) > 1 or looks_lasting(name))
    }
    if len(pages) == 1:
        return frozenset(having.keys() - passing)  # nothing tells it apart
    common = {name for name, number in having.items() if number >= 2} - passing
    return frozenset(common - _page_labels(elements, having, [common & names for names in by_signature]))


def _numbered(
    pages: Sequence[Mapping[int, int]], having: Mapping[str, int], by_signature: Sequence[frozenset[str]]
) -> set[str]:
    """The names that number elements, such as ``item-7`` beside ``item-1``: many, each on one element of a page.

    Names such as ``col-4`` say what elements are like, and stand on several of a page; those that tools make, such as
    ``sc-1x2y-4``, tell elements apart.

    :param pages: for each how many elements have each signature, by the numbers of these.
    :param having: how many pages have each name that has a number.
    :param by_signature: for each signature its names.
    """
    families: defaultdict[str, list[str]] = defaultdict(list)
    for name in having:
        if not _DIGIT_AND_LETTER.search(name):
            families[_NUMBER.sub("0", name)].append(name)
    elements: Counter[str] = Counter()  # that have each name
    for page in pages:
        for number, times in page.items():
            for name in by_signature[number]:
                if name in having:
                    elements[name] += times
    found: set[str] = set()
    for names in families.values():
        total = sum([elements[name] for name in names])
        if len(names) >= MIN_NUMBERED and total <= MAX_NUMBERED * sum([having[name] for name in names]):
            found.update(names)
    return found


def _page_labels(pages: Sequence[Iterable[int]], having: Counter[str], by_signature: Sequence[Set[str]]) -> set[str]:
    """The names that label a page rather than an element, such as ``category-news`` beside ``post``.

    On most pages that have such a name, the elements that have it are just those that have another name too; and other
    pages have that other name alone.

    :param pages: for each the numbers of its elements' signatures.
    :param having: how many pages have each name.
    :param by_signature: for each signature the names that may count.
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
        pairs = chain.from_iterable(permutations(names, 2) for names in by_elements.values() if len(names) > 1)
        alike.update((name, other) for name, other in pairs if having[name] < having[other])
    return {name for (name, _), times in alike.items() if times >= LABEL_SHARE * having[name]}


BODY = Component("body")  # the outermost element of every path: its names tell pages apart, rules hold for all pages


@dataclass(frozen=True)
class HashedNames:
    """Names of which only the keys are known."""

    keys: frozenset[int]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name_key(name) in self.keys


MAX_DEPTH = 200  # elements on a path: deeper ones are at the end of it. Of 4,828 real pages the deepest has 55.


class Paths:
    """The paths of a site as a tree; path 0 is the body, which all others lead through."""

    def __init__(self) -> None:
        self.parents: list[int] = []  # for each path the number of the one above it, -1 for the body
        self.components: list[Component] = []  # for each path its last component
        self._depths: list[int] = []
        self._children: dict[tuple[int, Component], int] = {}

    def child(self, parent: int, component: Component) -> int:
        """The path of a component below another path; it is added when there is none, and room for it."""
        found = self._children.get((parent, component))
        if found is not None:
            return found
        depth = self._depths[parent] + 1 if parent >= 0 else 0
        if depth == MAX_DEPTH:
            return parent
        self.parents.append(parent)
        self.components.append(component)
        self._depths.append(depth)
        found = self._children[parent, component] = len(self.parents) - 1
        return found

    def line(self, path: int) -> Iterator[int]:
        """Yield a path and those above it, the innermost first."""
        while path >= 0:
            yield path
            path = self.parents[path]

    def end_selector(self, path: int) -> Selector:
        """Return a selector of the last two components of a path."""
        parent, own = self.parents[path], Selector.of(*self.components[path][:2])
        return own.within(Selector.of(*self.components[parent][:2]), child=True) if parent >= 0 else own

    def __len__(self) -> int:
        return len(self.parents)


Steps: Callable[[], Any] = native("site.Steps")
"""A table of the paths that elements lead to from those around them; see ``scrapy_stemmer/_engine/site.pyx``."""


class Placer:
    """Finds the paths of the elements of pages, by the names that count in them."""

    def __init__(self, names: Container[str]) -> None:
        self.names = names
        self.paths = Paths()  # those that were found; they grow with the pages
        self._steps = Steps()

    @property
    def steps(self) -> int:
        """The number of pairs of a path and an element in it that are known."""
        known: int = self._steps.count
        return known

    def component(self, signature: Signature) -> Component:
        """The component of an element, with the names that count."""
        names = tuple([name for name in names_of(signature) if name in self.names])
        return Component(signature.tag, names, signature.role.lower(), signature.hidden)

    def place(self, page: Columns, signatures: Sequence[Signature]) -> list[int]:
        """For each element of a page the number of its path."""
        paths, components = self.paths, dict[int, Component]()
        paths.child(-1, BODY)

        def step(above: int, number: int) -> int:
            component = components.get(number)
            if component is None:
                component = components[number] = self.component(signatures[number])
            return paths.child(above, component)

        placed: list[int] = self._steps.place(page.parents, page.signatures, step)
        return placed
