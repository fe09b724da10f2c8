"""A page labelled by the rules and the scorer of its site."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache, cached_property, partial
from itertools import chain, compress, count, filterfalse, islice
from operator import itemgetter
from typing import TYPE_CHECKING
from unicodedata import category

from scrapy_stemmer._engine import native
from scrapy_stemmer.learners.rules.columns import MOSTLY_LINKS, Signs, body_of, named_texts, text_key
from scrapy_stemmer.learners.rules.mending import Mending
from scrapy_stemmer.learners.rules.paths import MASK, Component
from scrapy_stemmer.learners.rules.placeholders import MAX_PLAIN, facts_about, kind_remembered
from scrapy_stemmer.learners.rules.products import (
    HAS_CURRENCY,
    MAX_PRICE,
    facts_of_product,
    may_be_bought,
    prices_in,
    says_product,
    short_with_digits,
)
from scrapy_stemmer.learners.rules.returning.texts import MAX_PARTS, TEMPLATE_ODDS, ReturningText
from scrapy_stemmer.learners.rules.roles import (
    BYLINE_LENGTH,
    HEADLINE,
    LINK_SHARE,
    MAX_NAMED,
    MAX_TIMES,
    ConfidenceSigns,
    KindBlock,
    agreed_title,
    best_heading,
    confidence_of,
    doubles,
    expected_f1,
    head_of,
    naming_texts,
    own_title,
    own_titles,
    page_kind,
    title_parts_of,
    without_common,
)
from scrapy_stemmer.learners.rules.rules import DROP, Rule
from scrapy_stemmer.learners.rules.sample_pages import elements_at
from scrapy_stemmer.learners.rules.site import Knowledge, Outline, PlacedPage
from scrapy_stemmer.learners.rules.sitenames import MIN_LEFT, SiteNames, parts_of_site, words_in
from scrapy_stemmer.page.blocks import MAIN_ROLES, TEXT_ROLES, LayoutBlock, PageKind, Piece, Role, path_of
from scrapy_stemmer.page.blocks import PathComponent as PathComponent
from scrapy_stemmer.page.elements import HEADINGS
from scrapy_stemmer.page.shown import Shown, Source
from scrapy_stemmer.page.text import SOFT_HYPHEN, significant, tokens
from scrapy_stemmer.patterns.base import LabelledBlock
from scrapy_stemmer.writing.code import AROUND_CODE, MAX_DIGITS, gutters_in
from scrapy_stemmer.writing.plain_text import TextElements, TextLines, all_around, holder_of, plain_text
from scrapy_stemmer.writing.plain_text import TreePlace as Place
from scrapy_stemmer.writing.pruned_html import PRIVATE, is_icon, pruned_pieces

if TYPE_CHECKING:
    from scrapy_stemmer.learners.rules.scorer import Scorer

MAX_UNDECIDED = 0.1  # share of undecided text up to which the nearest rule decides
MIN_KEPT = 0.02  # share of text kept by rules below which the scorer decides on the whole page
MOSTLY_SCORED = 0.9  # share of text scored above which the cut is for the highest F1
MIN_FIT = 0.5  # share of a page's text on known paths from which the page fits the site's layouts
SCRIPT_ODDS = 2.0  # log-odds of text found in a script alone: a probability of .88
# Numbers in place of a rule's, for decisions without rules.
SCORED, IN_SCRIPT, DOUBLE, GUTTER, RETURNING, PRODUCT, MENDED = -1, -2, -3, -4, -5, -6, -7
DOUBLE_ODDS = -2.0  # log-odds of text for a second screen, and of line numbers of code: .12
DOUBTFUL = 0.5  # confidence below which the scorer is asked about a page decided by rules
SURER = 0.1  # the scorer decides on the whole page if its confidence is higher by so much,
MAX_LINKED = 0.5  # a smaller share of its additions is in links,
MAX_LOST = 0.2  # and at most this share of the text kept by rules is dropped
# Highest log-odds, for the confidence, of kept text and of links found on several learned pages. With both 97.7 % of
# the pages above .9 are good in ``sites``, and 96.2 in ``daniel``; without 97.1 and 93.5.
TRUST, LINK_TRUST = 1.0, 0.0
MIN_REST = 0.2  # share of kept text left without the returning texts, at least

decided: Callable[..., tuple[list[int], list[int], list[float], list[int], int, int, int]] = native("site.decided")
"""Decisions of rules on blocks: ``decided(elements, lengths, paths, deciding, rule_odds, is_decided)``.

