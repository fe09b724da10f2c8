"""A site during the stripping of pages: paths with decisions, texts of most pages, outlines of pages."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from math import inf
from threading import Lock
from typing import TYPE_CHECKING, Self
from zlib import crc32

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.site.columns import (
    MOSTLY_LINKS,
    Signature,
    Signatures,
    body_of,
)
from scrapy_stemmer.learners.rules.site.hints import HIDDEN_NAMES, PathFeatures
from scrapy_stemmer.learners.rules.site.known_texts import KnownTexts, ReturningText, returning_key
from scrapy_stemmer.learners.rules.site.paths import (
    BODY,
    MASK,
    Component,
    HashedNames,
    Paths,
    Steps,
    common_names,
    component_of,
    length_of_component,
    name_key,
)
from scrapy_stemmer.learners.rules.site.reading import (
    elements_at,
    page_read,
)
from scrapy_stemmer.learners.rules.site.roles import TEMPLATE_SHARE, PathRoles
from scrapy_stemmer.learners.rules.site.rules import KEEP, TITLE, Ranking, Rule, rank
from scrapy_stemmer.page.blocks import PageKind, Piece
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.elements import HEADINGS, SHAPED
from scrapy_stemmer.page.lazily import cached_property, short_cache
from scrapy_stemmer.page.shown import ShownTree
from scrapy_stemmer.writing.code import AROUND_CODE

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import Path, ReadPage

new_path: Callable[[Path | None, bool, bool, bool, int], Path] = native("page.Path")

PATH_BYTES = 450  # memory of a path; tests measure this and the next two
STEP_BYTES = 140  # memory of a step from path to path
SIGNATURE_BYTES = 350  # memory of a signature, without names
WITHOUT_RULE = -1.0  # log-odds of text without a rule or a score
NEW_LEVEL = 4  # log-odds from which the scorer overrules a rule where no learned page has text, in quarters
SAME_PAGE = 0.9  # share of texts above which a page is a copy


@dataclass(frozen=True, slots=True)
class Remembered:
    """A placeholder left out of a sample."""

    kind: PageKind
    keys: frozenset[int]  # of folded texts, absent from the kept pages of the sample


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Knowledge about a site besides its rules."""

    pages: int  # learned
    names: frozenset[int] = frozenset()  # keys of the identifiers and class names in paths
    decided: frozenset[int] = frozenset()  # keys of the paths decided by rules
    undecided: frozenset[int] = frozenset()  # keys of further paths with text on learned pages
    # keys of outermost elements with one decision for all learned text: it holds for new text too, and their paths are
    # not in ``decided``
    parts: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()  # keys of the last two components of paths with kept text
    # by key of a path, the log-odds against its rule from which the scorer overrules it, in quarters
    contested: dict[int, int] = field(default_factory=dict)
    usual: frozenset[int] = frozenset()  # keys of the paths of at least half of the learned pages, with or without text
    # number of pages for keys of repeated texts; of a single page all texts
    texts: dict[int, int] = field(default_factory=dict)
    returning: tuple[ReturningText, ...] = ()  # template texts within the content of pages
    dismissed: frozenset[int] = frozenset()  # keys of returning texts deleted by a user
    # texts shared by titles or headings of several pages, such as the site's name
    title_parts: frozenset[str] = frozenset()
    placeholders: tuple[Remembered, ...] = ()  # marks of placeholders left out of the sample
    # number of pages left out of the sample, by sort: copies and placeholders
    left_out: dict[str, int] = field(default_factory=dict)

    @cached_property
    def known_texts(self) -> KnownTexts:
        return KnownTexts(self.returning)

    def without(self, dismissed: frozenset[int]) -> Self:
        """Return a copy without some learned returning texts, by their keys. They stay dismissed."""
        kept = [line for line in self.returning if line.is_users or returning_key(line.text) & MASK not in dismissed]
        return replace(self, returning=tuple(kept), dismissed=self.dismissed | dismissed)


@short_cache(4096, length=length_of_component)
def _facts_of(component: Component) -> tuple[bool, bool, bool, bool, bool]:
    """Return flags for a heading, an ``h1``, a shape, a hidden element or quote, and code."""
    tag, names, _, hidden = component
    hides = hidden or tag == "blockquote" or not HIDDEN_NAMES.isdisjoint([name[1:].lower() for name in names])
    return tag in HEADINGS, tag == "h1", tag in SHAPED, hides, tag == "pre"


class Placer:
    """Finder of the paths of elements, by common names."""

    def __init__(self, names: Container[str]) -> None:
        self.names = names
        self.paths = Paths()  # grow with the pages
        self.paths.child(-1, BODY)
        self._steps = Steps(self.paths.tree)

    @property
    def steps(self) -> int:
        known: int = self._steps.count
        return known

    def component(self, signature: Signature) -> Component:
        whole = component_of(signature)
        names = tuple(filter(self.names.__contains__, whole.names))
        return whole if names == whole.names else whole._replace(names=names)

    def place_page(self, page: ReadPage, signatures: Sequence[Signature]) -> None:
        self._steps.place_page(page, lambda number: self.component(signatures[number]))


