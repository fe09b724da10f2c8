"""Learning of a site's pattern from sample pages: rules, and the paths decided by rules.

1. Read each page into columns, place its elements on the site's paths, measure its texts.
2. Count the pages with each text.
3. Score every block by its features.
4. Sum the scores by path and make the fewest rules with the same decisions.
5. Find returning template in kept text; drop it by rules and texts.
6. Note the paths where scores agree with rules; the scorer decides on further paths.
7. Find the places of titles by page heads and texts of links.
8. Find the places of authors, dates and other fields; see :mod:`scrapy_stemmer.fields.learning`.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, repeat, starmap
from math import inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from scrapy_stemmer.fields.learning import learned_rules as learned_field_rules
from scrapy_stemmer.learners.rules.decide.features import Measures, PageFacts
from scrapy_stemmer.learners.rules.decide.head import (
    of_several,
    own_title,
    own_titles,
    shared_ends,
    title_keys,
    title_parts_of,
)
from scrapy_stemmer.learners.rules.decide.scorer import NO_ERROR, Scorer, cut_of, features, measures_of, shipped_scorer
from scrapy_stemmer.learners.rules.decide.title import MAX_TIMES, naming_texts
from scrapy_stemmer.learners.rules.learn.fewest_rules import fewest_rules, selectors, with_drops
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.returning.arrays import Flags, Floats, Ints
from scrapy_stemmer.learners.rules.returning.content import MAX_IN_CELL, MAX_ROW, ContentPage, is_within
from scrapy_stemmer.learners.rules.returning.template import MAX_ON_PATH, Found, find_template, labels_of_text
from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS, Signature, Signatures, exact_key, named_texts
from scrapy_stemmer.learners.rules.site.hints import GROUPS, PathFeatures, hints_of
from scrapy_stemmer.learners.rules.site.known_texts import (
    MAX_RETURNING,
    RUNNING_LETTERS,
    TEMPLATE_ODDS,
    ReturningText,
    returning_key,
)
from scrapy_stemmer.learners.rules.site.paths import MASK, Component, PathIndex, Selector, common_names, name_key
from scrapy_stemmer.learners.rules.site.reading import SamplePage
from scrapy_stemmer.learners.rules.site.roles import page_kind, role_of_names
from scrapy_stemmer.learners.rules.site.rules import DROP, KEEP, TITLE, Rule
from scrapy_stemmer.learners.rules.site.site import Knowledge, Placer, Remembered, Site, end_key, path_key
from scrapy_stemmer.page.addresses import shape_of
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import MAX_NAMED
from scrapy_stemmer.patterns.base import Sample as PageSample

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

Taught = Callable[[Sequence[SamplePage], Ints, Floats, Floats], Floats]
"""Function that returns a teacher's log-odds, given the pages, and each block's path, length and log-odds."""

PATTERN_NAME = "site"
NAMED_PAGES, NAMED_ALIKE = 6, 3  # sample pages named by a pattern, and similar ones in a row
MAX_ODDS = 1.5  # cap of a block's log-odds for its path: a few sure blocks must not outvote many
RULE_PRICE = 0.001  # gain required of a rule, as a share of all text times its log-odds
MAX_DISAGREEMENT = 0.1  # share of a path's text beyond which the scorer decides; twice as much on two pages
MIN_DISAGREEMENT = 0.03  # share of a path's text beyond which the scorer may overrule the rule
MEAN_WEIGHT, MAX_IN_MEAN = 1.5, 6.0  # weight of a path's mean log-odds against text dropped by the rule; cap
LEAST_AGAINST = 0.5  # least log-odds to overrule a rule
MAX_OTHER = 0.02  # share of contradicting text in a part
MIN_PAGES_OF_PARTS = 8  # parts need this many pages
PAGES_AT_ONCE = 25  # pages with features in memory, 2 MB for a page of 500 blocks
MAX_USUAL = 128  # usual paths kept, by lowest key: a sample suffices for the share of paths
MAX_REPEATS = 200  # repeated texts kept, from most pages first; any of a single page
MIN_PAGES_OF_RULES = 2  # with fewer pages repetition is unknown, and rules decide nothing
MAX_TITLE_RULES = 3  # for pages of different layouts
MOSTLY_NAMELESS = 0.5  # share of pages with uninformative heads beyond which headings vote
MIN_VOTES = 0.1  # share of pages in favour of a title's path, at least two pages
MIN_RIGHT = 0.5  # share of pages with a title, among pages with a block on the path

ABOVE_TITLE_ODDS = -2.0  # highest log-odds of the title above the heading
ENDS = frozenset(".:;,\u2026\u3002")  # ends of sentences and labels, never of titles

_TITLE = 1 << GROUPS.index("title")


def learned_pattern(
    pages: Sequence[SamplePage],
    signatures: Signatures,
    scorer: Scorer | None = None,
    taught: Taught | None = None,
    *,
    placeholders: tuple[Remembered, ...] = (),
    left_out: Mapping[str, int] | None = None,
) -> RulesPattern:
    sample = PlacedSample(pages, signatures)
    paths, path, length = sample.paths, sample.path, sample.length
    known = PathFeatures(paths)
    odds = _with_labels(sample, _scores(sample, known, scorer or shipped_scorer()))
    lessons = np.zeros(len(odds)) if taught is None else taught(pages, path, length, odds)
    odds = odds + lessons
    # A teacher's word on doubtful pages outweighs the cut, which wants some text of each page for F1.
    above = _of_rows(sample, odds if taught is not None else odds - _cuts(sample, odds))
    by_path = np.bincount(path, np.clip(above, -MAX_ODDS, MAX_ODDS) * length, minlength=len(paths))
    index = PathIndex(paths)
    rules, numbers = fewest_rules(index, by_path.tolist(), RULE_PRICE)
    kept = np.array([rule.action == KEEP for rule in rules])[numbers]
    may_be_content = (kept | ~_are_decided(_disagreement(sample, above, kept), len(pages)))[path] & (lessons <= 0)
    found, is_template = _template(sample, odds, may_be_content)
    rules, numbers = with_drops(index, rules, numbers, set(path.tolist()), found.places)
    kept = np.array([rule.action == KEEP for rule in rules])[numbers]
    above, odds = (np.where(is_template, TEMPLATE_ODDS, each) for each in (above, odds))
    # Returning text is dropped by its own lines, and is no evidence on the rule of its path.
    is_known = is_template & kept[path]
    judged = _judged(rules, np.array(numbers, np.int64)[path], odds, length * ~is_known)
    rules = judged + _title_rules(sample, pages, index, kept)
    knowledge = replace(
        _knowledge(sample, pages, np.where(is_known, -TEMPLATE_ODDS, above), kept),
        returning=_returning_texts(sample, found),
        placeholders=placeholders,
        left_out=dict(left_out or {}),
    )
    pattern = RulesPattern(
        site=site_of(pages[0].url),
        name=PATTERN_NAME,
        support=len(pages),
        score=float((length * kept[path]).sum()),
        samples=tuple(_named_pages(sample, pages, kept[path] & ~is_known)),
        site_wide=True,
        rules=tuple(rules),
        field_rules=learned_field_rules([page.fields for page in pages if page.fields is not None]),
        knowledge=knowledge,
        scorer=scorer,
    )
    return pattern.with_site(Site(rules, knowledge, sample.placer, known, signatures))


def _named_pages(sample: PlacedSample, pages: Sequence[SamplePage], is_kept: Flags) -> Iterator[PageSample]:
    """Yield the address and title of some pages: content first, then the commonest shapes of addresses."""
    ranked: list[tuple[bool, int, int, int]] = []
    shapes = [shape_of(page.url) for page in pages]
    count, before = Counter(shapes), Counter[str]()
    for number, (facts, part) in enumerate(sample.parts()):
        text = np.flatnonzero(is_kept[part]).tolist() or range(len(facts.repeated))
        kind = page_kind(facts.page.columns, text, inf, facts.page.head)
        shape = shapes[number]
        ranked.append((kind is not PageKind.CONTENT, before[shape] // NAMED_ALIKE, -count[shape], number))
        before[shape] += 1
    for *_, number in sorted(ranked)[:NAMED_PAGES]:
        yield PageSample(pages[number].url, own_title(pages[number].head, sample.title_parts))


def _scores(sample: PlacedSample, known: PathFeatures, scorer: Scorer) -> Floats:
    scorer.check()
    batches = (sample.facts[at : at + PAGES_AT_ONCE] for at in range(0, len(sample.facts), PAGES_AT_ONCE))
    return np.concatenate([scorer.odds(features(batch, known)) for batch in batches])


def _template(sample: PlacedSample, odds: Floats, is_content: Flags) -> tuple[Found, Flags]:
    contents = []
    is_content = is_content | _dropped_elsewhere(sample, is_content) | _dropped_over_links(sample, is_content)
    for facts, part in sample.parts():
        page, measures = facts.page, facts.measures
        texts = zip(page.columns.texts, measures["key"].tolist(), measures["digits"].tolist(), strict=True)
        # Keys are known already, except for texts with dates.
        keys = [
            None if not is_one else returning_key(text) if digits else key
            for is_one, (text, key, digits) in zip(is_content[part].tolist(), texts, strict=True)
        ]
        letters = measures["length"].tolist()
        contents.append(ContentPage(page.columns, sample.paths, keys, letters, page.code, page.bold))
    found = find_template(contents, [odds[part] for _, part in sample.parts()], sample.paths)
    is_template = np.zeros(len(odds), bool)
    for (_, part), blocks in zip(sample.parts(), found.blocks, strict=True):
        is_template[part][list(blocks)] = True
    return found, is_template


def _dropped_elsewhere(sample: PlacedSample, is_content: Flags) -> Flags:
    """Return a flag for each dropped block with a text in similar elements of the content of some page.

    A box is dropped on the layouts of most pages, and returns unseen in the content of a rare one. Elements whose text
    varies do not count: a teaser of an article may stand on all pages.

    :param is_content: blocks that are kept, or left to the scorer.
    """
    ends, keys = sample.ends[sample.path], np.concatenate([facts.measures["key"] for facts in sample.facts])
    of_end: defaultdict[int, set[int]] = defaultdict(set)
    for end, key in zip(ends[is_content].tolist(), keys[is_content].tolist(), strict=True):
        of_end[end].add(key)
    able = {(end, key) for end, of_it in of_end.items() if len(of_it) <= MAX_ON_PATH for key in of_it}
    found = np.zeros(len(ends), bool)
    dropped = np.flatnonzero(~is_content).tolist() if able else []
    dropped = [block for block in dropped if (int(ends[block]), int(keys[block])) in able]
    found[[block for block in dropped if sample.length[block] >= RUNNING_LETTERS]] = True
    # Short texts return as labels do: only a heading beside the text of a box counts.
    found[[block for block in dropped if found[block - 1 : block + 2].any()]] = True
    return found


def _dropped_over_links(sample: PlacedSample, is_content: Flags) -> Flags:
    """Return a flag for each dropped label directly above a link of the content, in one element.

    :param is_content: blocks that are kept, or left to the scorer.
    """
    found = np.zeros(len(is_content), bool)
    for facts, part in sample.parts():
        columns, inside = facts.page.columns, is_content[part]
        is_link = np.asarray(columns.linked) > MOSTLY_LINKS * np.asarray(columns.lengths)
        for block in np.flatnonzero(~inside[:-1] & ~is_link[:-1] & inside[1:] & is_link[1:]).tolist():
            around = columns.parents[columns.elements[block]]
            found[part.start + block] = around > 0 and is_within(columns, block + 1, around)
    return found


def _returning_texts(sample: PlacedSample, found: Found) -> tuple[ReturningText, ...]:
    paths, total = sample.paths, len(sample.facts)
    lines: dict[tuple[str, str, Selector | None], ReturningText] = {}
    for (_, path), (pages, text) in found.texts.items():
        within = paths.end_selector(path) if path >= 0 else None
        line = ReturningText(text, within, pages, total)
        lines.setdefault(line.subject, line)
    ordered = sorted(lines.values(), key=lambda line: (-line.pages, line.text, str(line.within or "")))
    return tuple(ordered[:MAX_RETURNING])


def _judged(rules: Sequence[Rule], deciding: Ints, odds: Floats, length: Floats) -> list[Rule]:
    is_kept = np.array([rule.action == KEEP for rule in rules])[deciding]
    right = 1 / (1 + np.exp(np.where(is_kept, -odds, odds))) * length
    sums = np.bincount(deciding, right, minlength=len(rules))
    total = np.bincount(deciding, length, minlength=len(rules))
    return [
        replace(
            rule,
            sure=round(float(sums[number] / total[number]), 2) if total[number] else 0.5,
            role=role_of_names(rule.selector.steps[-1].names) if rule.action == DROP else None,
        )
        for number, rule in enumerate(rules)
    ]


class PlacedSample:
    """The pages of a sample with the paths of their elements.

    :ivar title_parts: texts shared by titles or headings of several pages.
    """

    def __init__(self, pages: Sequence[SamplePage], signatures: Sequence[Signature]) -> None:
        columns = [page.columns for page in pages]
        self.placer = placer = Placer(common_names(columns, signatures))
        for page in columns:
            placer.place_page(page, signatures)
        self.paths = placer.paths
        is_h1 = [signature.tag == "h1" for signature in signatures]
        headings = (_headings_of(page, is_h1) for page in columns)
        titles = ([part for title in page.head.texts.values() for part in title_parts_of(title)] for page in pages)
        self.title_parts = of_several(titles) | of_several(headings)
        self.title_parts |= shared_ends([page.head.texts["title"] for page in pages if "title" in page.head.texts])
        measures = [measures_of(page) for page in columns]
        self.keys, texts = _compared([page.texts for page in columns], measures)
        self.facts = [
            PageFacts(
                page=page,
                paths=page.columns.paths,
                measures=measures[number],
                others=len(pages) - 1,
                repeated=texts[number],
                title_keys=title_keys(page.head, self.title_parts),
            )
            for number, page in enumerate(pages)
        ]
        cells = [(at, *cell) for at, page in enumerate(columns) for cell in _cells(page, signatures)]
        self.cells: Ints = np.array(cells)
        self.path: Ints = np.concatenate([np.array(page.block_paths, np.int64) for page in columns])
        lengths = np.concatenate([each["length"] for each in measures])
        self.length: Floats = np.maximum(lengths, 1).astype(np.float64)

    def is_heading(self, path: int) -> bool:
        return self.paths.components[path].tag in HEADINGS

    def parts(self) -> Iterator[tuple[PageFacts, slice]]:
        """Yield each page, and the place of its blocks among those of the sample."""
        ends = accumulate((len(facts.repeated) for facts in self.facts), initial=0)
        yield from zip(self.facts, starmap(slice, pairwise(ends)), strict=True)

    @cached_property
    def ends(self) -> Ints:
        """The number of each path's last two components; equal components have equal numbers."""
        numbers: dict[tuple[Component, Component | None], int] = {}
        ends = map(self.paths.end, range(len(self.paths)))
        return np.array([numbers.setdefault(end, len(numbers)) for end in ends], np.int64)


