"""The tables of the quality benchmark, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.quality.plan import ITSELF, SIZES, Measured, Results
from benchmarks.quality.runs import of_same_pages
from benchmarks.scoring import (
    GOOD,
    GOOD_SITE,
    POOR_SITE,
    UNSURE,
    Bin,
    PageResult,
    Summary,
    reliability,
    summary,
    sure,
    unsure,
)
from benchmarks.sets import halves
from benchmarks.tables import percent, section, table
from scrapy_stemmer.learning import DEFAULT_LEARNER

BESIDE = "trafilatura"  # the peer that single figures are put beside: the best on most sets

GROUPS: Mapping[str, Callable[[PageResult], str | None]] = {
    "By page type": lambda result: result.type,
    "By language": lambda result: result.lang,
}
"""Subjects of the lines of a table, by its title."""


@dataclass(frozen=True, slots=True)
class Told:
    """Facts about the run in the report."""

    versions: str = ""  # compared versions, as a line
    worst: int = 0  # how many of the worst pages of each set are listed


def report(sets: Sequence[Measured], notes: Told) -> str:
    """Return all tables with data."""
    alone, sets = alone_sets(sets), [measured for measured in sets if not measured.is_alone]
    parts = (
        _if_any("F1 by learner and peer", _f1_text(notes), f1_table(sets)),
        _if_any("One page, nothing known", _alone_text(notes), alone_table(alone), alone_types_table(alone)),
        _if_any("Precision, recall, F1", _DETAIL, detail_table([*sets, *alone])),
        _if_any("Five folds", _FOLDS, folds_table(sets)),
        _if_any("Both halves", _HALVES, halves_table(sets)),
        *(_if_any(title, _GROUPS, groups_table(sets, group)) for title, group in GROUPS.items()),
        _if_any("Pages learned", _CURVE, curve_table(sets)),
        _if_any("Confidence", _CONFIDENCE, confidence_table(sets), sure_table(sets)),
        _if_any("Titles", _TITLES, titles_table(sets)),
        _if_any("The worst pages", _WORST, worst_table(sets, notes.worst)),
    )
    return "\n\n".join(filter(None, parts))


_DETAIL = (
    f"Of the default learner. Good %: pages of F1 >= {GOOD}. Good sites %: sites whose mean F1 is >= {GOOD_SITE}. "
    f"Poor sites: those whose mean F1 is below {POOR_SITE}. Failed: pages on which an exception was raised."
)
_FOLDS = (
    "F1 of the default learner; in brackets the share of good pages. As shipped: with the weights that it comes with, "
    "which may have been trained on these very sites. Five folds: each site with weights that were trained without its "
    "fold; all other tables have these figures. Third kept aside: the sites of the last of three folds, with weights "
    "that were trained on the other two."
)
_HALVES = "Sites in the order of the SHA-1 of their names, alternating. F1 of the default learner."
_GROUPS = f"As the set names it. Mean F1; in brackets the share of pages of F1 >= {GOOD}. The best in bold."
_CURVE = (
    f"F1 of the default learner by the number of pages learned a site, behind the stroke that of {BESIDE} on the same "
    "pages; in brackets how many are tested. They are the first 12 pages of a site's shuffle, each stripped with what "
    "was learned from the pages that follow it there, never from itself but in the column 'itself'. A cell is empty "
    "when fewer than half of the set's pages are of sites with enough pages."
)
_CONFIDENCE = f"Of the default learner, all sets. Good is a page of F1 >= {GOOD}."
_TITLES = (
    "Pages with the gold title, letters and digits compared. The last two columns: single rules, on the same pages."
)
_WORST = "Of the default learner."


def _if_any(title: str, text: str, *tables: str) -> str:
    return section(title, text, *tables) if any(tables) else ""


def _alone_text(notes: Told) -> str:
    lines = "Mean over pages, in hundredths; each page alone, stripped without patterns. "
    lines += "Where a set has segments in place of texts, as `trafeval` has, it is the F1 of these."
    return f"{lines}\n\n{notes.versions}".strip()


def _f1_text(notes: Told) -> str:
    lines = f"Mean over pages, in hundredths; in brackets the share of pages of F1 >= {GOOD}. "
    lines += "Learners and peers on the same pages: those that the protocol tests."
    return f"{lines}\n\n{notes.versions}".strip()


# Means


def cell(results: Results, digits: int = 2) -> str:
    """F1, and the share of good pages."""
    mean = summary(results)
    return _cell(mean, digits) if mean else ""


def _cell(mean: Summary, digits: int = 2) -> str:
    return f"{percent(mean.f1, digits)} ({percent(mean.good, 0)})"


def peer_results(measured: Measured, name: str) -> Results:
    """A peer's results on the pages that the learners were tested on."""
    return of_same_pages(measured.peers.get(name, []), measured.default) if measured.default else measured.peers[name]


