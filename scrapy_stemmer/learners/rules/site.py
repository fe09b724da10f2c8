"""A site while its pages are stripped: where elements stand, and what is decided there; and pages in outline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import islice, takewhile
from threading import Lock
from typing import Self
from zlib import crc32

from lxml import etree

from scrapy_stemmer.fields.rules import finder
from scrapy_stemmer.learners.rules.columns import Columns, Signature, Signatures, body_of, is_within_line
from scrapy_stemmer.learners.rules.hints import PathFeatures
from scrapy_stemmer.learners.rules.paths import MASK, Component, HashedNames, Paths, Placer, common_names, name_key
from scrapy_stemmer.learners.rules.returning.texts import KnownTexts, ReturningText, returning_key
from scrapy_stemmer.learners.rules.roles import TEMPLATE_SHARE, Head, PathRoles, title_parts_of
from scrapy_stemmer.learners.rules.rules import DROP, TITLE, Ranking, Rule, rank
from scrapy_stemmer.learners.rules.sample_pages import SamplePage, read
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.document import Document, site_of
from scrapy_stemmer.writing.plain_text import SHAPED

PATH_BYTES = 500  # that a path takes; these three are measured by tests
STEP_BYTES = 90  # that a step from one path to the next takes
SIGNATURE_BYTES = 300  # that a signature takes, without its names
WITHOUT_RULE = -1.0  # log-odds that a block is text on which neither a rule nor the scorer decides
SAME_PAGE = 0.9  # a page that has this share of the texts of another one is the same page
FEW_LINKS = 3  # a page with more links to its site is in the frame of it, and is judged by its own text alone
MAX_TITLE = 200  # characters of the title of a placeholder
LOOKED_AT = 100  # blocks, of which the first are looked at for bytes that are no text
BEGINNING = 1500  # characters of these
GARBLED = 0.1  # bytes of images and of what is compressed have this share of characters that texts never have
_ABSOLUTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_NO_PAGE = ("javascript:", "mailto:", "tel:", "data:", "about:")
_OF_A_SERVICE = "/cdn-cgi/"
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufffd]")


@dataclass(frozen=True, slots=True)
class Remembered:
    """A placeholder that was left out of a sample."""

    kind: PageKind
    keys: frozenset[int]  # of its texts, folded, that no page of the sample has


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """What is known of a site besides its rules."""

    pages: int  # how many pages were learned
    names: frozenset[int] = frozenset()  # keys of the identifiers and class names that count in paths
    decided: frozenset[int] = frozenset()  # keys of the paths on which the rules decide
    undecided: frozenset[int] = frozenset()  # keys of the other paths that learned pages had text on
    # keys of the outermost elements in which all learned text was decided alike: what is new in them is decided so too,
    # and their paths are not among ``decided``
    parts: frozenset[int] = frozenset()
    # keys of the last two components of the paths where learned pages had text that was kept
    ends: frozenset[int] = frozenset()
    # keys of paths that at least half of the learned pages had, with or without text
    usual: frozenset[int] = frozenset()
    # for keys of texts of several pages how many have them; of a single page its texts
    texts: dict[int, int] = field(default_factory=dict)
    # texts that return in the content of the pages and are template there
    returning: tuple[ReturningText, ...] = ()
    # keys of such texts that were learned and that somebody has deleted
    dismissed: frozenset[int] = frozenset()
    # texts that the titles or headings of several pages share, such as the site's name
    title_parts: frozenset[str] = frozenset()
    # what tells the likes of the placeholders that were left out of the sample
    placeholders: tuple[Remembered, ...] = ()
    # how many pages of the sample were not learned, by what they are: copies, or sorts of placeholders
    left_out: dict[str, int] = field(default_factory=dict)

    @cached_property
    def known_texts(self) -> KnownTexts:
        """The index of the texts that return."""
        return KnownTexts(self.returning)

    def without(self, dismissed: frozenset[int]) -> Self:
        """Return this knowledge without some learned texts that return, by their keys, which stay dismissed."""
        kept = [line for line in self.returning if line.is_users or returning_key(line.text) & MASK not in dismissed]
        return replace(self, returning=tuple(kept), dismissed=self.dismissed | dismissed)

    def is_learned(self, texts: Iterable[int]) -> bool:
        """Whether a page, by the keys of its texts, is the only one that was learned: that they are known says
        nothing."""
        least = SAME_PAGE * len(self.texts)
        return self.pages == 1 and len(self.texts.keys() & {key & MASK for key in texts}) >= least


@dataclass(frozen=True)
class Outline:
    """What of a page tells whether it is a placeholder."""

    url: str
    head: Head  # what its head says
    columns: Columns
    signatures: Sequence[Signature]  # of its elements, by their numbers

    @cached_property
    def plain(self) -> list[int]:
        """For each block its characters outside links."""
        lengths, linked = self.columns.lengths, self.columns.linked
        return [length - link if length > link else 0 for length, link in zip(lengths, linked, strict=True)]

    @cached_property
    def length(self) -> int:
        """The characters of the page outside links."""
        return sum(self.plain)

    @cached_property
    def is_bare(self) -> bool:
        """Whether it has hardly any links to other pages of its site."""
        site, own = site_of(self.url), self.url.partition("#")[0]
        targets: set[str] = set()
        for _, address in self.columns.links:
            target = address.strip().partition("#")[0]
            if not target or target.lower().startswith(_NO_PAGE) or _OF_A_SERVICE in target or own.endswith(target):
                continue
            if (
                "//" not in target
                or not _ABSOLUTE.match(target)
                or site_of(f"https:{target}" if target[0] == "/" else target) == site
            ):
                targets.add(target)
                if len(targets) > FEW_LINKS:
                    return False
        return True

    @cached_property
    def titles(self) -> list[str]:
        """What it calls itself: its title, whole and in parts, and its first headings of both main levels."""
        title = self.head.title
        firsts: dict[str, str] = {}
        for text, element in zip(self.columns.texts, self.columns.elements, strict=True):
            firsts.setdefault(self.signatures[self.columns.signatures[element]].tag, text)
        headings = (firsts[tag] for tag in ("h1", "h2") if tag in firsts)
        texts = (title, *title_parts_of(title), *headings)
        return list(dict.fromkeys(plain_of(text) for text in texts if len(text) <= MAX_TITLE))

    @cached_property
    def said(self) -> str:
        """All that it says."""
        return plain_of(" ".join(self.columns.texts))

    @property
    def is_garbled(self) -> bool:
        """Whether it begins with bytes rather than text."""
        start = "".join(self.columns.texts[:LOOKED_AT])[:BEGINNING]
        if start.isprintable() and "\ufffd" not in start:
            return False  # most pages, told in a hundredth of the time
        return len(_NO_TEXT.findall(start)) > GARBLED * len(start)

    def has(self, is_named: Callable[[Signature], bool]) -> bool:
        """Whether any element has such names."""
        return any(map(is_named, map(self.signatures.__getitem__, set(self.columns.signatures))))

    def within(self, is_named: Callable[[Signature], bool], blocks: Iterable[int]) -> list[int]:
        """Those of some blocks around which an element has such names."""
        columns, found = self.columns, list[bool]()
        named = {number for number in set(columns.signatures) if is_named(self.signatures[number])}
        if not named:
            return []
        for parent, number in zip(columns.parents, columns.signatures, strict=True):
            found.append(number in named or (parent >= 0 and found[parent]))
        return [block for block in blocks if found[columns.elements[block]]]


def plain_of(text: str) -> str:
    """A text in lower case, with white space collapsed and plain apostrophes."""
    return " ".join(text.lower().replace("\u2019", "'").split())


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page that was read, and where on the site its elements stand."""

    columns: Columns
    paths: Sequence[int]  # for each element the number of its path
    site: Site  # the paths, and what is decided there

    def apart(self, rules: Sequence[Rule], known: Knowledge) -> PlacedPage:
        """The page as :meth:`Site.of_page` places it, without reading it again."""
        columns, by_number = self.columns, self.site.by_number
        own = {number: place for place, number in enumerate(dict.fromkeys(columns.signatures))}
        columns = columns._replace(signatures=[own[number] for number in columns.signatures])
        return Site.of_columns(columns, [by_number[number] for number in own], rules, known)


