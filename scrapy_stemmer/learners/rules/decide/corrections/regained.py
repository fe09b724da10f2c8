"""Dropped blocks that are text: names of a list's entries, leads, captions of kept tables."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate
from math import inf
from typing import NamedTuple

from scrapy_stemmer.learners.rules.decide.corrections.view import View
from scrapy_stemmer.learners.rules.site.columns import Signature
from scrapy_stemmer.learners.rules.site.hints import CAPTION, CELL, GROUPS, hints_of_names
from scrapy_stemmer.page.elements import HEADINGS

MIN_ENTRIES = 5
MAX_ENTRY = 60  # blocks of an entry
MIN_ALIKE = 0.6  # share of the entries with a name, and with a teaser
MIN_TEASER = 40  # characters
MIN_OF_PAGE = 0.5  # share of the kept text in entries with teasers
MIN_DISTINCT = 0.8  # share of different names
MIN_ENTRY_NAME = 15  # characters of a name outside headings
MIN_ALONE = 100  # characters of dropped names
MIN_DROPPED = 0.5  # share of such names
LEAST_NAME = -2.0  # log-odds below which a name stays dropped; any, if no text of a single page has some above 0
LEAST_ALONE = -1.5  # mean log-odds of names without teasers; any, too
MAX_BESIDE = 700  # characters of kept text outside links
MAX_BESIDE_SHARE = 1.5  # kept text outside links, per character of the entries
_CONTENT = 1 << GROUPS.index("content")
_OUTSIDE = sum(
    1 << GROUPS.index(group)
    for group in "byline related social subscribe popup ad legal comment review navigation footer search sidebar "
    "tags toc".split()
)
_BESIDE = re.compile(
    r"related|up-?sell|cross-?sell|recommend|recent|similar|also|mini-?cart|compare|bundle|footer|menu|(?:^|[-_ ])nav",
    re.IGNORECASE,
)


class Entry(NamedTuple):
    """An entry of a list."""

    blocks: range
    name: int  # number of the first linked block


def names(view: View) -> Sequence[int]:
    """Return the dropped names in front of kept teasers, or those that are the text of a single page."""
    odds, is_text, is_single = view.odds, view.is_text, view.site.knowledge.pages <= 1
    least = -inf if is_single and max(odds) <= 0 else LEAST_NAME
    able = {at for at, kept in enumerate(is_text) if not kept and odds[at] >= least and view.is_scored(at)}
    if not any(map(view.page.is_link, able)):
        return []  # most pages
    return [at for at in _names_of_teasers(view) or (_names_alone(view) if is_single else ()) if at in able]


def _names_of_teasers(view: View) -> Sequence[int]:
    """Return the dropped names in front of the kept teasers of a page's main list."""
    is_text, found = view.is_text, set[int]()
    whole = sum([view.lengths[at] for at in view.verdicts.kept])
    for entries, size in _lists(view, 2):
        told = [each for each in entries if _is_told(view, each)]
        kept = sum([view.lengths[at] for each in entries for at in each.blocks if is_text[at]])
        distinct = len({view.texts[each.name] for each in told})
        if len(told) >= MIN_ALIKE * size and distinct >= MIN_DISTINCT * len(told) and kept >= MIN_OF_PAGE * whole:
            found.update(each.name for each in told if not is_text[each.name])
    return sorted(found)


def _is_told(view: View, entry: Entry) -> bool:
    """Return True if the first kept block of an entry is its name or a teaser behind."""
    kept = next((at for at in entry.blocks if view.is_text[at]), -1)
    is_teaser = kept > entry.name and view.lengths[kept] >= MIN_TEASER and 2 * view.linked[kept] < view.lengths[kept]
    return kept == entry.name or is_teaser


def _names_alone(view: View) -> Sequence[int]:
    """Return the dropped names of the list with the most text in the content."""
    is_text, other = view.is_text, view.verdicts.outside_links()
    if other > MAX_BESIDE:
        return []
    in_content = _in_content(view)
    lists = [
        entries
        for entries, _ in _lists(view, 1)
        if len({view.texts[each.name] for each in entries}) >= MIN_DISTINCT * len(entries)
        and in_content[view.elements[entries[0].name]]
    ]
    sizes = [sum(view.size(each.blocks) for each in entries) for entries in lists]
    size, entries = max(zip(sizes, lists, strict=True), key=lambda item: item[0], default=(0, []))
    if other > MAX_BESIDE_SHARE * size:
        return []
    said = {view.texts[at] for at in view.verdicts.kept}
    found = [each.name for each in entries if not is_text[each.name] and view.texts[each.name] not in said]
    if sum([view.lengths[at] for at in found]) < MIN_ALONE or len(found) < MIN_DROPPED * len(entries):
        return []
    return found if view.mean(found) >= LEAST_ALONE or max(view.odds) <= 0 else []


