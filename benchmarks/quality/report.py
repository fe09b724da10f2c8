"""The tables of the quality benchmark, as Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from benchmarks.quality.plan import ITSELF, SIZES, Measured, Results
from benchmarks.quality.runs import of_same_pages
from benchmarks.scoring import GOOD, PageResult, Summary, reliability, summary, sure
from benchmarks.sets import halves
from benchmarks.tables import percent, section, table
from scrapy_stemmer.learning import DEFAULT_LEARNER


@dataclass(frozen=True, slots=True)
class Told:
    """What the report says of the run.

    :param versions: what was compared, with versions, as one line.
    :param worst: how many of the worst pages of each set are listed.
    """

    versions: str = ""
    worst: int = 10


def report(sets: Sequence[Measured], told: Told) -> str:
    """All tables that there is something for."""
    parts = (
        section("F1 by learner and peer", _f1_text(told), f1_table(sets)),
        section("Precision, recall, F1", detail_table(sets)),
        _if_any("Both halves", _HALVES, halves_table(sets)),
        _if_any("By kind of page", _KINDS, kinds_table(sets)),
        _if_any("Pages learned", _CURVE, curve_table(sets)),
        _if_any("Confidence", _CONFIDENCE, confidence_table(sets), sure_table(sets)),
        _if_any("Titles", _TITLES, titles_table(sets)),
        _if_any("Without a kind of evidence", _ABLATION, ablation_table(sets)),
        _if_any("The worst pages", _WORST, worst_table(sets, told.worst)),
    )
    return "\n\n".join(filter(None, parts))


_HALVES = "Sites in the order of the SHA-1 of their names, alternating. F1 of the default learner."
_KINDS = "F1 on the tested pages, by the kind of page that the set names. Best peer: of the means over these pages."
_CURVE = (
    "F1 of the default learner by the number of pages learned a site; in brackets the pages tested. The first 12 pages "
    "of a site's shuffle are tested, each with what was learned from the pages that follow it there, never from "
    "itself but in the column 'itself'. A cell is empty when fewer than half of the set's pages are of sites with "
    "enough pages. Best peer: on the pages of the column 'itself'."
)
_CONFIDENCE = f"Of the default learner, all sets. Good is a page of F1 >= {GOOD}."
_TITLES = (
    "Pages with the gold title, letters and digits compared. The last two columns: single rules, on the same pages."
)
_ABLATION = "F1 of the default learner with one kind of evidence switched off; in brackets what that changes."
_WORST = "Of the default learner."


def _if_any(title: str, text: str, *tables: str) -> str:
    return section(title, text, *tables) if any(tables) else ""


def _f1_text(told: Told) -> str:
    lines = f"Mean over pages, in hundredths; in brackets the share of pages of F1 >= {GOOD}. "
    lines += "Learners and peers on the same pages: those that the protocol tests."
    return f"{lines}\n\n{told.versions}".strip()


# Means


def cell(results: Results, digits: int = 2) -> str:
    """F1, and the share of good pages."""
    found = summary(results)
    return f"{percent(found.f1, digits)} ({percent(found.good, 0)})" if found else ""


def peer_results(measured: Measured, name: str) -> Results:
    """A peer's results on the pages that the learners were tested on."""
    return of_same_pages(measured.peers.get(name, []), measured.default) if measured.default else measured.peers[name]


def best_peer(measured: Measured, beside: Results) -> tuple[str, Summary] | None:
    """The peer of the highest F1 on the pages of ``beside``."""
    found = [(name, summary(of_same_pages(results, beside))) for name, results in measured.peers.items()]
    return max(((name, mean) for name, mean in found if mean), key=lambda pair: pair[1].f1, default=None)