class Site:
    """A site while its pages are stripped: the paths that they had, with what is decided on each; they grow with the
    pages. May be used by several threads.

    :param placer: finds the paths of elements; ``None`` where what is known of the site says how.
    :param features: of the paths that it has found; ``None`` where they are to be made.
    :param signatures: those of the elements that were read for it.
    """

    def __init__(
        self,
        rules: Sequence[Rule],
        knowledge: Knowledge,
        placer: Placer | None = None,
        features: PathFeatures | None = None,
        signatures: Signatures | None = None,
    ) -> None:
        self.rules, self.knowledge = tuple(rules), knowledge
        least = TEMPLATE_SHARE * max(1, knowledge.pages)
        # keys of the texts that half of the learned pages have
        self.often = frozenset(key for key, times in knowledge.texts.items() if times >= least)
        self.rule_odds = [*(rule.odds for rule in rules), WITHOUT_RULE]  # of each rule, and of blocks without one
        counting = HashedNames(knowledge.names)
        # Names that stand in rules alone, written by hand; the keys of learned paths are without them.
        self._asked = frozenset(name for rule in rules for name in rule.selector.names if name not in counting)
        self._placer = placer or Placer(HashedNames(knowledge.names.union(map(name_key, self._asked))))
        titles = [number for number, rule in enumerate(rules) if rule.action == TITLE]
        self._titles = Ranking(rules, sorted(titles, key=lambda number: not rules[number].is_users))
        others = [number for number, rule in enumerate(rules) if rule.action != TITLE]
        ranked = sorted(others, key=lambda number: (rank(rules[number]), number), reverse=True)
        users = [number for number in ranked if rules[number].is_users]
        self._deciding, self._users = Ranking(rules, ranked), Ranking(rules, users)
        self.users = frozenset(users)  # the numbers of the rules by hand that keep or drop
        self.paths = self._placer.paths
        self.roles, self._features = PathRoles(self.paths), features or PathFeatures(self.paths)
        # of the elements that were read, with their numbers
        self.signatures = Signatures() if signatures is None else signatures
        self.by_number: list[Signature] = []  # the same by their numbers
        self.tags: list[str] = []  # the names of these elements
        # those by hand, of those for one element the one that decides last
        self._by_hand = [rules[number] for number in (*titles, *reversed(ranked)) if rules[number].is_users]
        self._chars = 0
        self.deciding: list[int] = []  # for each path the number of the rule that decides, -1 for none
        self.is_decided: list[bool] = []  # for each path whether the rules decide there
        # for each path the number of the title rule for it, or of all rules for another ``h1``, -1 for others
        self.naming: list[int] = []
        # for each path whether a block there may not be just a line: it is code, or in a table, a list or a quote
        self.is_shaped: list[bool] = []
        self._keys: list[int] = []
        self._usual: set[int] = set()
        self._in_part: list[bool] = []
        self.known: list[bool | None] = []  # for each path :meth:`is_known`, as far as that was asked
        self.lock = Lock()  # held while it grows

    def place(self, document: Document) -> PlacedPage:
        """Read a page, unless it was read before, and find the paths of its elements."""
        with self.lock:
            columns = self._read(document)
            if len(self.signatures) > len(self.by_number):
                new = list(islice(self.signatures, len(self.by_number), None))
                self.by_number += new
                self.tags += [each.tag for each in new]
                self._chars += sum([len(each.id) + len(each.classes) for each in new])
            placed = self._placer.place(columns, self.by_number)
            for path in range(len(self.deciding), len(self.paths)):
                self._add(path)
        return PlacedPage(columns, placed, self)

    def _read(self, document: Document) -> Columns:
        """The columns of a page, with the signatures of this site."""
        kept, shown = document.kept(SamplePage), document.shown
        if self._by_hand and (marked := marked_within_lines(shown.tree, self._by_hand)):
            return read(body_of(shown.tree), self.signatures, marked, shown.apart)
        if kept is None:
            return read(body_of(shown.tree), self.signatures, None, shown.apart)
        if kept.signatures is self.signatures:
            return kept.columns
        by_number = list(kept.signatures)
        there, signatures = kept.columns.signatures, self.signatures
        own = {number: signatures.setdefault(by_number[number], len(signatures)) for number in dict.fromkeys(there)}
        return kept.columns._replace(signatures=[own[number] for number in there])

    @classmethod
    def of_page(cls, document: Document) -> PlacedPage:
        """Read a page of which no other is known, and place it on a site of its own, where the scorer decides."""
        site = cls((), Knowledge(pages=0))
        columns = site._read(document)
        return cls.of_columns(columns, list(site.signatures))

    @classmethod
    def of_columns(
        cls, columns: Columns, by_number: list[Signature], rules: Sequence[Rule] = (), known: Knowledge | None = None
    ) -> PlacedPage:
        """Place a page whose layout is not known on a site of its own: the scorer decides on all blocks that no rule by
        hand of its site is for. What is known holds for all pages of the site, whatever their layout."""
        names = common_names([columns], by_number).union(name for rule in rules for name in rule.selector.names)
        site = cls(rules, known or Knowledge(pages=0), Placer(names))
        placed = site._placer.place(columns, by_number)
        site.by_number, site.tags = by_number, [each.tag for each in by_number]
        count = len(site.paths)
        if rules:
            for path in range(count):
                site._add(path)
        else:
            for path in range(count):
                site._name(path)
            site.deciding, site.is_decided = [-1] * count, [False] * count
            site._keys, site._in_part, site.known = [0] * count, [False] * count, [None] * count
        return PlacedPage(columns, placed, site)

    @property
    def remembered_bytes(self) -> int:
        """About how many bytes it has remembered of pages."""
        sizes = PATH_BYTES * len(self.paths), STEP_BYTES * self._placer.steps
        return sum(sizes) + SIGNATURE_BYTES * len(self.by_number) + self._chars

    def path_features(self) -> PathFeatures:
        """What the paths tell the scorer; only for who holds the lock."""
        self._features.update()
        return self._features

    def usual_share(self, paths: Iterable[int]) -> float | None:
        """The share of the usual paths that are among those of a page; ``None`` where none is known to be usual."""
        usual = self.knowledge.usual
        if not usual:
            return None
        return round(len({self._keys[path] for path in self._usual.intersection(paths)}) / len(usual), 3)

    def _add(self, path: int) -> None:
        """Note what is known and decided on a new path."""
        self._name(path)
        self._decide(path)

    def _decide(self, path: int) -> None:
        """Work out what is decided on a new path; the one above it is known, and decides where no rule is for this one.
        In the elements of a user's rule learned ones have no say: who corrects a page sees the page, not what was
        learned of each part of it."""
        known, parent, component = self.knowledge, self.paths.parents[path], self.paths.components[path]
        key, number, in_part = 0, -1, False
        if parent >= 0:
            key, number, in_part = self._keys[parent], self.deciding[parent], self._in_part[parent]
        if self._asked:
            component = component._replace(names=tuple(name for name in component.names if name not in self._asked))
        key = path_key(component, key)
        asked = self._users if number >= 0 and self.rules[number].overrules else self._deciding
        number = asked.first(self.paths, path, number)
        rule = self.rules[number] if number >= 0 else None
        in_part = in_part or key in known.parts
        is_decided = key in known.decided or (in_part and key not in known.undecided)
        self._keys.append(key)
        if key in known.usual:
            self._usual.add(path)
        self._in_part.append(in_part)
        self.known.append(None)
        self.deciding.append(number)
        self.is_decided.append(is_decided or (rule is not None and rule.is_users))

    def _name(self, path: int) -> None:
        """Note what the names of the elements on a new path say by themselves; the one above it is known."""
        parent, tag = self.paths.parents[path], self.paths.components[path].tag
        other = len(self.rules) if tag == "h1" else -1
        self.naming.append(self._titles.first(self.paths, path, other) if self.rules else other)
        self.is_shaped.append(tag in SHAPED or (parent >= 0 and self.is_shaped[parent]))

    def is_known(self, path: int) -> bool:
        """Whether a learned page had text on a path, or text that was kept at a like end of one, or somebody has said
        what is to be done there."""
        found = self.known[path]
        if found is None:
            found = self.known[path] = self._is_known(path)
        return found

    def _is_known(self, path: int) -> bool:
        key, number, known = self._keys[path], self.deciding[path], self.knowledge
        if self._in_part[path] or key in known.decided or key in known.undecided:
            return True
        return (number >= 0 and self.rules[number].overrules) or end_key(self.paths, path) in known.ends


