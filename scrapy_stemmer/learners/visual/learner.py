"""Zhou & Sun's learner: blocks that look alike are clustered; those that say what a page's title says hold its text.

After Z. Zhou and L. Sun, "Web Content Extraction Through Machine Learning" (2014), and their program, ziyan/spider,
as far as the paper leaves things open. It departs from them where that was found better on real
pages, see :class:`VisualOptions`, and where a sample's pages have not been rendered: then blocks are clustered by
their tag paths alone, which on the authors' own data finds the text as well.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Annotated, Any, ClassVar, NamedTuple, Self

from lxml import etree

from scrapy_stemmer.core.document import DEFAULT_CHARSET, Page, root_of
from scrapy_stemmer.core.rendering import STYLES, Rendering
from scrapy_stemmer.core.text import collapse, drawn, stable_hash
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.base import MAX_SAMPLES, SITE_WIDE, Learner, Options
from scrapy_stemmer.learners.visual.pattern import Rule, Selector, SelectorRulePattern, selectors_of
from scrapy_stemmer.learners.visual.relevance import (
    STEMMER,
    STOP_WORDS,
    PageTerms,
    Terms,
    cluster_scores,
    english_terms,
    has_stemmer,
    hints_of,
    is_english,
    ngram_terms,
)
from scrapy_stemmer.learners.visual.visual_blocks import Shape, clusters_of, visual_blocks
from scrapy_stemmer.patterns import base
from scrapy_stemmer.patterns.record import Between, Share

LANGUAGES = ("auto", "english", "any")
"""How texts become terms, see :attr:`VisualOptions.language`."""

DIGITS = 6
"""Decimals of the scores in patterns, so that files are good to read and compare."""


@dataclass(frozen=True, slots=True)
class VisualOptions(Options):
    """How rules are learned.

    :param language: ``any``: texts are compared by character n-grams; ``english``: by words, stemmed, stop words
        left out, as in the paper; ``auto``: ``english`` for samples in English, else ``any``. Both need the extra
        ``visual``. N-grams are the default since they found more on the project's pages: as much on news, F1
        +3 on mixed kinds and +6 on documentation.
    :param stop_words: words that don't count in English texts, in place of the package's 181. The paper's program has
        571 others, so that its scores differ by up to 30 % with these; with its own list here they come out.
    :param min_confidence: clusters whose confidence, from 0 to 1, reaches this become rules, as in the program.
    :param min_score: so do clusters whose score reaches this, whatever their confidence, as in the program.
    :param min_share: but none whose score is below this share of the best one's, unless it stands in the element
        that holds the best one's blocks. The program has no such limit and takes in related links and the like;
        this one raised precision on the project's news pages from 85 to 91 % and took 1 % of recall. As scores
        grow with the square of a text's length, a thousandth stands for about 3 % of the main text. The element
        takes the place of the bounding box that the paper proposes for other parts of the text (§8.1).
    :param min_rendered: least share of the pages that must have been rendered for the blocks' looks to be used;
        then only these pages are learned from. Else tag paths are used, for all.
    :param default_charset: for pages that declare no charset.
    """

    language: Annotated[str, LANGUAGES] = "any"
    stop_words: tuple[str, ...] = ()
    min_confidence: Share = 0.5
    min_score: Annotated[float, Between(0)] = 1000.0
    min_share: Share = 0.001
    min_rendered: Share = 0.5
    default_charset: str = DEFAULT_CHARSET

    @classmethod
    def preset(cls, name: str) -> Self:
        """The options of a preset: ``default``, or ``original`` for the choices of the paper and its program.

        :raises LearnerError: for another name.
        """
        if name == "default":
            return cls()
        if name == "original":
            return cls(language="auto", min_share=0.0)
        raise LearnerError(f"There is no preset {name!r}; use 'default' or 'original'.")


class VisualLearner(Learner):
    """Clusters the blocks of a site's pages by their looks and makes rules of the clusters that hold the text.

    :param options: see :class:`VisualOptions`.
    :raises LearnerError: for a language that needs the extra when it is not installed.
    """

    name: ClassVar[str] = "visual"
    options_class: ClassVar[type[Any] | None] = VisualOptions

    def __init__(self, options: VisualOptions | None = None) -> None:
        self.options = options or VisualOptions()
        language = self.options.language
        if language != "any" and not has_stemmer():
            raise LearnerError(
                f"The language {language!r} needs the package {STEMMER}: pip install 'scrapy-stemmer[visual]', or use "
                "'any'."
            )

    def learn(self, pages: Sequence[Page], *, seed: int = 0) -> list[base.Pattern]:
        """The rules of one site, as one pattern; see :meth:`Learner.learn`. They need two pages that differ."""
        ordered = sorted(pages, key=_order)
        rendered = [page for page in ordered if _is_rendered(page)]
        looks = len(rendered) > 1 and len(rendered) >= self.options.min_rendered * len(ordered)
        read: dict[int, _PageTexts] = {}
        for page in rendered if looks else ordered:
            texts = _PageTexts.of(page.url, root_of(page, self.options.default_charset), looks=looks)
            # A copy of a page has the same text in the same places.
            places = (part for text in texts.texts for part in (text.shape.path, text.text))
            read.setdefault(stable_hash(*places), texts)
        distinct = list(read.values())
        rules = self._rules(distinct, self._terms(distinct, seed))
        if not rules:
            return []
        pattern = SelectorRulePattern(
            site=pages[0].site,
            name=SITE_WIDE,
            support=len(distinct),
            score=round(sum(rule.score for rule in rules), DIGITS),
            samples=tuple(base.Sample(page.url) for page in distinct[:MAX_SAMPLES]),
            site_wide=True,
            rules=tuple(rules),
            rendered=looks,
        )
        return [pattern]

    def _terms(self, pages: Sequence[_PageTexts], seed: int) -> Terms:
        """What counts terms; five pages are looked at to tell the language."""
        english = self.options.language == "english"
        if self.options.language == "auto":
            urls = set(drawn((page.url for page in pages), 5, seed))
            english = is_english(text.text for page in pages if page.url in urls for text in page.texts)
        return english_terms(self.options.stop_words or STOP_WORDS) if english else ngram_terms()

    def _rules(self, pages: Sequence[_PageTexts], terms: Terms) -> list[Rule]:
        """The rules by falling score; of clusters that end in the same selector, the best one's."""
        clusters = clusters_of(Counter(text.shape for page in pages for text in page.texts))
        counted = []
        members: defaultdict[int, list[_Text]] = defaultdict(list)
        for page in pages:
            for text in page.texts:
                members[clusters[text.shape]].append(text)
            blocks = [(clusters[text.shape], terms(text.text)) for text in page.texts]
            counted.append(PageTerms.of(blocks, sum(map(terms, page.hints), Counter[str]())))
        rules = []
        for cluster, score in cluster_scores(counted).items():
            texts = members[cluster]
            # A list of links: half of its characters are in links, or its selector ends in one, as in the program.
            is_link = texts[0].shape.path.rpartition("/")[2] == "a"
            if is_link or sum(text.link_chars for text in texts) > sum(text.chars for text in texts) / 2:
                continue
            selector = reduce(Selector.common, {text.selector for text in texts})
            example = collapse(max(texts, key=lambda text: text.chars).text)[:60]
            rules.append(
                Rule(selector, round(score.score, DIGITS), round(score.confidence, DIGITS), score.pages, example)
            )
        rules.sort(key=lambda rule: (-rule.score, str(rule.selector)))
        kept: dict[Selector, Rule] = {}
        for rule in rules:
            if rule.confidence < self.options.min_confidence and rule.score < self.options.min_score:
                continue
            best = rules[0]
            if best.selector.container.holds(rule.selector) or rule.score >= self.options.min_share * best.score:
                kept.setdefault(rule.selector, rule)
        return list(kept.values())


