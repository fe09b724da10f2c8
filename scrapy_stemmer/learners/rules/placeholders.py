"""Placeholders: pages sent in place of the requested page, such as errors, challenges, logins and consent walls.

Placeholders are found by phrases of servers and services (``placeholders.json``), by equal short pages of a sample,
and by placeholders left out of the sample. Placeholders are never learned from, and have no text.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from scrapy_stemmer.learners.rules.columns import Signature
from scrapy_stemmer.learners.rules.head import title_parts_of
from scrapy_stemmer.learners.rules.paths import name_key
from scrapy_stemmer.learners.rules.sample_columns import NEARLY_ALL, alike, shared, template_of
from scrapy_stemmer.learners.rules.site import Outline, Remembered, plain_of
from scrapy_stemmer.learners.rules.traits import ERROR, MAYBE_CONSENT, has_trait
from scrapy_stemmer.page.addresses import split_address
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.lazily import cached_property

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

FACTS = Path(__file__).with_name("placeholders.json")  # phrases by sort of placeholder
MAX_PLAIN = 1500  # characters outside links on a page found by a sentence; challenges explain themselves at length
MAX_TITLED = 600  # on a page found by title or heading alone
LITTLE = 300  # on a page found by common phrases, or in the frame of its site
BESIDE = 100  # characters beside a request for consent or a common phrase; beside more text, a reader's phrase
FEW_WORDS = 150  # characters of pages known only to be repeated, and beside a unique phrase anywhere
EXPLAINED = 400  # behind a unique phrase near the beginning of a page
MAX_SENTENCE = 60  # characters beside a phrase in a sentence of an error
SEVERAL = 3  # pages of equal few words that have no text
MANY = 5  # pages of equal text without links to the site that have none
WORDY = 0.6  # share of letters from which pages that differ in numbers are equal, and no results
MAX_FOLDED = 10_000  # characters of a text searched for numbers and identifiers
IDENTIFIER = 8  # characters of an identifier, at least, with a digit
REMEMBERED, TEXTS_EACH = 20, 12  # placeholders remembered of a site, and longest texts of each
SAME_WORDS = "same few words"  # sort of pages known only to be repeated
COPIES, NO_TEXT = "copies", "empty"  # sorts of copies, and of pages without text


# Facts


class Titles:
    """Expressions for titles, compiled on first use."""

    def __init__(self, expressions: Sequence[str]) -> None:
        self._expressions = expressions

    @cached_property
    def _compiled(self) -> re.Pattern[str]:
        return re.compile("|".join(self._expressions) or "(?!)")

    def fit(self, titles: Iterable[str]) -> bool:
        return any(map(self._compiled.fullmatch, titles))


@dataclass(frozen=True, slots=True)
class Facts:
    """Phrases of a sort of placeholders, in lower case."""

    sort: str  # name, such as ``challenge``
    kind: PageKind  # of the pages
    in_frame: bool  # True if the title tells even in the frame of a site, beside menus and footers
    heads: Titles  # unique titles, of any length of page
    titles: Titles  # titles, parts between separators, or main headings
    marks: tuple[str, ...]  # nearly unique sentences; behind ``^`` the start of the page
    sayings: tuple[str, ...]  # phrases for pages of little text


@cache
def known_facts() -> tuple[Facts, ...]:
    return tuple(
        Facts(
            sort=entry["sort"],
            kind=PageKind(entry["kind"]),
            in_frame=entry["in_frame"],
            heads=Titles(entry["heads"]),
            titles=Titles(entry["titles"]),
            marks=tuple(entry["marks"]),
            sayings=tuple(entry["sayings"]),
        )
        for entry in json.loads(FACTS.read_bytes())
    )


BINARY = Facts("binary", PageKind.ERROR, in_frame=False, heads=Titles(()), titles=Titles(()), marks=(), sayings=())
"""Bytes taken for a page, without phrases."""


def facts_of(sort: str) -> Facts:
    return next(facts for facts in known_facts() if facts.sort == sort)


# Differences between placeholders

_ADDRESS = "\u2302"
_CHUNK = re.compile(r"\w+(?:[-.:/#]\w+)*")
_RUN = re.compile(r"0(?:[-.:/#,_ ]+0)+(?!\w)")


class OwnAddress(NamedTuple):
    """The spellings of a page's address, in lower case."""

    ways: frozenset[str]

    def left_out(self, text: str) -> str:
        """Return a text with :data:`_ADDRESS` in place of the address."""
        if not any(way in text for way in self.ways):
            return text  # nearly all texts
        longest = sorted(self.ways, key=lambda way: (-len(way), way))
        return re.sub("|".join(rf"(?<!\w){re.escape(way)}(?!\w)" for way in longest), _ADDRESS, text)


