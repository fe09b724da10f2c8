"""The tables of the speed benchmark, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.speed.clock import MOST_REPEATS, REPEATS
from benchmarks.speed.crawls import IDLE, LARGE_PAGES, LARGE_SIZE, LEARNING, PLAIN, STRIPPING, Lateness, Rates
from benchmarks.speed.pages import OURS, STRIP, STRIP_PARSED, SetTimes
from benchmarks.speed.scale import DOMAINS, FEW, MANY, Growth, Memory, PatternFile
from benchmarks.tables import section, table

MEGA, KILO = 1e6, 1e3


@dataclass(frozen=True, slots=True)
class Speed:
    """Whatever was measured."""

    sets: Sequence[SetTimes] = ()
    growth: Growth | None = None
    memory: Memory | None = None
    patterns: PatternFile | None = None
    rates: Rates | None = None
    lateness: Mapping[str, Lateness] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Target:
    """A figure and what it must reach.

    :param bound: the most that it may be, or the least where ``least``.
    """

    what: str
    figure: float
    bound: float
    unit: str = ""
    least: bool = False
    note: str = ""

    @property
    def met(self) -> bool:
        """Whether the bound is kept."""
        return self.figure >= self.bound if self.least else self.figure <= self.bound

    @property
    def row(self) -> list[str]:
        """Its line of the table."""
        must = f"{'>=' if self.least else '<='} {self.bound:g}{self.unit}"
        return [self.what, must, f"{self.figure:.2f}{self.unit}", "yes" if self.met else "no", self.note]


def targets(found: Speed) -> list[Target]:
    """All figures that have a bound, as far as they were measured."""
    return [*_page_targets(found.sets), *_scale_targets(found), *_crawl_targets(found)]


def _page_targets(sets: Sequence[SetTimes]) -> Iterator[Target]:
    if not sets:
        return
    for name, bound in ((STRIP, 1.5), (STRIP_PARSED, 0.5)):
        yield _worst(f"{name} / bare lxml parse", {each.name: each.ratios[name] for each in sets}, bound)
    yield _worst("learn a page / bare lxml parse", {each.name: each.learn for each in sets}, 3)


def _worst(what: str, by_set: Mapping[str, float], bound: float) -> Target:
    """The slowest set's figure, with all of them beside it."""
    rows = sorted(by_set.items(), key=lambda row: -row[1])
    return Target(what, rows[0][1], bound, note=", ".join(f"{name} {figure:.2f}" for name, figure in rows))


def _scale_targets(found: Speed) -> Iterator[Target]:
    if found.growth:
        note = f"{found.growth.few:.2f} s, {found.growth.many:.2f} s"
        yield Target(f"learn {MANY} pages / learn {FEW} pages", found.growth.ratio, 12, note=note)
    if found.memory:
        memory = found.memory
        note = f"compressed pages in it: {memory.input / MEGA:.1f} MB; pages of {memory.size / KILO:.0f} kB on average"
        yield Target(f"peak memory of learning {memory.pages} pages", memory.peak / MEGA, 400, " MB", note=note)
    if found.patterns:
        each = found.patterns
        note = f"{each.file / each.domains / KILO:.1f} kB a domain in the file"
        yield Target(f"load a pattern file of {DOMAINS:,} domains", each.seconds, 1, " s", note=note)
        yield Target("memory kept a domain", each.each / KILO, 20, " kB")


def _crawl_targets(found: Speed) -> Iterator[Target]:
    if found.rates:
        note = f"{found.rates.pages} pages, {found.rates.rate(PLAIN):.0f} a second without"
        for mode, bound in ((STRIPPING, 0.85), (LEARNING, 0.7)):
            what = f"pages a second with the extension, {mode} / without"
            yield Target(what, found.rates.ratio(mode), bound, least=True, note=note)
    if found.lateness:
        what = f"event loop blocked while {LARGE_PAGES} pages of {LARGE_SIZE // 1000} kB are learned"
        note = "; ".join(f"{name}: {_told_lateness(late)}" for name, late in found.lateness.items())
        yield Target(what, 1000 * found.lateness[IDLE].learning, 50, " ms", note=note)


def _told_lateness(late: Lateness) -> str:
    learning, whole, plain = (round(1000 * each) for each in (late.learning, late.whole, late.plain))
    return f"{learning} ms, in the whole crawl {whole} ms, without the extension {plain} ms"


def targets_table(found: Speed) -> str:
    """What must be reached, and what was."""
    rows = [target.row for target in targets(found)]
    return table(["what", "must reach", "figure", "met", ""], rows) if rows else ""


def pages_table(sets: Sequence[SetTimes]) -> str:
    """Ratios by set."""
    if not sets:
        return ""
    names = [name for name in sets[0].ratios if name not in OURS]
    rows = [
        ["pages timed", *(str(each.pages) for each in sets)],
        ["median size, kB", *(f"{each.size / KILO:.0f}" for each in sets)],
        ["bare lxml parse, ms", *(f"{1000 * each.parse:.2f}" for each in sets)],
        *([name, *(f"{each.ratios[name]:.2f}" for each in sets)] for name in OURS),
        ["learn a page", *(f"{each.learn:.2f}" for each in sets)],
        ["(pages learned a site)", *(f"{each.sample:g}" for each in sets)],
        *([name, *(f"{each.ratios[name]:.1f}" for each in sets)] for name in names),
    ]
    return table(["", *(each.name for each in sets)], rows)


def report(found: Speed, told: str = "") -> str:
    """All tables."""
    parts = []
    if rows := targets_table(found):
        parts.append(section("What must be reached", told, rows))
    if rows := pages_table(found.sets):
        text = (
            "Medians over pages of the ratio to a bare lxml parse of the same page, the best of "
            f"{REPEATS} each, of short works of up to {MOST_REPEATS}, in turn."
        )
        parts.append(section("A page", text, rows))
    return "\n\n".join(parts)
