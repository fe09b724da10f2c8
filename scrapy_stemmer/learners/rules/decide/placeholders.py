"""Placeholders: pages sent in place of the requested page, such as errors, challenges, logins and consent walls.

Placeholders are found by phrases of servers and services (``placeholders.json``), by equal short pages of a sample,
and by placeholders left out of the sample. Placeholders are never learned from, and have no text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from scrapy_stemmer.learners.rules.decide.head import title_parts_of
from scrapy_stemmer.learners.rules.site.columns import Signatures
from scrapy_stemmer.learners.rules.site.hints import ERROR, MAYBE_CONSENT, has_trait, traits_in
from scrapy_stemmer.learners.rules.site.paths import name_key
from scrapy_stemmer.learners.rules.site.site import Remembered
from scrapy_stemmer.page.addresses import split_address
from scrapy_stemmer.page.blocks import PageKind
from scrapy_stemmer.page.document import site_of
from scrapy_stemmer.page.lazily import cached_property
from scrapy_stemmer.page.shown import Head

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

FEW_LINKS = 3  # a page with more links to its site has the site's frame, and is judged by text of the page alone
MAX_TITLE = 200  # characters of a placeholder's title
MAX_BEFORE_HEADING = 100  # characters outside links before a placeholder's heading
BEGINNING = 1500  # bytes searched for binary data
GARBLED = 0.1  # share of characters in images and compressed data that texts never have
_ABSOLUTE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_NO_PAGE = ("javascript:", "mailto:", "tel:", "data:", "about:")
_OF_A_SERVICE = "/cdn-cgi/"
_NO_TEXT = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\ue000-\uf8ff\ufffd]")
_POST = re.compile(r"(?:^|[\s_-])(?:comment|reply|respon[sd]e?)(?:$|[\s_-])", re.IGNORECASE)  # names of readers' posts


@dataclass(frozen=True)
class Outline:
    """Parts of a page by which placeholders are found."""

    url: str
    head: Head
    columns: ReadPage
    signatures: Signatures  # signatures of the page's elements

    @cached_property
    def plain(self) -> list[int]:
        sizes = zip(self.columns.lengths, self.columns.linked, strict=True)
        return [max(0, length - linked) for length, linked in sizes]

    @cached_property
    def length(self) -> int:
        return sum(self.plain)

    @cached_property
    def is_bare(self) -> bool:
        """True if hardly any link leads to a page of the site."""
        site, own = site_of(self.url), self.url.partition("#")[0]
        targets: set[str] = set()
        for _, address in self.columns.each_link():
            target = address.strip().partition("#")[0]
            if not target or target.lower().startswith(_NO_PAGE) or _OF_A_SERVICE in target or own.endswith(target):
                continue
            if (
                "//" not in target
                or not _ABSOLUTE.match(target)
                or site_of(f"https:{target}" if target[0] == "/" else target) == site
            ):
                targets.add(target)
                if len(targets) > FEW_LINKS:
                    return False
        return True

    @cached_property
    def titles(self) -> list[str]:
        """Title, whole and in parts, and the first heading of both main levels near the beginning.

        Headings behind some text may be readers'.
        """
        title = self.head.title
        firsts: dict[str, str] = {}
        before = 0
        for text, element, length in zip(self.columns.texts, self.columns.elements, self.plain, strict=True):
            firsts.setdefault(self.signatures[self.columns.signatures[element]].tag, text)
            if (before := before + length) >= MAX_BEFORE_HEADING:
                break
        headings = (firsts[tag] for tag in ("h1", "h2") if tag in firsts)
        texts = (title, *title_parts_of(title), *headings)
        return list(dict.fromkeys(plain_of(text) for text in texts if len(text) <= MAX_TITLE))

    @cached_property
    def said(self) -> str:
        """Whole text, normalized by :func:`plain_of`."""
        return plain_of(" ".join(self.columns.texts))

    @cached_property
    def texts_of_site(self) -> Sequence[str]:
        """Texts outside readers' posts: what only they say tells nothing of a page."""
        columns, posted = self.columns, self._posted
        if not any(posted):
            return columns.texts
        return [text for text, element in zip(columns.texts, columns.elements, strict=True) if not posted[element]]

    @cached_property
    def said_by_site(self) -> str:
        """Text outside readers' posts, normalized by :func:`plain_of`."""
        return self.said if not any(self._posted) else plain_of(" ".join(self.texts_of_site))

    @cached_property
    def _posted(self) -> list[bool]:
        """Flags of elements within a post: named as a comment or reply, or a container like an earlier sibling."""
        columns, plain = self.columns, [0] * len(self.columns.parents)
        for element, length in zip(columns.elements, self.plain, strict=True):
            if columns.parents[element] >= 0:  # an element is no container of its own text
                plain[columns.parents[element]] += length
        for element in range(len(plain) - 1, -1, -1):
            if columns.parents[element] >= 0:
                plain[columns.parents[element]] += plain[element]
        found = list[bool]()
        earlier = set[tuple[int, str, str]]()
        for element, (parent, number) in enumerate(zip(columns.parents, columns.signatures, strict=True)):
            signature = self.signatures[number]
            kind = (parent, signature.tag, signature.classes)
            is_like = kind in earlier
            if plain[element]:
                earlier.add(kind)
            is_posted = (is_like and plain[element] > 0) or _POST.search(f"{signature.classes} {signature.id}")
            found.append(bool(is_posted) or (parent >= 0 and found[parent]))
        return found

    @property
    def is_garbled(self) -> bool:
        """True if the page begins with bytes rather than text."""
        start = self.columns.beginning(BEGINNING)
        if start.isprintable() and "\ufffd" not in start:
            return False  # most pages, in a hundredth of the time
        return len(_NO_TEXT.findall(start)) > GARBLED * len(start)

    def within(self, trait: int, blocks: Iterable[int]) -> list[int]:
        """Return the blocks within elements of a trait."""
        columns = self.columns
        if not has_trait(self.signatures, columns, trait):
            return []
        found, traits = list[bool](), traits_in(self.signatures)
        for parent, number in zip(columns.parents, columns.signatures, strict=True):
            found.append(traits[number] & trait != 0 or (parent >= 0 and found[parent]))
        return [block for block in blocks if found[columns.elements[block]]]


