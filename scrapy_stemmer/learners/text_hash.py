"""TEXT-HASH and TEXT-MAX: TEXT-MDL on MinHash signatures in place of paths (Kim & Shim 2011, as restated)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from scrapy_stemmer.core.merging import agglomerate
from scrapy_stemmer.core.minhash import SIGNATURE_LENGTH, EstimatedCosts, Signatures, nearest_first
from scrapy_stemmer.core.paths import Paths
from scrapy_stemmer.exceptions import LearnerError
from scrapy_stemmer.learners.paths import PathLearner, PathOptions

CANDIDATES = ("all", "nearest")
"""Among which clusters a cluster's partner is looked for."""


@dataclass(frozen=True, slots=True)
class TextHashOptions(PathOptions):
    """How templates are learned, beside :class:`PathOptions`.

    :param signature_length: random orders of a signature, 1 or more; the error of estimates falls with its root.
    :param candidates: ``all`` for TEXT-HASH; ``nearest`` for TEXT-MAX, which tries a cluster only with those that
        have most of their signature in common with it.
    """

    signature_length: int = SIGNATURE_LENGTH
    candidates: str = "all"


class TextHashLearner(PathLearner):
    """Clusters pages by signatures, then counts the paths of each cluster.

    :param options: see :class:`TextHashOptions`.
    :raises LearnerError: for candidates that there aren't, or an empty signature.
    """

    name: ClassVar[str] = "text_hash"

    def __init__(self, options: TextHashOptions | None = None) -> None:
        self.options: TextHashOptions = options or TextHashOptions()
        if self.options.candidates not in CANDIDATES:
            raise LearnerError(f"Candidates can't be {self.options.candidates!r}; use one of {', '.join(CANDIDATES)}.")
        if self.options.signature_length < 1:
            raise LearnerError(f"signature_length must be 1 or more, not {self.options.signature_length}.")

    def cluster(self, documents: Sequence[Paths], seed: int) -> list[list[int]]:
        """The clusters; the seed decides the random orders."""
        signatures = Signatures.of(documents, self.options.signature_length, seed)
        if self.options.candidates == "nearest":
            return nearest_first(signatures, self.options.min_jaccard)
        return agglomerate(EstimatedCosts(signatures), self.options.min_jaccard)
