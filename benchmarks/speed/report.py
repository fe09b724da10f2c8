"""The tables of the speed benchmark, as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.speed.clock import MOST_REPEATS, REPEATS
from benchmarks.speed.crawls import IDLE, LARGE_PAGES, LARGE_SIZE, LEARNING, PLAIN, STRIPPING, Lateness, Rates
from benchmarks.speed.pages import OURS, STRIP, STRIP_PARSED, SetTimes
from benchmarks.speed.replay import Replay
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
    replays: Sequence[Replay] = ()


@dataclass(frozen=True, slots=True)
class Target:
    """A figure and its bound."""

    what: str
    figure: float
    bound: float  # the highest figure, or the lowest with ``least``
    unit: str = ""
    least: bool = False
    note: str = ""

    @property
    def met(self) -> bool:
        """Return True if the bound is kept."""
        return self.figure >= self.bound if self.least else self.figure <= self.bound

    @property
    def row(self) -> list[str]:
        """Return the line of the table."""
        must = f"{'>=' if self.least else '<='} {self.bound:g}{self.unit}"
        return [self.what, must, f"{self.figure:.2f}{self.unit}", "yes" if self.met else "no", self.note]


def targets(speed: Speed) -> list[Target]:
    """Return all measured figures with a bound."""
    return [*_page_targets(speed.sets), *_scale_targets(speed), *_crawl_targets(speed)]


def _page_targets(sets: Sequence[SetTimes]) -> Iterator[Target]:
    if not sets:
        return
    for name, bound in ((STRIP, 1.5), (STRIP_PARSED, 0.5)):
        yield _worst(f"{name} / bare lxml parse", {page_set.name: page_set.ratios[name] for page_set in sets}, bound)
    yield _worst("learn a page / bare lxml parse", {page_set.name: page_set.learn for page_set in sets}, 3)


def _worst(what: str, by_set: Mapping[str, float], bound: float) -> Target:
    """Return the slowest set's figure, with all sets beside."""
    rows = sorted(by_set.items(), key=lambda row: -row[1])
    return Target(what, rows[0][1], bound, note=", ".join(f"{name} {figure:.2f}" for name, figure in rows))


def _scale_targets(speed: Speed) -> Iterator[Target]:
    if speed.growth:
        note = f"{speed.growth.few:.2f} s, {speed.growth.many:.2f} s"
        yield Target(f"learn {MANY} pages / learn {FEW} pages", speed.growth.ratio, 12, note=note)
    if speed.memory:
        memory = speed.memory
        note = f"compressed pages in it: {memory.input / MEGA:.1f} MB; pages of {memory.size / KILO:.0f} kB on average"
        yield Target(f"peak memory of learning {memory.pages} pages", memory.peak / MEGA, 400, " MB", note=note)
    if speed.patterns:
        patterns = speed.patterns
        note = f"{patterns.file / patterns.domains / KILO:.1f} kB a domain in the file"
        yield Target(f"load a pattern file of {DOMAINS:,} domains", patterns.seconds, 1, " s", note=note)
        yield Target("memory kept a domain", patterns.each / KILO, 20, " kB")


def _crawl_targets(speed: Speed) -> Iterator[Target]:
    if speed.rates:
        note = f"{speed.rates.pages} pages, {speed.rates.rate(PLAIN):.0f} a second without"
        for mode, bound in ((STRIPPING, 0.85), (LEARNING, 0.7)):
            what = f"pages a second with the extension, {mode} / without"
            yield Target(what, speed.rates.ratio(mode), bound, least=True, note=note)
    if speed.replays:
        by_set = {replay.name: replay.ratio for replay in speed.replays}
        note = ", ".join(
            f"{replay.name} {replay.ratio:.2f} of {1000 * replay.plain:.1f} ms" for replay in speed.replays
        )
        what = "CPU time of a crawl of real pages without the extension / stripping"
        yield Target(what, min(by_set.values()), 0.7, least=True, note=note)
    if speed.lateness:
        what = f"event loop blocked while {LARGE_PAGES} pages of {LARGE_SIZE // 1000} kB are learned"
        note = "; ".join(f"{name}: {_told_lateness(late)}" for name, late in speed.lateness.items())
        yield Target(what, 1000 * speed.lateness[IDLE].learning, 50, " ms", note=note)


def _told_lateness(late: Lateness) -> str:
    learning, whole, plain = (round(1000 * seconds) for seconds in (late.learning, late.whole, late.plain))
    return f"{learning} ms, in the whole crawl {whole} ms, without the extension {plain} ms"


def targets_table(speed: Speed) -> str:
    """Return the table of bounds and figures."""
    rows = [target.row for target in targets(speed)]
    return table(["what", "must reach", "figure", "met", ""], rows) if rows else ""


def pages_table(sets: Sequence[SetTimes]) -> str:
    """Ratios by set."""
    if not sets:
        return ""
    names = [name for name in sets[0].ratios if name not in OURS]
    rows = [
        ["pages timed", *(str(page_set.pages) for page_set in sets)],
        ["median size, kB", *(f"{page_set.size / KILO:.0f}" for page_set in sets)],
        ["bare lxml parse, ms", *(f"{1000 * page_set.parse:.2f}" for page_set in sets)],
        *([name, *(f"{page_set.ratios[name]:.2f}" for page_set in sets)] for name in OURS),
        ["learn a page", *(f"{page_set.learn:.2f}" for page_set in sets)],
        ["(pages learned a site)", *(f"{page_set.sample:g}" for page_set in sets)],
        *([name, *(f"{page_set.ratios[name]:.1f}" for page_set in sets)] for name in names),
    ]
    return table(["", *(page_set.name for page_set in sets)], rows)


def report(speed: Speed, note: str = "") -> str:
    """Return all tables."""
    parts = []
    if rows := targets_table(speed):
        parts.append(section("What must be reached", note, rows))
    if rows := pages_table(speed.sets):
        text = (
            "Medians over pages of the ratio to a bare lxml parse of the same page, the best of "
            f"{REPEATS} each, of short works of up to {MOST_REPEATS}, in turn."
        )
        parts.append(section("A page", text, rows))
    return "\n\n".join(parts)