def plain_of(text: str) -> str:
    """Return a text in lower case, with collapsed white space and plain apostrophes."""
    return " ".join(text.lower().replace("\u2019", "'").split())


FACTS = Path(__file__).with_name("placeholders.json")  # phrases by sort of placeholder
MAX_PLAIN = 1500  # characters outside links on a page found by a sentence; challenges explain themselves at length
MAX_TITLED = 600  # on a page found by title or heading alone
LITTLE = 300  # on a page found by common phrases, or in the frame of its site
BESIDE = 100  # characters beside a request for consent or a common phrase; beside more text, a reader's phrase
NEARLY_ALL = 0.9  # share of a remembered placeholder's texts on a page
FEW_WORDS = 150  # characters of pages known only to be repeated, and beside a unique phrase anywhere
EXPLAINED = 400  # behind a unique phrase near the beginning of a page
MAX_SENTENCE = 60  # characters beside a phrase in a sentence of an error
MAX_FOLDED = 10_000  # characters of a text searched for numbers and identifiers
IDENTIFIER = 8  # characters of an identifier, at least, with a digit


# Facts


@dataclass(frozen=True, slots=True)
class Facts:
    """Phrases of a sort of placeholders, in lower case."""

    sort: str  # name, such as ``challenge``
    kind: PageKind  # of the pages
    in_frame: bool  # True if the title tells even in the frame of a site, beside menus and footers
    heads: str  # expression for unique titles, of any length of page
    titles: str  # for titles, parts between separators, or main headings
    marks: tuple[str, ...]  # nearly unique sentences; behind ``^`` the start of the page
    sayings: tuple[str, ...]  # phrases for pages of little text


@cache
def known_facts() -> tuple[Facts, ...]:
    found: list[Facts] = []
    for entry in json.loads(FACTS.read_bytes()):
        expressions = {name: "|".join(entry[name]) or NEVER for name in ("heads", "titles")}
        phrases = {name: tuple(entry[name]) for name in ("marks", "sayings")}
        found.append(Facts(**entry | expressions | phrases | {"kind": PageKind(entry["kind"])}))
    return tuple(found)