def _with_labels(sample: PlacedSample, odds: Floats) -> Floats:
    made = odds.copy()
    for facts, part in sample.parts():
        own = made[part]
        for block, value in labels_of_text(facts, sample.paths, odds[part]):
            own[block] = max(own[block], value)
        for block in _titles_above(sample, facts):
            own[block] = min(own[block], ABOVE_TITLE_ODDS)
    return made


def _titles_above(sample: PlacedSample, facts: PageFacts) -> Iterator[int]:
    """Yield the blocks with the page's title before the heading, as in a header for paging."""
    columns, texts = facts.page.columns, facts.page.columns.texts
    able = [block for block, key in enumerate(facts.measures["key"].tolist()) if key in facts.title_keys]
    if len(able) < 2:
        return
    is_heading = {block: sample.is_heading(columns.path_of(block)) for block in able}
    headings = {texts[block]: block for block in reversed(able) if is_heading[block]}
    yield from (block for block in able if not is_heading[block] and block < headings.get(texts[block], 0))


def _cuts(sample: PlacedSample, odds: Floats) -> Floats:
    cuts = np.empty(len(odds))
    for _, part in sample.parts():
        cuts[part] = cut_of(odds[part].tolist(), sample.length[part].tolist(), NO_ERROR)
    return np.log(cuts / (1 - cuts))


