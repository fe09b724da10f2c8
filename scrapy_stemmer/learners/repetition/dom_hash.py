"""Templates as subtrees that return: the DOM-based system of Gibson, Punera and Tomkins (WWW 2005).

Known from restatements by later papers. It departs from them in that

- distinct pages are counted, not occurrences: a ``br`` thirty times on one page is no template;
- small constructs are recognised by their size, a word or a link, and need no upper threshold (there is one);
- hashes are made from the tree instead of the HTML text, so that white space, comments, scripts and attributes
  that change with every visit make no difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import numpy as np

from scrapy_stemmer.core.document import Page, root_of
from scrapy_stemmer.learners.repetition.learner import ReadPage, ReturningLearner, ReturningOptions
from scrapy_stemmer.learners.repetition.pattern import DomHashPattern, TemplateText
from scrapy_stemmer.learners.repetition.subtrees import (
    MAX_GAP_CHARS,
    MAX_GAP_SIBLINGS,
    Node,
    Template,
    coalesce,
    subtrees_of,
    template_nodes,
    texts_of,
)
from scrapy_stemmer.patterns.record import Between

IGNORED_ATTRIBUTES = ("nonce", "data-*")
"""Attributes that scripts fill anew for every page or visit."""

GAP = "[…]"
"""Stands for a gap where people read a template."""


@dataclass(frozen=True, slots=True)
class DomHashOptions(ReturningOptions):
    """How subtrees are found, beside :class:`ReturningOptions`, whose ``min_pages`` is the paper's lower threshold.

    :param max_occurrences: the paper's upper threshold: subtrees that the sample has more often, all pages
        together, are no template; 0 for none.
    :param min_words: words that a subtree without a link must hold.
    :param ignored_attributes: attributes that make no difference; ``*`` at the end for all that begin so.
    :param max_gap_siblings: siblings that may stand between two subtrees of one template.
    :param max_gap_chars: letters and digits that they may hold.
    """

    max_occurrences: Annotated[int, Between(0)] = 0
    min_words: Annotated[int, Between(0)] = 1
    ignored_attributes: tuple[str, ...] = IGNORED_ATTRIBUTES
    max_gap_siblings: Annotated[int, Between(0)] = MAX_GAP_SIBLINGS
    max_gap_chars: Annotated[int, Between(0)] = MAX_GAP_CHARS


class DomHashLearner(ReturningLearner[list[Node]]):
    """Counts the pages that have each subtree.

    :param options: see :class:`DomHashOptions`.
    """

    name: ClassVar[str] = "dom_hash"
    options_class: ClassVar[type[Any] | None] = DomHashOptions

    def __init__(self, options: DomHashOptions | None = None) -> None:
        self.options: DomHashOptions = options or DomHashOptions()
        self.max_occurrences = self.options.max_occurrences

    def read(self, page: Page) -> ReadPage[list[Node]]:
        """The subtrees of a page that are large enough."""
        subtrees = subtrees_of(root_of(page, self.options.default_charset), self.options.ignored_attributes)
        least = self.options.min_words
        hashes = [node.hash for node in subtrees.nodes if node.words >= least or node.links]
        return ReadPage(page.url, subtrees.content, np.array(hashes, dtype=np.uint64), subtrees.nodes)

    def templates(self, detail: list[Node], pages_of: Mapping[int, int]) -> Iterable[TemplateText]:
        """Maximal subtrees that return, siblings joined."""
        found = template_nodes(detail, pages_of)
        for template in coalesce(detail, found, self.options.max_gap_siblings, self.options.max_gap_chars):
            text = readable(detail, template)
            if text:
                yield TemplateText(text, min(pages_of[detail[index].hash] for index in template.nodes))

    def pattern(self, common: Mapping[str, Any]) -> DomHashPattern:
        """The pattern, with what hashes and gaps depend on."""
        return DomHashPattern(
            **common,
            ignored_attributes=self.options.ignored_attributes,
            max_gap_siblings=self.options.max_gap_siblings,
            max_gap_chars=self.options.max_gap_chars,
        )


def readable(nodes: Sequence[Node], template: Template) -> str:
    """The text of a template, :data:`GAP` for its gaps."""
    parts: list[str] = []
    for index in sorted((*template.nodes, *template.gaps)):
        texts = [nodes[text].text for text in texts_of(nodes, [index])]
        parts += [GAP] if texts and index in template.gaps else texts
    return " ".join(parts)
