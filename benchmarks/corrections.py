"""Gains by one and two corrections on the worst stripped sites.

Ten pages of a site are learned. The rule that mends most of these ten pages is added by hand, then a second rule; the
remaining pages of the site are stripped and scored before and after:

    python -m benchmarks.corrections             # ten sites of ../shared/data/sites.jsonl.gz
    python -m benchmarks.corrections --sites 30 --write

A search stands for a person with a report of the learned pages: it tries all rules for elements around wrongly decided
blocks, and takes the rule that raises the F1 of the learned pages most. Without shared data there is nothing to
measure.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.drift import SET, Site
from benchmarks.folds import FIVE, brand_of, learner_for
from benchmarks.labels import labels_of
from benchmarks.progress import say
from benchmarks.protocol import LARGE, LEARNED, shuffled
from benchmarks.scoring import score
from benchmarks.sets import ROOT, GoldPage, PageSet, SetError, find_sets
from benchmarks.tables import percent, publish, table
from scrapy_stemmer import Page, PatternSet, learn
from scrapy_stemmer.learners.base import Learner
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.site.paths import Component, Paths
from scrapy_stemmer.learners.rules.site.rules import DROP, KEEP, Rule
from scrapy_stemmer.learners.rules.site.site import Site as RulesSite
from scrapy_stemmer.page.document import Document
from scrapy_stemmer.page.selectors import Selector, written

TARGET = ROOT / "benchmarks" / "results" / "corrections.md"

SITES = 10  # how many of the worst sites are corrected

CORRECTIONS = 2

TRIED = 25  # rules tried on the learned pages: the rules that mend most text, by the labels of the blocks

Gold = tuple[Page, GoldPage]


@dataclass(frozen=True, slots=True)
class Corrected:
    """A site before and after its corrections."""

    site: str
    f1: tuple[float, ...]  # mean F1 of the unlearned pages: without, with one and with two corrections
    rules: tuple[str, ...]  # the corrections; fewer than two where no further one raises the F1 of the learned pages


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a learned page."""

    share: float  # its share of the page's text
    is_kept: bool  # kept now
    is_wanted: bool  # gold text

    def gain(self, action: str) -> float:
        """Return the gain of a rule for the element, negative for harm."""
        return self.share * ((action == KEEP) == self.is_wanted) - self.share * (self.is_kept == self.is_wanted)


def f1_of(pattern: RulesPattern, pages: Sequence[Gold]) -> float:
    """The mean F1 of pages."""
    patterns = PatternSet([pattern])
    return statistics.fmean(score(patterns.strip(page).text, gold.text, gold.optional).f1 for page, gold in pages)


def corrected(pattern: RulesPattern, pages: Sequence[Gold]) -> RulesPattern | None:
    """The pattern with the rule that raises the F1 of learned pages most; ``None`` where none does."""
    paths, blocks = _blocks(pattern, pages)
    best, better = f1_of(pattern, pages), None
    for rule in _rules(paths, blocks)[:TRIED]:
        tried = pattern.with_rules([rule])
        f1 = f1_of(tried, pages)
        if f1 > best:
            best, better = f1, tried
    return better


def _blocks(pattern: RulesPattern, pages: Sequence[Gold]) -> tuple[Paths, Mapping[int, list[Block]]]:
    """The paths of the learned pages, and the blocks on each of these."""
    site, patterns = RulesSite(pattern.rules, pattern.knowledge), PatternSet([pattern])
    blocks: defaultdict[int, list[Block]] = defaultdict(list)
    for page, gold in pages:
        placed, stripped = site.place(Document(page)), patterns.strip(page)
        columns = placed.columns
        labels = labels_of(columns.texts, gold.text, gold.optional)
        kept = [block.noise_confidence < 0.5 for block in stripped.blocks]
        total = sum(map(len, columns.texts))
        for number, (element, text) in enumerate(zip(columns.elements, columns.texts, strict=True)):
            if not labels.optional[number]:
                block = Block(len(text) / total, kept[number], bool(labels.wanted[number]))
                blocks[placed.paths[element]].append(block)
    return site.paths, blocks


def _rules(paths: Paths, blocks: Mapping[int, Sequence[Block]]) -> list[Rule]:
    """Yield mending rules, the best first."""
    below: list[list[Block]] = [[] for _ in range(len(paths))]
    for path, of_path in blocks.items():
        for around in _line(paths, path):
            below[around] += of_path
    wrong = [path for path, inside in enumerate(below) if any(b.is_kept != b.is_wanted for b in inside)]
    texts = sorted({text for path in wrong for text in selectors(paths, path)})
    rules = []
    for selector in map(Selector.parse, texts):
        matched = {path for path in range(len(paths)) if selector.matches(paths, path)}
        outermost = [path for path in matched if matched.isdisjoint(list(_line(paths, path))[1:])]
        inside = [block for path in outermost for block in below[path]]
        for action in (KEEP, DROP):
            gain = sum(block.gain(action) for block in inside)
            if gain > 0:
                rules.append((-gain, len(selector.text), selector.text, Rule(action, selector, is_users=True)))
    return [rule for *_, rule in sorted(rules, key=lambda ranked: ranked[:3])]