def _names(sets: Iterable[Measured], of: Callable[[Measured], Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(name for measured in sets for name in of(measured)))


def _default_first(names: Iterable[str]) -> list[str]:
    return sorted(names, key=lambda name: (name != DEFAULT_LEARNER, name))


def heads(sets: Sequence[Measured]) -> list[str]:
    """The sets with the number of tested pages and of sites."""
    return [f"{one.name} ({len(one.default) or one.pages}, {len(one.site_names)})" for one in sets]


def f1_table(sets: Sequence[Measured]) -> str:
    """Learners and peers by sets."""
    learners = _default_first(_names(sets, lambda one: one.learners))
    rows = [[name, *(cell(one.learners.get(name, [])) for one in sets)] for name in learners]
    rows += [[name, *(cell(peer_results(one, name)) for one in sets)] for name in _names(sets, lambda one: one.peers)]
    return table(["set (pages, sites)", *heads(sets)], rows)


def comparison_table(sets: Sequence[Measured]) -> str:
    """The default learner and the peers by sets, the best of each set in bold: the table of the README."""
    columns = [_comparison_column(one) for one in sets]
    names = [f"**{DEFAULT_LEARNER}**", *_names(sets, lambda one: one.peers)]
    return table(["", *heads(sets)], [[name, *(c[i] for c in columns)] for i, name in enumerate(names)])


def _comparison_column(measured: Measured) -> list[str]:
    found = [measured.learners.get(DEFAULT_LEARNER, []), *(peer_results(measured, name) for name in measured.peers)]
    means = [summary(results) for results in found]
    best = max(mean.f1 for mean in means if mean)
    return [f"**{percent(m.f1)}**" if m and m.f1 == best else percent(m.f1 if m else None) for m in means]


def detail_table(sets: Sequence[Measured]) -> str:
    """Precision, recall, F1, good pages and failures of each."""
    rows = []
    for one in sets:
        results = {name: one.learners[name] for name in _default_first(one.learners)}
        results |= {name: peer_results(one, name) for name in one.peers}
        rows += [_detail(one.name, name, summary(found)) for name, found in results.items()]
    return table(["set", "", "pages", "P", "R", "F1", "good %", "failed"], rows)


def _detail(set_name: str, name: str, found: Summary | None) -> list[str]:
    if found is None:
        return [set_name, name, "0", "", "", "", "", ""]
    means = (percent(mean) for mean in (found.precision, found.recall, found.f1))
    return [set_name, name, str(found.pages), *means, percent(found.good, 1), str(found.failed or "")]


def halves_table(sets: Sequence[Measured]) -> str:
    """The default learner on both halves of each set."""
    rows = []
    for one in sets:
        parts = halves(one.site_names)
        means = [summary([result for result in one.default if result.site in part]) for part in parts]
        if all(means):
            rows.append([one.name, *(f"{percent(mean.f1)} ({mean.pages})" for mean in means if mean)])
    return table(["set", "first half (pages)", "second half (pages)"], rows) if rows else ""


def kinds_table(sets: Sequence[Measured]) -> str:
    """The default learner and the best peer by kind of page."""
    rows = []
    for one in sets:
        counts = Counter(result.kind for result in one.default if result.kind)
        for kind, count in counts.most_common():
            ours = [result for result in one.default if result.kind == kind]
            rows.append([one.name, kind, str(count), cell(ours), _peer_cell(one, ours)])
    return table(["set", "kind", "pages", "F1", "best peer"], rows) if rows else ""


def _peer_cell(measured: Measured, beside: Results) -> str:
    best = best_peer(measured, beside)
    return f"{percent(best[1].f1)} {best[0]}" if best else ""


def curve_table(sets: Sequence[Measured]) -> str:
    """The default learner by the number of pages learned."""
    rows = [
        [one.name, *(_curve_cell(one, size) for size in SIZES), _peer_cell(one, one.curve[ITSELF])]
        for one in sets
        if one.curve
    ]
    sizes = ["itself" if size == ITSELF else str(size) for size in SIZES]
    return table(["set", *sizes, "best peer"], rows) if rows else ""


def _curve_cell(measured: Measured, size: int) -> str:
    results = measured.curve[size]
    if 2 * len(results) < len(measured.curve[ITSELF]):
        return ""
    found = summary(results)
    return f"{percent(found.f1)} ({found.pages})" if found else ""


def confidence_table(sets: Sequence[Measured]) -> str:
    """Confidence by bins; empty when no page has any."""
    results = [result for one in sets for result in one.default]
    rows = [
        [f"{each.low:g} to {each.high:g}", str(each.pages), f"{each.confidence:.3f}", percent(each.good, 1)]
        for each in reliability(results)
        if each.pages
    ]
    return table(["confidence", "pages", "mean", "good %"], rows) if rows else ""


def sure_table(sets: Sequence[Measured]) -> str:
    """The pages with a confidence above 0.9, by set."""
    if not any(result.confidence is not None for one in sets for result in one.default):
        return ""
    groups = {one.name: one.default for one in sets}
    groups["all"] = [result for one in sets for result in one.default]
    rows = []
    for name, results in groups.items():
        found = sure(results)
        rows.append([name, f"{found.pages} of {len(results)}", percent(found.good, 1) if found.pages else ""])
    return table(["set", f"pages above {GOOD}", "good %"], rows)


def titles_table(sets: Sequence[Measured]) -> str:
    """Exact titles of the default learner and of single rules."""
    titled = [one for one in sets if any(result.title is not None for result in one.default)]
    rules = _names(titled, lambda one: one.titles)
    rows = [
        [
            one.name,
            str(sum(result.title is not None for result in one.default)),
            _title_share(one.default, lambda result: result.title),
            _title_share(one.default, lambda result: result.anchored_title),
            *(_rule_share(one, rule) for rule in rules),
        ]
        for one in titled
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


def ablation_table(sets: Sequence[Measured]) -> str:
    """The default learner without one kind of evidence each."""
    kinds = _names(sets, lambda one: one.ablation)
    whole = [summary(one.default) for one in sets]
    rows = [["(nothing)", *(percent(mean.f1) if mean else "" for mean in whole)]]
    for kind in kinds:
        means = [summary(one.ablation.get(kind, [])) for one in sets]
        rows.append([kind, *(_change(mean, before) for mean, before in zip(means, whole, strict=True))])
    return table(["without", *(one.name for one in sets)], rows) if kinds else ""


def _change(found: Summary | None, before: Summary | None) -> str:
    return f"{percent(found.f1)} ({100 * (found.f1 - before.f1):+.2f})" if found and before else ""


def worst_table(sets: Sequence[Measured], count: int) -> str:
    """The pages of lowest F1 of each set."""
    rows = []
    for one in sets:
        worst = sorted(one.default, key=lambda result: (result.score.f1, result.id))[:count]
        rows += [[one.name, each.site, each.id, *(percent(part, 1) for part in each.score)] for each in worst]
    return table(["set", "site", "page", "P", "R", "F1"], rows) if rows else ""
