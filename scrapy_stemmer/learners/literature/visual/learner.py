"""Zhou & Sun's learner: blocks are clustered by looks, and clusters related to a page's title hold the text.

Without rendered pages, blocks are clustered by tag paths alone, which works as well on the authors' own data. The
relation is tf-idf similarity to title and description.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from lxml import etree

from scrapy_stemmer.learners.literature.base import (
    DIGITS,
    LiteratureLearner,
    LiteratureOptions,
    distinct,
    of_whole_site,
)
from scrapy_stemmer.learners.literature.blocks import UNSEEN, visit
from scrapy_stemmer.learners.literature.rendering import UNRENDERED, Look, Rendering
from scrapy_stemmer.learners.literature.visual.pattern import (
    BOXLESS,
    SelectorRule,
    SelectorRulePattern,
    TagPath,
    selectors_of,
)
from scrapy_stemmer.page.blocks import Piece
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import CJK, collapse, stable_hash
from scrapy_stemmer.patterns.base import Pattern
from scrapy_stemmer.patterns.record import Between, Share


@dataclass(frozen=True, slots=True)
class VisualOptions(LiteratureOptions):
    """Options for learning rules."""

    min_confidence: Share = 0.5  # least confidence of a cluster that becomes a rule, as in the program
    min_score: Annotated[float, Between(0)] = 1000.0  # least score that also makes a cluster a rule, as in the program
    # least share of the best score, unless the cluster stands in the element around the best cluster's blocks.
    min_share: Share = 0.001
    min_rendered: Share = 0.5  # least share of rendered pages to cluster by looks, learning from rendered pages only


class VisualLearner(LiteratureLearner[VisualOptions]):
    """Learner that clusters a site's blocks by their looks and turns clusters of text into rules."""

    name: ClassVar[str] = "visual"
    options_class: ClassVar[type[Any] | None] = VisualOptions

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[Pattern]:
        read = [_PageBlocks.of(page.url, self.root_of(page)) for page in pages]
        rendered = [page for page in read if any(block.look for block in page.blocks)]
        looks = len(rendered) > 1 and len(rendered) >= self.options.min_rendered * len(read)
        sample = distinct((page.url, page.content, page) for page in (rendered if looks else read))
        rules = self._rules(sample, looks)
        if not rules:
            return []
        common = of_whole_site(pages[0].site, [page.url for page in sample], sum(rule.score for rule in rules))
        return [SelectorRulePattern(**common, rules=tuple(rules), rendered=looks)]

    def _rules(self, pages: Sequence[_PageBlocks], looks: bool) -> list[SelectorRule]:
        shapes = [[block.shape(looks) for block in page.blocks] for page in pages]
        clusters = clusters_of(Counter(chain.from_iterable(shapes)))
        members: defaultdict[int, list[Block]] = defaultdict(list)
        counted = []
        for page, of_page in zip(pages, shapes, strict=True):
            numbered = [(clusters[shape], block) for shape, block in zip(of_page, page.blocks, strict=True)]
            for number, block in numbered:
                members[number].append(block)
            hints = Counter(chain.from_iterable(map(terms, page.hints)))
            counted.append(PageTerms.of(((number, terms(block.text)) for number, block in numbered), hints))
        scores = cluster_scores(counted)
        rules = [_rule(members[cluster], score) for cluster, score in scores.items() if not _is_links(members[cluster])]
        rules.sort(key=lambda rule: (-rule.score, str(rule.selector)))
        kept: dict[TagPath, SelectorRule] = {}
        for rule in rules:
            if rule.confidence < self.options.min_confidence and rule.score < self.options.min_score:
                continue
            best = rules[0]
            if best.selector.container.holds(rule.selector) or rule.score >= self.options.min_share * best.score:
                kept.setdefault(rule.selector, rule)
        return list(kept.values())


class _PageBlocks(NamedTuple):
    """Data kept of a page: blocks, titles and descriptions, without the tree."""

    url: str
    blocks: list[Block]
    hints: list[str]
    content: int  # equal for copies of a page, with equal text in equal places

    @classmethod
    def of(cls, url: str, root: etree._Element) -> Self:
        blocks = visual_blocks(root)
        content = stable_hash(*(part for block in blocks for part in (block.selector.path, block.text)))
        return cls(url, blocks, page_hints(root), content)


