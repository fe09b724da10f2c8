"""Rules that decide what of a page is kept: made from scored blocks, and applied to paths."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain

from scrapy_stemmer.learners.rules.paths import Component, Paths, Selector
from scrapy_stemmer.page.blocks import Role

KEEP, DROP, TITLE = "keep", "drop", "title"  # what rules do
_ACTIONS = (DROP, KEEP)  # by whether text is kept
MAX_SURE = 0.99  # rules are at most so sure
MIN_ODDS = 0.1  # and have at least such log-odds: a rule decides
MAX_LEVELS = 30  # elements around another one that selectors look at: what is tried grows with the square
MAX_MENDING = 500_000  # paths times rules tried while rules are mended: of 254 samples 163,000 at most
TELLING_TAGS = ("aside",)  # elements that rules may drop by their tag alone
MAX_EXCEPTIONS = 3  # rules for what another rule would wrongly take along, at most


@dataclass(frozen=True)
class Rule:
    """One rule of a layout pattern."""

    action: str  # ``keep``, ``drop`` or ``title``
    selector: Selector  # the elements that it is for, with all in them for which no nearer rule says otherwise
    # what the text is, where that is known: of dropped text by its names, else as the user says. One that does not fit
    # the action, such as that of a rule that was turned round by hand, has no effect
    role: Role | None = None
    sure: float = 1.0  # how sure the learner is, from 0 to 1: the mean over the text that the rule decides on
    is_users: bool = False  # whether somebody has written or changed it by hand

    @property
    def line(self) -> str:
        """The rule as it is read aloud: ``drop .related``."""
        return f"{self.action} {self.selector}"

    @property
    def subject(self) -> tuple[bool, Selector]:
        """What a site has one rule for: the text, or the title, in some elements."""
        return self.action == TITLE, self.selector

    @property
    def odds(self) -> float:
        """The log-odds that what it decides on is text."""
        sure = MAX_SURE if self.is_users else min(MAX_SURE, max(1 - MAX_SURE, self.sure))
        odds = max(MIN_ODDS, math.log(sure / (1 - sure)))
        return odds if self.action == KEEP else -odds

    @property
    def overrules(self) -> bool:
        """Whether it holds for all in its elements but what other rules of the user name, whatever was learned there. A
        rule for the body is what holds where no other one does."""
        return self.is_users and self.action != TITLE and self.selector.steps[-1].tag != "body"


def rank(rule: Rule) -> tuple[bool, int, int]:
    """What rules for one element are compared by; the highest wins, of equal ones the last. A rule of the user beats a
    learned one, then more components beat fewer, then more tags and names."""
    steps = rule.selector.steps
    return rule.is_users, len(steps), sum(len(step.names) + bool(step.tag) for step in steps)


class Ranking:
    """Some of the rules of a site in order, the first that is to be asked first, by the elements that they are for, so
    that few are tried on a path."""

    def __init__(self, rules: Sequence[Rule], numbers: Iterable[int]) -> None:
        self._rules = rules
        self._of: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, number in enumerate(numbers):
            last = rules[number].selector.steps[-1]
            self._of[min(last.names, default=last.tag)].append((place, number))

    def first(self, paths: Paths, path: int, default: int) -> int:
        """The number of the first rule that is for a path."""
        component = paths.components[path]
        near = [each for key in ("", component.tag, *component.names) if key in self._of for each in self._of[key]]
        if not near:
            return default
        matching = (number for _, number in sorted(near) if self._rules[number].selector.matches(paths, path))
        return next(matching, default)


def fewest_rules(index: PathIndex, odds: Sequence[float], price: float) -> tuple[list[Rule], list[int]]:
    """The fewest rules that decide as the scores of a sample's blocks do, and for each path the number of its rule: by
    the sum of its blocks' log-odds times their lengths, and what a rule must be worth at least, as a share of all
    odds."""
    paths, least = index.paths, price * sum(map(abs, odds))
    kept, switched = _choice(paths, odds, least)
    has_text = [value != 0.0 for value in odds]
    for path in range(len(paths) - 1, 0, -1):
        has_text[paths.parents[path]] |= has_text[path]
    # For each decision the paths of the other one, which its selectors must not match.
    others = [{path for path, text in enumerate(has_text) if text and kept[path] != keep} for keep in (False, True)]
    rules = [Rule(_ACTIONS[kept[0]], Selector.of("body"))]
    for path in switched:
        selector = index.shortest_selector(path, others[kept[path]])
        rules += [] if selector is None else [Rule(_ACTIONS[kept[path]], selector)]
    made = _Rules(index, odds, kept, list(dict.fromkeys(rules)))
    made.mend(least)
    made.leave_out_idle()
    return made.rules, made.deciding(made.rules)


def _choice(paths: Paths, odds: Sequence[float], least: float) -> tuple[list[bool], list[int]]:
    """For each path whether it is kept, and the paths below the body that have a rule, by dynamic programming; each
    rule costs so much."""
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
    """The paths of a site by their tags and names, so that selectors need not be tried on all."""

    def __init__(self, paths: Paths) -> None:
        self.paths = paths
        self._bits: dict[str, int] = {}
        self._last: defaultdict[str, list[int]] = defaultdict(list)
        # For each path the bits of the tags and names of all elements on it.
        self._on: list[int] = []
        for path, (parent, component) in enumerate(zip(paths.parents, paths.components, strict=True)):
            bits = self._on[parent] if parent >= 0 else 0
            for token in (component.tag, *component.names):
                self._last[token].append(path)
                bits |= self._bits.setdefault(token, 1 << len(self._bits))
            self._on.append(bits)

    def matching(self, selector: Selector) -> Iterator[int]:
        """The paths that a selector matches."""
        tokens = [[*step.names, *([step.tag] if step.tag else [])] for step in selector.steps]
        bits = 0
        for token in chain.from_iterable(tokens):
            if token not in self._bits:
                return
            bits |= self._bits[token]
        for path in min((self._last[token] for token in tokens[-1]), key=len, default=range(len(self._on))):
            if self._on[path] & bits == bits and selector.matches(self.paths, path):
                yield path

    def shortest_selector(self, path: int, others: Container[int]) -> Selector | None:
        """The shortest selector of a path that matches none of some others; ``None`` without any."""
        return next(self.selectors(path, others), None)

    def selectors(self, path: int, others: Container[int]) -> Iterator[Selector]:
        """Yield the selectors of a path that match none of some others, the shortest first."""

        def is_own(selector: Selector) -> bool:
            return not any(each in others for each in self.matching(selector))

        groups = (group for whole, group in candidates(self.paths, path) if is_own(whole))
        return filter(is_own, chain.from_iterable(groups))


class _Rules:
    """Rules in the making, the first for the body, by the odds of each path and by whether it is to be kept."""

    def __init__(self, index: PathIndex, odds: Sequence[float], kept: Sequence[bool], rules: list[Rule]) -> None:
        self.rules = rules
        self._index, self._paths, self._odds, self._kept = index, index.paths, odds, kept
        self._matching = cache(lambda selector: list(index.matching(selector)))

    def mend(self, least: float) -> None:
        """Add rules that gain enough each, where others decide on text that they were not made for, as ``p`` does on
        ``p.byline``."""
        value = self._value(self.rules)
        tried: set[int] = set()
        work = 0  # pages that are one deep nest have thousands of paths to mend
        while work < MAX_MENDING and (path := self._worst(tried, least)) is not None:
            tried.add(path)
            ways = [self._way(path, selector) for selector in _chains(self._paths, path)]
            work += (1 + len(ways)) * len(self._odds)
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

    def deciding(self, rules: Sequence[Rule]) -> list[int]:
        """For each path the number of the rule that decides, of some with one for the body."""
        nearest: dict[int, int] = {}
        for number in sorted(range(len(rules)), key=lambda number: rank(rules[number])):
            nearest.update(dict.fromkeys(self._matching(rules[number].selector), number))
        found: list[int] = []
        for path, parent in enumerate(self._paths.parents):
            found.append(nearest[path] if path in nearest else found[parent])
        return found

    def _keeps(self, rules: Sequence[Rule]) -> list[bool]:
        """For each path whether some rules keep it."""
        keeps = [rule.action == KEEP for rule in rules]
        return [keeps[number] for number in self.deciding(rules)]

    def _value(self, rules: Sequence[Rule]) -> float:
        """The odds that some rules are right about, less those that they are wrong about."""
        return sum([odds if keep else -odds for odds, keep in zip(self._odds, self._keeps(rules), strict=True)])

    def _worst(self, tried: Collection[int], least: float) -> int | None:
        """The path, not tried yet, below which rules misjudge most text; ``None`` if that is worth less than
        ``least``."""
        kept, parents = self._kept, self._paths.parents
        wrong = [keep != wanted for keep, wanted in zip(self._keeps(self.rules), kept, strict=True)]
        lost = [abs(odds) if wrong[path] and (odds > 0) == kept[path] else 0.0 for path, odds in enumerate(self._odds)]
        for path in range(len(lost) - 1, 0, -1):
            parent = parents[path]
            if wrong[path] and wrong[parent] and parent not in tried and kept[path] == kept[parent]:
                lost[parent] += lost[path]
                lost[path] = 0.0
        worst = max((path for path in range(len(lost)) if path not in tried), key=lost.__getitem__, default=None)
        return worst if worst is not None and lost[worst] > least else None

    def _way(self, path: int, selector: Selector) -> list[Rule]:
        """A rule for a path, and rules for those that it would wrongly take along."""
        kept = self._kept[path]
        others = [other for other in self._matching(selector) if self._kept[other] != kept and self._odds[other]]
        chains = [list(_chains(self._paths, other))[-1] for other in others[:MAX_EXCEPTIONS]]
        return [Rule(_ACTIONS[kept], selector), *(Rule(_ACTIONS[not kept], chain) for chain in chains)]


def with_drops(
    index: PathIndex, rules: Sequence[Rule], numbers: Sequence[int], with_text: Collection[int], places: Sequence[int]
) -> tuple[list[Rule], list[int]]:
    """Add rules that drop all text in some places, and return all rules with the number of each path's rule.

    A place without a name, or one that shares its selector with other text that is kept, gets no rule. Rules that kept
    nothing but text of these places go.

    :param numbers: the number of the rule that decides on each path.
    :param with_text: the paths that have text.
    :param places: the paths of elements that hold nothing but template.
    """
    if not places:
        return list(rules), list(numbers)
    paths, inside = index.paths, set(places)
    for path in range(1, len(paths)):
        if paths.parents[path] in inside:
            inside.add(path)
    kept = [rule.action == KEEP for rule in rules]
    others: set[int] = set()  # paths to content, which no new rule may match
    for path in with_text:
        if path not in inside and kept[numbers[path]]:
            others.update(paths.line(path))
    made = [
        rule
        for number, rule in enumerate(rules)
        if not (kept[number] and number and _decides_within(number, numbers, with_text, inside))
    ]
    for place in sorted(places):
        rule = _drop_of(index, place, others, made)
        if rule is None:
            continue
        made.append(rule)
        # Nearer rules that keep their elements elsewhere too.
        deciding = _Rules(index, (), (), made).deciding(made)
        for path in sorted(with_text):
            if place in paths.line(path) and made[deciding[path]].action == KEEP:
                nearer = _drop_of(index, path, others, made)
                made += [] if nearer is None else [nearer]
    return made, _Rules(index, (), (), made).deciding(made)


def _decides_within(number: int, numbers: Sequence[int], with_text: Iterable[int], inside: Container[int]) -> bool:
    """Tell whether a rule decides on text, and only on that of some paths."""
    decided = [path for path in with_text if numbers[path] == number]
    return bool(decided) and all(path in inside for path in decided)


def _drop_of(index: PathIndex, path: int, others: Container[int], rules: Sequence[Rule]) -> Rule | None:
    """Return the shortest rule that drops a path with a name, and that no other rule overrules there.

    :param others: the paths that it must not match.
    :param rules: the other rules.
    """
    least = max((rank(rule) for rule in rules if path in index.matching(rule.selector)), default=None)
    for selector in index.selectors(path, others):
        last, rule = selector.steps[-1], Rule(DROP, selector)
        if (last.names or last.tag in TELLING_TAGS) and (least is None or rank(rule) >= least):
            return rule
    return None


def _line(paths: Paths, path: int) -> list[int]:
    """A path and those above it without the body, at most :data:`MAX_LEVELS`."""
    line: list[int] = []
    while path > 0 and len(line) < MAX_LEVELS:
        line.append(path)
        path = paths.parents[path]
    return line


def _chains(paths: Paths, path: int) -> Iterator[Selector]:
    """Selectors that say all of a path's last elements, of more and more of them, in the end of all up to the body; not
    of more than :data:`MAX_LEVELS`."""
    line = _line(paths, path)
    if not line or paths.parents[line[-1]] == 0:
        line.append(0)
    elements = (Selector.of(*paths.components[element][:2]) for element in line)
    return accumulate(elements, lambda inner, outer: inner.within(outer, child=True))


def candidates(paths: Paths, path: int) -> Iterator[tuple[Selector, Iterable[Selector]]]:
    """Selectors that match a path, the shortest first, in groups: of its element, of it in others, of its whole chain;
    each group behind a selector that matches no more than any of it does."""
    component, *around = [paths.components[each] for each in (path, *_line(paths, paths.parents[path]))]
    whole, own = Selector.of(*component[:2]), list(_ways(component))
    yield whole, own
    for near in around[:1]:
        whole = whole.within(Selector.of(*near[:2]), child=True)
        yield whole, (inner.within(outer, child=True) for outer in _ways(near) for inner in own)
    for far in around[1:]:
        yield own[-1].within(Selector.of(*far[:2])), (own[-1].within(outer) for outer in list(_ways(far))[:-1])
    for far in around[1:]:
        yield whole.within(Selector.of(*far[:2])), (whole.within(outer) for outer in _ways(far))
    yield from ((each, [each]) for each in _chains(paths, path))


def _ways(component: Component) -> Iterator[Selector]:
    """Ways to write an element, the shortest first: by one name, by tag and name, by all names, by its tag."""

    def plainness(name: str) -> tuple[bool, bool, bool, int, str]:
        # Identifiers first, then those that are written without escapes, then short ones.
        return name[0] != "#", not name[1:].isascii(), ":" in name or "/" in name, len(name), name

    names = sorted(component.names, key=plainness)
    yield from (Selector.of(tag, [name]) for tag in ("", component.tag) for name in names)
    if len(names) > 1:
        yield Selector.of(component.tag, names)
    yield Selector.of(component.tag)