def own_address(url: str) -> OwnAddress:
    """Return the spellings of a page's address."""
    try:
        parts = split_address(url)
    except ValueError:
        return OwnAddress(frozenset())
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    last = parts.path.rstrip("/").rpartition("/")[2]
    forms = {url, url.partition("//")[2], path, path.strip("/"), parts.path, parts.path.strip("/"), last}
    able = [form for form in forms if len(form) <= MAX_FOLDED]  # longer texts are not searched
    return OwnAddress(frozenset(form.lower() for way in able for form in (way, unquote(way)) if len(form) > 3))


def fold(text: str, address: OwnAddress) -> str:
    """Return a text without numbers, identifiers and the page's own address."""
    if len(text) > MAX_FOLDED:
        return text
    return _RUN.sub("0", _CHUNK.sub(_without_identifier, address.left_out(plain_of(text))))


def _without_identifier(match: re.Match[str]) -> str:
    """Return a word, or 0 for numbers and identifiers. Short words with digits, as of products, are words."""
    word = match[0]
    has_digit, has_letter = any(map(str.isdecimal, word)), any(map(str.isalpha, word))
    return "0" if has_digit and (len(word) >= IDENTIFIER or not has_letter) else word


def _folded(page: Outline, blocks: Iterable[int]) -> dict[str, int]:
    address, texts = own_address(page.url), page.columns.texts
    return {fold(texts[block], address): page.columns.lengths[block] for block in blocks}


def _folded_plain(page: Outline, blocks: Iterable[int]) -> dict[str, int]:
    address, texts = own_address(page.url), page.columns.texts
    return {fold(texts[block], address): page.plain[block] for block in blocks if page.plain[block]}


# Single pages

_NUMBER = re.compile(r"(?<!\w)\d{3}(?!\w)")
_ERROR_WORD = re.compile(
    r"(?<!\w)(?:error|http|status|code|fehler|erreur|errore|erro|fout|fejl|feil|fel|virhe|błąd|chyba|hiba|eroare|ошибка|"
    r"помилка|грешка|σφάλμα|hata|خطأ|الخطأ|שגיאה|エラー|错误|錯誤|오류)(?!\w)"
)
_EDGES = re.compile(r"^\W+|\W+$")
_QUOTED = re.compile('[“„«"‹「『][^“”„«»"‹›「」『』]{1,200}[”“»"›」』]')
_SENTENCE_END = re.compile(r"[.!?…]\s|[。！？]")


def facts_about(page: Outline, own: Iterable[int], *, is_framed: bool = False) -> Facts | None:
    """Return the facts about a placeholder; ``None`` for a regular page.

    :param own: blocks outside the shared text of the site.
    :param is_framed: True for a page with the frame of its site, by any evidence: then phrases are no evidence.
    """
    if page.is_garbled:
        return BINARY
    if page.is_bare and not is_framed:
        found = next((facts for facts in known_facts() if _is_shown(page, facts)), None)
        if found is not None and found.kind is PageKind.CONSENT:
            own = list(own)
            found = None if _is_beside_text(page, own) else found
        if found is not None:
            return found
    return _framed(page, own)


def _is_beside_text(page: Outline, own: Sequence[int]) -> bool:
    """Return True if a request for consent stands in separate elements, beside some text: a banner."""
    asked = set(page.within(MAYBE_CONSENT, range(len(page.plain))))
    return bool(asked) and sum(page.plain[block] for block in own if block not in asked) >= BESIDE


def _is_shown(page: Outline, facts: Facts) -> bool:
    if facts.heads.fit([title for title in page.titles[:1] if title == plain_of(page.head.title)]):
        return True
    # Errors have no metadata of articles; walls have the metadata of the article behind them.
    is_told = page.length <= MAX_TITLED and not (page.head.is_article and facts.kind is PageKind.ERROR)
    if is_told and facts.titles.fit(page.titles):
        return True
    if page.length > MAX_PLAIN:
        return False
    said = f"^{page.said_by_site}"  # a mark may begin so
    if marks := [mark for mark in facts.marks if mark in said and _is_told(page, facts, mark)]:
        before, behind = _around(page, [mark.removeprefix("^") for mark in marks])
        sure = min(len(marks), 2)  # readers rarely quote two
        is_near_begin = before < BESIDE * sure and behind < EXPLAINED * sure
        if is_near_begin or before + behind < FEW_WORDS:
            return True
    if page.length > LITTLE:
        return False
    sayings = [each for each in facts.sayings if each in page.said_by_site and _is_told(page, facts, each)]
    return bool(sayings) and sum(_around(page, sayings)) < BESIDE


