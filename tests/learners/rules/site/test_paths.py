"""Keys, counted names, the paths of elements, and selectors of paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrapy_stemmer.learners.rules.site.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.site.paths import (
    MASK,
    MAX_DEPTH,
    MAX_UNLIKE,
    Component,
    HashedNames,
    Steps,
    common_names,
    looks_lasting,
    name_key,
    names_of,
    packed_keys,
    unpacked,
)
from scrapy_stemmer.learners.rules.site.site import Placer
from tests.learners.rules.made import columns, paths, placed

# Sets of keys as text


@given(st.frozensets(st.integers(0, MASK)))
def test_a_set_of_keys_has_one_text_of_four_characters_a_key(keys: frozenset[int]) -> None:
    packed = packed_keys(keys)
    assert unpacked(packed) == keys
    assert packed_keys(sorted(keys, reverse=True)) == packed
    assert len(packed) == 4 * len(keys)


@pytest.mark.parametrize("text", ["A", "AAAAA", "AAA=", "AA==", "!!!!", "日本日本", "AAAA AAAA", "AAAA\n"])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - some are base64's own errors
        unpacked(text)


def test_the_order_of_a_sequence_counts() -> None:
    assert len({name_key("b", name_key("a")), name_key("a", name_key("b")), name_key("a")}) == 3


# Names that count, and the paths of elements


def names(*htmls: str) -> set[str]:
    signatures = Signatures()
    pages = [columns(html, signatures) for html in htmls]
    return set(common_names(pages, list(signatures)))


@pytest.mark.parametrize(
    ("signature", "expected"),
    [
        (Signature("p"), []),
        (Signature("p", "main", "a b"), [".a", ".b", "#main"]),
        (Signature("p", " main "), ["#main"]),
        (Signature("p", "two words"), ["#two words"]),
        (Signature("p", " \n", " "), []),
        (Signature("p", "a b", "c\\0 d"), ["#a b", ".d"]),
    ],
)
def test_the_names_of_an_element(signature: Signature, expected: list[str]) -> None:
    assert names_of(signature) == tuple(sorted(expected))


ITEMS = "".join(f"<p class='item item-{number}'>x</p>" for number in range(6))
COLUMNS = "".join(f"<p class=col-{number % 6}>x</p>" for number in range(12))
MADE = "".join(f"<p class=sc-1x2y-{number}>x</p>" for number in range(6))
FEW = "<p class=item-1>x</p><p class=item-2>x</p>"


@pytest.mark.parametrize(
    ("htmls", "expected"),
    [
        pytest.param(["<p class='a b'>x</p>", "<p id=a class=b>x</p>", "<p class=c>x</p><p class=c>y</p>"], ".b",
            id="of two pages"),
        pytest.param(["<p id=main class='story post-1234 css-1x2y3z'>x</p>"], "#main .story",
            id="of one page those that last"),
        pytest.param([ITEMS, ITEMS], ".item", id="none that number elements"),
        pytest.param([ITEMS], ".item", id="not on a single page either"),
        pytest.param([FEW, FEW], ".item-1 .item-2", id="unless they are few"),
        pytest.param([COLUMNS] * 2, " ".join(f".col-{n}" for n in range(6)), id="or of several elements"),
        pytest.param([MADE] * 2, " ".join(f".sc-1x2y-{n}" for n in range(6)), id="or made by tools"),
    ],
)  # fmt: skip
def test_names_that_count(htmls: list[str], expected: str) -> None:
    assert names(*htmls) == set(expected.split())


def test_only_the_names_of_the_first_unlike_elements_of_a_single_page_count() -> None:
    letters = str.maketrans("0123456789", "abcdefghij")
    made = [f"n{number}".translate(letters) for number in range(MAX_UNLIKE + 10)]
    page = "".join(f"<p class={name}>x</p>" for name in made)
    counted = names(page)
    assert MAX_UNLIKE - 10 < len(counted) <= MAX_UNLIKE
    assert counted <= {f".{name}" for name in made[:MAX_UNLIKE]}
    assert len(names(page, page)) > MAX_UNLIKE


@pytest.mark.slow
def test_very_many_numbered_names_take_time_in_proportion() -> None:
    """So many names took minutes when each was looked for in each element."""
    assert names("".join(f"<p id=a{number}>x</p>" for number in range(60_000))) == set()


def test_elements_stand_on_one_path_when_the_names_that_count_are_the_same() -> None:
    signatures = Signatures()
    page = columns("<div class='a x1'><p>1</p></div><div class='a x2'><p>2</p></div><div><p>3</p></div>", signatures)
    placer = Placer(frozenset({".a"}))
    assert placed(placer, page, signatures) == [0, 1, 2, 1, 2, 3, 4]
    assert placer.paths.parents == [-1, 0, 1, 0, 3]
    assert placer.paths.components[1:4] == [Component("div", (".a",)), Component("p"), Component("div")]


def test_a_component_has_the_role_whether_it_is_hidden_and_its_names_once() -> None:
    placer = Placer(frozenset({".a", ".b"}))
    made = placer.component(Signature("p", classes="b a  b c", role="Main", hidden=True))
    assert made == Component("p", (".a", ".b"), "main", hidden=True)


def test_what_stands_deeper_than_paths_go_is_at_their_ends() -> None:
    """Learning four pages of 50 kB of nested elements took 20 seconds."""
    known = paths(" > ".join(["div"] * MAX_DEPTH * 2), " > ".join(["div"] * MAX_DEPTH + ["p"]))
    assert len(known) == MAX_DEPTH
    assert known.child(MAX_DEPTH - 1, Component("p")) == MAX_DEPTH - 1


def test_names_of_which_only_the_keys_are_known() -> None:
    found = HashedNames(frozenset({name_key(".a")}))
    assert ".a" in found
    assert ".b" not in found
    assert 7 not in found


def test_names_that_look_chosen_and_names_that_look_made() -> None:
    chosen, made = "story col-md-4 h1 StoryBody wp-block-12 postid", "post-1234 css-1x2y3z item123 sc-bdVaJa2x"
    assert [name for name in f"{chosen} {made}".split() if looks_lasting(name)] == chosen.split()


def test_many_steps_are_known() -> None:
    known, signatures = paths(), Signatures()
    steps = Steps(known.tree)
    page = columns("".join(f"<div id=a{number}></div>" for number in range(5_000)), signatures)
    steps.place_page(page, lambda number: Component(f"x{number}"))
    steps.place_page(page, lambda number: pytest.fail("is known"))
    assert page.paths == list(range(5_001))
    assert steps.count == 5_000
