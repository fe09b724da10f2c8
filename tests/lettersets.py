"""Documents whose paths are letters, and the micro-example of algorithms §5."""

from __future__ import annotations

from scrapy_stemmer.learners.literature.text_mdl.learner import PathHashes, as_paths

EXAMPLE = "ABCD ABCE ABCDE AXYZ AXYW"
"""Documents 0 to 4, of nine paths."""

SINGLES = [[0], [1], [2], [3], [4]]
BEST = [[0, 1, 2], [3, 4]]


def documents(words: str) -> list[PathHashes]:
    """A document for each word, a path for each letter; ``-`` is a document without paths."""
    return [as_paths(map(ord, word.strip("-"))) for word in words.split()]


def words(found: list[PathHashes]) -> str:
    """The reverse of :func:`documents`."""
    return " ".join("".join(map(chr, document.tolist())) or "-" for document in found)