def _cells(page: ReadPage, signatures: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    if not any(signatures[number].tag == "tr" for number in set(page.signatures)):
        return repeat((-1, -1), len(page.elements))
    cells: list[tuple[int, int]] = []
    for element, (parent, number) in enumerate(zip(page.parents, page.signatures, strict=True)):
        tag = signatures[number].tag
        row = cells[parent][0] if parent >= 0 else -1
        is_cell = row >= 0 and row == parent
        around = (row, element) if is_cell else cells[parent] if parent >= 0 else (-1, -1)
        cells.append((element, -1) if tag == "tr" else (-1, -1) if tag == "table" else around)
    return (cells[element] for element in page.elements)


def _of_rows(sample: PlacedSample, odds: Floats) -> Floats:
    """Return the log-odds of blocks, at least the mean of a short table row: a name needs the value beside."""
    # Combined into one number each: sorting rows takes ten times as long and blocks all threads.
    sizes = sample.cells.max(axis=0, initial=-1) + 2
    rows = sample.cells[:, 0] * sizes[1] + sample.cells[:, 1] + 1
    _, row = np.unique(rows, return_inverse=True)
    _, cell, times = np.unique(rows * sizes[2] + sample.cells[:, 2] + 1, return_inverse=True, return_counts=True)
    length = np.bincount(row, sample.length)
    most = np.zeros(len(length), np.int64)
    np.maximum.at(most, row, times[cell])
    is_data = (sample.cells[:, 1] >= 0) & ((length <= MAX_ROW) & (most <= MAX_IN_CELL))[row]
    means = np.bincount(row, odds * sample.length) / length
    return np.where(is_data, np.maximum(odds, means[row]), odds)


def _counted(pages: Sequence[ArrayLike], mask: int = -1) -> tuple[Ints, Ints]:
    distinct = [np.unique(np.asarray(keys, np.int64) & mask) for keys in pages]
    return np.unique(np.concatenate(distinct), return_counts=True)


def _shares_on_others(pages: Sequence[ArrayLike]) -> list[array[float]]:
    found, counts = _counted(pages)
    others = max(1, len(pages) - 1)
    shares = ((counts[found.searchsorted(np.asarray(keys, np.int64))] - 1) / others for keys in pages)
    return [array("d", each.tolist()) for each in shares]


def _compared(pages: Sequence[Sequence[str]], measures: Sequence[Measures]) -> tuple[list[Ints], list[array[float]]]:
    """Return the keys of texts, by page, and the share of the other pages with each text.

    Keys ignore digits, so that ``5 minutes ago`` counts as repeated. Pages of results, statistics or telephone numbers
    differ in nothing else: digits count there if most text repeats only without them.
    """
    keys = [each["key"].astype(np.int64) for each in measures]
    shares = _shares_on_others(keys)
    returning = [each["length"] * (np.asarray(share) > 0) for each, share in zip(measures, shares, strict=True)]
    numeric = [text[each["digits"] > 0].sum() for each, text in zip(measures, returning, strict=True)]
    sizes = [each["length"].sum() for each in measures]
    if not any(2 * text > size for text, size in zip(numeric, sizes, strict=True)):
        return keys, shares
    exact = [np.array([exact_key(text) for text in texts], np.int64) for texts in pages]
    for number, share in enumerate(_shares_on_others(exact)):
        if 2 * returning[number][np.asarray(share) == 0].sum() > sizes[number]:
            keys[number], shares[number] = exact[number], share
    return keys, shares


def _repeated(pages: Sequence[ArrayLike]) -> dict[int, int]:
    """Return the number of pages of repeated keys, or of any key of a single page: at most :data:`MAX_REPEATS`, from
    most pages first, then by lowest key."""
    found, counts = _counted(pages, MASK)
    chosen = counts >= min(2, len(pages))
    pairs = zip((-counts[chosen]).tolist(), found[chosen].tolist(), strict=True)
    return {key: -count for count, key in sorted(pairs)[:MAX_REPEATS]}


def _disagreement(sample: PlacedSample, odds: Floats, kept: Flags) -> Floats:
    """Return for each path the share of text with a contradicting score; doubtful text counts less."""
    size, is_wrong = len(sample.paths), (odds > 0) != kept[sample.path]
    total = np.bincount(sample.path, sample.length, minlength=size)
    doubt = np.bincount(sample.path, sample.length * np.minimum(1.0, np.abs(odds)) * is_wrong, minlength=size)
    return doubt / np.maximum(total, 1)


def _are_decided(disagreement: Floats, pages: int) -> Flags:
    # Of two pages, a text on both by chance counts as much as a text on all of ten pages.
    return disagreement <= MAX_DISAGREEMENT * (2 if pages == 2 else 1)


def _contested(sample: PlacedSample, disagreement: Floats, odds: Floats, kept: Flags) -> dict[int, int]:
    """Return by path the log-odds of a block from which the scorer overrules the rule, in quarters.

    Against a keeping rule, text is dropped from :data:`LEAST_AGAINST` on. Against a dropping rule, text must outweigh
    the mean of the path: text dropped on a site is mostly template, even if the pages do not share it.
    """
    size = len(sample.paths)
    total = np.maximum(np.bincount(sample.path, sample.length, minlength=size), 1)
    mean = np.bincount(sample.path, sample.length * np.clip(odds, -MAX_IN_MEAN, MAX_IN_MEAN), minlength=size) / total
    level = np.where(kept, LEAST_AGAINST, np.maximum(LEAST_AGAINST, -MEAN_WEIGHT * mean))
    quarters = np.rint(level * 4).astype(int).tolist()
    return {path: quarters[path] for path in np.nonzero(disagreement > MIN_DISAGREEMENT)[0].tolist()}


def _knowledge(sample: PlacedSample, pages: Sequence[SamplePage], odds: Floats, kept: Flags) -> Knowledge:
    paths, parents, size = sample.paths, sample.paths.parents, len(sample.paths)
    keys: list[int] = []
    for parent, component in zip(parents, paths.components, strict=True):
        keys.append(path_key(component, keys[parent] if parent >= 0 else 0))
    disagreement = _disagreement(sample, odds, kept)
    is_decided = _are_decided(disagreement, len(pages)) & (len(pages) >= MIN_PAGES_OF_RULES)
    contested = _contested(sample, disagreement, odds, kept) if len(pages) >= MIN_PAGES_OF_RULES else {}
    total = np.bincount(sample.path, sample.length, minlength=size)
    with_text = np.nonzero(total)[0].tolist()
    # By element: all text inside, text of positive odds, and whether a part lies on its path.
    length, text = total.tolist(), np.bincount(sample.path, sample.length * (odds > 0), minlength=size).tolist()
    for path in range(size - 1, 0, -1):
        length[parents[path]] += length[path]
        text[parents[path]] += text[path]
    in_part = [False]
    for path in range(1, size):
        other = length[path] - text[path] if kept[path] else text[path]
        is_part = len(pages) >= MIN_PAGES_OF_PARTS and length[path] > 0 and other <= MAX_OTHER * length[path]
        in_part.append(in_part[parents[path]] or is_part)
    having = Counter(path for page in pages for path in set(page.columns.paths))
    usual = sorted({keys[path] for path, count in having.items() if 2 * count >= len(pages)})
    return Knowledge(
        pages=len(pages),
        names=frozenset(name_key(name) for component in paths.components for name in component.names),
        decided=frozenset(keys[path] for path in with_text if is_decided[path] and not in_part[path]),
        undecided=frozenset(keys[path] for path in with_text if not is_decided[path]),
        parts=frozenset(keys[path] for path in range(1, size) if in_part[path] and not in_part[parents[path]]),
        ends=frozenset(end_key(paths, path) for path in with_text if kept[path]),
        usual=frozenset(usual[:MAX_USUAL]),
        contested={keys[path]: level for path, level in contested.items()},
        texts=_repeated(sample.keys),
        title_parts=sample.title_parts,
    )


def _title_rules(sample: PlacedSample, pages: Sequence[SamplePage], index: PathIndex, kept: Flags) -> list[Rule]:
    """Return the fewest rules for the elements with the names that links and heads give most pages.

    Webstemmer takes the text of most links to a page for its title (Shinyama 2005); here heads vote as well. Few pages
    of a sample are linked, so a page without names abstains. If most heads are uninformative, pages vote for likely
    headings instead.
    """
    anchors = [{" ".join(text.split()).lower() for text in page.anchors} for page in pages]
    shared = of_several(anchors)  # ambiguous texts such as ``Next``
    titles = [own_titles(page.head, sample.title_parts) for page in pages]
    are_nameless = len(pages) > 1 and sum(not each for each in titles) > MOSTLY_NAMELESS * len(pages)
    is_of_site = len(pages) > 2 and bool(pages[0].head.title) and len({page.head.title for page in pages}) == 1
    voters: defaultdict[int, set[int]] = defaultdict(set)
    having: Counter[int] = Counter()
    for number, page in enumerate(pages):
        names = [*titles[number], *(anchors[number] - shared)]
        found = _paths_of_names(sample, page.columns, names)
        if are_nameless and not found and not titles[number]:
            found = _paths_of_headings(sample, number, page.columns, kept & is_of_site)
        for path in found:
            voters[path].add(number)
        if titles[number] or found:
            having.update(set(page.columns.block_paths))
    least = max(min(2, len(pages)), MIN_VOTES * len(pages))
    right = {path: voting for path, voting in voters.items() if len(voting) >= MIN_RIGHT * having[path]}
    best = _fewest(right, least, sample)
    others = set(range(len(sample.paths))).difference(best)
    rules: dict[Selector, Rule] = {}
    for path in best:
        selector = next(selectors(index, path, others), None)
        if selector is not None:
            rules.setdefault(selector, Rule(TITLE, selector, sure=round(len(voters[path]) / len(pages), 2)))
    return list(rules.values())


def _paths_of_headings(sample: PlacedSample, number: int, columns: ReadPage, kept: Flags) -> list[int]:
    """Return the path of the first heading unique to the page, by element or name; else the path of the first
    kept line.

    :param kept: kept paths, none where the heads of some pages have titles of their own.
    """
    paths, shares = columns.block_paths, sample.facts[number].repeated
    times = Counter(paths)
    first: list[int] = []
    for path, repeated, text, linked in zip(paths, shares, columns.texts, columns.linked, strict=True):
        names = sample.paths.components[path].names
        is_called = sample.is_heading(path) or any(hints_of(name[1:]) & _TITLE for name in names)
        is_link = linked > MOSTLY_LINKS * (len(text) - text.count(" "))
        if repeated or is_link or times[path] > MAX_TIMES:
            continue
        if is_called:
            return [path]
        if not first and kept[path] and len(text) <= MAX_NAMED and text[-1] not in ENDS:
            first = [path]
    return first


def _headings_of(page: ReadPage, is_heading: Sequence[bool]) -> list[str]:
    heads = [is_heading[page.signatures[element]] for element in page.elements]
    return [text for text, is_one in zip(named_texts(page, heads.__getitem__), heads, strict=True) if is_one and text]


def _paths_of_names(sample: PlacedSample, columns: ReadPage, names: Sequence[str]) -> list[int]:
    """Return the paths of blocks with a name of the page, by first block on each path, as titles are found later.

    Paths of links are left out, since menus repeat names of pages. A headline that links to its own page still excludes
    comments below it.
    """
    if not any(names):
        return []
    paths = columns.block_paths
    texts = named_texts(columns, lambda index: sample.is_heading(paths[index]))
    times = Counter(path for path, text in zip(paths, texts, strict=True) if text)
    firsts: dict[int, str] = {}
    links: set[int] = set()
    for path, text, linked in zip(paths, texts, columns.linked, strict=True):
        is_link = linked > MOSTLY_LINKS * (len(text) - text.count(" "))
        if is_link and path not in firsts:
            links.add(path)
        can_name = sample.is_heading(path) or not is_link
        is_candidate = can_name and times[path] <= MAX_TIMES and text not in sample.title_parts
        firsts.setdefault(path, text if is_candidate else "")
    on = list(firsts)
    found = naming_texts(list(firsts.values()), list(map(sample.is_heading, on)), names)
    return [on[index] for index in found if on[index] not in links]


def _fewest(voters: Mapping[int, set[int]], least: float, sample: PlacedSample) -> list[int]:
    """Return the fewest paths with the votes of most pages; each adds ``least`` new voters. Headings win ties."""
    best: list[int] = []
    served: set[int] = set()
    while len(best) < MAX_TITLE_RULES:
        votes = {path: len(voting - served) for path, voting in voters.items()}
        path = max(votes, key=lambda path: (votes[path], sample.is_heading(path), -path), default=None)
        if path is None or votes[path] < least:
            break
        best.append(path)
        served |= voters[path]
    return best
