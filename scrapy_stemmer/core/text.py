"""Texts: their significant characters and words, hashes, and what two of them have in common.

Two matchers compare texts: :class:`WordMatcher` aligns words and is the default, :class:`DifflibMatcher` compares
characters as Webstemmer did. A plain longest common subsequence of characters is no substitute: unrelated English
texts share 40 % of their characters, and the thresholds of the scores break.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import cache
from hashlib import blake2b

from rapidfuzz.distance import LCSseq

_WORD_RUN = re.compile(r"\w+")

CJK = "\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
"""Scripts written without spaces between words, as the inside of a character class: kana, Han, Hangul."""

_TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


def significant(text: str) -> str:
    """The letters, digits and underscores of a text, lower-cased and joined (Webstemmer's ``sig_text``)."""
    return "".join(_WORD_RUN.findall(text)).lower()


def tokens(text: str) -> list[str]:
    """The words of a text, lower-cased; each kana, Han or Hangul character is a word of its own."""
    return _TOKEN.findall(text.lower())


def collapse(text: str) -> str:
    """The text with every run of white space as one space, none at the ends."""
    return " ".join(text.split())


def counted(number: int, noun: str, form: str = "") -> str:
    """A number of something: ``1 page``, ``2 pages``.

    :param form: of the number, such as ``,`` for thousands apart.
    """
    return f"{number:{form}} {noun}{'' if number == 1 else 's'}"


# Hashes that are the same in every process, and what is drawn by them


def stable_hash(*parts: str, seed: int = 0) -> int:
    """A 64-bit hash of strings; differs for ``("ab", "c")`` and ``("a", "bc")``, and from seed to seed."""
    digest = blake2b(digest_size=8, salt=seed.to_bytes(8, "big", signed=True))
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return int.from_bytes(digest.digest(), "big")


def drawn(names: Iterable[str], most: int, seed: int) -> list[str]:
    """At most ``most`` of the names, chosen by hash: the same whatever their order, sorted."""
    return sorted(sorted(set(names), key=lambda name: (stable_hash(name, seed=seed), name))[:most])


# What two texts have in common


MAX_TOKENS = 3_000
"""Words of a text that are compared; the rest of a longer text is not needed to see that it differs."""


class TextMatcher(ABC):
    """What two texts have in common, as lengths of matched runs of characters."""

    @abstractmethod
    def length(self, text: str) -> int:
        """The characters of a text that count."""

    @abstractmethod
    def matched_runs(self, first: str, second: str) -> list[int]:
        """The lengths in characters of the runs that an alignment of two texts has in common."""

    def matched(self, first: str, second: str) -> int:
        """The number of characters that two texts have in common."""
        return self.length(first) if first == second else sum(self.matched_runs(first, second))


class WordMatcher(TextMatcher):
    """Longest common subsequence of words, a word counting its characters; CJK characters are words.

    :param max_tokens: words of a text that are compared; the rest is not needed to see that longer ones differ.
    """

    def __init__(self, max_tokens: int = 3_000) -> None:
        numbers: dict[str, int] = {}

        @cache
        def read(text: str) -> tuple[list[str], list[int]]:
            words = tokens(text)[:max_tokens]
            return words, [numbers.setdefault(word, len(numbers)) for word in words]

        self._read = read

    def length(self, text: str) -> int:
        return sum(map(len, self._read(text)[0]))

    def matched_runs(self, first: str, second: str) -> list[int]:
        """The same whichever text comes first."""
        (words, ours), (_, theirs) = map(self._read, sorted((first, second)))
        blocks = LCSseq.opcodes(ours, theirs).as_matching_blocks()
        return [sum(map(len, words[a : a + size])) for a, _, size in blocks if size]


class DifflibMatcher(TextMatcher):
    """Ratcliff-Obershelp over significant characters, popular ones left out, as the original.

    The longer text comes first; of two equally long ones the result depends on their order.
    """

    def length(self, text: str) -> int:
        return len(significant(text))

    def matched_runs(self, first: str, second: str) -> list[int]:
        longer, shorter = sorted((significant(first), significant(second)), key=len, reverse=True)
        blocks = SequenceMatcher(None, longer, shorter).get_matching_blocks()
        return [block.size for block in blocks if block.size]


def dice(first: str, second: str, matcher: TextMatcher) -> float:
    """Twice the common characters over all characters of two texts, from 0 to 1."""
    total = matcher.length(first) + matcher.length(second)
    return 2 * matcher.matched(first, second) / total if total else 0.0