def peer_summary(measured: Measured, name: str, beside: Results) -> Summary | None:
    """The mean of a peer over the pages of ``beside``."""
    return summary(of_same_pages(measured.peers.get(name, []), beside))


def bold_best(means: Sequence[Summary | None], shown: Callable[[Summary], str]) -> list[str]:
    """The cells of means, the best in bold; empty where there is none."""
    best = max((mean.f1 for mean in means if mean), default=0.0)
    cells = (shown(mean) if mean else "" for mean in means)
    return [f"**{text}**" if mean and mean.f1 == best else text for mean, text in zip(means, cells, strict=True)]


def _names(sets: Iterable[Measured], of: Callable[[Measured], Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for measured in sets for name in of(measured)))


def _default_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name != DEFAULT_LEARNER, name))


def alone_sets(sets: Iterable[Measured]) -> list[Measured]:
    """The sets of single pages, without the folder in their names."""
    return [replace(measured, name=measured.name.partition("/")[2]) for measured in sets if measured.is_alone]


def alone_table(sets: Sequence[Measured]) -> str:
    """The default learner without patterns, and the peers, on sets of single pages: the other table of the README."""
    return comparison_table(sets) if sets else ""


def alone_types_table(sets: Sequence[Measured]) -> str:
    """Return the table by page type, of the set with most types, for pages alone."""
    counts = [len({result.type for result in measured.default if result.type}) for measured in sets]
    chosen = [measured for measured, count in zip(sets, counts, strict=True) if count > 1 and count == max(counts)]
    return groups_table(chosen, lambda result: result.type)


def heads(sets: Sequence[Measured]) -> list[str]:
    """The sets with the number of tested pages and of sites."""
    sizes = ((measured.name, len(measured.default) or measured.pages, len(measured.site_names)) for measured in sets)
    return [f"{name} ({pages}, {sites})" for name, pages, sites in sizes]


def f1_table(sets: Sequence[Measured], only: Sequence[str] = ()) -> str:
    """Learners and peers by sets, or some learners alone."""
    if not sets:
        return ""
    learners = only or _default_first(_names(sets, lambda measured: measured.learners))
    peers = [] if only else _names(sets, lambda measured: measured.peers)
    rows = [[name, *(cell(measured.learners.get(name, [])) for measured in sets)] for name in learners]
    rows += [[name, *(cell(peer_results(measured, name)) for measured in sets)] for name in peers]
    return table(["set (pages, sites)", *heads(sets)], rows)


def comparison_table(sets: Sequence[Measured]) -> str:
    """The default learner and the peers by sets, the best of each set in bold: the table of the README."""
    columns = [_comparison_column(measured) for measured in sets]
    names = [f"**{DEFAULT_LEARNER}**", *_names(sets, lambda measured: measured.peers)]
    return table(["", *heads(sets)], [[name, *(c[i] for c in columns)] for i, name in enumerate(names)])


def _comparison_column(measured: Measured) -> list[str]:
    results = [measured.learners.get(DEFAULT_LEARNER, []), *(peer_results(measured, name) for name in measured.peers)]
    return bold_best([summary(of_system) for of_system in results], lambda mean: percent(mean.f1))


def detail_table(sets: Sequence[Measured]) -> str:
    """Precision, recall, F1, good pages and failures of the default learner."""
    means = [(measured.name, summary(measured.default)) for measured in sets]
    rows = [_detail(name, mean) for name, mean in means if mean is not None]
    heads = ["pages", "P", "R", "F1", "good %", "sites", "good sites %", "poor sites", "failed"]
    return table(["set", *heads], rows) if rows else ""


def _detail(set_name: str, mean: Summary) -> list[str]:
    means = (percent(share) for share in (mean.precision, mean.recall, mean.f1))
    sites = [str(mean.sites), percent(mean.good_sites, 1), str(mean.poor_sites)]
    return [set_name, str(mean.pages), *means, percent(mean.good, 1), *sites, str(mean.failed or "")]


def folds_table(sets: Sequence[Measured]) -> str:
    """Return the table of the default learner with its own weights, with the folds', and on the third set aside."""
    rows = [
        [
            *(page_set.name, cell(page_set.shipped), *_beside(page_set, page_set.default)),
            *(str(len(page_set.aside)), *_beside(page_set, page_set.aside)),
        ]
        for page_set in sets
        if page_set.aside or page_set.shipped
    ]
    heads = ["as shipped", "five folds", BESIDE, "pages aside", "third kept aside", f"{BESIDE} there"]
    return table(["set", *heads], rows) if rows else ""


def _beside(measured: Measured, ours: Results) -> tuple[str, str]:
    return cell(ours), cell(of_same_pages(measured.peers.get(BESIDE, []), ours))


