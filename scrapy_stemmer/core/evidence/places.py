"""Where elements stand on the pages of a site: a tree that grows with the pages, each place with what is known of it.

Pages of one site share most of their places, so that what a place says is worked out once, and following a page's
elements down the tree costs one dictionary look-up each. Elements of which the same is told share a place too: where
each page names an element after itself, as in ``post-1234``, all in it would else be new on each page.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from threading import Lock

from scrapy_stemmer.core.evidence.ablation import EvidenceKind, Without
from scrapy_stemmer.core.evidence.classes import Profile
from scrapy_stemmer.core.evidence.names import NEGATIVE, Hint, Namer
from scrapy_stemmer.core.evidence.outline import HEADLINE, Outline, Shape
from scrapy_stemmer.core.evidence.paths import ROOT, PathTree

BOILERPLATE_ROLES = frozenset(
    "navigation banner contentinfo complementary search dialog alertdialog menu menubar".split()
)
"""ARIA roles of what is not the page's own text."""

TELLING_ROLES = BOILERPLATE_ROLES | {"main"}
"""The roles that say anything of a place."""

MAX_DEPTH = 100
"""Elements that stand deeper count as if they stood here; on real pages hardly any stands below 40."""

NEAR = 3
"""A block's own element and the two around it."""


class Within:
    """Elements that a block stands in, as bits of a whole number."""

    MAIN = 1
    ARTICLE = 2
    NAV = 4
    ASIDE = 8
    FOOTER = 16
    HEADER = 32
    FIGURE = 64
    FIGCAPTION = 128
    FORM = 256
    LIST = 512
    TABLE = 1024
    PRE = 2048


WITHIN_TAGS: Mapping[str, int] = {
    "main": Within.MAIN,
    "article": Within.ARTICLE,
    "nav": Within.NAV,
    "aside": Within.ASIDE,
    "footer": Within.FOOTER,
    "header": Within.HEADER,
    "figure": Within.FIGURE,
    "figcaption": Within.FIGCAPTION,
    "form": Within.FORM,
    "ul": Within.LIST,
    "ol": Within.LIST,
    "dl": Within.LIST,
    "table": Within.TABLE,
    "pre": Within.PRE,
}


_Apart = tuple[int, int, str, str]
"""What tells places apart that stand below the same one: path, hints, tag, and the role if it says anything."""

# The same as numbers of C, where they are compiled.
_MAIN, _CHROME, _NEGATIVE = Within.MAIN, Hint.CHROME, NEGATIVE
_WITHIN_TAGS, _MAX_DEPTH = dict(WITHIN_TAGS), MAX_DEPTH

UNKNOWN = Profile()
"""The profile of a place whose class was not looked up yet."""


class Place:
    """Where a block-level element stands on pages of its site.

    :ivar above: the place of the element around it; ``None`` for the body.
    :ivar below: the places in it by the shapes of their elements.
    :ivar apart: each of those once, by all that tells them apart.
    :ivar tag: the element's name.
    :ivar is_headline: whether that is the name of main headings.
    :ivar path: number of its path. Places of one path may have other names that don't count in paths.
    :ivar depth: number of block-level elements around it.
    :ivar within: the :class:`Within` of all elements around it, itself included.
    :ivar own_hints: the :class:`Hint` of its own names.
    :ivar hinted: number of elements around it, itself included, whose names hint at boilerplate.
    :ivar hinted_near: whether one of the nearest :data:`NEAR` has such a name.
    :ivar in_chrome: whether one of them all is named like navigation, a footer or a pop-up.
    :ivar in_boilerplate_role: whether one of them has such an ARIA role.
    :ivar profile: what blocks of its class are like; set for places of blocks, see
        :func:`scrapy_stemmer.core.evidence.model.weighed`.
    :ivar level: how fine the class is, see :meth:`ClassMeans.of`; -1 for none.
    :ivar base: the log-odds that all its blocks have; ``None`` until they are worked out, with the profile.
    """

    __slots__ = (
        "above",
        "apart",
        "base",
        "below",
        "depth",
        "hinted",
        "hinted_near",
        "in_boilerplate_role",
        "in_chrome",
        "is_headline",
        "level",
        "own_hints",
        "path",
        "profile",
        "tag",
        "within",
    )

    above: Place | None
    below: dict[Shape, Place]
    apart: dict[_Apart, Place]
    tag: str
    path: int
    is_headline: bool
    depth: int
    within: int
    own_hints: int
    hinted: int
    hinted_near: bool
    in_chrome: bool
    in_boilerplate_role: bool
    profile: Profile
    level: int
    base: float | None

    def __init__(self, above: Place | None, shape: Shape, path: int, hints: int) -> None:
        _stand(self, above, shape, path, hints)


def place_of(above: Place | None, shape: Shape, path: int, hints: int) -> Place:
    """The place of an element; compiled, it is made without the detour over Python's arguments."""
    place = Place.__new__(Place)
    _stand(place, above, shape, path, hints)
    return place


def _stand(place: Place, above: Place | None, shape: Shape, path: int, hints: int) -> None:
    place.above = above
    place.below, place.apart = {}, {}
    place.path = path
    place.profile = UNKNOWN
    place.level = -1
    place.base = None
    place.is_headline = above is not None and shape.tag == HEADLINE
    if above is None:
        place.tag = "body"
        place.depth = place.within = place.own_hints = place.hinted = 0
        place.hinted_near = place.in_chrome = place.in_boilerplate_role = False
        return
    place.tag = shape.tag
    place.depth = above.depth + 1
    place.within = above.within | _WITHIN_TAGS.get(shape.tag, 0)
    if shape.role == "main":
        place.within |= _MAIN
    place.own_hints = hints
    place.hinted = above.hinted + bool(hints & _NEGATIVE)
    place.hinted_near = _is_hinted_near(place)
    place.in_chrome = above.in_chrome or bool(hints & _CHROME)
    place.in_boilerplate_role = above.in_boilerplate_role or shape.role in BOILERPLATE_ROLES


