"""Texts: white space, words, hashes, names of files, and signs for terminals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from hashlib import blake2b
from unicodedata import normalize

from scrapy_stemmer._engine import native

_WORD_RUN = re.compile(r"\w+")

CJK = "\u2e80-\u2fdf\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f"
"""Scripts written without spaces between words, as the inside of a character class: kana, Han, Hangul."""

_TOKEN = re.compile(rf"[{CJK}]|[^\W{CJK}]+")


_CONTROL = "\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff"

UNWANTED = re.compile(f"[{_CONTROL}]")  # characters forbidden in HTML, or hiding the end of an address

UNWRITABLE = re.compile(f"[{_CONTROL}\x7f-\x9f\ud800-\udfff]")
"""Characters that XML or UTF-8 forbids, so that feeds fail or become unreadable. Terminals obey some."""


def writable(text: str) -> str:
    """Remove :data:`UNWRITABLE` characters."""
    return text if is_writable(text) else UNWRITABLE.sub("", text)


is_writable: Callable[[str], bool] = native("shown.is_writable")
"""Return True for a text without :data:`UNWRITABLE` characters."""


_OF_TERMINALS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters, signs that show the rest of a line in the other direction, and lone surrogates."""

SOFT_HYPHEN = "\u00ad"  # shown only at the end of a line
BACK = "\u21a9\ufe0e\ufe0f "  # arrow of a link back, with variation selectors


PART = 256  # characters decomposed at a time


def decomposed(text: str) -> str:
    """Return a text with letters apart from their marks (NFKD), the marks in any order.

    Parts are decomposed by themselves, since marks are put in order in quadratic time.
    """
    return "".join([normalize("NFKD", text[at : at + PART]) for at in range(0, len(text), PART)])


def visible(text: str) -> str:
    r"""Return a text for a terminal, with control characters escaped as in JSON: ``\u001b``."""
    return _OF_TERMINALS.sub(lambda sign: f"\\u{ord(sign[0]):04x}", text)


has_word: Callable[[str, tuple[bytes, ...]], bool] = native("shown.has_word")
"""Return True if a text has any of some words in small letters, in any case: ``has_word(text, words)``."""


def significant(text: str) -> str:
    """Return the letters, digits and underscores of a text, lower-cased and joined (Webstemmer's ``sig_text``)."""
    return "".join(_WORD_RUN.findall(text)).lower()


def tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.lower())


def collapse(text: str) -> str:
    return " ".join(text.split())


def cut_short(text: str, most: int) -> str:
    """Return a text for the log: at most so many characters, then an ellipsis."""
    return text if len(text) <= most else f"{text[:most]}..."


def counted(number: int, noun: str, form: str = "") -> str:
    """Return a number with its noun, ``1 page`` or ``2 pages``; the format ``,`` parts thousands."""
    return f"{number:{form}} {noun}{'' if number == 1 else 's'}"


# Hashes equal in every process, and samples drawn by hash


def stable_hash(*parts: str, seed: int = 0) -> int:
    """Return a 64-bit hash of strings; differs for ``("ab", "c")`` and ``("a", "bc")``, and from seed to seed."""
    digest = blake2b(digest_size=8, salt=seed.to_bytes(8, "big", signed=True))
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return int.from_bytes(digest.digest(), "big")


def drawn(names: Iterable[str], most: int, seed: int) -> list[str]:
    return sorted(sorted(set(names), key=lambda name: (stable_hash(name, seed=seed), name))[:most])


_UNUSUAL = re.compile(r"[^\w.-]+")
_RESERVED = re.compile(r"(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³])(?:\.|$)", re.IGNORECASE)
MAX_FILE_NAME, MAX_FILE_BYTES = 60, 180  # characters and bytes of the name of a folder or file


def file_name(name: str) -> str:
    """Return a text as a portable name of a file or folder, without names reserved by Windows."""
    plain = _UNUSUAL.sub("_", name).strip(".").rstrip("_") or "_"
    start = plain[:MAX_FILE_NAME].encode()[:MAX_FILE_BYTES].decode(errors="ignore")
    if plain != start:
        plain = f"{start}-{stable_hash(name):016x}"
    return f"_{plain}" if _RESERVED.match(plain) else plain