def halves_table(sets: Sequence[Measured]) -> str:
    """The default learner on both halves of each set."""
    rows = []
    for measured in sets:
        parts = halves(measured.site_names)
        means = [summary([result for result in measured.default if result.site in part]) for part in parts]
        if all(means):
            rows.append([measured.name, *(f"{percent(mean.f1)} ({mean.pages})" for mean in means if mean)])
    return table(["set", "first half (pages)", "second half (pages)"], rows) if rows else ""


def groups_table(sets: Sequence[Measured], group: Callable[[PageResult], str | None]) -> str:
    """The default learner and the peers by groups of pages, the largest first."""
    peers = _names(sets, lambda measured: measured.peers)
    rows = []
    for measured in sets:
        counts = Counter(filter(None, map(group, measured.default)))
        for name, count in counts.most_common():
            ours = [result for result in measured.default if group(result) == name]
            means = [summary(ours), *(peer_summary(measured, peer, ours) for peer in peers)]
            rows.append([measured.name, name, str(count), *bold_best(means, _cell)])
    return table(["set", "", "pages", "default learner", *peers], rows) if rows else ""


def curve_table(sets: Sequence[Measured]) -> str:
    """Return the table of the default learner by the number of learned pages, and of a peer on these pages."""
    rows = [[measured.name, *(_curve_cell(measured, size) for size in SIZES)] for measured in sets if measured.curve]
    sizes = ["itself" if size == ITSELF else str(size) for size in SIZES]
    return table(["set", *sizes], rows) if rows else ""


def _curve_cell(measured: Measured, size: int) -> str:
    results = measured.curve[size]
    mean = summary(results)
    if not mean or 2 * mean.pages < len(measured.curve[ITSELF]):
        return ""
    peer = peer_summary(measured, BESIDE, results)
    return f"{percent(mean.f1)}{f' / {percent(peer.f1)}' if peer else ''} ({mean.pages})"


def confidence_table(sets: Sequence[Measured]) -> str:
    """Confidence by bins; empty when no page has any."""
    results = [result for measured in sets for result in measured.default]
    rows = [
        [f"{part.low:g} to {part.high:g}", str(part.pages), f"{part.confidence:.3f}", percent(part.good, 1)]
        for part in reliability(results)
        if part.pages
    ]
    return table(["confidence", "pages", "mean", "good %"], rows) if rows else ""


def sure_table(sets: Sequence[Measured]) -> str:
    """The pages with a confidence above 0.9 and below 0.5, by set."""
    if not any(result.confidence is not None for measured in sets for result in measured.default):
        return ""
    groups = {measured.name: measured.default for measured in sets}
    groups["all"] = [result for measured in sets for result in measured.default]
    rows = [[name, str(len(of)), *_bin_cells(sure(of)), *_bin_cells(unsure(of))] for name, of in groups.items()]
    return table(["set", "pages", f"above {GOOD}", "good %", f"below {UNSURE}", "good %"], rows)


def _bin_cells(part: Bin) -> tuple[str, str]:
    return str(part.pages), percent(part.good, 1) if part.pages else ""


def titles_table(sets: Sequence[Measured]) -> str:
    """Exact titles of the default learner and of single rules."""
    titled = [measured for measured in sets if any(result.title is not None for result in measured.default)]
    rules = _names(titled, lambda measured: measured.titles)
    rows = [
        [
            measured.name,
            str(sum(result.title is not None for result in measured.default)),
            _title_share(measured.default, lambda result: result.title),
            _title_share(measured.default, lambda result: result.anchored_title),
            *(_rule_share(measured, rule) for rule in rules),
        ]
        for measured in titled
    ]
    own = ["exact %", "with the links to the page %"]
    return table(["set", "pages", *own, *(f"{rule} %" for rule in rules)], rows) if rows else ""


def _title_share(results: Results, right: Callable[[PageResult], bool | None]) -> str:
    known = [bool(right(result)) for result in results if right(result) is not None]
    return percent(sum(known) / len(known), 1) if known else ""


def _rule_share(measured: Measured, rule: str) -> str:
    right = measured.titles[rule]
    known = [right[page] for result in measured.default if (page := (result.site, result.id)) in right]
    return percent(sum(known) / len(known), 1) if known else ""


def worst_table(sets: Sequence[Measured], count: int) -> str:
    """The pages of lowest F1 of each set."""
    rows = []
    for measured in sets:
        worst = sorted(measured.default, key=lambda result: (result.score.f1, result.id))[:count]
        rows += [[measured.name, page.site, page.id, *(percent(part, 1) for part in page.score)] for page in worst]
    return table(["set", "site", "page", "P", "R", "F1"], rows) if rows else ""