def fit(expression: str, titles: Iterable[str]) -> bool:
    """Return True if an expression matches any title."""
    return any(map(re.compile(expression).fullmatch, titles))


NEVER = "(?!)"  # matches no title

BINARY = Facts("binary", PageKind.ERROR, in_frame=False, heads=NEVER, titles=NEVER, marks=(), sayings=())
"""Bytes taken for a page, without phrases."""


def facts_of(sort: str) -> Facts:
    return next(facts for facts in known_facts() if facts.sort == sort)


# Differences between placeholders

_ADDRESS = "\u2302"
_CHUNK = re.compile(r"\w+(?:[-.:/#]\w+)*")
_RUN = re.compile(r"0(?:[-.:/#,_ ]+0)+(?!\w)")


def own_address(url: str) -> frozenset[str]:
    """Return the spellings of a page's address, in lower case."""
    try:
        parts = split_address(url)
    except ValueError:
        return frozenset()
    path = f"{parts.path}?{parts.query}" if parts.query else parts.path
    last = parts.path.rstrip("/").rpartition("/")[2]
    forms = {url, url.partition("//")[2], path, path.strip("/"), parts.path, parts.path.strip("/"), last}
    able = [form for form in forms if len(form) <= MAX_FOLDED]  # longer texts are not searched
    return frozenset(form.lower() for way in able for form in (way, unquote(way)) if len(form) > 3)


def fold(text: str, address: Collection[str]) -> str:
    """Return a text without numbers and identifiers, and with :data:`_ADDRESS` in place of the page's own address."""
    if len(text) > MAX_FOLDED:
        return text
    text = plain_of(text)
    if any(way in text for way in address):  # hardly any text
        longest = sorted(address, key=lambda way: (-len(way), way))
        text = re.sub("|".join(rf"(?<!\w){re.escape(way)}(?!\w)" for way in longest), _ADDRESS, text)
    return _RUN.sub("0", _CHUNK.sub(_without_identifier, text))


def _without_identifier(match: re.Match[str]) -> str:
    """Return a word, or 0 for numbers and identifiers. Short words with digits, as of products, are words."""
    word = match[0]
    has_digit, has_letter = any(map(str.isdecimal, word)), any(map(str.isalpha, word))
    return "0" if has_digit and (len(word) >= IDENTIFIER or not has_letter) else word


def folded(page: Outline, lengths: Sequence[int], blocks: Iterable[int] | None = None) -> dict[str, int]:
    """Return the folded texts of all blocks or some, with their lengths where above 0."""
    address, texts = own_address(page.url), page.columns.texts
    blocks = range(len(texts)) if blocks is None else blocks
    return {fold(texts[block], address): lengths[block] for block in blocks if lengths[block]}


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
    if fit(facts.heads, [title for title in page.titles[:1] if title == plain_of(page.head.title)]):
        return True
    # Errors have no metadata of articles; walls have the metadata of the article behind them.
    is_told = page.length <= MAX_TITLED and not (page.head.is_article and facts.kind is PageKind.ERROR)
    if is_told and fit(facts.titles, page.titles):
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


def most_framed(columns: ReadPage, signatures: Signatures) -> int:
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
    return next((facts for facts in in_frame if fit(facts.titles, page.titles)), None)


def _names_error(title: str) -> bool:
    """Return True if a title is the number of an HTTP error, alone or with words for the error."""
    numbers = _NUMBER.findall(title)
    rest = _EDGES.sub("", " ".join(_ERROR_WORD.sub(" ", _NUMBER.sub(" ", title)).split()))
    is_error = len(numbers) == 1 and 400 <= int(numbers[0]) < 600
    return is_error and (not rest or any(fit(facts.titles, [rest]) for facts in known_facts()))


# Pages like a placeholder of a sample


def kind_remembered(page: Outline, own: Collection[int], remembered: Sequence[Remembered]) -> PageKind | None:
    if not remembered or sum(page.plain[block] for block in own) > MAX_PLAIN:
        return None
    keys = {name_key(text): length for text, length in folded(page, page.plain, own).items()}
    for each in remembered:
        rest = sum(length for key, length in keys.items() if key not in each.keys)
        found = len(each.keys & keys.keys())
        if found and found >= NEARLY_ALL * len(each.keys) and rest < FEW_WORDS:
            return each.kind
    return None