@dataclass(frozen=True, eq=False)
class PlacedPage:
    """A page with the paths of all elements on the site."""

    columns: ReadPage  # with the path of each element
    site: Site  # paths and decisions
    shown: ShownTree  # tree and metadata; the tree must not change
    url: str

    @property
    def paths(self) -> list[int]:
        """Number of each element's path."""
        return self.columns.paths

    @property
    def often(self) -> float:
        """Number of learned pages whose common texts are repeated: half of all, but none on the only learned page."""
        return inf if self.is_learned else self.site.often

    @cached_property
    def is_learned(self) -> bool:
        """True for the only learned page: then a known text tells nothing."""
        known = self.site.knowledge
        if known.pages != 1:
            return False
        return len(known.texts.keys() & map(MASK.__and__, self.columns.keys())) >= SAME_PAGE * len(known.texts)

    def is_repeated(self, block: int) -> bool:
        """Return True if half of the learned pages, at least one, have a block's text."""
        return self.columns.is_repeated(block, self.often)

    def is_link(self, block: int) -> bool:
        return self.columns.is_link(block, MOSTLY_LINKS)

    def is_heading(self, block: int) -> bool:
        return self.columns.site_path(block).is_heading

    def components_of(self, path: int) -> Iterator[Component]:
        return map(self.site.paths.components.__getitem__, self.site.paths.line(path))

    def places(self, blocks: Iterable[int]) -> list[list[Piece]]:
        """Return the pieces of blocks in the tree, without pieces that the tree has lost."""
        runs = list(map(self.columns.pieces_of, blocks))
        numbers = {piece >> 1 for run in runs for piece in run}
        elements = elements_at(body_of(self.shown.root), numbers) if numbers else {}
        return [
            [Piece(elements[piece >> 1], bool(piece & 1)) for piece in run if piece >> 1 in elements] for run in runs
        ]

    def relabelled(self, rules: Sequence[Rule], known: Knowledge) -> PlacedPage:
        """Return the page as placed by :meth:`Site.of_page`, without a second reading."""
        own = {number: place for place, number in enumerate(dict.fromkeys(self.columns.signatures))}
        signatures = Signatures(map(self.site.signatures.__getitem__, own))
        return Site.alone(self.columns.renumbered(own), signatures, self.shown, self.url, rules, known)