def _in_content(view: View) -> list[bool]:
    """Return for each element whether it is in the content."""
    found: list[bool | None] = []
    is_aside: list[bool] = []
    for element, parent in enumerate(view.parents):
        signature, outer = view.signature(element), max(parent, 0)
        is_aside.append(parent >= 0 and (is_aside[outer] or _is_beside(signature)))
        own = _is_content(signature) if parent >= 0 else None
        found.append(own if own is not None or parent < 0 else found[outer])
    return [content is True and not aside for content, aside in zip(found, is_aside, strict=True)]


def _is_beside(signature: Signature) -> bool:
    names = f"{signature.id} {signature.classes}"
    return signature.tag in ("nav", "footer", "aside") or _BESIDE.search(names) is not None


def _is_content(signature: Signature) -> bool | None:
    """Return whether an element is content; ``None`` if it doesn't say."""
    hints = hints_of_names(signature)
    if hints & _OUTSIDE:
        return False
    return True if hints & _CONTENT or signature.tag in ("main", "article") else None


def _lists(view: View, least: int) -> Iterator[tuple[list[Entry], int]]:
    """Yield the entries of each list, with names on one path, and the number of elements on their path.

    :param least: blocks of an entry.
    """
    lists: defaultdict[int, list[range]] = defaultdict(list)
    paths = view.page.paths
    for path, start, end in zip(paths, *view.spans, strict=True):
        if least <= end - start <= MAX_ENTRY:
            lists[path].append(range(start, end))
    for ranges in lists.values():
        if len(ranges) >= MIN_ENTRIES:
            named = [Entry(each, at) for each in ranges if (at := _name(view, each)) is not None]
            times = Counter(paths[view.elements[each.name]] for each in named)
            usual, count = max(times.items(), key=lambda item: item[1], default=(0, 0))
            if count >= MIN_ALIKE * len(ranges):
                yield [each for each in named if paths[view.elements[each.name]] == usual], len(ranges)


def _name(view: View, blocks: range) -> int | None:
    linked = filter(view.page.is_link, blocks)
    return next((at for at in linked if view.tag(at) in HEADINGS or view.lengths[at] >= MIN_ENTRY_NAME), None)


MIN_LEAD = 40  # characters
MIN_FIRST = 100  # characters of the first kept paragraph
LEAST_LEAD = -1.5  # log-odds of a lead to be kept, at least
LEVELS_OF_LEAD = 3  # levels around, searched for names of leads
_LEAD = 1 << GROUPS.index("subtitle")


def leads(view: View) -> list[int]:
    """Return the dropped leads between the title of a single page and the first kept paragraph."""
    title, lengths, is_text = view.titles.naming_block, view.lengths, view.is_text
    if title is None or view.site.knowledge.pages > 1:
        return []
    behind = range(title + 1, len(lengths))
    plain = [at for at in behind if lengths[at] >= MIN_LEAD and 2 * view.linked[at] < lengths[at]]
    first = next((at for at in plain if is_text[at] and lengths[at] >= MIN_FIRST), title)
    able = [at for at in plain if at < first and not is_text[at] and view.is_scored(at)]
    odds = view.odds if able else []
    return [at for at in able if odds[at] >= LEAST_LEAD and _is_lead(view, view.elements[at])]


def _is_lead(view: View, element: int) -> bool:
    for _ in range(LEVELS_OF_LEAD):
        if element <= 0:
            return False
        if hints_of_names(view.signature(element)) & _LEAD:
            return True
        element = view.parents[element]
    return False


def captions(view: View) -> Iterator[int]:
    """Yield the dropped captions of tables, and of figures with one, most of whose cells are kept."""
    if not (view.has(CAPTION) and view.has(CELL)):
        return
    is_cell = [view.tag(at) in ("td", "th") for at in range(len(view.lengths))]
    cells, kept = [*accumulate(is_cell, initial=0)], [*accumulate(map(min, is_cell, view.is_text), initial=0)]
    tables, figures = view.nearest("table"), view.nearest("figure")
    for caption in view.marked(CAPTION):
        holder = (tables if view.signature(caption).tag == "caption" else figures)[caption]
        blocks = view.within(holder) if holder >= 0 else range(0)
        if 2 * (kept[blocks.stop] - kept[blocks.start]) > cells[blocks.stop] - cells[blocks.start]:
            yield from view.within(caption)
