"""From the pages of a sample to the pattern of their site: rules, and where they decide.

1. Read each page into columns, place its elements on the paths of the site, measure its texts.
2. Count on how many pages each text stands.
3. Score every block of every page by its features.
4. Sum the scores by path, and make the fewest rules that decide as they do.
5. Find the template that returns in what these rules keep, and drop it by rules and by its texts.
6. Note the paths where the blocks' scores agree with the rules; elsewhere the scorer will decide.
7. Find where the titles stand, by the heads of the pages and the texts of links to them.
8. Find where authors, dates and other fields stand; see :mod:`scrapy_stemmer.fields.learning`.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, repeat

import numpy as np
from numpy.typing import ArrayLike

from scrapy_stemmer.fields.learning import learned_rules as learned_field_rules
from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, Columns, Signature, Signatures, exact_key, named_texts
from scrapy_stemmer.learners.rules.features import Flags, Floats, Ints, Measures, PageFacts
from scrapy_stemmer.learners.rules.hints import GROUPS, PathFeatures, hints_of
from scrapy_stemmer.learners.rules.paths import MASK, Placer, Selector, common_names, name_key
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learners.rules.returning.content import ContentPage
from scrapy_stemmer.learners.rules.returning.labels import labels_of_text
from scrapy_stemmer.learners.rules.returning.template import Found, find_template
from scrapy_stemmer.learners.rules.returning.texts import TEMPLATE_ODDS, ReturningText, returning_key
from scrapy_stemmer.learners.rules.roles import (
    MAX_TIMES,
    naming_texts,
    of_several,
    own_title,
    own_titles,
    role_of_names,
    shared_ends,
    title_keys,
    title_parts_of,
)
from scrapy_stemmer.learners.rules.rules import DROP, KEEP, TITLE, PathIndex, Rule, fewest_rules, with_drops
from scrapy_stemmer.learners.rules.sample_pages import SamplePage
from scrapy_stemmer.learners.rules.scorer import NO_ERROR, Scorer, cut_of, features, measures_of, shipped_scorer
from scrapy_stemmer.learners.rules.site import Knowledge, Remembered, Site, end_key, path_key
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.patterns.base import Sample as PageSample

Taught = Callable[[Sequence[SamplePage], Ints, Floats, Floats], Floats]

PATTERN_NAME = "site"  # name of a site's pattern
NAMED_PAGES = 3  # pages that a pattern names as its samples
MAX_ODDS = 1.5  # log-odds of a block count up to this for its path: a few sure blocks must not outvote many others
RULE_PRICE = 0.001  # a rule must be worth this share of all learned text times its log-odds
MAX_ROW = 300  # a row of a table has fewer characters, white space left out, where its cells are kept as one
MAX_IN_CELL = 2  # and cells of this many blocks at most: those of layouts have more
MAX_DISAGREEMENT = 0.2  # the scorer decides where rules and scores disagree on more than this share of a path's text
MAX_OTHER = 0.02  # share of the text in a part that is decided otherwise, at most
MIN_PAGES_OF_PARTS = 8  # fewer pages don't tell parts
PAGES_AT_ONCE = 25  # pages whose features are in memory at a time; those of a page of 500 blocks take 2 MB
MAX_USUAL = 128  # usual paths that are kept, those of the smallest keys: a sample of them tells their share well enough
MAX_REPEATS = 200  # texts of several pages that are kept, of most pages first; of a single page any
MIN_PAGES_OF_RULES = 2  # rules of fewer pages decide nothing: they are made without knowing what returns on others
MAX_TITLE_RULES = 3  # pages of different layouts may have their titles at different places
MOSTLY_NAMELESS = 0.5  # share of the pages whose heads say nothing of their own, above which headings vote
MIN_VOTES = 0.1  # share of all pages that vote for the path of a title, and at least two do
MIN_RIGHT = 0.5  # share of the pages with a name and a block there that do

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
    """The pattern of a site, by a sample of its pages.

    :param pages: distinct pages with text, at least one, in an order that only they decide.
    :param signatures: of their elements.
    :param scorer: scores their blocks; that of this package when ``None``.
    :param taught: gives what a teacher adds to the log-odds, by the pages, and each block's path, length and log-odds.
    :param placeholders: see :attr:`Knowledge.placeholders`, as for ``left_out``.
    """
    sample = PlacedSample(pages, list(signatures))
    paths, path, length = sample.paths, sample.path, sample.length
    known = PathFeatures(paths)
    odds = _with_labels(sample, _scores(sample, known, scorer or shipped_scorer()))
    lessons = np.zeros(len(odds)) if taught is None else taught(pages, path, length, odds)
    odds = odds + lessons
    # What a teacher says of doubtful pages is worth more than that F1 wants some text of each.
    above = _of_rows(sample, odds if taught is not None else odds - _cuts(sample, odds))
    by_path = np.bincount(path, np.clip(above, -MAX_ODDS, MAX_ODDS) * length, minlength=len(paths))
    index = PathIndex(paths)
    rules, numbers = fewest_rules(index, by_path.tolist(), RULE_PRICE)
    kept = np.array([rule.action == KEEP for rule in rules])[numbers]
    may_be_content = (kept | ~_decided_paths(sample, above, kept))[path] & (lessons <= 0)
    found, is_template = _template(sample, odds, may_be_content)
    rules, numbers = with_drops(index, rules, numbers, set(path.tolist()), found.places)
    kept = np.array([rule.action == KEEP for rule in rules])[numbers]
    above, odds = (np.where(is_template, TEMPLATE_ODDS, each) for each in (above, odds))
    # Text that is known to return is dropped by itself: it says nothing of the rule that keeps its path.
    is_known = is_template & kept[path]
    judged = _judged(rules, np.array(numbers, np.int64)[path], odds, length * ~is_known)
    rules = judged + _title_rules(sample, pages, index)
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
        samples=tuple(PageSample(page.url, own_title(page.head, sample.title_parts)) for page in pages[:NAMED_PAGES]),
        site_wide=True,
        rules=tuple(rules),
        field_rules=learned_field_rules([page.fields for page in pages if page.fields is not None]),
        knowledge=knowledge,
        scorer=scorer,
    )
    return pattern.with_site(Site(rules, knowledge, sample.placer, known, signatures))


def _scores(sample: PlacedSample, known: PathFeatures, scorer: Scorer) -> Floats:
    """Return the log-odds of each block of a sample to be text."""
    batches = (sample.facts[at : at + PAGES_AT_ONCE] for at in range(0, len(sample.facts), PAGES_AT_ONCE))
    return np.concatenate([scorer.odds(features(batch, known)) for batch in batches])


def _template(sample: PlacedSample, odds: Floats, is_content: Flags) -> tuple[Found, Flags]:
    """Find the template that returns in the content of a sample; return for each block whether it is template too.

    :param odds: the log-odds of each block to be text.
    :param is_content: whether the rules keep each block, or the scorer decides on its path.
    """
    contents, scores, start = [], [], 0
    for facts in sample.facts:
        columns, measures, end = facts.page.columns, facts.measures, start + len(facts.repeated)
        texts = zip(columns.texts, measures["key"].tolist(), measures["digits"].tolist(), strict=True)
        # The key of a text is known already, but for dates.
        keys = [
            None if not is_one else returning_key(text) if digits else key
            for is_one, (text, key, digits) in zip(is_content[start:end].tolist(), texts, strict=True)
        ]
        letters = measures["length"].tolist()
        contents.append(ContentPage(columns, facts.paths, sample.paths, keys, letters, facts.page.code))
        scores.append(odds[start:end])
        start = end
    found = find_template(contents, scores, sample.paths)
    return found, _flags(sample, found.blocks)


def _flags(sample: PlacedSample, blocks: Sequence[set[int]]) -> Flags:
    """Return for each block of a sample whether it is among those of its page."""
    starts = accumulate((len(facts.repeated) for facts in sample.facts), initial=0)
    flags = np.zeros(len(sample.path), bool)
    flags[[start + block for start, own in zip(starts, blocks, strict=False) for block in own]] = True
    return flags


def _returning_texts(sample: PlacedSample, found: Found) -> tuple[ReturningText, ...]:
    """Return the lines of the texts that return, those of most pages first."""
    paths, total = sample.paths, len(sample.placed)
    lines: dict[tuple[str, str, Selector | None], ReturningText] = {}
    for (_, path), (pages, text) in found.texts.items():
        within = paths.end_selector(path) if path >= 0 else None
        line = ReturningText(text, within, pages, total)
        lines.setdefault(line.subject, line)
    return tuple(sorted(lines.values(), key=lambda line: (-line.pages, line.text, str(line.within or ""))))


def _judged(rules: Sequence[Rule], deciding: Ints, odds: Floats, length: Floats) -> list[Rule]:
    """Rules as sure as they are probably right about their text, by each block's rule, log-odds and length; those that
    drop with the role of that text."""
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

    :ivar placer: has found the paths.
    :ivar placed: for each page the paths of its elements.
    :ivar keys: for each page the keys of its texts, by which it is compared with others.
    :ivar title_parts: texts that the titles or headings of several pages share.
    :ivar facts: what is known of each page before its blocks are scored.
    :ivar cells: for each block the numbers of its page, and of the row and the cell of a table that it is in.
    :ivar path: for each block its path.
    :ivar length: for each block its length.
    """

    def __init__(self, pages: Sequence[SamplePage], signatures: Sequence[Signature]) -> None:
        columns = [page.columns for page in pages]
        self.placer = placer = Placer(common_names(columns, signatures))
        self.placed = [placer.place(page.columns, signatures) for page in pages]
        self.paths = placer.paths
        is_h1 = [signature.tag == "h1" for signature in signatures]
        headings = (_headings_of(page, is_h1) for page in columns)
        titles = ([part for title in page.head.texts.values() for part in title_parts_of(title)] for page in pages)
        self.title_parts = of_several(titles) | of_several(headings)
        self.title_parts |= shared_ends([page.head.texts["title"] for page in pages if "title" in page.head.texts])
        measures = [measures_of(page.columns.texts) for page in pages]
        self.keys, texts = _compared([page.texts for page in columns], measures)
        self.facts = [
            PageFacts(
                page=page,
                paths=self.placed[number],
                measures=measures[number],
                others=len(pages) - 1,
                repeated=texts[number],
                title_keys=title_keys(page.head, self.title_parts),
            )
            for number, page in enumerate(pages)
        ]
        on_paths = zip(columns, self.placed, strict=True)
        self.cells: Ints = np.array(
            [(at, *cell) for at, page in enumerate(columns) for cell in _cells(page, signatures)]
        )
        self.path: Ints = np.array([paths[element] for page, paths in on_paths for element in page.elements], np.int64)
        lengths = np.concatenate([each["length"] for each in measures])
        self.length: Floats = np.maximum(lengths, 1).astype(np.float64)

    def is_heading(self, path: int) -> bool:
        """Whether a path is that of a heading of any level."""
        return self.paths.components[path].tag in HEADINGS


