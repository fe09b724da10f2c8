"""Cards of a shop's collection: like elements, each with a product's name and price."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.columns import Columns, Signature, blocks_within

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

MIN_CARDS = 8  # products of a collection
MIN_CARD_BLOCKS, MAX_CARD_BLOCKS = 2, 40  # of a card
MIN_CARDS_SHARE = 0.25  # text of all cards, relative to the kept text outside links and cards
SURE_TEXT, SURELY_NONE = 2.4, -1.8  # mean log-odds of other text, and of the cards, beside an article
OFTEN_IN_CARDS = 0.5  # share of the cards with a text from which it is a label or a button
_BESIDE = re.compile(
    r"related|up-?sell|cross-?sell|recommend|recent|similar|also|mini-?cart|compare|bundle|footer|menu|(?:^|[-_ ])nav",
    re.IGNORECASE,
)


@lru_cache(4096)
def is_beside(signature: Signature) -> bool:
    """Return True for elements with products beside the page's own."""
    names = f"{signature.id} {signature.classes}"
    return signature.tag in ("nav", "footer", "aside") or _BESIDE.search(names) is not None


def cards_of(
    columns: Columns | ReadPage, paths: Sequence[int], by_number: Sequence[Signature], prices: Sequence[int]
) -> list[range]:
    """Return the blocks of each card: of the outermost like elements that share out the most prices."""
    first, behind = blocks_within(columns)
    priced: set[int] = set()
    for element in map(columns.elements.__getitem__, prices):
        while element > 0 and element not in priced:
            priced.add(element)
            element = columns.parents[element]
    by_path: defaultdict[int, list[int]] = defaultdict(list)
    for element in sorted(priced):
        if MIN_CARD_BLOCKS <= behind[element] - first[element] <= MAX_CARD_BLOCKS:
            by_path[paths[element]].append(element)
    cards = max(by_path.values(), key=len, default=[])
    if len(cards) < MIN_CARDS:
        return []
    outer = columns.parents[cards[0]]
    while outer > 0:
        if is_beside(by_number[columns.signatures[outer]]):
            return []
        outer = columns.parents[outer]
    return [range(first[each], behind[each]) for each in cards]


def texts_in_cards(columns: Columns | ReadPage, cards: Sequence[range], prices: Sequence[int]) -> list[int]:
    """Return the blocks of cards, each text once a card, without labels and buttons of most cards."""
    texts, of_price = columns.texts, set(prices)
    times = Counter(text for card in cards for text in {texts[at] for at in card})
    found: list[int] = []
    for card in cards:
        once = {texts[at]: at for at in reversed(card)}
        found += (at for text, at in once.items() if at in of_price or times[text] <= OFTEN_IN_CARDS * len(cards))
    return sorted(found)


def is_collection(
    columns: Columns | ReadPage,
    cards: Sequence[range],
    texts: Sequence[int],
    is_text: Sequence[bool],
    odds: Sequence[float],
) -> bool:
    """Return True if kept text outside the cards is not much longer, nor sure beside cards that surely are no text."""
    inside = {at for card in cards for at in card}
    others = [at for at, kept in enumerate(is_text) if kept and at not in inside]
    lengths = columns.lengths
    plain = [length - linked for length, linked in zip(lengths, columns.linked, strict=True)]
    size, rest = sum(lengths[at] for at in texts), sum(plain[at] for at in others)
    if size < MIN_CARDS_SHARE * rest:
        return False
    is_sure = sum(odds[at] * plain[at] for at in others) >= SURE_TEXT * rest > 0
    return not is_sure or sum(odds[at] * lengths[at] for at in texts) >= SURELY_NONE * size
