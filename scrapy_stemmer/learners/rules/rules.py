"""Rules that decide what of a page is kept: made from scored blocks, and applied to paths."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, product

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
        self._order = sorted(deciding, key=lambda number: (*rank(rules[number]), number), reverse=True)

    def rule_of(self, paths: Paths, path: int, above: int) -> int:
        """The number of the rule that decides on a path, -1 where none does.

        :param above: that of the path above it.
        """
        is_overruled = above >= 0 and self.rules[above].overrules
        for number in self._order:
            if is_overruled and not self.rules[number].is_users:
                break
            if self.rules[number].selector.matches(paths, path):
                return number
        return above

    def title_rule_of(self, paths: Paths, path: int) -> int:
        """The number of the first title rule for a path, those of the user before others; that behind all rules for any
        other ``h1``, -1 for others."""
        for number in self._titles:
            if self.rules[number].selector.matches(paths, path):
                return number
        return len(self.rules) if paths.components[path].tag == "h1" else -1


def decisions(paths: Paths, rules: Sequence[Rule]) -> list[int]:
    """For each path the number of the rule that decides, -1 where none does."""
    decider = Decider(rules)
    found: list[int] = []
    for path, parent in enumerate(paths.parents):
        found.append(decider.rule_of(paths, path, found[parent] if parent >= 0 else -1))
    return found


def rank(rule: Rule) -> tuple[bool, int, int]:
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
    index = SelectorIndex(paths, kept, _with_text(paths, odds))
    made = _Rules(paths, odds, kept)
    made.add(Rule(_action(kept[0]), Selector.parse("body")))
    for path in switched:
        selector = index.selector(path) if path else None
        if selector is not None:
            made.add(Rule(_action(kept[path]), selector))
    made.mend(least)
    made.leave_out_idle()
    return made.rules


def _action(keep: bool) -> str:
    return KEEP if keep else DROP


def _choice(paths: Paths, odds: Sequence[float], least: float) -> tuple[list[bool], list[int]]:
    """For each path whether it is kept, and the paths that have a rule, by dynamic programming over the tree.

    :param least: what each rule costs.
    """
    size = len(paths)
    cost = [[0.0, 0.0] for _ in range(size)]  # cost of the subtree when the path itself is dropped, kept
    for path in range(size - 1, -1, -1):
        own = cost[path]
        own[0] += max(0.0, odds[path])
        own[1] += max(0.0, -odds[path])
        parent = paths.parents[path]
        if parent >= 0:
            above = cost[parent]
            above[0] += min(own[0], own[1] + least)
            above[1] += min(own[1], own[0] + least)
    kept = [False] * size
    switched = []
    for path in range(size):
        parent = paths.parents[path]
        if parent < 0:
            kept[path] = cost[path][1] < cost[path][0]
            switched.append(path)
            continue
        inherited = kept[parent]
        # Of equal choices the one further out: its rule is about a place, not about each of the elements in it.
        change = least > 0 and cost[path][not inherited] + least <= cost[path][inherited]
        kept[path] = not inherited if change else inherited
        if change:
            switched.append(path)
    return kept, switched


def _with_text(paths: Paths, odds: Sequence[float]) -> list[bool]:
    """For each path whether text stands in it or below it."""
    matters = [value != 0.0 for value in odds]
    for path in range(len(paths) - 1, 0, -1):
        if matters[path]:
            matters[paths.parents[path]] = True
    return matters


class _Tokens:
    """Some paths by the tag and the names of their last elements, so that selectors need not be tried on all.

    :param which: for each path whether it is one of them.
    """

    def __init__(self, paths: Paths, which: Sequence[bool]) -> None:
        self._all = [path for path in range(len(paths)) if which[path]]
        self._having: dict[str, list[int]] = {}
        for path in self._all:
            component = paths.components[path]
            for token in (component.tag, *component.names):
                self._having.setdefault(token, []).append(path)

    def few(self, selector: Selector) -> Sequence[int]:
        """The fewest paths among which are all that a selector matches."""
        last = selector.steps[-1]
        tokens = [*last.names, *([last.tag] if last.tag else [])]
        return min((self._having.get(token, ()) for token in tokens), key=len, default=self._all)


class _Rules:
    """Rules in the making.

    :ivar rules: those that there are.
    """

    def __init__(self, paths: Paths, odds: Sequence[float], kept: Sequence[bool]) -> None:
        self.rules: list[Rule] = []
        self._paths = paths
        self._odds = odds
        self._kept = kept
        self._tokens = _Tokens(paths, [True] * len(paths))
        self._matched: dict[Selector, list[int]] = {}

    def add(self, rule: Rule) -> None:
        """Add a rule, unless it is there."""
        if rule not in self.rules:
            self.rules.append(rule)

    def matched(self, selector: Selector) -> list[int]:
        """The paths that a selector matches."""
        found = self._matched.get(selector)
        if found is None:
            few = self._tokens.few(selector)
            found = self._matched[selector] = [path for path in few if selector.matches(self._paths, path)]
        return found

    def keeps(self, rules: Sequence[Rule]) -> list[bool]:
        """For each path whether some rules keep it."""
        nearest: list[bool | None] = [None] * len(self._paths)
        for rule in sorted(rules, key=rank):
            for path in self.matched(rule.selector):
                nearest[path] = rule.action == KEEP
        found: list[bool] = []
        for here, parent in zip(nearest, self._paths.parents, strict=True):
            found.append(here if here is not None else parent >= 0 and found[parent])
        return found

    def value(self, rules: Sequence[Rule]) -> float:
        """The odds that some rules are right about, less those that they are wrong about."""
        return sum(odds if keep else -odds for odds, keep in zip(self._odds, self.keeps(rules), strict=True))

    def mend(self, least: float) -> None:
        """Add rules where others decide what they are not meant for: ``p`` matches ``p.byline`` too.

        :param least: what a rule must be worth.
        """
        value = self.value(self.rules)
        tried: set[int] = set()
        while len(tried) < MAX_MENDED:
            path = self._worst(tried, least)
            if path is None:
                return
            tried.add(path)
            ways = [self._with(path, text) for text in _chains(self._paths, path)]
            gains = [self.value([*self.rules, *way]) - value - least * len(way) for way in ways]
            best = max(gains)
            if best >= 0:
                self.rules += ways[gains.index(best)]
                value = self.value(self.rules)

    def _with(self, path: int, text: str) -> list[Rule]:
        """A rule for a path, and rules for those that it would wrongly take along.

        :param text: selector of the path.
        """
        kept, selector = self._kept[path], Selector.parse(text)
        others = [other for other in self.matched(selector) if self._kept[other] != kept and self._odds[other]]
        exceptions = [list(_chains(self._paths, other))[-1] for other in others[:MAX_EXCEPTIONS]]
        return [Rule(_action(kept), selector), *(Rule(_action(not kept), Selector.parse(each)) for each in exceptions)]

    def _worst(self, but: Collection[int], least: float) -> int | None:
        """The path below which rules are wrong about most, if that is more than so much.

        :param but: paths that are out of the question.
        """
        keeps, paths = self.keeps(self.rules), self._paths
        lost = [
            abs(odds) if keep != kept and (odds > 0) == kept else 0.0
            for odds, keep, kept in zip(self._odds, keeps, self._kept, strict=True)
        ]
        wrong = [keep != kept for keep, kept in zip(keeps, self._kept, strict=True)]
        for path in range(len(paths) - 1, 0, -1):
            parent = paths.parents[path]
            if wrong[path] and wrong[parent] and parent not in but and self._kept[path] == self._kept[parent]:
                lost[parent] += lost[path]
                lost[path] = 0.0
        worst = max((path for path in range(len(paths)) if path not in but), key=lost.__getitem__, default=None)
        return worst if worst is not None and lost[worst] > least else None

    def leave_out_idle(self) -> None:
        """Leave out rules that change nothing."""
        best, before = self.value(self.rules), 0
        # One that is left out may make another one idle.
        while len(self.rules) != before:
            before = len(self.rules)
            for rule in self.rules[:0:-1]:
                fewer = [other for other in self.rules if other is not rule]
                value = self.value(fewer)
                if value >= best - 1e-9:
                    self.rules, best = fewer, value


def _chains(paths: Paths, path: int) -> Iterator[str]:
    """Selectors that say all of a path's last elements, of more and more of them, in the end of all up to the body; not
    of more than :data:`MAX_LEVELS`."""
    text = ""
    for each in islice(_line(paths, path), MAX_LEVELS):
        full = _full(paths.components[each])
        text = f"{full} > {text}" if text else full
        yield text
        path = paths.parents[each]
    if path == 0:
        yield f"body > {text}" if text else "body"


def _line(paths: Paths, path: int) -> Iterator[int]:
    """A path and those above it, without the body."""
    while path > 0:
        yield path
        path = paths.parents[path]


class SelectorIndex:
    """Finds the shortest selector for a path that matches no path of the other decision."""

    def __init__(self, paths: Paths, kept: Sequence[bool], matters: Sequence[bool]) -> None:
        self._paths = paths
        self._kept = kept
        # For each decision the paths of the other one, that its selectors must not match.
        self._others = [
            _Tokens(paths, [m and k != keep for m, k in zip(matters, kept, strict=True)]) for keep in (0, 1)
        ]

    def selector(self, path: int) -> Selector | None:
        """The shortest selector of a path that matches no path of the other decision; ``None`` without any."""
        for text in candidates(self._paths, path):
            selector = Selector.parse(text)
            if self._is_safe(selector, self._kept[path]):
                return selector
        return None

    def _is_safe(self, selector: Selector, kept: bool) -> bool:
        """Whether a selector matches no path of the other decision."""
        return not any(selector.matches(self._paths, other) for other in self._others[kept].few(selector))


def candidates(paths: Paths, path: int) -> Iterator[str]:
    """Selectors that match a path, the shortest first: of its element, of it in others, of its whole chain."""
    components = paths.components
    own = list(_tokens(components[path]))
    yield from own
    line = list(islice(_line(paths, paths.parents[path]), MAX_LEVELS))
    if line:
        for outer, inner in product(_tokens(components[line[0]]), own):
            yield f"{outer} > {inner}"
    for far in line[1:]:
        for outer, inner in product(_tokens(components[far]), own[-1:]):
            if outer != written(components[far].tag):
                yield f"{outer} {inner}"
    if len(line) > 1:
        for far in line[1:]:
            for outer in _tokens(components[far]):
                yield f"{outer} {_full(components[line[0]])} > {_full(components[path])}"
    yield from _chains(paths, path)


def _tokens(component: Component) -> Iterator[str]:
    """Ways to write an element, the shortest first."""
    names = sorted(component.names, key=_plainness)
    for name in names:
        yield written("", [name])
    for name in names:
        yield written(component.tag, [name])
    if len(names) > 1:
        yield written(component.tag, names)
    yield written(component.tag)


def _plainness(name: str) -> tuple[bool, bool, bool, int, str]:
    """By what names are sorted: identifiers first, then those that are written without escapes, then short ones."""
    return name[0] != "#", not name[1:].isascii(), ":" in name or "/" in name, len(name), name


def _full(component: Component) -> str:
    return written(component.tag, component.names)