def _with_labels(sample: PlacedSample, odds: Floats) -> Floats:
    """Return the log-odds of blocks, raised for labels of text: those of a label are at least those of what follows.

    The scorer holds it against a text that it returns on other pages, as ``Note`` does over each note.
    """
    made, start = odds.copy(), 0
    for facts in sample.facts:
        end = start + len(facts.repeated)
        for block, value in labels_of_text(facts, sample.paths, odds[start:end]):
            made[start + block] = max(made[start + block], value)
        start = end
    return made


def _cuts(sample: PlacedSample, odds: Floats) -> Floats:
    """For each block the log-odds of the cut of its page; see :func:`cut_of`."""
    counts = [len(facts.repeated) for facts in sample.facts]
    edges = np.cumsum(counts)[:-1]
    pages = zip(np.split(odds, edges), np.split(sample.length, edges), strict=True)
    cuts = np.array([cut_of(odds, length, NO_ERROR) for odds, length in pages])
    return np.repeat(np.log(cuts / (1 - cuts)), counts)


def _cells(page: Columns, signatures: Sequence[Signature]) -> Iterator[tuple[int, int]]:
    """For each block of a page the elements that are its row and its cell in a table; -1 for what is in none."""
    if not any(signatures[number].tag == "tr" for number in set(page.signatures)):
        return repeat((-1, -1), len(page.elements))  # most pages
    cells: list[tuple[int, int]] = []
    for element, (parent, number) in enumerate(zip(page.parents, page.signatures, strict=True)):
        tag = signatures[number].tag
        row = cells[parent][0] if parent >= 0 else -1
        is_cell = row >= 0 and row == parent
        around = (row, element) if is_cell else cells[parent] if parent >= 0 else (-1, -1)
        cells.append((element, -1) if tag == "tr" else (-1, -1) if tag == "table" else around)
    return (cells[element] for element in page.elements)


