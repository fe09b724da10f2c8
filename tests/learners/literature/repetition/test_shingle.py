"""Learning of returning fragments of text."""

from __future__ import annotations

import pytest

from scrapy_stemmer import Page, PatternSet
from scrapy_stemmer.learners.literature.repetition.learner import ShingleLearner, ShingleOptions
from scrapy_stemmer.learners.literature.repetition.pattern import (
    ShinglePattern,
    TemplateText,
    fragment_hashes,
    in_sample,
)

MICRO = ["home news about alpha wins cup", "home news about bravo lost game"]
"""The micro-example of algorithms §4."""


def pages_of(texts: list[str]) -> list[Page]:
    return [Page(f"https://news.example/{number:04}", f"<p>{text}</p>") for number, text in enumerate(texts)]


def learned(options: ShingleOptions, texts: list[str]) -> ShinglePattern:
    (pattern,) = ShingleLearner(options).learn(pages_of(texts))
    assert isinstance(pattern, ShinglePattern)
    return pattern


@pytest.mark.parametrize(("width", "fragments"), [(3, 1), (2, 2)])
def test_the_micro_example(width: int, fragments: int) -> None:
    """F is 2, since the sample has no more pages; the template is the first three words on both."""
    pattern = learned(ShingleOptions(width=width), MICRO)
    assert len(pattern.returning) == fragments
    assert pattern.templates == (TemplateText("home news about", 2),)
    for page in pages_of(MICRO):
        (block,) = PatternSet([pattern]).strip(page).blocks
        assert block.noise_confidence == pytest.approx(13 / len(block.text.replace(" ", "")))


def test_the_micro_example_has_no_fragment_of_four_words() -> None:
    assert ShingleLearner(ShingleOptions(width=4)).learn(pages_of(MICRO)) == []


FOOT = " ".join(f"foot{number}" for number in range(400))


def texts_with(footer: str, count: int = 12) -> list[str]:
    """Texts of ten words of their own, with a footer each."""
    return [f"{' '.join(f'w{number}x{word}' for word in range(10))} {footer}" for number in range(count)]


@pytest.mark.parametrize("density", [2, 4])
def test_with_a_density_the_same_fragments_are_kept_on_all_pages(density: int) -> None:
    pattern = learned(ShingleOptions(density=density), texts_with(FOOT))
    every = learned(ShingleOptions(), texts_with(FOOT))
    all_hashes = fragment_hashes(FOOT.split(), 8)
    assert {entry.hash for entry in pattern.returning} == set(all_hashes[in_sample(all_hashes, density)].tolist())
    assert {entry.pages for entry in pattern.returning} == {12}
    assert len(pattern.returning) == pytest.approx(len(every.returning) / density, rel=0.3)


def test_no_more_pages_are_read_than_asked_for() -> None:
    pattern = learned(ShingleOptions(max_pages=5), texts_with(FOOT))
    assert pattern.support == 5
    assert pattern == ShingleLearner(ShingleOptions(max_pages=5)).learn(pages_of(texts_with(FOOT))[::-1])[0]