def _is_told(page: Outline, facts: Facts, phrase: str) -> bool:
    """Return False for a quoted phrase, or a phrase within a long sentence, as in a reader's question.

    Requests for consent quote buttons in long sentences, so phrases of consent always count.
    """
    if facts.sort == "consent":
        return True
    holders = [text for text in map(plain_of, page.texts_of_site) if phrase in text]
    parts = (_QUOTED.sub("", text).partition(phrase) for text in holders)
    return not holders or any(  # across blocks
        found and len(_SENTENCE_END.split(before)[-1]) + len(_SENTENCE_END.split(behind)[0]) <= MAX_SENTENCE
        for before, found, behind in parts
    )


def _around(page: Outline, phrases: Sequence[str]) -> tuple[int, int]:
    """Return the characters outside links before the first block with a phrase, and in later blocks without phrases.

    Readers write phrases of placeholders too, into posts beside the text of a page.
    """
    spans = [match.span() for phrase in phrases for match in re.finditer(re.escape(phrase), page.said)]
    first, last = min(spans)[0], 0
    before = behind = 0
    for text, length in zip(page.columns.texts, page.plain, strict=True):
        start, last = last, last + len(plain_of(text)) + 1
        if last <= first:
            before += length
        elif not any(begin < last and end > start for begin, end in spans):
            behind += length
    return before, behind


def most_framed(columns: ReadPage, signatures: Sequence[Signature]) -> int:
    """Return the characters of own text outside links that rule out a placeholder in the frame of the site."""
    return MAX_PLAIN if has_trait(signatures, columns, MAYBE_CONSENT) else LITTLE


def _framed(page: Outline, own: Iterable[int]) -> Facts | None:
    """Return the facts about a placeholder in the frame of the site, by the title and names of elements."""
    if page.head.is_article:
        return None
    blocks, length = list[int](), 0
    most = most_framed(page.columns, page.signatures)
    for block in own:
        blocks.append(block)
        length += page.plain[block]
        if length >= most:
            return None
    asked = sum([page.plain[block] for block in page.within(MAYBE_CONSENT, blocks)])
    consent = facts_of("consent")
    if (
        asked > 0.5 * length
        and length - asked < BESIDE
        and (length < LITTLE or any(mark in page.said_by_site for mark in consent.marks))
    ):
        return consent
    if length >= LITTLE:
        return None
    if any(map(_names_error, page.titles)):
        return facts_of("server error")
    if page.within(ERROR, blocks):
        return facts_of("not found")
    texts = page.columns.texts
    if sum([len(texts[block]) for block in blocks]) >= MAX_TITLED:
        return None
    in_frame = (facts for facts in known_facts() if facts.in_frame)
    return next((facts for facts in in_frame if facts.titles.fit(page.titles)), None)


def _names_error(title: str) -> bool:
    """Return True if a title is the number of an HTTP error, alone or with words for the error."""
    numbers = _NUMBER.findall(title)
    rest = _EDGES.sub("", " ".join(_ERROR_WORD.sub(" ", _NUMBER.sub(" ", title)).split()))
    is_error = len(numbers) == 1 and 400 <= int(numbers[0]) < 600
    return is_error and (not rest or any(facts.titles.fit([rest]) for facts in known_facts()))


# Samples


class SortedOut(NamedTuple):
    """A sample without placeholders."""

    kept: list[int]  # numbers of the regular pages
    left_out: Mapping[str, int]  # number of placeholders by sort
    remembered: tuple[Remembered, ...]  # marks of the placeholders


def sorted_out(pages: Sequence[Outline]) -> SortedOut:
    template = template_of([page.columns for page in pages])
    own = [[block for block, text in enumerate(page.columns.texts) if text not in template] for page in pages]
    placeholders: dict[int, tuple[str, PageKind]] = {}
    for number, page in enumerate(pages):
        facts = facts_about(page, own[number])
        if facts is not None:
            placeholders[number] = facts.sort, facts.kind
    few = [
        number
        for number, page in enumerate(pages)
        if number not in placeholders and sum(page.plain[block] for block in own[number]) <= MAX_PLAIN
    ]
    for group in _groups([pages[number] for number in few], [own[number] for number in few]):
        members = [few[index] for index in group]
        if (told := _told(pages, own, members)) is not None:
            placeholders.update(dict.fromkeys(members, told))
    kept = [number for number in range(len(pages)) if number not in placeholders]
    others = [pages[number] for number in kept]
    kinds = {
        number: kind
        for number, (sort, kind) in placeholders.items()
        if sort != SAME_WORDS or not _may_be_published(pages[number], own[number], others)
    }
    counts = Counter(sort for sort, _ in placeholders.values())
    return SortedOut(kept, dict(sorted(counts.items())), _remembered(pages, kinds))