def _of_rows(sample: PlacedSample, odds: Floats) -> Floats:
    """The log-odds of blocks, in short rows of tables at least their mean: a name says little without what is told of
    it in the cell beside."""
    # As one number each: to sort rows of numbers takes ten times as long, in which no other thread has its turn.
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
    """The distinct keys of some pages, of which some bits count, sorted; and how many of the pages have each."""
    distinct = [np.unique(np.asarray(keys, np.int64) & mask) for keys in pages]
    return np.unique(np.concatenate(distinct), return_counts=True)


def _shares_on_others(pages: Sequence[ArrayLike]) -> list[array[float]]:
    """For each page, and there for each key, the share of the other pages that have it; 0 without others."""
    found, counts = _counted(pages)
    others = max(1, len(pages) - 1)
    shares = ((counts[found.searchsorted(np.asarray(keys, np.int64))] - 1) / others for keys in pages)
    return [array("d", each.tolist()) for each in shares]


def _compared(pages: Sequence[Sequence[str]], measures: Sequence[Measures]) -> tuple[list[Ints], list[array[float]]]:
    """For each page the keys of its texts, and for each text the share of the other pages that have it.

    Digits make no difference, so that ``5 minutes ago`` returns; but on pages of results, statistics or telephone
    numbers they make all of it: where most of a page's text returns so and not as it stands, it is taken as it stands.
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
    """For the keys of several pages, or of the only one, how many have them: those of most pages first, then the
    lowest, at most :data:`MAX_REPEATS`."""
    found, counts = _counted(pages, MASK)
    chosen = counts >= min(2, len(pages))
    pairs = zip((-counts[chosen]).tolist(), found[chosen].tolist(), strict=True)
    return {key: -count for count, key in sorted(pairs)[:MAX_REPEATS]}


def _decided_paths(sample: PlacedSample, odds: Floats, kept: Flags) -> Flags:
    """Return for each path whether the log-odds of its text agree with the rules, by whether these keep it."""
    size, is_wrong = len(sample.paths), (odds > 0) != kept[sample.path]
    total = np.bincount(sample.path, sample.length, minlength=size)
    doubt = np.bincount(sample.path, sample.length * np.minimum(1.0, np.abs(odds)) * is_wrong, minlength=size)
    return doubt <= MAX_DISAGREEMENT * total


def _knowledge(sample: PlacedSample, pages: Sequence[SamplePage], odds: Floats, kept: Flags) -> Knowledge:
    """What is known of the site besides its rules, by the log-odds of each block and whether the rules keep each
    path."""
    paths, parents, size = sample.paths, sample.paths.parents, len(sample.paths)
    keys: list[int] = []
    for parent, component in zip(parents, paths.components, strict=True):
        keys.append(path_key(component, keys[parent] if parent >= 0 else 0))
    is_decided = _decided_paths(sample, odds, kept) & (len(pages) >= MIN_PAGES_OF_RULES)
    total = np.bincount(sample.path, sample.length, minlength=size)
    with_text = np.nonzero(total)[0].tolist()
    # For each element all text in it, and that of positive odds; then whether it leads through one that is a part.
    length, text = total.tolist(), np.bincount(sample.path, sample.length * (odds > 0), minlength=size).tolist()
    for path in range(size - 1, 0, -1):
        length[parents[path]] += length[path]
        text[parents[path]] += text[path]
    in_part = [False]
    for path in range(1, size):
        other = length[path] - text[path] if kept[path] else text[path]
        is_part = len(pages) >= MIN_PAGES_OF_PARTS and length[path] > 0 and other <= MAX_OTHER * length[path]
        in_part.append(in_part[parents[path]] or is_part)
    having = Counter(path for placed in sample.placed for path in set(placed))
    usual = sorted({keys[path] for path, count in having.items() if 2 * count >= len(pages)})
    return Knowledge(
        pages=len(pages),
        names=frozenset(name_key(name) for component in paths.components for name in component.names),
        decided=frozenset(keys[path] for path in with_text if is_decided[path] and not in_part[path]),
        undecided=frozenset(keys[path] for path in with_text if not is_decided[path]),
        parts=frozenset(keys[path] for path in range(1, size) if in_part[path] and not in_part[parents[path]]),
        ends=frozenset(end_key(paths, path) for path in with_text if kept[path]),
        usual=frozenset(usual[:MAX_USUAL]),
        texts=_repeated(sample.keys),
        title_parts=sample.title_parts,
    )


def _title_rules(sample: PlacedSample, pages: Sequence[SamplePage], index: PathIndex) -> list[Rule]:
    """Rules for the elements whose text is what links and heads call the pages, the fewest that name most pages.

    Webstemmer takes the text of most links that lead to a page for its title (Shinyama 2005); here links and head have
    a vote alike. A page of which these say nothing has no say, since few pages of a sample are linked from others; but
    where the heads of most pages say nothing, each has one for what looks like its title.
    """
    anchors = [{" ".join(text.split()).lower() for text in page.anchors} for page in pages]
    shared = of_several(anchors)  # the texts of links that lead to several pages, such as ``Next``
    titles = [own_titles(page.head, sample.title_parts) for page in pages]
    are_nameless = len(pages) > 1 and sum(not each for each in titles) > MOSTLY_NAMELESS * len(pages)
    voters: defaultdict[int, set[int]] = defaultdict(set)
    having: Counter[int] = Counter()
    for number, (page, placed) in enumerate(zip(pages, sample.placed, strict=True)):
        names = [*titles[number], *(anchors[number] - shared)]
        found = _paths_of_names(sample, page.columns, placed, names)
        if are_nameless and not found and not titles[number]:
            found = _paths_of_headings(sample, number, page.columns)
        for path in found:
            voters[path].add(number)
        if titles[number] or found:
            having.update({placed[element] for element in page.columns.elements})
    least = max(min(2, len(pages)), MIN_VOTES * len(pages))
    right = {path: voting for path, voting in voters.items() if len(voting) >= MIN_RIGHT * having[path]}
    best = _fewest(right, least, sample)
    others = set(range(len(sample.paths))).difference(best)
    rules: dict[Selector, Rule] = {}
    for path in best:
        selector = index.shortest_selector(path, others)
        if selector is not None:
            rules.setdefault(selector, Rule(TITLE, selector, sure=round(len(voters[path]) / len(pages), 2)))
    return list(rules.values())


def _paths_of_headings(sample: PlacedSample, number: int, columns: Columns) -> list[int]:
    """The path of the first block of a page that no other page has and that is a heading, or called so."""
    facts = sample.facts[number]
    paths = [facts.paths[element] for element in columns.elements]
    times = Counter(paths)
    for path, repeated, text, linked in zip(paths, facts.repeated, columns.texts, columns.linked, strict=True):
        names = sample.paths.components[path].names
        is_called = sample.is_heading(path) or any(hints_of(name[1:]) & _TITLE for name in names)
        is_link = linked > MOSTLY_LINKS * (len(text) - text.count(" "))
        if is_called and not repeated and not is_link and times[path] <= MAX_TIMES:
            return [path]
    return []


def _headings_of(page: Columns, is_heading: Sequence[bool]) -> list[str]:
    """The headings of a page, by whether each signature is that of one."""
    heads = [is_heading[page.signatures[element]] for element in page.elements]
    return [text for text, is_one in zip(named_texts(page, heads.__getitem__), heads, strict=True) if is_one and text]


def _paths_of_names(sample: PlacedSample, columns: Columns, placed: Sequence[int], names: Sequence[str]) -> list[int]:
    """The paths of the blocks that have one of a page's names. Of the blocks on one path the first counts: that is what
    is taken for the title later. Links have no names: a menu calls each page by its own. Below a headline that links to
    its own page there is no other one, but comments on it."""
    if not any(names):
        return []
    paths = [placed[element] for element in columns.elements]
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
    """The fewest paths that most pages vote for, each with ``least`` votes of pages that have not voted for one before
    it; of equal ones a heading."""
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
