"""Rules that decide what of a page is kept: made from scored blocks, and applied to paths."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from scrapy_stemmer.core.blocks import Role
from scrapy_stemmer.learners.rules.paths import Component, Paths, Selector, written

KEEP, DROP, TITLE = "keep", "drop", "title"
"""What rules do."""

MAX_LEVELS = 30
"""Elements around another one that selectors look at; what people make nests less, and what is tried grows with the
square."""

MAX_MENDED = 60
"""Paths for which rules are mended, at most; of 417 samples of real sites the one with most has 50. Pages that are one
deep nest would have a thousand, and take seconds."""

MAX_EXCEPTIONS = 3
"""Rules for what another rule would wrongly take along, at most."""


@dataclass(frozen=True)
class Rule:
    """One rule of a layout pattern.

    :param action: ``keep``, ``drop`` or ``title``.
    :param selector: the elements that it is for, with all in them for which no nearer rule says otherwise.
    :param role: what the text is, where that is known: of dropped text by its names, else as the user says. One that
        does not fit the action, such as that of a rule that was turned round by hand, has no effect.
    :param sure: how sure the learner is, from 0 to 1: the mean over the text that the rule decides on.
    :param is_users: whether somebody has written or changed it by hand.
    """

    action: str
    selector: Selector
    role: Role | None = None
    sure: float = 1.0
    is_users: bool = False

    @property
    def line(self) -> str:
        """The rule as it is read aloud: ``drop .related``."""
        return f"{self.action} {self.selector}"

    @property
    def subject(self) -> tuple[bool, Selector]:
        """What a site has one rule for: the text, or the title, in some elements."""
        return self.action == TITLE, self.selector

    @property
    def overrules(self) -> bool:
        """Whether it holds for all in its elements but what other rules of the user name, whatever was learned there.

        A rule for the body is what holds where no other one does.
        """
        return self.is_users and self.action != TITLE and self.selector.steps[-1].tag != "body"


class Decider:
    """Finds the rule that decides on an element: that of the nearest element around it which has one.

    Of several rules for one element those of the user win, then the one with more components and names, then the last.
    In the elements of a user's rule learned ones have no say: who corrects a page sees the page, not what was learned
    of each part of it.

    :param rules: of a site.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = rules
        deciding = [number for number, rule in enumerate(rules) if rule.action in (KEEP, DROP)]
        titles = [number for number, rule in enumerate(rules) if rule.action == TITLE]
        self._titles = sorted(titles, key=lambda number: not rules[number].is_users)
        self._deciding = sorted(deciding, key=lambda number: rank(rules[number]))[::-1]
        self._users = [number for number in self._deciding if rules[number].is_users]

    def rule_of(self, paths: Paths, path: int, above: int) -> int:
        """The number of the rule that decides on a path, -1 where none does.

        :param above: that of the path above it.
        """
        asked = self._users if above >= 0 and self.rules[above].overrules else self._deciding
        return next((number for number in asked if self.rules[number].selector.matches(paths, path)), above)

    def title_rule_of(self, paths: Paths, path: int) -> int:
        """The number of the first title rule for a path, those of the user before others; that behind all rules for any
        other ``h1``, -1 for others."""
        other = len(self.rules) if paths.components[path].tag == "h1" else -1
        return next((number for number in self._titles if self.rules[number].selector.matches(paths, path)), other)


def decisions(paths: Paths, rules: Sequence[Rule]) -> list[int]:
    """For each path the number of the rule that decides, -1 where none does."""
    decider = Decider(rules)
    found: list[int] = []
    for path, parent in enumerate(paths.parents):
        found.append(decider.rule_of(paths, path, found[parent] if parent >= 0 else -1))
    return found


def rank(rule: Rule) -> tuple[bool, int, int]:
    """By what of several rules for one element one wins: the highest."""
    steps = rule.selector.steps
    return rule.is_users, len(steps), sum(len(step.names) + bool(step.tag) for step in steps)