def selectors(paths: Paths, path: int) -> Iterator[str]:
    """Yield selectors that people write for an element: by a name, its tag, the element around, a name further out."""
    around = [step for step in _line(paths, path) if step > 0][1:]
    if path > 0:
        own = list(_tokens(paths.components[path]))
        yield from own
        for outer in _tokens(paths.components[around[0]]) if around else ():
            yield from (f"{outer} > {inner}" for inner in own)
        yield from (f"{written('', [name])} {own[-1]}" for far in around[1:] for name in paths.components[far].names)


def _tokens(component: Component) -> Iterator[str]:
    for tag in ("", component.tag):
        yield from (written(tag, [name]) for name in component.names)
    yield written(component.tag)


def _line(paths: Paths, path: int) -> Iterator[int]:
    """Return a path and its ancestors."""
    while path >= 0:
        yield path
        path = paths.parents[path]


@dataclass(frozen=True, slots=True)
class LearnedSite:
    """A site with its learned patterns."""

    name: str
    pattern: RulesPattern
    learned: Sequence[Gold]  # the learned pages
    tested: Sequence[Gold]

    @classmethod
    def of(cls, golds: Sequence[GoldPage], pattern: RulesPattern, site: Site) -> LearnedSite:
        """A site of which ten pages were learned."""
        chosen = [golds[number] for number in shuffled(len(golds))[:LEARNED]]
        return cls(site.name, pattern, tuple(zip(site.learned, chosen, strict=True)), site.tested)

    def corrected(self) -> Corrected:
        """The site with its corrections."""
        pattern: RulesPattern | None = self.pattern
        last, f1 = self.pattern, [f1_of(self.pattern, self.tested)]
        for _ in range(CORRECTIONS):
            pattern = corrected(last, self.learned)
            last = pattern or last
            f1.append(f1_of(last, self.tested))
        return Corrected(self.name, tuple(f1), tuple(rule.line for rule in last.rules if rule.is_users))


def worst(page_set: PageSet, count: int, learner: Learner | None = None) -> list[LearnedSite]:
    """Return the sites of the lowest F1, each learned with weights trained without the site.

    :param learner: in place of the default learner.
    """
    scored = []
    for fold in FIVE:
        chosen = learner or learner_for(fold)
        for name, golds in page_set.sites.items():
            if fold.holds(brand_of(golds)) and len(golds) >= LARGE:
                site = Site.of(golds)
                (pattern,) = learn(site.learned, chosen).patterns
                assert isinstance(pattern, RulesPattern)
                scored.append((f1_of(pattern, site.tested), name, LearnedSite.of(golds, pattern, site)))
    return [site for *_, site in sorted(scored, key=lambda ranked: ranked[:2])[:count]]


def report(sites: Sequence[Corrected]) -> str:
    """The table."""
    rows = [[site.site, *map(percent, site.f1), " + ".join(f"`{rule}`" for rule in site.rules)] for site in sites]
    means = [percent(statistics.fmean(column)) for column in zip(*(site.f1 for site in sites), strict=True)]
    heads = ["site", "learned", "one correction", "two", "corrections"]
    return table(heads, [*rows, ["mean", *means, ""]])


def main(arguments: Sequence[str] | None = None) -> int:
    """Reads the command line; the exit status."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.corrections", description=__doc__)
    command.add_argument("--data", type=Path, help="folder of the set; default: ../shared/data")
    command.add_argument("--sites", type=int, default=SITES, metavar="N", help="the worst sites (default: %(default)s)")
    command.add_argument("--write", action="store_true", help=f"write {TARGET.relative_to(ROOT)}")
    options = command.parse_args(arguments)
    try:
        page_set = next(find_sets([SET], options.data))
    except SetError as error:
        say(f"Corrections are not measured: {error}")
        return 0
    publish(report([site.corrected() for site in worst(page_set, options.sites)]), TARGET, _HEAD, write=options.write)
    return 0


_HEAD = """# Corrections: measured

Written by `make bench` (`python -m benchmarks.corrections --write`). Mean F1 of the pages that were not learned, on the
sites that the default learner, with weights that were trained without the site, strips worst; then the same with one
and with two [corrections](../../docs/commands.md#teach).

A search stands for the person who corrects: of all rules with simple selectors, for elements in which a learned page
has text that is decided wrongly, it adds the one that raises the F1 of the ten learned pages most. The pages that are
scored have no part in it. Where nothing stands beside the rules, none helps."""

if __name__ == "__main__":
    sys.exit(main())