def _groups(pages: Sequence[Outline], own: Sequence[Sequence[int]]) -> list[list[int]]:
    titles = [fold(page.head.title, own_address(page.url)) for page in pages]
    times = Counter(titles)
    # Folding texts takes long, and most titles are unique.
    several = [number for number, title in enumerate(titles) if times[title] >= SEVERAL]
    folded = [_folded(pages[number], own[number]) for number in several]

    def are_alike(one: int, other: int) -> bool:
        same = titles[several[one]] == titles[several[other]]
        return same and shared(folded[one], folded[other]) >= NEARLY_ALL

    groups = (group for group in alike(folded, are_alike) if len(group) >= SEVERAL)
    return [[several[index] for index in group] for group in groups]


def _told(pages: Sequence[Outline], own: Sequence[Sequence[int]], group: Sequence[int]) -> tuple[str, PageKind] | None:
    first = pages[group[0]]
    # All text looks like template in a sample of equal pages.
    blocks = range(len(first.plain)) if len(group) == len(pages) else own[group[0]]
    length = sum(first.plain[block] for block in blocks)
    if length > MAX_PLAIN:
        return None
    texts = {tuple(pages[number].columns.texts) for number in group}
    words = "".join(_folded(first, blocks))
    is_same = len(texts) == 1 or sum(map(str.isalpha, words)) >= WORDY * len(words)
    if not is_same:
        return None
    for facts in known_facts():
        if facts.titles.fit(first.titles) or any(say in first.said for say in facts.sayings):
            return facts.sort, facts.kind
    paths = {_path_of(pages[number].url) for number in group}
    is_told = length < FEW_WORDS or (first.is_bare and min(len(group), len(paths)) >= MANY)
    return (SAME_WORDS, PageKind.ERROR) if is_told else None


def _may_be_published(page: Outline, own: Iterable[int], others: Iterable[Outline]) -> bool:
    """Return True for a page with the site's frame and a unique title over the text, as on pages of users.

    Copies by users must not make a placeholder of the copied page.
    """
    titles = {plain_of(text) for text in (page.head.title, *title_parts_of(page.head.title))}
    is_titled = any(plain_of(page.columns.texts[block]) in titles for block in own)
    return is_titled and (not page.is_bare or any(other.is_bare for other in others))


def _path_of(url: str) -> str:
    try:
        return split_address(url).path
    except ValueError:  # a broken URL
        return url


# Pages like a placeholder of the sample


def _remembered(pages: Sequence[Outline], kinds: Mapping[int, PageKind]) -> tuple[Remembered, ...]:
    if not kinds:
        return ()
    blocks = [range(len(page.plain)) for page in pages]
    others = {
        text for number, page in enumerate(pages) if number not in kinds for text in _folded(page, blocks[number])
    }
    counts: Counter[Remembered] = Counter()
    for number, kind in kinds.items():
        said = _folded_plain(pages[number], blocks[number])
        texts = {text: length for text, length in said.items() if text not in others}
        longest = sorted(texts, key=lambda text: (-texts[text], text))[:TEXTS_EACH]
        if longest:
            counts[Remembered(kind, frozenset(map(name_key, longest)))] += 1
    ordered = sorted(counts.items(), key=lambda item: (-item[1], sorted(item[0].keys)))
    return tuple(sorted((each for each, _ in ordered[:REMEMBERED]), key=lambda each: each.kind))


def kind_remembered(page: Outline, own: Collection[int], remembered: Sequence[Remembered]) -> PageKind | None:
    if not remembered or sum(page.plain[block] for block in own) > MAX_PLAIN:
        return None
    keys = {name_key(text): length for text, length in _folded_plain(page, own).items()}
    for each in remembered:
        rest = sum(length for key, length in keys.items() if key not in each.keys)
        found = len(each.keys & keys.keys())
        if found and found >= NEARLY_ALL * len(each.keys) and rest < FEW_WORDS:
            return each.kind
    return None