class Site:
    """Paths of a site with the decision on each. They grow with the pages. Safe for several threads."""

    def __init__(
        self,
        rules: Sequence[Rule],
        knowledge: Knowledge,
        placer: Placer | None = None,
        features: PathFeatures | None = None,
        signatures: Signatures | None = None,
    ) -> None:
        self.rules, self.knowledge = tuple(rules), knowledge
        self.often = TEMPLATE_SHARE * max(1, knowledge.pages)  # half of the learned pages
        self.shared_texts = sum(times >= self.often for times in knowledge.texts.values())  # texts of half of the pages
        self.rule_odds = [*(rule.odds for rule in rules), WITHOUT_RULE]  # of each rule, then of blocks without a rule
        counting = HashedNames(knowledge.names)
        # Names in rules by hand alone. The keys of learned paths lack them.
        self._asked = frozenset(name for rule in rules for name in rule.selector.names if name not in counting)
        self._placer = placer or Placer(HashedNames(knowledge.names.union(map(name_key, self._asked))))
        titles = [number for number, rule in enumerate(rules) if rule.action == TITLE]
        self._titles = Ranking(rules, sorted(titles, key=lambda number: not rules[number].is_users))
        others = [number for number, rule in enumerate(rules) if rule.action != TITLE]
        ranked = sorted(others, key=lambda number: (rank(rules[number]), number), reverse=True)
        users = [number for number in ranked if rules[number].is_users]
        self._deciding, self._users = Ranking(rules, ranked), Ranking(rules, users)
        self.users = frozenset(users)  # numbers of the rules by hand for keeping and dropping
        self.paths = self._placer.paths
        self.roles, self._features = PathRoles(self.paths), features
        self.signatures = Signatures() if signatures is None else signatures  # signatures of the elements read so far
        # rules by hand; the last for an element decides
        self._by_hand = [rules[number] for number in (*titles, *reversed(ranked)) if rules[number].is_users]
        self._facts: list[tuple[bool, bool, bool, bool, bool]] = []  # :func:`_facts_of` each component
        self.of_path: list[Path] = []  # facts and decisions by number of the path
        self.lock = Lock()  # held while paths are added

    def place(self, document: Document) -> PlacedPage:
        """Read a page, unless read before, and find the paths of its elements."""
        with self.lock:
            columns = page_read(document, self.signatures, self._by_hand)
            self._place(columns)
        return PlacedPage(columns, self, document.shown, document.page.url)

    @classmethod
    def of_page(cls, document: Document) -> PlacedPage:
        """Read a page of an unknown site, where the scorer decides."""
        signatures = Signatures()
        columns = page_read(document, signatures)
        return cls.alone(columns, signatures, document.shown, document.page.url)

    @classmethod
    def alone(
        cls,
        columns: ReadPage,
        signatures: Signatures,
        shown: ShownTree,
        url: str,
        rules: Sequence[Rule] = (),
        known: Knowledge | None = None,
    ) -> PlacedPage:
        """Place a page of unknown layout on a site of its own, where the scorer decides, and rules by hand."""
        names = common_names([columns], signatures).union(name for rule in rules for name in rule.selector.names)
        site = cls(rules, known or Knowledge(pages=0), Placer(names), signatures=signatures)
        site._place(columns)
        return PlacedPage(columns, site, shown, url)

    @property
    def remembered_bytes(self) -> int:
        sizes = PATH_BYTES * len(self.paths.parents), STEP_BYTES * self._placer.steps
        return sum(sizes) + SIGNATURE_BYTES * len(self.signatures) + self.signatures.chars

    def path_features(self) -> PathFeatures:
        """Return the features of paths for the scorer. Hold the lock."""
        if self._features is None:
            self._features = PathFeatures(self.paths)
        self._features.update()
        return self._features

    def usual_share(self, columns: ReadPage) -> float | None:
        """Return the share of the site's usual paths on a page; ``None`` without usual paths."""
        usual = len(self.knowledge.usual)
        return round(min(1.0, columns.usual_paths() / usual), 3) if usual else None

    def _place(self, columns: ReadPage) -> None:
        """Find the paths of a page's elements, and decide on new ones."""
        self._placer.place_page(columns, self.signatures)
        columns.site_paths = self.of_path
        columns.count_pages(self.knowledge.texts)
        if len(self.of_path) < len(self.paths):
            self._add_paths()

    def _add_paths(self) -> None:
        paths, facts, made = self.paths, self._facts, self.of_path
        facts += map(_facts_of, islice(paths.by_kind, len(facts), None))
        for number in range(len(made), len(paths)):
            above = paths.parents[number]
            is_heading, is_main, is_shaped, is_hidden, is_code = facts[paths.kinds[number]]
            outer = made[above] if above >= 0 else None
            path = new_path(outer, is_heading, is_shaped, is_hidden, AROUND_CODE if is_code else 0)
            path.title = len(self.rules) if is_main else -1
            if self.rules or self.knowledge.pages:
                self._decide(number, path, outer)
            made.append(path)

    def _decide(self, number: int, path: Path, above: Path | None) -> None:
        """Decide on a new path; without a rule the decision on the parent holds.

        In elements of a user's rule learned rules are void: users correct the page in sight, not the learned parts.
        """
        paths, known, users, asked = self.paths, self.knowledge, self.users, self._asked
        component, key = paths.components[number], 0
        path.title = self._titles.first(paths, number, path.title)
        if above is not None:
            key, path.rule, path.in_part = above.key, above.rule, above.in_part
        if asked:
            component = component._replace(names=tuple(name for name in component.names if name not in asked))
        key = path.key = path_key(component, key)
        ranking = self._users if path.rule in users and self.rules[path.rule].overrules else self._deciding
        path.rule = ranking.first(paths, number, path.rule)
        path.in_part = path.in_part or key in known.parts
        path.is_usual = key in known.usual
        is_new = not (path.in_part or key in known.decided or key in known.undecided)
        is_decided = key in known.decided or (path.in_part and key not in known.undecided)
        path.is_decided = is_decided or path.rule in users
        quarters = known.contested.get(key, NEW_LEVEL if is_new else 0)
        if quarters and path.rule >= 0 and path.rule not in users:
            path.level = quarters / 4 if self.rules[path.rule].action != KEEP else -quarters / 4

    def is_known(self, number: int) -> bool:
        """Return True if learned pages had text on a path, kept text on a path of equal end, or a user's rule decides
        there."""
        path, known = self.of_path[number], self.knowledge
        if path.in_part or path.key in known.decided or path.key in known.undecided:
            return True
        is_by_hand = path.rule >= 0 and self.rules[path.rule].overrules
        return is_by_hand or end_key(self.paths, number) in known.ends


def path_key(component: Component, above: int) -> int:
    return crc32(_written(component), above) & MASK


@short_cache(4096, length=length_of_component)
def _written(component: Component) -> bytes:
    written = "\n".join((component.tag, *component.names, component.role, "hidden" if component.hidden else ""))
    return written.encode("utf-8", "surrogatepass")


def end_key(paths: Paths, path: int) -> int:
    parent = paths.parents[path]
    return path_key(paths.components[path], path_key(paths.components[parent], 0) if parent >= 0 else 0)
