"""A site while its pages are stripped: where elements stand, and what is decided there."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer.learners.rules.hints import PathFeatures
from scrapy_stemmer.learners.rules.paths import MASK, Component, HashedNames, Paths, Placer, key_of
from scrapy_stemmer.learners.rules.read_py import Columns, Signature, Signatures, body_of
from scrapy_stemmer.learners.rules.reading import read
from scrapy_stemmer.learners.rules.roles import PathRoles
from scrapy_stemmer.learners.rules.rules import KEEP, Decider, Rule

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.scorer import Scorer

MAX_BYTES = 50_000_000
"""Bytes that a site may remember of pages, whoever uses it; :mod:`scrapy_stemmer.patternset` keeps all sites
within one budget."""

PATH_BYTES, STEP_BYTES, SIGNATURE_BYTES = 500, 90, 300
"""Bytes that a path takes, a step from one to the next, and a signature without its names; ``tests`` measure them."""

WITHOUT_RULE = -1.0
"""Log-odds that a block is text on which neither a rule nor the scorer decides."""

MAX_SURE = 0.99
"""Rules are at most so sure."""

MIN_RULE_ODDS = 0.1
"""And at least so: a rule decides."""


SAME_PAGE = 0.9
"""A page that has this share of the texts of another one is the same page."""


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """What is known of a site besides its rules.

    :param pages: how many pages were learned.
    :param names: keys of the identifiers and class names that count in paths.
    :param decided: keys of the paths on which the rules decide.
    :param undecided: keys of the other paths that learned pages had text on.
    :param parts: keys of the outermost elements in which all learned text was decided alike: what is new in them is
        decided so too, and their paths are not among ``decided``.
    :param ends: keys of the last two components of the paths where learned pages had text that was kept.
    :param usual: keys of paths that at least half of the learned pages had, with or without text.
    :param texts: for keys of texts of several pages how many have them; of a single page its texts.
    :param links: the same for keys of links.
    :param title_parts: texts that the titles or headings of several pages share, such as the site's name.
    """

    pages: int
    names: frozenset[int] = frozenset()
    decided: frozenset[int] = frozenset()
    undecided: frozenset[int] = frozenset()
    parts: frozenset[int] = frozenset()
    ends: frozenset[int] = frozenset()
    usual: frozenset[int] = frozenset()
    texts: dict[int, int] = field(default_factory=dict)
    links: dict[int, int] = field(default_factory=dict)
    title_parts: frozenset[str] = frozenset()

    def is_learned(self, texts: Iterable[int]) -> bool:
        """Whether a page is the only one that was learned: that its texts are known then says nothing of them.

        :param texts: keys of its texts.
        """
        if self.pages != 1:
            return False
        return len(self.texts.keys() & {key & MASK for key in texts}) >= SAME_PAGE * len(self.texts)


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page that was read, and where on the site its elements stand.

    :param paths: for each element the number of its path.
    :param site: the paths, and what is decided there.
    """

    columns: Columns
    paths: Sequence[int]
    site: SitePaths


