"""Labels of the content, which return over varying text."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from scrapy_stemmer.learners.rules.decide.features import PageFacts
from scrapy_stemmer.learners.rules.returning.arrays import Floats
from scrapy_stemmer.learners.rules.returning.content import is_within
from scrapy_stemmer.learners.rules.site.columns import MOSTLY_LINKS
from scrapy_stemmer.learners.rules.site.known_texts import RUNNING_LETTERS
from scrapy_stemmer.learners.rules.site.paths import Paths
from scrapy_stemmer.page.elements import HEADINGS

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MOSTLY_TEXT = 0.9  # share of the labelled text kept by the scorer
MAX_LABELLED = 20  # blocks under a label
MAX_SHARE = 0.5  # share of the page's text under a label
CONSTANT_SHARE = 0.5  # share of other pages with constant text
MAX_SERIES = 50  # labels compared on a page


def labels_of_text(facts: PageFacts, paths: Paths, odds: Floats) -> Iterator[tuple[int, float]]:
    """Yield labels of kept varying text, with the mean log-odds of the text.

    A label is the first block of an element, short and not a link.

    :param facts: the page, and the share of further pages with each text.
    :param odds: log-odds of the blocks.
    """
    columns = facts.page.columns
    lengths, letters, repeated = columns.lengths, facts.measures["length"], facts.repeated
    kept = float(np.asarray(lengths)[odds > 0].sum())
    is_doubted = (odds <= 0) & (np.asarray(repeated) > 0) & (letters < RUNNING_LETTERS)
    for block in np.flatnonzero(is_doubted[:-1]).tolist():
        around = columns.parents[columns.elements[block]]
        is_first = block == 0 or not is_within(columns, block - 1, around)
        is_link = columns.linked[block] > MOSTLY_LINKS * lengths[block]
        if around <= 0 or not is_first or is_link:
            continue
        text = _behind(columns, block, around)
        if not text or paths.components[facts.paths[columns.elements[text[0]]]].tag in HEADINGS:
            continue
        length = sum(lengths[each] for each in text)
        wanted = sum(lengths[each] for each in text if odds[each] > 0 and repeated[each] < CONSTANT_SHARE)
        are_links = all(columns.linked[each] > MOSTLY_LINKS * lengths[each] for each in text)
        if wanted >= MOSTLY_TEXT * length and length <= MAX_SHARE * kept and not are_links:
            yield block, float(sum(odds[each] * lengths[each] for each in text) / length)


def _behind(columns: ReadPage, block: int, around: int) -> list[int]:
    found: list[int] = []
    for each in range(block + 1, min(len(columns.lengths), block + MAX_LABELLED + 2)):
        if not is_within(columns, each, around):
            return found
        found.append(each)
    return found if len(found) <= MAX_LABELLED else []


def series_in(pages: Iterable[Sequence[tuple[int, int]]]) -> set[int]:
    """Return the keys of labels in the same order on all pages, such as labels of sections.

    A line between paragraphs, such as ``Advertisement``, has no place in the order.

    :param pages: kind of element, and key, of the labels on each page, in order.
    """
    before: Counter[tuple[int, int]] = Counter()
    for labels in pages:
        by_kind: defaultdict[int, dict[int, None]] = defaultdict(dict)
        for kind, key in labels[:MAX_SERIES]:
            by_kind[kind][key] = None
        for keys in map(list, by_kind.values()):
            before.update((one, other) for at, one in enumerate(keys) for other in keys[at + 1 :])
    in_order, in_both = Counter[int](), Counter[int]()
    for one, other in before:
        (in_both if (other, one) in before else in_order).update((one, other))
    return {key for key, others in in_order.items() if 2 * others >= in_both[key]}