def _is_hinted_near(place: Place | None) -> bool:
    for _ in range(NEAR):
        if place is None:
            return False
        if place.own_hints & _NEGATIVE:
            return True
        place = place.above
    return False


def _part(places: list[Place]) -> None:
    """Part places from those below them, and these from theirs: they refer to each other.

    Compiled places are nothing that Python's garbage collector knows of. There are thousands for each site of a crawl,
    and to look at them over and over again took as long as to strip pages.
    """
    while places:
        place = places.pop()
        places += place.apart.values()
        place.below, place.apart = {}, {}


class Places:
    """The places of a site. It grows with the pages that are read, and forgets all when it has grown too large.

    :param paths: the site's paths; they grow with the places.
    :param names: the names that count in paths, see :class:`Namer`.
    :param without: the kinds of evidence that are switched off.
    :ivar met: what the compiled walk remembers of elements, if there was one.
    """

    met: object

    def __init__(self, paths: PathTree, names: frozenset[str] | None, without: Without = frozenset()) -> None:
        self.paths = paths
        self._namer = Namer(names)
        self._has_names = EvidenceKind.NAMES not in without
        self._has_elements = EvidenceKind.ELEMENTS not in without
        self._lock = Lock()
        self._bodies: dict[Shape, Place] = {}
        self._body: Place | None = None
        self._count = 0
        self.met = None

    def __del__(self) -> None:
        _part([] if self._body is None else [self._body])

    def __len__(self) -> int:
        """Number of elements that were met, each counted in each place that it was met in."""
        return self._count

    def keep(self, targets: Collection[int], ways: Collection[int]) -> set[Shape]:
        """Forget all places but those of some paths, those in them, and those that lead to them; and all profiles.

        :param targets: paths.
        :param ways: the paths that lead to them.
        :returns: the shapes of the elements that were met in the places that are left.
        """
        met = set(self._bodies)
        self._count = len(met)
        self.met = None
        waiting = self._pruned(targets, ways, met)
        while waiting:
            place = waiting.pop()
            place.base = None
            self._count += len(place.below)
            met.update(place.below)
            waiting += place.apart.values()
        self._namer.keep(met)
        return met

    def _pruned(self, targets: Collection[int], ways: Collection[int], met: set[Shape]) -> list[Place]:
        """Forget the places beside the ways, from the body down to the targets, which are given."""
        reached: list[Place] = []
        dropped: list[Place] = []
        waiting = [] if self._body is None else [self._body]
        while waiting:
            place = waiting.pop()
            if place.path in targets:
                reached.append(place)
                continue
            place.base = None
            met.update(place.below)
            kept: dict[_Apart, Place] = {}
            for key, below in place.apart.items():
                if below.path in targets or below.path in ways:
                    kept[key] = below
                    waiting.append(below)
                else:
                    dropped.append(below)
            place.apart = kept
            left = set(kept.values())
            place.below = {shape: below for shape, below in place.below.items() if below in left}
            self._count += len(place.below)
        _part(dropped)
        return reached

    def of(self, outline: Outline) -> list[Place]:
        """Where each block-level element of a page stands."""
        with self._lock:
            return self._all_of(outline)

    def _all_of(self, outline: Outline) -> list[Place]:
        places: list[Place] = []
        parents = outline.parents
        for index, shape in enumerate(outline.shapes):
            parent = parents[index]
            if parent < 0:
                found = self._bodies.get(shape)
                place = self._new_body(shape) if found is None else found
            else:
                above = places[parent]
                found = above.below.get(shape)
                place = self._new_below(above, shape) if found is None else found
            places.append(place)
        return places

    def body(self, shape: Shape) -> Place:
        """The place of a body, whose names say nothing."""
        place = self._bodies.get(shape)
        if place is None:
            with self._lock:
                place = self._new_body(shape)
        return place

    def _new_body(self, shape: Shape) -> Place:
        if self._body is None:
            self._body = place_of(None, shape, ROOT, 0)
        self._bodies[shape] = self._body
        self._count += 1
        return self._body

    def path_below(self, above: Place, shape: Shape) -> int | None:
        """The path of an element in a place, if it has a number yet; cheaper than to know the place."""
        place = above.below.get(shape)
        if place is not None:
            return place.path
        if above.depth + 1 >= _MAX_DEPTH:
            return above.path
        return self.paths.find((above.path, self._namer.component(shape)))

    def below(self, above: Place, shape: Shape) -> Place:
        """The place of an element in another one."""
        place = above.below.get(shape)
        if place is None:
            with self._lock:
                place = self._new_below(above, shape)
        return place

    def _new_below(self, above: Place, shape: Shape) -> Place:
        path, hints = above.path, self._namer.hints(shape)
        if above.depth + 1 < _MAX_DEPTH:
            path = self.paths.child(path, self._namer.component(shape))
        key = path, hints, shape.tag, shape.role if shape.role in TELLING_ROLES else ""
        place = above.apart.get(key)
        if place is None:
            place = above.apart[key] = self._placed(place_of(above, shape, path, hints))
        above.below[shape] = place
        self._count += 1
        return place

    def _placed(self, place: Place) -> Place:
        """A place without what may not be known of it."""
        if not self._has_names:
            place.own_hints = place.hinted = 0
            place.hinted_near = place.in_chrome = False
        if not self._has_elements:
            place.within, place.in_boilerplate_role = 0, False
            place.tag = place.tag if place.tag == HEADLINE else ""
        return place