def _is_links(blocks: Sequence[Block]) -> bool:
    """Return True if blocks are a list of links: half of their characters or the end of their selector, as in the
    program."""
    is_link = blocks[0].selector.path.rpartition("/")[2] == "a"
    return is_link or sum(block.link_chars for block in blocks) > sum(block.chars for block in blocks) / 2


def _rule(blocks: Sequence[Block], score: ClusterScore) -> SelectorRule:
    selector = reduce(TagPath.common, {block.selector for block in blocks})
    example = collapse(max(blocks, key=lambda block: block.chars).text)[:60]
    return SelectorRule(selector, round(score.score, DIGITS), round(score.confidence, DIGITS), score.pages, example)


# Blocks by their looks (section 3) and their clusters (section 4)

OUTSIDE_BLOCKS = UNSEEN | UNRENDERED | {"title"}  # elements to skip with their contents
EPSILON = 0.5  # DBSCAN's radius, in standard deviations of the blocks' widths (the program's)


class BlockShape(NamedTuple):
    """Key for clustering blocks: tag names of their path, and their :class:`Look` if looks count."""

    path: str
    style: str = ""
    width: int = 0


@dataclass(frozen=True, slots=True)
class Block:
    selector: TagPath  # selector of the element
    texts: tuple[str, ...]  # pieces of text in order, with white space
    look: Look | None  # ``None`` without a browser
    link_chars: int = 0  # characters of ``texts`` within links

    @property
    def text(self) -> str:
        return " ".join(self.texts)

    @property
    def chars(self) -> int:
        return sum(map(len, self.texts))

    def shape(self, looks: bool) -> BlockShape:
        path = self.selector.path
        return BlockShape(path, self.look.style, self.look.width) if looks and self.look else BlockShape(path)


def clusters_of(counts: Mapping[BlockShape, int]) -> dict[BlockShape, int]:
    number_of_blocks = sum(counts.values())
    total = sum(shape.width * count for shape, count in counts.items())
    squares = sum(shape.width**2 * count for shape, count in counts.items())
    # Whole numbers make the result independent of the order.
    deviation = math.sqrt(number_of_blocks * squares - total**2) / max(number_of_blocks, 1)
    farthest = EPSILON * (deviation or 1.0)
    clusters: dict[BlockShape, int] = {}
    number, before = -1, None
    for shape in sorted(counts):
        near = before is not None and shape[:2] == before[:2] and shape.width - before.width <= farthest
        number += not near
        clusters[shape] = number
        before = shape
    return clusters


def visual_blocks(root: etree._Element) -> list[Block]:
    """Return the blocks of a page that hold more than white space, in order of their first text."""
    rendering = Rendering(root)
    holders: list[etree._Element] = []
    links: list[etree._Element] = []
    texts: defaultdict[etree._Element, list[str]] = defaultdict(list)
    link_chars: Counter[etree._Element] = Counter()

    def enter(element: etree._Element) -> None:
        holds = rendering.look(element) is not None if rendering else element.tag not in BOXLESS
        if holds or not holders:
            holders.append(element)
        if element.tag == "a":
            links.append(element)
        add(Piece(element, False))

    def leave(element: etree._Element) -> None:
        for opened in (holders, links):
            if opened and opened[-1] is element:
                opened.pop()

    def add(piece: Piece) -> None:
        text = piece.text
        if text and not text.isspace() and not (rendering and rendering.hides(piece.holder)):
            texts[holders[-1]].append(text)
            link_chars[holders[-1]] += len(text) if links else 0

    visit(root, OUTSIDE_BLOCKS, enter, leave, lambda element: add(Piece(element, True)))
    selectors = selectors_of(root)
    return [
        Block(selectors[element], tuple(parts), rendering.look(element), link_chars[element])
        for element, parts in texts.items()
    ]


# Clusters of a page's own text (section 5); a page is a document. Two texts are similar by common terms, counted in
# both texts and weighed by idf. A cluster's score on a page is relevance, the similarity of the cluster's blocks to
# title and description, times coherence, the similarity of blocks within the cluster.