Returns the path, the number of the deciding rule and the log-odds of each block; the numbers of undecided blocks; and
the characters of all blocks, of blocks with positive log-odds, and of undecided blocks.
"""

probable: Callable[[list[float], float], list[bool]] = native("site.probable")
"""True for each block with a probability above the second argument, by log-odds."""

begun_by_digits: Callable[[list[str]], list[int]] = native("site.begun_by_digits")
"""Numbers of the texts with a digit at the start."""

outside_links: Callable[[list[int], Sequence[int], Sequence[int]], int] = native("site.outside_links")
"""Characters of blocks outside links: ``outside_links(blocks, lengths, linked)``."""

are_of_text: Callable[[Iterable[int], Sequence[int], Sequence[int], float], bool] = native("site.are_of_text")
"""True if each block has a smaller share of links: ``are_of_text(blocks, lengths, linked, share)``."""

known_share: Callable[..., float] = native("site.known_share")
"""Share of the blocks' text on known paths: ``known_share(blocks, paths, lengths, known, is_known)``.

``known`` has the answer for each path, or ``None`` to ask ``is_known``.
"""

OTHER_REASONS = {
    IN_SCRIPT: "text of a script",
    DOUBLE: "double",
    GUTTER: "numbers of lines",
    PRODUCT: "of the product",
    MENDED: "as its neighbours",
}
"""Reasons of decisions without a rule or a score."""

WITH_SIGNS = HEADINGS | {"pre", "dt", "dd", "td", "th", "li"}  # may be of signs alone, beside text

INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\ufeff"))
"""Characters that no title has: soft hyphens, zero-width spaces and byte order marks."""

BACK = "\u21a9\ufe0e\ufe0f "  # arrow of a link back, with variation selectors
MAX_AROUND = 30  # elements searched around signs
PATH_PARTS = 3  # components of a block's path in its feature


class RulesPage:
    """A page whose blocks get roles on demand; see :class:`scrapy_stemmer.patterns.base.Labels`.

    :param shown: tree and metadata; the tree must not change.
    :param placed: the page as read, with its site.
    :param least: probability of text, from 0 to 1, above which a block is text.
    :param scorer: scorer of undecided blocks, by default the package's.
    :ivar is_remembered: True for a page like a placeholder of the site's sample.
    """

    def __init__(
        self, shown: Shown, placed: PlacedPage, url: str, least: float = 0.5, scorer: Scorer | None = None
    ) -> None:
        self._shown, self._placed, self._url, self._scorer = shown, placed, url, scorer
        self._least, self._head = least, head_of(shown.said)
        self._site, self._columns = placed.site, placed.columns
        self._lengths = self._columns.lengths
        self._odds, self._rules = self._decided()
        cut = least * self._cut / 0.5
        self._is_text = probable(self._odds, cut)
        self._keep_product()
        self._mend()
        self._leave_out_doubles()
        self._leave_out_gutters()
        self._returning = self._leave_out_returning()
        page = Outline(url, self._head, self._columns, placed.site.by_number)
        self.is_remembered, self._placeholder = False, self._kind_by_facts(page)
        if self._placeholder is None:
            self._placeholder = self._kind_remembered(page)
            self.is_remembered = self._placeholder is not None
        if self._placeholder is not None:
            self._is_text = [False] * len(self._is_text)

    def apart(self, rules: Sequence[Rule], known: Knowledge) -> RulesPage:
        """Return the page labelled by rules by hand and the scorer; see :meth:`Site.of_columns`."""
        return RulesPage(self._shown, self._placed.apart(rules, known), self._url, self._least, self._scorer)

    def __deepcopy__(self, memo: object) -> RulesPage:
        """Return the page, as pages never change."""
        return self

    @property
    def has_text(self) -> bool:
        return bool(self._lengths)

    @cached_property
    def similarity(self) -> float:
        """Share of the page's text on paths with text on learned pages; 0 without text."""
        return round(known_share(self._kept, self._paths, self._lengths, self._site.known, self._site.is_known), 3)

    @property
    def signs(self) -> ConfidenceSigns:
        f1 = expected_f1(self._trusted_odds(), self._is_text, self._lengths)
        return ConfidenceSigns(f1, self.similarity, self._site.knowledge.pages)

    def _trusted_odds(self) -> list[float]:
        """Return the log-odds of the blocks, lowered for kept text of several learned pages without a rule by hand."""
        known = self._site.knowledge
        if known.pages < 2:
            return self._odds
        odds, texts = list(self._odds), self._columns.texts
        for index in self._kept:
            most = LINK_TRUST if self._is_link(index) else TRUST
            if odds[index] > most and text_key(texts[index]) & MASK in known.texts and not self._is_by_user(index):
                odds[index] = most
        return odds

    @property
    def fits(self) -> bool:
        """True for a page of a learned layout."""
        return self.similarity >= MIN_FIT

    @property
    def path_share(self) -> float | None:
        """Share of the usual paths of learned pages on this page."""
        return self._site.usual_share(self._placed.paths)

    def text(self, roles: Collection[Role], everywhere: bool) -> str:
        """See :meth:`scrapy_stemmer.patterns.base.Labels.text`."""
        columns, is_shaped, asked = self._columns, self._site.is_shaped, self._of(roles)
        head, tree = self._head, self._shown.tree
        has_units = (head.has_formulas or head.has_readings) and next(tree.iter("math", "ruby"), None) is not None
        elements, paths, spaced = columns.elements, self._paths, columns.spaced
        nodes = [elements[block] if has_units or spaced[block] or is_shaped[paths[block]] else -1 for block in asked]
        texts = [text if text.isascii() else _readable(text) for text in map(columns.texts.__getitem__, asked)]
        among_asked = self._signs_among(asked)
        signs = [run for run in among_asked if run.text.strip(BACK) or self._cells_around(run.element)]
        if not signs and max(nodes, default=-1) < 0:
            return "\n".join(texts)
        sources: list[int | Signs] = list(asked)
        keeping = [spaced[block] for block in asked]
        if signs:
            runs = ((run.before, _readable(run.text), run.element, run.is_spaced, run) for run in signs)
            rows = sorted(chain(runs, zip(asked, texts, nodes, keeping, asked, strict=True)), key=itemgetter(0))
            _, texts, nodes, keeping, sources = map(list, zip(*rows, strict=True))
        lines = TextLines(texts, nodes, keeping, partial(self._pieces_of, sources))
        written = {run.pieces[0] for run in signs}
        others = [run for run in columns.signs if run.pieces[0] not in written]
        return plain_text(self._shown.root, lines, self._text_elements(others), has_units=has_units)

    def _pieces_of(self, lines: Sequence[int | Signs], line: int) -> Sequence[int]:
        """Return the pieces of a line, which is a block or a run of signs."""
        source, columns = lines[line], self._columns
        if isinstance(source, Signs):
            return source.pieces
        return columns.pieces[columns.ends[source] : columns.ends[source + 1]]

    def _text_elements(self, signs: Sequence[Signs]) -> TextElements:
        """Return the elements around text, with the signs in cells that get no line."""
        columns = self._columns
        of_cells = cache(partial(self._signs_of_cells, signs))
        return TextElements(
            columns.parents,
            self._site.tags,
            columns.signatures,
            columns.numbers,
            lambda cell: of_cells().get(cell, ""),
            has_tasks=self._head.has_tasks,
            body=body_of(self._shown.root),
        )

    def _signs_of_cells(self, signs: Sequence[Signs]) -> dict[int, str]:
        """Return the signs in table cells without words."""
        texts: defaultdict[int, list[str]] = defaultdict(list)
        if signs:
            with_words = all_around(self._columns.elements, self._columns.parents)
            for run in signs:
                for cell in self._cells_around(run.element):
                    if cell not in with_words:
                        texts[cell].append(run.text)
        return {cell: " ".join(parts) for cell, parts in texts.items()}

    def _cells_around(self, element: int) -> list[int]:
        """Return the table cells around an element, itself included."""
        components, paths = self._site.paths.components, self._placed.paths
        return [each for each in self._around(element) if components[paths[each]].tag in ("td", "th")]

    def html(self, roles: Collection[Role]) -> str:
        asked, root = self._of(roles), self._shown.root
        runs = chain(self._runs(asked), (run.pieces for run in self._signs_among(asked)))
        return pruned_pieces(root, body_of(root), list(chain.from_iterable(runs)), self._url, self._head.has_formulas)

    def _runs(self, blocks: Iterable[int]) -> list[list[int]]:
        ends, pieces = self._columns.ends, self._columns.pieces
        return [pieces[ends[block] : ends[block + 1]] for block in blocks]

    def _places(self, runs: Sequence[Sequence[int]]) -> list[list[Place]]:
        """Return the places of runs of pieces, without pieces lost from the tree."""
        numbers = {piece >> 1 for run in runs for piece in run}
        elements = elements_at(body_of(self._shown.root), numbers) if numbers else {}
        return [[(elements[piece >> 1], bool(piece & 1)) for piece in run if piece >> 1 in elements] for run in runs]

    def _signs_among(self, asked: Sequence[int]) -> list[Signs]:
        """Return the runs of signs, such as operators in a table, beside some blocks.

        Signs are no blocks, so only a rule for dropping decides on signs. Otherwise both neighbours do; in a list, a
        table or code the neighbour within.
        """
        if not self._columns.signs:
            return []
        among, runs = set(asked), []
        for run in self._columns.signs:
            beside = {run.before - 1, run.before} & among
            if not beside or not self._may_be_text(run.element):
                continue
            is_with = len(beside) == 2 or self._is_with(run.element, beside.pop(), run.before)
            if is_with and any(category(sign)[0] in "PS" for sign in run.text):
                runs.append(run)
        return runs

    def _may_be_text(self, element: int) -> bool:
        """Return True for an element shown and not dropped by a rule."""
        site, path = self._site, self._placed.paths[element]
        number = site.deciding[path]
        is_shown = not any(each.hidden for each in islice(self._line(path), MAX_AROUND))
        return is_shown and (number < 0 or site.rules[number].action != DROP)

    def _is_with(self, element: int, block: int, at: int) -> bool:
        """Return True if an element of signs has an ancestor in common with a neighbouring block, but not with the
        opposite."""
        if self._site.paths.components[self._placed.paths[element]].tag not in WITH_SIGNS:
            return False
        elements = self._columns.elements
        own, other = (
            self._around(elements[each]) if 0 <= each < len(elements) else [] for each in (block, 2 * at - 1 - block)
        )
        nearest = next((each for each in self._around(element) if each in own), 0)
        return nearest > 0 and nearest not in other

    def _around(self, element: int) -> list[int]:
        """Return an element and its ancestors, the innermost first."""
        found: list[int] = []
        while element >= 0 and len(found) < MAX_AROUND:
            found.append(element)
            element = self._columns.parents[element]
        return found

    def title(self) -> str | None:
        """Return the title: the naming heading as far as the head agrees, else a title in the head."""
        parts, block = self._shared_parts, self._title_block
        if block is None:
            title = own_title(self._head, parts)
        else:
            title = agreed_title(_readable(self._names[block]), self._head)
        return (title or "").translate(INVISIBLE).strip() or None

    def placeholder(self) -> PageKind | None:
        return self._placeholder

    def kind(self) -> PageKind:
        if self._placeholder is not None:
            return self._placeholder
        linked, blocks = self._columns.linked, self._kept or range(len(self._lengths))
        if are_of_text(blocks, self._lengths, linked, LINK_SHARE):
            return PageKind.CONTENT  # repeated or not
        kept = [KindBlock(self._lengths[i], linked[i], not self._is_repeated(i), i) for i in blocks]
        return page_kind(kept, is_article=self._head.is_article)

    def confidence(self) -> float:
        """Return the probability that nine tenths of the text are right, from 0 to 1; 0 without text."""
        return self._confidence

    @cached_property
    def _confidence(self) -> float:
        return confidence_of(self.signs) if self._kept else 0.0

    @property
    def is_doubtful(self) -> bool:
        return self._confidence < DOUBTFUL

    def is_surer_than(self, other: RulesPage) -> bool:
        """Return True if this labelling is surer than another, keeps nearly all of its text, and adds text outside
        links.

        Replies in a forum are added so.
        """
        if self._confidence < other._confidence + SURER:
            return False
        both = list(zip(self._is_text, other._is_text, strict=True))
        lost = sum(length for length, (own, theirs) in zip(self._lengths, both, strict=True) if theirs and not own)
        added = [index for index, (own, theirs) in enumerate(both) if own and not theirs]
        length = sum(self._lengths[index] for index in added)
        linked = sum(self._columns.linked[index] for index in added)
        kept = sum(compress(self._lengths, other._is_text))
        return linked < MAX_LINKED * length and lost <= MAX_LOST * kept

    def blocks(self) -> Iterator[LabelledBlock]:
        pieces = self._places(self._runs(range(len(self._lengths))))
        for index, (odds, number) in enumerate(zip(self._odds, self._rules, strict=True)):
            reason = f"scored {odds:+.1f}" if number < 0 else self._site.rules[number].line
            reason = self._why_returning(index) if number == RETURNING else OTHER_REASONS.get(number, reason)
            noise = round(1 / (1 + math.exp(odds)), 3)
            yield LabelledBlock(self._layout_block(index, pieces[index]), self._role(index), noise, (reason,))

    # Decisions

    def _decided(self) -> tuple[list[float], list[int]]:
        """Return the log-odds of each block, and the number of its deciding rule, -1 for the scorer.

        The scorer decides on undecided paths, if much text stands there. Text of a script is kept.
        """
        site, lengths = self._site, self._lengths
        self._paths, numbers, odds, open_, total, kept, unsure = decided(
            self._columns.elements, lengths, self._placed.paths, site.deciding, site.rule_odds, site.is_decided
        )
        if self._shown.source is Source.SCRIPT:
            for index, number in enumerate(numbers):
                if number < 0 or not site.rules[number].is_users:
                    odds[index], numbers[index] = SCRIPT_ODDS, IN_SCRIPT
            return odds, numbers
        if kept < MIN_KEPT * total:
            # Hardly anything is kept: the page differs from all learned pages.
            open_ = [index for index, number in enumerate(numbers) if number < 0 or not site.rules[number].is_users]
            unsure = sum([lengths[index] for index in open_])
        if unsure <= MAX_UNDECIDED * total:
            # On pages with little text, only dropped code is corrected: a few lines may be the whole content.
            open_ = [index for index in open_ if odds[index] < 0 and self._is_of_code(self._paths[index])]
        if open_:
            from scrapy_stemmer.learners.rules.scorer import scored  # numpy, needless for most pages

            found = scored(self._url, self._placed, self._head, open_, self._scorer)
            for index, scored_odds in zip(open_, found, strict=True):
                odds[index], numbers[index] = scored_odds, SCORED
            for cells in self._tables(open_):  # stay together
                length = sum([lengths[index] for index in cells])
                mean = sum([odds[index] * lengths[index] for index in cells]) / length
                for index in cells:
                    odds[index] = mean
        return odds, numbers

    def _tables(self, blocks: Iterable[int]) -> Iterable[list[int]]:
        """Return the table cells among blocks, by table."""
        components, paths, parents = self._site.paths.components, self._placed.paths, self._columns.parents
        tables: defaultdict[int, list[int]] = defaultdict(list)
        for index in blocks:
            if components[self._paths[index]].tag in ("td", "th"):
                table = self._columns.elements[index]
                while table >= 0 and components[paths[table]].tag != "table":
                    table = parents[table]
                tables[table].append(index)
        return tables.values()

    def _keep_product(self) -> None:
        """Keep the facts of a page's product beside the description, except in elements dropped by hand."""
        texts = self._columns.texts
        if self._head.is_article:
            return
        short = " ".join(map(texts.__getitem__, short_with_digits(texts, MAX_PRICE)))
        if not HAS_CURRENCY(short.lower()) or not prices_in(texts):
            return  # most pages
        is_said = says_product(self._shown.said)
        if not is_said and not may_be_bought(self._columns, self._site.by_number):
            return
        name = self._naming_block
        if name is None:
            return
        for index in facts_of_product(self._columns, self._site.by_number, name, is_said=is_said):
            if not self._is_by_user(index) and not self._is_text[index]:
                self._is_text[index], self._odds[index], self._rules[index] = True, SCRIPT_ODDS, PRODUCT

    def _mend(self) -> None:
        """Correct captions, headings, items, cells and boxes by their neighbours, except by hand."""
        if self._shown.source is Source.SCRIPT:
            return
        users = self._site.users
        may_change = [number not in users for number in self._rules]
        is_scored = [number == SCORED for number in self._rules]
        mending = Mending(self._columns, self._site.by_number, self._is_text, self._odds, may_change, is_scored)
        for index, is_text in mending.changes(self._titles_said).items():
            self._is_text[index], self._rules[index] = is_text, MENDED
            self._odds[index] = SCRIPT_ODDS if is_text else DOUBLE_ODDS

    def _titles_said(self) -> frozenset[str]:
        """Return all titles in the head, in lower case."""
        titles = (*self._head.texts.values(), *own_titles(self._head, self._shared_parts))
        return frozenset(title.lower() for title in titles)

    def _leave_out_doubles(self) -> None:
        """Keep only the first of elements for two screens, except in elements kept by hand."""
        for index in doubles(self._columns, self._placed.paths, self._site.paths.components, self._is_text):
            if not self._is_by_user(index):
                self._is_text[index], self._odds[index], self._rules[index] = False, DOUBLE_ODDS, DOUBLE

    def _leave_out_returning(self) -> dict[int, ReturningText]:
        """Drop the known texts of the site from the kept text, unless hardly any text is left.

        Return their lines by block.
        """
        site = self._site
        if not site.knowledge.returning:
            return {}
        kept = list(compress(count(), self._is_text))
        lines = self._known_lines(kept)
        found = {index: line for index, line in lines.items() if line.is_users or not self._is_by_user(index)}
        rest = length = sum([self._lengths[index] for index in kept])
        # Texts of most pages first: where hardly anything is left without the rest, the page is there for the rest.
        for pages in sorted({line.rank for line in found.values()}, reverse=True):
            group = [index for index, line in found.items() if line.rank == pages]
            rest -= sum([self._lengths[index] for index in group])
            if rest < MIN_REST * length:
                found = {index: line for index, line in found.items() if line.rank > pages or line.is_users}
                break
        for index in found:
            self._is_text[index], self._odds[index], self._rules[index] = False, TEMPLATE_ODDS, RETURNING
        return found

    def _known_lines(self, kept: Sequence[int]) -> dict[int, ReturningText]:
        """Return the lines of known texts among blocks, even with different line breaks."""
        known, paths, texts, elements = (
            self._site.knowledge.known_texts,
            self._site.paths,
            self._columns.texts,
            self._columns.elements,
        )
        found: dict[int, ReturningText] = {}
        for index in kept:
            end = index + 1
            while elements[end : end + 1] == elements[index : index + 1] and end < index + MAX_PARTS:
                end += 1
            lines = None if index in found else known.lines_from(texts[index:end], paths, self._paths[index])
            if lines is not None:
                parts, line = lines
                found.update((part, line) for part in range(index, index + parts) if self._is_text[part])
        return found

    def _why_returning(self, index: int) -> str:
        """Return the evidence for a block whose text is known to return."""
        line = self._returning[index]
        return "returns, by hand" if line.is_users else f"on {line.on} learned pages"

    def _leave_out_gutters(self) -> None:
        """Drop the line numbers of code, except in elements kept by hand."""
        texts = self._columns.texts
        numbers = [index for index in begun_by_digits(texts) if texts[index].replace(" ", "").isdigit()]
        if not any(map(self._may_be_gutter, numbers)):
            return  # nearly all pages
        gutters = gutters_in(self._shown.root)
        if not gutters:
            return
        for index, places in zip(numbers, self._places(self._runs(numbers)), strict=True):
            if all(holder_of(place) in gutters for place in places) and not self._is_by_user(index):
                self._is_text[index], self._odds[index], self._rules[index] = False, DOUBLE_ODDS, GUTTER

    def _may_be_gutter(self, index: int) -> bool:
        """Return True if a block of numbers stands beside code, or shortly before the next number."""
        texts, last = self._columns.texts, len(self._paths) - 1
        beside = [self._paths[at] for at in (index - 1, index + 1) if 0 <= at <= last]
        if any(map(self._is_of_code, beside)):
            return True
        is_one = len(texts[index]) <= MAX_DIGITS and texts[index].isdecimal()
        return is_one and str(int(texts[index]) + 1) in texts[index + 1 : index + 3]

    def _is_of_code(self, path: int) -> bool:
        """Return True if a path leads to code, or into a line of code."""
        return any(each.tag == "pre" for each in islice(self._line(path), AROUND_CODE))

    def _kind_by_facts(self, page: Outline) -> PageKind | None:
        """Return the kind of a placeholder by its own text; ``None`` for a regular page or text kept by hand."""
        kept = list(compress(count(), self._is_text))
        if self._site.users and any(map(self._is_by_user, kept)):
            return None
        linked, lengths = self._columns.linked, self._lengths
        is_article = self._head.is_article or outside_links(kept, lengths, linked) >= MAX_PLAIN
        if is_article and not page.is_bare and not page.is_garbled:
            return None  # most pages, without a closer look
        facts = facts_about(page, kept if is_article else filterfalse(self._is_repeated, kept))
        return None if facts is None else facts.kind

    def _kind_remembered(self, page: Outline) -> PageKind | None:
        """Return the kind of a page like a placeholder of the sample, or ``None``."""
        remembered = self._site.knowledge.placeholders
        if not remembered or any(is_text and self._is_by_user(index) for index, is_text in enumerate(self._is_text)):
            return None
        return kind_remembered(page, [i for i in range(len(self._paths)) if not self._is_repeated(i)], remembered)

    def _is_by_user(self, index: int) -> bool:
        return self._rules[index] in self._site.users

    def _is_dropped_by_name(self, index: int) -> bool:
        """Return True if a rule by hand drops a block's own element, and none makes it the title."""
        site, number, path = self._site, self._rules[index], self._paths[index]
        if number not in site.users or site.rules[number].action != DROP:
            return False
        naming = site.naming[path]
        is_named = 0 <= naming < len(site.rules) and site.rules[naming].is_users
        return not is_named and site.rules[number].selector.matches(site.paths, path)

    @property
    def _cut(self) -> float:
        """Probability above which blocks are text: lower on doubtful pages decided by the scorer."""
        if SCORED not in self._rules:
            return 0.5  # most pages
        scored = sum([length for length, number in zip(self._lengths, self._rules, strict=True) if number == SCORED])
        if scored <= MOSTLY_SCORED * sum(self._lengths):
            return 0.5
        from scrapy_stemmer.learners.rules.scorer import cut_of  # numpy, as above

        return cut_of(self._odds, self._lengths)

    @cached_property
    def _kept(self) -> list[int]:
        return list(compress(count(), self._is_text))

    def _of(self, roles: Collection[Role]) -> list[int]:
        """Return the numbers of the blocks of some roles. Text has main roles, as has the title anywhere."""
        title = self._title_lines
        if roles in (MAIN_ROLES, TEXT_ROLES):
            # The most frequent case, without the roles of all blocks.
            if not title:
                return self._kept
            added = title if Role.TITLE in roles else []
            return sorted([*(index for index in self._kept if index not in title), *added])
        of_text, of_others = not MAIN_ROLES.isdisjoint(roles), not MAIN_ROLES.issuperset(roles)
        asked = [
            index
            for index, is_text in enumerate(self._is_text)
            if (of_text if is_text else of_others) or index in title
        ]
        return [index for index in asked if self._role(index) in roles]

    @cached_property
    def _names(self) -> list[str]:
        """Texts of the blocks as possible titles."""
        return named_texts(self._columns, self._heads)

    @cached_property
    def _title_lines(self) -> range:
        """Numbers of the title's blocks, lines of one heading; none if a rule by hand drops the heading."""
        start, names = self._title_block, self._names
        if start is None or self._is_dropped_by_name(start):
            return range(0)
        return range(start, next((at for at in range(start + 1, len(names)) if names[at]), len(names)))

    @cached_property
    def _title_block(self) -> int | None:
        """Number of the title's block, or ``None``.

        A naming block outside the text gives way to the first block of text, if equal. Without a naming block, the
        first block of text must equal the title in the head.
        """
        naming, texts = self._naming_block, self._names
        if not self._kept or (naming is not None and self._is_text[naming]):
            return naming
        title = own_title(self._head, self._shared_parts) if naming is None else texts[naming]
        first = self._kept[0]
        return first if title is not None and texts[first].lower() == title.lower() else naming

    @property
    def _naming_block(self) -> int | None:
        site, texts = self._site, self._names
        naming = map(site.naming.__getitem__, self._paths)
        found = [(number, index) for index, number in enumerate(naming) if number >= 0 and texts[index]]
        others = len(site.rules)
        for number, index in found:
            if number < others and site.rules[number].is_users:
                return index
        # The first block of each title rule, then further main headings.
        numbers, firsts = [number for number, _ in found], dict(reversed(found))
        headings = [firsts[each] for each in sorted(firsts) if each < others and numbers.count(each) <= MAX_TIMES]
        headings += [index for number, index in found if number == others]
        if not headings or not site.knowledge.pages:
            headings += self._named
        if self._headline is not None:
            return self._headline
        best = self._best_heading(headings)
        if best is None or site.knowledge.pages > 1:  # common parts of titles are known
            return best
        own = self._heading_of_its_own(best)
        best = best if own is None else own
        return None if self._names_section(best) else best

    @cached_property
    def _site_names(self) -> SiteNames:
        return SiteNames(self._shown.said, self._url, self._shown.root, self._columns.texts)

    @cached_property
    def _shared_parts(self) -> frozenset[str]:
        """Texts in common among titles or headings of several pages; on a single page the names of its site."""
        known = self._site.knowledge
        if known.pages > 1 or not self._head.texts:
            return known.title_parts
        if self._site_names.is_home:
            return known.title_parts
        names = self._names
        heads = [text for index, text in enumerate(names) if self._heads(index) and words_in(text) > 1]
        able = (index for index, text in enumerate(names) if len(text) <= MAX_NAMED and not self._is_link(index))
        lines = [names[index] for index in able if words_in(names[index]) >= MIN_LEFT]
        shared = parts_of_site(self._head.texts.values(), self._site_names, [*lines, *heads], heads)
        mains = (text for index, text in enumerate(names) if self._site.naming[self._paths[index]] >= 0)
        return shared.union(known.title_parts, (text for text in mains if text and self._site_names.is_exact(text)))

    def _names_section(self, index: int) -> bool:
        """Return True if a main heading names a section or the site rather than the page.

        It is short, has no word of the head's titles, and equals a link, or several titles in the head agree.
        """
        text, names = self._names[index], own_titles(self._head, self._shared_parts)
        if not names or words_in(text) >= MIN_LEFT + 1 or words_in(text) * 2 > words_in(names[0]):
            return False
        if any(set(tokens(text)).intersection(tokens(name)) for name in self._head.texts.values()):
            return False
        said = [without_common(title, self._shared_parts).lower() for title in self._head.texts.values()]
        return self._site_names.is_link(text) or said.count(names[0].lower()) > 1

    def _best_heading(self, headings: Sequence[int]) -> int | None:
        texts, parts = self._names, self._shared_parts
        if not headings or (len(headings) == 1 and texts[headings[0]] not in parts):
            return headings[0] if headings else None
        names = own_titles(self._head, parts)
        if not names:
            # Common parts are the title of a list, or of the site, also in a heading of most pages.
            names = list(self._head.texts.values())
            headings = [index for index in headings if not self._is_repeated(index)]
        best = best_heading([texts[index] for index in headings], names, parts)
        return None if best is None else headings[best]

    def _heading_of_its_own(self, best: int) -> int | None:
        """Return the main heading behind ``best`` that equals the start of the page's title, or ``None``.

        ``best`` must equal a later part of the title, as the site's name does, and no further title in the head.
        """
        text, titles = self._names[best].lower(), {name: title.lower() for name, title in self._head.texts.items()}
        first, *others = title_parts_of(titles.pop("title", "")) or [""]
        if text not in others or text in titles.values():
            return None
        named = (index for index in range(best + 1, len(self._names)) if self._names[index].lower() == first)
        return next((index for index in named if self._site.naming[self._paths[index]] >= 0), None)

    @property
    def _headline(self) -> int | None:
        """First heading equal to the article's headline in JSON-LD."""
        headline = self._head.texts.get(HEADLINE)
        if not headline:
            return None
        texts = self._names
        return next((index for index, text in enumerate(texts) if text == headline and self._heads(index)), None)

    def _heads(self, index: int) -> bool:
        return self._site.paths.components[self._paths[index]].tag in HEADINGS

    def _is_link(self, index: int) -> bool:
        """Return True if nearly all of a block is in links."""
        return self._columns.linked[index] > MOSTLY_LINKS * self._lengths[index]

    @property
    def _named(self) -> list[int]:
        """Blocks that name the page without knowledge of further pages."""
        texts = self._names
        is_heading = list(map(self._heads, range(len(texts))))
        is_link = list(map(self._is_link, range(len(texts))))
        # A link is no title, but a heading in a link, as of a card, ends the search.
        able = [
            text if heads or not links else "" for text, heads, links in zip(texts, is_heading, is_link, strict=True)
        ]
        names = own_titles(self._head, self._shared_parts)
        return [index for index in naming_texts(able, is_heading, names) if not is_link[index] or texts[index] in names]

    def _role(self, index: int) -> Role:
        if index in self._title_lines:
            return Role.TITLE
        path, number, length = self._paths[index], self._rules[index], self._lengths[index]
        given = self._site.rules[number].role if number >= 0 else None
        if self._is_text[index]:
            return given if given in MAIN_ROLES else self._site.roles.of_text(path)
        if given is not None and given not in MAIN_ROLES:
            return given
        if number == GUTTER:
            return Role.TEMPLATE
        is_short, is_inside = length < BYLINE_LENGTH, bool(self._kept) and self._kept[0] <= index <= self._kept[-1]
        if self._columns.times[index] and is_short and is_inside:
            role = Role.BYLINE
        else:
            is_link = self._is_link(index)
            role = self._site.roles.of_other(path, is_short=is_short, is_link=is_link, is_inside=is_inside)
        # Last, as the slowest check.
        return Role.TEMPLATE if role is not Role.TEMPLATE and self._is_repeated(index) else role

    def _is_repeated(self, index: int) -> bool:
        """Return True if half of the learned pages, at least one, have a block's text."""
        often = self._often
        return bool(often) and text_key(self._columns.texts[index]) & MASK in often

    @cached_property
    def _often(self) -> frozenset[int]:
        """Keys of the texts of half of the learned pages; none on the only learned page."""
        site = self._site
        return frozenset() if site.knowledge.is_learned(map(text_key, self._columns.texts)) else site.often

    def _line(self, path: int) -> Iterator[Component]:
        """Yield the components of a path, the innermost first."""
        while path >= 0:
            yield self._site.paths.components[path]
            path = self._site.paths.parents[path]

    def _layout_block(self, index: int, pieces: Sequence[Place]) -> LayoutBlock:
        components = tuple(map(_component, islice(self._line(self._paths[index]), PATH_PARTS)))[::-1]
        text, length = self._columns.texts[index], self._lengths[index]
        sig = significant(text)
        plain = length - min(length, self._columns.linked[index])
        return LayoutBlock(
            path=path_of(components),
            text=text,
            sig=sig,
            weight=len(sig),
            weight_noanchor=round(len(sig) * plain / max(1, length)),
            components=components,
            pieces=tuple(Piece(*piece) for piece in pieces),
        )


def _component(component: Component) -> PathComponent:
    """Return a component of the kind that all learners share."""
    values = {
        name: tuple(each[1:] for each in component.names if each[0] == mark)
        for name, mark in (("class", "."), ("id", "#"))
    }
    return PathComponent(component.tag, tuple((name, given) for name, given in values.items() if given))


def _readable(text: str) -> str:
    """Return a text without soft hyphens, and without a final icon or arrow back, as of permalinks and notes."""
    if text.isascii():
        return text
    text = text.replace(SOFT_HYPHEN, "")
    text = text.rstrip(BACK) or text
    return text if text[-1:] < PRIVATE or not is_icon(text[-1]) else text.rstrip(text[-1]).rstrip()