def learned_rules(paths: Paths, odds: Sequence[float], price: float) -> list[Rule]:
    """The fewest rules that decide as the scores of a sample's blocks do.

    :param paths: of the sample.
    :param odds: for each path the sum of its blocks' log-odds times their lengths.
    :param price: what a rule must at least be worth, as a share of the sum of all odds.
    """
    least = price * sum(map(abs, odds))
    kept, switched = _choice(paths, odds, least)
    has_text = [value != 0.0 for value in odds]
    for path in range(len(paths) - 1, 0, -1):
        has_text[paths.parents[path]] |= has_text[path]
    # For each decision the paths of the other one, which its selectors must not match.
    others = [
        PathIndex(paths, [path for path, text in enumerate(has_text) if text and kept[path] != keep])
        for keep in (False, True)
    ]
    rules = [_rule(kept[0], Selector.parse("body"))]
    for path in switched:
        selector = shortest_selector(paths, path, others[kept[path]])
        rules += [] if selector is None else [_rule(kept[path], selector)]
    made = _Rules(paths, odds, kept, list(dict.fromkeys(rules)))
    made.mend(least)
    made.leave_out_idle()
    return made.rules


def _rule(keep: bool, selector: Selector) -> Rule:
    return Rule(KEEP if keep else DROP, selector)


def _choice(paths: Paths, odds: Sequence[float], least: float) -> tuple[list[bool], list[int]]:
    """For each path whether it is kept, and the paths below the body that have a rule, by dynamic programming.

    :param least: what each rule costs.
    """
    # For each path the cost of all below it when it is dropped itself, and when it is kept.
    cost = [[max(0.0, value), max(0.0, -value)] for value in odds]
    for path in range(len(paths) - 1, 0, -1):
        dropped, keep = cost[path]
        above = cost[paths.parents[path]]
        above[0] += min(dropped, keep + least)
        above[1] += min(keep, dropped + least)
    kept, switched = [cost[0][1] < cost[0][0]], []
    for path in range(1, len(paths)):
        inherited = kept[paths.parents[path]]
        # Of equal choices the one further out: its rule is about a place, not about each of the elements in it.
        is_switched = least > 0 and cost[path][not inherited] + least <= cost[path][inherited]
        kept.append(inherited != is_switched)
        switched += [path] if is_switched else []
    return kept, switched


class PathIndex:
    """Some paths by the tags and names of their last elements, so that selectors need not be tried on all.

    :param which: the numbers of these paths.
    """

    def __init__(self, paths: Paths, which: Sequence[int]) -> None:
        self._paths = paths
        self._all = which
        self._having: defaultdict[str, list[int]] = defaultdict(list)
        for path in which:
            component = paths.components[path]
            for token in (component.tag, *component.names):
                self._having[token].append(path)

    def matching(self, selector: Selector) -> Iterator[int]:
        """Those that a selector matches."""
        last = selector.steps[-1]
        tokens = [*last.names, *([last.tag] if last.tag else [])]
        few = min((self._having.get(token, []) for token in tokens), key=len, default=self._all)
        return (path for path in few if selector.matches(self._paths, path))


def shortest_selector(paths: Paths, path: int, others: PathIndex) -> Selector | None:
    """The shortest selector of a path that matches none of some others; ``None`` without any."""
    selectors = map(Selector.parse, candidates(paths, path))
    return next((selector for selector in selectors if next(others.matching(selector), None) is None), None)