GRAM, CJK_GRAM = 4, 2  # characters of an n-gram, and of an n-gram of kana, Han and Hangul

_RUNS = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+")
_CJK = re.compile(rf"[{CJK}]")


def _grams(word: str) -> tuple[str, ...]:
    length = CJK_GRAM if _CJK.match(word) else GRAM
    return tuple(word[start : start + length] for start in range(max(1, len(word) - length + 1)))


def terms(text: str) -> list[str]:
    """Return the character n-grams of a text's words, which serve as stems in any language."""
    return list(chain.from_iterable(map(_grams, _RUNS.findall(text.lower()))))


@dataclass(frozen=True, slots=True)
class PageTerms:
    """Terms of a page by cluster of blocks."""

    hints: Counter[str]  # terms of the page's titles and descriptions
    blocks: Counter[int]  # number of blocks by cluster
    spread: Mapping[int, Counter[str]]  # number of blocks with each term, by cluster
    counts: Mapping[int, Counter[str]]  # occurrences of each term, by cluster

    @classmethod
    def of(cls, blocks: Iterable[tuple[int, Sequence[str]]], hints: Counter[str]) -> Self:
        page = cls(hints, Counter(), defaultdict(Counter), defaultdict(Counter))
        for cluster, in_block in blocks:
            page.blocks[cluster] += 1
            page.spread[cluster].update(set(in_block))
            page.counts[cluster].update(in_block)
        return page


class ClusterScore(NamedTuple):
    """Score of a cluster on its pages: the mean of positive scores, their share, and the number of pages."""

    score: float
    confidence: float
    pages: int


def idf_of(pages: Sequence[PageTerms]) -> dict[str, float]:
    having: Counter[str] = Counter()
    for page in pages:
        having.update(page.hints.keys() | set(chain.from_iterable(page.counts.values())))
    return {term: math.log(len(pages) / count) for term, count in having.items()}


def page_scores(page: PageTerms, idf: Mapping[str, float]) -> dict[int, float]:
    """Return relevance times coherence of each cluster on a page.

    The similarity of two blocks is the sum over their common terms of both counts times idf. Summed over all ordered
    pairs of a cluster's blocks, a term in m blocks with C occurrences gives 2 (m - 1) C idf. Summed over pairs of a
    block and the hints, where it occurs h times, it gives (C + m h) idf.
    """
    scores = {}
    for cluster, blocks in page.blocks.items():
        spread, counts = page.spread[cluster], page.counts[cluster]
        common = page.hints.keys() & counts.keys()
        relevance = math.fsum((counts[term] + spread[term] * page.hints[term]) * idf[term] for term in common)
        coherence = math.fsum(2 * (spread[term] - 1) * count * idf[term] for term, count in counts.items())
        scores[cluster] = relevance * (coherence if blocks > 1 else 1.0)
    return scores


def cluster_scores(pages: Sequence[PageTerms]) -> dict[int, ClusterScore]:
    idf = idf_of(pages)
    by_cluster: defaultdict[int, list[float]] = defaultdict(list)
    for page in pages:
        for cluster, score in page_scores(page, idf).items():
            by_cluster[cluster].append(score)
    totals: dict[int, ClusterScore] = {}
    for cluster, scores in sorted(by_cluster.items()):
        if above := [score for score in scores if score > 0]:
            totals[cluster] = ClusterScore(sum(above) / len(above), len(above) / len(scores), len(scores))
    return totals


HINTS = frozenset(f"{prefix}{name}" for prefix in ("", "og:", "twitter:") for name in ("title", "description"))
"""Names of the ``meta`` elements to read besides the ``title`` element."""


def page_hints(root: etree._Element) -> list[str]:
    """Return the titles and descriptions of a page in order, repeats kept, since each counts."""
    hints = []
    for element in root.iter("title", "meta"):
        parent = element.getparent()
        # Drawings have titles too.
        if element.tag == "title" and parent is not None and parent.tag in ("head", "html", "body"):
            hints.append(collapse(element.text or ""))
        # Sites mix up the attributes that name a meta element.
        elif HINTS & {element.get(name, "").strip().lower() for name in ("name", "property", "itemprop")}:
            hints.append(collapse(element.get("content", "")))
    return [text for text in hints if text]