class _Text(NamedTuple):
    """A block without its tree."""

    shape: Shape
    selector: Selector
    text: str
    chars: int
    link_chars: int


class _PageTexts(NamedTuple):
    """What is kept of a page: its texts, and its titles and descriptions; the tree is let go."""

    url: str
    texts: list[_Text]
    hints: list[str]

    @classmethod
    def of(cls, url: str, root: etree._Element, *, looks: bool) -> Self:
        """The texts of a tree.

        :param looks: whether blocks are grouped by their looks, or by tag paths alone.
        """
        selectors = selectors_of(root)
        texts = []
        for block in visual_blocks(root):
            selector = selectors[block.element]
            shape = Shape(selector.path)
            if looks and block.look is not None:
                shape = Shape(selector.path, block.look.style, block.look.width)
            texts.append(_Text(shape, selector, block.text, sum(map(len, block.texts)), block.link_chars))
        return cls(url, texts, hints_of(root))


def _order(page: Page) -> tuple[str, int]:
    """By URL, and by HTML for pages of one URL, so that the order in which pages came does not matter."""
    html = page.html
    if isinstance(html, etree._Element):
        html = etree.tostring(html, encoding="unicode")
    return page.url, stable_hash(html if isinstance(html, str) else html.decode("latin-1"))


def _is_rendered(page: Page) -> bool:
    """Whether a page may hold the marks of a browser; to see that it does it would have to be parsed."""
    if isinstance(page.html, etree._Element):
        return bool(Rendering(page.html))
    return (STYLES if isinstance(page.html, str) else STYLES.encode()) in page.html  # type: ignore[operator]
