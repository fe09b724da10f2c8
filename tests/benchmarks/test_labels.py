"""Labels: blocks of a page aligned with the gold text."""

from __future__ import annotations

from benchmarks.labels import labels_of


def test_blocks_of_the_gold_text_are_wanted() -> None:
    labels = labels_of(["Home About", "A day at the sea", "It rained.", "All rights"], "A day at the sea\nIt rained.")
    assert labels.wanted.tolist() == [False, True, True, False]
    assert labels.shares.tolist() == [0, 1, 1, 0]


def test_a_block_that_is_gold_in_part_is_wanted_from_half_of_its_words() -> None:
    labels = labels_of(["one two three four", "five six seven eight"], "one two five")
    assert labels.shares.tolist() == [0.5, 0.25]
    assert labels.wanted.tolist() == [True, False]


def test_a_short_block_out_of_order_is_not() -> None:
    story = "first of all comes a story that is much longer than the box so that the sequence follows the story"
    assert labels_of(["by Ann", story], f"{story}\nby Ann").wanted.tolist() == [False, True]


def test_optional_blocks_are_marked_unless_they_are_gold() -> None:
    labels = labels_of(["By Ann Author", "A story", "Home"], "A story", "By Ann Author A story")
    assert labels.optional.tolist() == [True, False, False]
    assert labels.wanted.tolist() == [False, True, False]
