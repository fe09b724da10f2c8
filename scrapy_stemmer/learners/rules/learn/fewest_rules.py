"""The fewest keep and drop rules with the decisions of a sample's scores."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Sequence
from itertools import accumulate, chain

from scrapy_stemmer.learners.rules.site.paths import Component, PathIndex, Paths, Selector
from scrapy_stemmer.learners.rules.site.rules import DROP, KEEP, Rule, rank

MAX_LEVELS = 30  # elements above a path in selectors; candidates grow with the square
TELLING_TAGS = ("aside",)  # tags that a rule may drop without a name
MAX_DROPPED = 50  # places of template; samples of real sites have one or two
_ACTIONS = (DROP, KEEP)  # by whether text is kept


def fewest_rules(index: PathIndex, odds: Sequence[float], price: float) -> tuple[list[Rule], list[int]]:
    """Return the fewest rules with the decisions of a sample's scores, and the rule of each path."""
    paths, least = index.paths, price * sum(map(abs, odds))
    kept, switched = _choice(paths, odds, least)
    has_text = [value != 0.0 for value in odds]
    for path in range(len(paths) - 1, 0, -1):
        has_text[paths.parents[path]] |= has_text[path]
    # By decision, the paths with the opposite decision; selectors must not match there.
    others = [{path for path, text in enumerate(has_text) if text and kept[path] != keep} for keep in (False, True)]
    rules = [Rule(_ACTIONS[kept[0]], Selector.of("body"))]
    for path in switched:
        selector = next(selectors(index, path, others[kept[path]]), None)
        rules += [] if selector is None else [Rule(_ACTIONS[kept[path]], selector)]
    made = list(dict.fromkeys(rules))
    return made, _deciding(index, made)


def _choice(paths: Paths, odds: Sequence[float], least: float) -> tuple[list[bool], list[int]]:
    """Return a flag for each path to keep, and the paths with a rule, by dynamic programming; each rule costs
    ``least``."""
    # Cost of the subtree of each path, if the path is dropped and if it is kept.
    cost = [[max(0.0, value), max(0.0, -value)] for value in odds]
    for path in range(len(paths) - 1, 0, -1):
        dropped, keep = cost[path]
        above = cost[paths.parents[path]]
        above[0] += min(dropped, keep + least)
        above[1] += min(keep, dropped + least)
    kept, switched = [cost[0][1] < cost[0][0]], []
    for path in range(1, len(paths)):
        inherited = kept[paths.parents[path]]
        # Ties go to the outer path: its rule describes a place instead of each element inside.
        is_switched = least > 0 and cost[path][not inherited] + least <= cost[path][inherited]
        kept.append(inherited != is_switched)
        switched += [path] if is_switched else []
    return kept, switched


def selectors(index: PathIndex, path: int, others: Container[int]) -> Iterator[Selector]:
    """Yield the selectors of a path that match no other paths, the shortest first."""

    def is_own(selector: Selector) -> bool:
        return not any(each in others for each in index.matching(selector))

    groups = (group for whole, group in candidates(index.paths, path) if is_own(whole))
    return filter(is_own, chain.from_iterable(groups))


def _deciding(index: PathIndex, rules: Sequence[Rule]) -> list[int]:
    """Return for each path the number of the rule that decides; the body's rule is the first."""
    nearest: dict[int, int] = {}
    for number in sorted(range(len(rules)), key=lambda number: rank(rules[number])):
        nearest.update(dict.fromkeys(index.matching(rules[number].selector), number))
    found: list[int] = []
    for path, parent in enumerate(index.paths.parents):
        found.append(nearest[path] if path in nearest else found[parent])
    return found


def with_drops(
    index: PathIndex, rules: Sequence[Rule], numbers: Sequence[int], with_text: Collection[int], places: Sequence[int]
) -> tuple[list[Rule], list[int]]:
    """Add rules for dropping all text in some places; return all rules and the rule of each path.

    A place without a name gets no rule, nor does a place whose selector matches kept text, nor one behind the first
    :data:`MAX_DROPPED`. Rules left without text are removed.
    """
    if not places:
        return list(rules), list(numbers)
    places = sorted(places)[:MAX_DROPPED]
    paths, inside = index.paths, set(places)
    for path in range(1, len(paths)):
        if paths.parents[path] in inside:
            inside.add(path)
    kept = [rule.action == KEEP for rule in rules]
    others: set[int] = set()  # paths to content, for no new rule to match
    for path in with_text:
        if path not in inside and kept[numbers[path]]:
            others.update(paths.line(path))
    made = [
        rule
        for number, rule in enumerate(rules)
        if not (kept[number] and number and _decides_within(number, numbers, with_text, inside))
    ]
    for place in places:
        rule = _drop_of(index, place, others, made)
        if rule is None:
            continue
        made.append(rule)
        # Nearer rules that also keep elements elsewhere.
        deciding = _deciding(index, made)
        for path in sorted(with_text):
            if place in paths.line(path) and made[deciding[path]].action == KEEP:
                nearer = _drop_of(index, path, others, made)
                made += [] if nearer is None else [nearer]
    return made, _deciding(index, made)


def _decides_within(number: int, numbers: Sequence[int], with_text: Iterable[int], inside: Container[int]) -> bool:
    decided = [path for path in with_text if numbers[path] == number]
    return bool(decided) and all(path in inside for path in decided)


def _drop_of(index: PathIndex, path: int, others: Container[int], rules: Sequence[Rule]) -> Rule | None:
    least = max((rank(rule) for rule in rules if path in index.matching(rule.selector)), default=None)
    for selector in selectors(index, path, others):
        last, rule = selector.steps[-1], Rule(DROP, selector)
        if (last.names or last.tag in TELLING_TAGS) and (least is None or rank(rule) >= least):
            return rule
    return None


def _line(paths: Paths, path: int) -> list[int]:
    """Return a path and its ancestors without the body, at most :data:`MAX_LEVELS`."""
    line: list[int] = []
    while path > 0 and len(line) < MAX_LEVELS:
        line.append(path)
        path = paths.parents[path]
    return line


def _chains(paths: Paths, path: int) -> Iterator[Selector]:
    """Yield selectors with all details of a path's last elements, from one element up to :data:`MAX_LEVELS`."""
    line = _line(paths, path)
    if not line or paths.parents[line[-1]] == 0:
        line.append(0)
    elements = (Selector.of(*paths.components[element][:2]) for element in line)
    return accumulate(elements, lambda inner, outer: inner.within(outer, child=True))


def candidates(paths: Paths, path: int) -> Iterator[tuple[Selector, Iterable[Selector]]]:
    """Yield groups of selectors for a path, the shortest first: by its element, elements around, the whole chain."""
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
    """Yield selectors of an element, the shortest first: one name, tag and name, all names, tag."""

    def plainness(name: str) -> tuple[bool, bool, bool, int, str]:
        # Identifiers first, then names without escapes, then short ones.
        return name[0] != "#", not name[1:].isascii(), ":" in name or "/" in name, len(name), name

    names = sorted(component.names, key=plainness)
    yield from (Selector.of(tag, [name]) for tag in ("", component.tag) for name in names)
    if len(names) > 1:
        yield Selector.of(component.tag, names)
    yield Selector.of(component.tag)
