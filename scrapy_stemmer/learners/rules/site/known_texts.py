"""Known returning texts: lines of a pattern file, and an index for equal texts of later pages."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from zlib import crc32

from scrapy_stemmer.fields.dates import is_of_calendar, without_date_words
from scrapy_stemmer.learners.rules.site.columns import exact_key, text_key
from scrapy_stemmer.learners.rules.site.paths import Paths
from scrapy_stemmer.page.lazily import short_cache
from scrapy_stemmer.page.selectors import Selector

RETURNS = "returns"  # action of a line
TEMPLATE_ODDS = -3.0  # log-odds of returning template
FIRST_CJK = "\u2e80"  # first of the characters that stand without spaces between words
ELLIPSIS = " ..."  # ends a line by hand with the beginning of a longer text
RUNNING_LETTERS = 40  # letters of running text, three for a CJK character; shorter text is a label
MIN_BEGINNING = 30  # characters of a beginning; fewer would match unrelated texts
MIN_UNDATED_LETTERS = 4  # letters besides a date; with fewer the date is the subject
MAX_DATED = 200  # characters of a text with an ignored date
MAX_PARTS = 8  # parts of a text between line breaks
MAX_RETURNING = 1_000  # texts learned of a site
MAX_OF_TEXT = 50  # lines known of a text, or of a beginning
COMPARED_START = 3  # characters compared first, for speed

_WORD = re.compile(r"[^\W\d_]+")
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ReturningText:
    """A returning text of a site's pages outside the content."""

    text: str  # the text, or by hand its beginning with :data:`ELLIPSIS`
    within: Selector | None = None  # the element of the text, by hand any element around it; ``None`` for any place
    pages: int = 0  # sample pages with the text; 0 if written by hand
    of: int = 0  # pages of the sample
    is_users: bool = False  # written or changed by hand

    @property
    def action(self) -> str:
        return RETURNS

    @property
    def subject(self) -> tuple[str, str, Selector | None]:
        """The key for replacement by a later line."""
        return RETURNS, self.text, self.within

    @property
    def line(self) -> str:
        place = f" in {self.within}" if self.within else ""
        return f"{RETURNS} {self.text!r}{place}"

    @property
    def on(self) -> str:
        """Frequency in the sample, such as ``12 of 12``."""
        return f"{self.pages} of {self.of}"

    @property
    def rank(self) -> int:
        """Order of precedence: lines by hand first, then most pages."""
        return 1_000_000_000 if self.is_users else self.pages

    @property
    def sure(self) -> float:
        """Share of sample pages with the text, from 0 to 1."""
        return round(self.pages / self.of, 2) if self.of else 1.0


@short_cache(4096)
def returning_key(text: str) -> int:
    """Return the key of a text without numbers and dates.

    ``Updated Monday, 3 May 2021`` and ``Updated Friday, 14 June 2024`` have equal keys. Names of months and days count
    in texts without digits or above :data:`MAX_DATED` characters; multiple numbers count in running text without a
    date.
    """
    if len(text) > MAX_DATED or _NUMBER.search(text) is None:
        return text_key(text)
    lasting = without_date_words(text)
    letters = sum(map(len, lasting))
    if letters >= RUNNING_LETTERS and len(_NUMBER.findall(text)) > 1 and len(lasting) == len(_WORD.findall(text)):
        return exact_key(text)
    if letters < MIN_UNDATED_LETTERS:
        return text_key(text)
    return crc32(" ".join(lasting).encode("utf-8", "surrogatepass"))


def _beginning(text: str) -> str:
    return _NUMBER.sub("0", text.lower())


class KnownTexts:
    """An index of a site's returning texts. Finding a text takes time in proportion to its length.

    :param lines: lines of its pattern, by hand first.
    """

    def __init__(self, lines: Iterable[ReturningText]) -> None:
        # By key of a whole text, or by the first characters of a beginning: the beginning, and its line
        self._lines: defaultdict[int | str, list[tuple[str, ReturningText]]] = defaultdict(list)
        starts: set[str] = set()
        for line in sorted(lines, key=lambda line: not line.is_users):
            text = " ".join(line.text.split())
            cut = text.removesuffix(ELLIPSIS)
            begin = _beginning(cut) if line.is_users and cut != text else ""
            is_beginning = len(begin) >= MIN_BEGINNING
            there = self._lines[begin[:MIN_BEGINNING] if is_beginning else returning_key(text)]
            if len(there) < MAX_OF_TEXT:
                there.append((begin if is_beginning else "", line))
            starts.add(_start(text))
        for there in self._lines.values():
            there.sort(key=lambda known: -len(known[0]))
        self._starts = frozenset(starts)
        self._has_dated = "" in starts

    def __bool__(self) -> bool:
        return bool(self._starts)

    def line_for(self, text: str, paths: Paths, path: int) -> ReturningText | None:
        """Return the line of a block's text on a path; ``None`` for an unknown text."""
        if not self.may_begin(text):
            return None  # nearly all texts
        begin = _beginning(text)
        for key in (returning_key(text), begin[:MIN_BEGINNING]):
            for start, line in self._lines.get(key, ()):
                if begin.startswith(start) and _holds(line, paths, path):
                    return line
        return None

    def may_begin(self, text: str) -> bool:
        """Return True if a known text may begin as a text does."""
        return text[:COMPARED_START].lower() in self._starts or (self._has_dated and _NUMBER.search(text) is not None)

    def lines_from(self, texts: Sequence[str], paths: Paths, path: int) -> tuple[int, ReturningText] | None:
        """Return the number of texts that form a known text, and the line of the known text.

        Line breaks may differ between learned and later pages.

        :param texts: consecutive texts between line breaks of an element on a path.
        """
        if not self.may_begin(texts[0]):
            return None  # nearly all texts
        text = ""
        for count, part in enumerate(texts[:MAX_PARTS], start=1):
            text += f" {part}" if text and text[-1] < FIRST_CJK and part[:1] < FIRST_CJK else part
            line = self.line_for(text, paths, path)
            if line is not None:
                return count, line
        return None


def _holds(line: ReturningText, paths: Paths, path: int) -> bool:
    """Return True if a line applies to a path: by hand anywhere inside its element, otherwise right there."""
    within = line.within
    around = paths.line(path) if line.is_users else (path,)
    return within is None or any(within.matches(paths, each) for each in around)


def _start(text: str) -> str:
    """Return the first characters of a text; "" if a number or date begins it."""
    start = text[:COMPARED_START].lower()
    first = _WORD.match(text)
    is_dated = first is not None and is_of_calendar(first.group()) and _NUMBER.search(text) is not None
    return "" if is_dated or _NUMBER.search(start) else start