@dataclass
class SitePaths:
    """The paths that a site's pages had, with what is decided on each; they grow with the pages.

    :ivar asked: names that stand in rules alone, written by hand; the keys of learned paths are without them.
    :ivar rules: for each path the number of the rule that decides, -1 for none.
    :ivar titles: for each path the number of the title rule for it, or of all rules for another ``h1``, -1 for others.
    :ivar is_decided: for each path whether the rules decide there.
    :ivar is_known: for each path whether a learned page had text there, or text that was kept at a like end of a path,
        or somebody has said what is to be done there.
    """

    knowledge: Knowledge
    decider: Decider
    placer: Placer
    asked: frozenset[str] = frozenset()
    signatures: Signatures = field(default_factory=dict)
    by_number: list[Signature] = field(default_factory=list)
    rules: list[int] = field(default_factory=list)
    titles: list[int] = field(default_factory=list)
    is_decided: list[bool] = field(default_factory=list)
    is_known: list[bool] = field(default_factory=list)
    _keys: list[int] = field(default_factory=list)
    _in_part: list[bool] = field(default_factory=list)
    _features: PathFeatures | None = None
    _chars: int = 0

    @classmethod
    def of(cls, rules: Sequence[Rule], knowledge: Knowledge) -> SitePaths:
        """The paths of a site of which no page was read yet."""
        counting = HashedNames(knowledge.names)
        asked = frozenset(name for rule in rules for name in rule.selector.names if name not in counting)
        names = HashedNames(knowledge.names | frozenset(map(key_of, asked))) if asked else counting
        return cls(knowledge, Decider(rules), Placer(names), asked)

    @property
    def paths(self) -> Paths:
        """The paths themselves."""
        return self.placer.paths

    def place(self, body: etree._Element) -> PlacedPage:
        """Read a page, and find the paths of its elements."""
        columns = read(body, self.signatures, with_stretches=True)
        if len(self.by_number) < len(self.signatures):
            new = list(islice(self.signatures, len(self.by_number), None))
            self.by_number += new
            self._chars += sum([len(each.id) + len(each.classes) for each in new])
        placed = self.placer.place(columns, self.by_number)
        for path in range(len(self.rules), len(self.paths)):
            self._decide(path)
        return PlacedPage(columns, placed, self)

    @property
    def bytes(self) -> int:
        """About how many bytes it takes."""
        return (
            PATH_BYTES * len(self.paths)
            + STEP_BYTES * self.placer.steps
            + SIGNATURE_BYTES * len(self.by_number)
            + self._chars
        )

    def path_features(self) -> PathFeatures:
        """What the paths tell the scorer."""
        if self._features is None:
            self._features = PathFeatures(self.paths)
        self._features.update()
        return self._features

    def usual_share(self, paths: Iterable[int]) -> float | None:
        """The share of the usual paths that are among those of a page; ``None`` where none is known to be usual."""
        usual = self.knowledge.usual
        if not usual:
            return None
        keys = self._keys
        return round(len(usual.intersection([keys[path] for path in set(paths)])) / len(usual), 3)

    def _decide(self, path: int) -> None:
        """Work out what is decided on a new path; the one above it is known."""
        parent, component = self.paths.parents[path], self.paths.components[path]
        if self.asked:
            component = component._replace(names=tuple(name for name in component.names if name not in self.asked))
        key = path_key(component, self._keys[parent] if parent >= 0 else 0)
        rule = self.decider.rule_of(self.paths, path, self.rules[parent] if parent >= 0 else -1)
        known = self.knowledge
        in_part = key in known.parts or (parent >= 0 and self._in_part[parent])
        is_decided = key in known.decided or (in_part and key not in known.undecided)
        self._keys.append(key)
        self._in_part.append(in_part)
        self.rules.append(rule)
        self.titles.append(self.decider.title_rule_of(self.paths, path))
        self.is_decided.append(is_decided or (rule >= 0 and self.decider.rules[rule].is_users))
        is_corrected = rule >= 0 and self.decider.rules[rule].overrules
        is_like_known = key in known.undecided or end_key(self.paths, path) in known.ends
        self.is_known.append(is_decided or is_corrected or is_like_known)


class SiteReader:
    """Reads a site's pages. It remembers paths and elements from page to page, up to :data:`MAX_BYTES`.

    :param rules: of the site.
    :param knowledge: of the site.
    :param scorer: for what the rules do not decide on; that of this package when ``None``.
    :ivar rule_odds: for each rule the log-odds that its blocks are text; the last is for blocks without a rule.
    """

    def __init__(self, rules: Sequence[Rule], knowledge: Knowledge, scorer: Scorer | None = None) -> None:
        self.rules = tuple(rules)
        self.knowledge = knowledge
        self.scorer = scorer
        self.rule_odds = [*map(_odds_of, rules), WITHOUT_RULE]
        self._roles: tuple[Paths, PathRoles] | None = None
        self._lock = Lock()
        self._site = SitePaths.of(self.rules, knowledge)

    def place(self, root: etree._Element) -> PlacedPage:
        """Read a page, and find the paths of its elements; from one thread at a time."""
        with self._lock:
            if self._site.bytes > MAX_BYTES:
                self._forget()
            return self._site.place(body_of(root))

    @property
    def remembered_bytes(self) -> int:
        """About how many bytes it has remembered of pages."""
        return self._site.bytes

    def forget(self) -> None:
        """Forget what was remembered; pages that were read before keep what they need."""
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._site = SitePaths.of(self.rules, self.knowledge)
        self._roles = None

    def path_roles(self, site: SitePaths) -> PathRoles:
        """The roles of blocks by their paths."""
        known = self._roles
        if known is None or known[0] is not site.paths:
            known = self._roles = (site.paths, PathRoles(site.paths))
        return known[1]


def _odds_of(rule: Rule) -> float:
    """The log-odds that blocks are text on which a rule decides."""
    sure = min(MAX_SURE, max(1 - MAX_SURE, rule.sure)) if not rule.is_users else MAX_SURE
    odds = max(MIN_RULE_ODDS, math.log(sure / (1 - sure)))
    return odds if rule.action == KEEP else -odds


def path_key(component: Component, above: int) -> int:
    """The key of a path.

    :param above: key of the path above it.
    """
    written = "\n".join((component.tag, *component.names, component.role, "hidden" if component.hidden else ""))
    return key_of(written, above)


def end_key(paths: Paths, path: int) -> int:
    """The key of the last two components of a path."""
    parent = paths.parents[path]
    return path_key(paths.components[path], path_key(paths.components[parent], 0) if parent >= 0 else 0)