def marked_within_lines(root: etree._Element, rules: Sequence[Rule]) -> dict[int, bool]:
    """For the numbers of those elements within lines that rules by hand are for, whether each is read as a block; what
    is only dropped needs not be. Paths are of block-level elements alone.

    :param rules: of those for one element the last decides.
    """
    decided = {
        element: rule for rule in rules for element in finder(rule.selector.text)(root) if is_within_line(element)
    }
    around = ((element, *element.iterancestors()) for element, rule in decided.items() if rule.action != DROP)
    blocks = {element for line in around for element in takewhile(is_within_line, line)}
    found = decided.keys() | blocks
    if not found:
        return {}  # nearly all pages
    return {number: element in blocks for number, element in enumerate(body_of(root).iter()) if element in found}


def path_key(component: Component, above: int) -> int:
    """The key of a path, by the key of the path above it."""
    return crc32(_written(component), above) & MASK


@lru_cache(4096)  # the paths of a site have most of their components in common
def _written(component: Component) -> bytes:
    written = "\n".join((component.tag, *component.names, component.role, "hidden" if component.hidden else ""))
    return written.encode("utf-8", "surrogatepass")


def end_key(paths: Paths, path: int) -> int:
    """The key of the last two components of a path."""
    parent = paths.parents[path]
    return path_key(paths.components[path], path_key(paths.components[parent], 0) if parent >= 0 else 0)