class _Rules:
    """Rules in the making.

    :ivar rules: those that there are.
    """

    def __init__(self, paths: Paths, odds: Sequence[float], kept: Sequence[bool], rules: list[Rule]) -> None:
        self.rules = rules
        self._paths = paths
        self._odds = odds
        self._kept = kept
        self._index = PathIndex(paths, range(len(paths)))
        self._matched: dict[Selector, list[int]] = {}

    def mend(self, least: float) -> None:
        """Add rules where others decide what they are not meant for: ``p`` matches ``p.byline`` too.

        :param least: what a rule must be worth.
        """
        value = self._value(self.rules)
        tried: set[int] = set()
        while len(tried) < MAX_MENDED and (path := self._worst(tried, least)) is not None:
            tried.add(path)
            ways = [self._way(path, Selector.parse(text)) for text in _chains(self._paths, path)]
            gains = [self._value([*self.rules, *way]) - value - least * len(way) for way in ways]
            best = max(gains)
            if best >= 0:
                self.rules += ways[gains.index(best)]
                value = self._value(self.rules)

    def leave_out_idle(self) -> None:
        """Leave out rules that change nothing."""
        best, before = self._value(self.rules), 0
        # One that is left out may make another one idle.
        while len(self.rules) != before:
            before = len(self.rules)
            for rule in self.rules[:0:-1]:
                fewer = [other for other in self.rules if other is not rule]
                value = self._value(fewer)
                if value >= best - 1e-9:
                    self.rules, best = fewer, value

    def _matching(self, selector: Selector) -> list[int]:
        if selector not in self._matched:
            self._matched[selector] = list(self._index.matching(selector))
        return self._matched[selector]

    def _keeps(self, rules: Sequence[Rule]) -> list[bool]:
        """For each path whether some rules keep it."""
        nearest: dict[int, bool] = {}
        for rule in sorted(rules, key=rank):
            nearest.update(dict.fromkeys(self._matching(rule.selector), rule.action == KEEP))
        found: list[bool] = []
        for path, parent in enumerate(self._paths.parents):
            found.append(nearest.get(path, parent >= 0 and found[parent]))
        return found

    def _value(self, rules: Sequence[Rule]) -> float:
        """The odds that some rules are right about, less those that they are wrong about."""
        return sum(odds if keep else -odds for odds, keep in zip(self._odds, self._keeps(rules), strict=True))

    def _worst(self, but: Collection[int], least: float) -> int | None:
        """The path below which rules are wrong about most, if that is more than so much.

        :param but: paths that are out of the question.
        """
        kept, parents = self._kept, self._paths.parents
        wrong = [keep != wanted for keep, wanted in zip(self._keeps(self.rules), kept, strict=True)]
        lost = [abs(odds) if wrong[path] and (odds > 0) == kept[path] else 0.0 for path, odds in enumerate(self._odds)]
        for path in range(len(lost) - 1, 0, -1):
            parent = parents[path]
            if wrong[path] and wrong[parent] and parent not in but and kept[path] == kept[parent]:
                lost[parent] += lost[path]
                lost[path] = 0.0
        worst = max((path for path in range(len(lost)) if path not in but), key=lost.__getitem__, default=None)
        return worst if worst is not None and lost[worst] > least else None

    def _way(self, path: int, selector: Selector) -> list[Rule]:
        """A rule for a path, and rules for those that it would wrongly take along."""
        kept = self._kept[path]
        others = [other for other in self._matching(selector) if self._kept[other] != kept and self._odds[other]]
        chains = [list(_chains(self._paths, other))[-1] for other in others[:MAX_EXCEPTIONS]]
        return [_rule(kept, selector), *(_rule(not kept, Selector.parse(chain)) for chain in chains)]


def _line(paths: Paths, path: int) -> Iterator[int]:
    """A path and those above it, without the body."""
    while path > 0:
        yield path
        path = paths.parents[path]


def _chains(paths: Paths, path: int) -> Iterator[str]:
    """Selectors that say all of a path's last elements, of more and more of them, in the end of all up to the body; not
    of more than :data:`MAX_LEVELS`."""
    text = ""
    for each in islice(_line(paths, path), MAX_LEVELS):
        full = written(*paths.components[each][:2])
        text = f"{full} > {text}" if text else full
        yield text
        path = paths.parents[each]
    if path == 0:
        yield f"body > {text}" if text else "body"


def candidates(paths: Paths, path: int) -> Iterator[str]:
    """Selectors that match a path, the shortest first: of its element, of it in others, of its whole chain."""
    component = paths.components[path]
    own = list(_tokens(component))
    yield from own
    around = [paths.components[each] for each in islice(_line(paths, paths.parents[path]), MAX_LEVELS)]
    for near in around[:1]:
        yield from (f"{outer} > {inner}" for outer in _tokens(near) for inner in own)
    for far in around[1:]:
        yield from (f"{outer} {own[-1]}" for outer in list(_tokens(far))[:-1])
    for far in around[1:]:
        chain = f"{written(*around[0][:2])} > {written(*component[:2])}"
        yield from (f"{outer} {chain}" for outer in _tokens(far))
    yield from _chains(paths, path)


def _tokens(component: Component) -> Iterator[str]:
    """Ways to write an element, the shortest first: by one name, by tag and name, by all names, by its tag."""
    names = sorted(component.names, key=_plainness)
    yield from (written("", [name]) for name in names)
    yield from (written(component.tag, [name]) for name in names)
    if len(names) > 1:
        yield written(component.tag, names)
    yield written(component.tag)


def _plainness(name: str) -> tuple[bool, bool, bool, int, str]:
    """By what names are sorted: identifiers first, then those that are written without escapes, then short ones."""
    return name[0] != "#", not name[1:].isascii(), ":" in name or "/" in name, len(name), name
