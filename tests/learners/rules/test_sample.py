"""Which names count, and the paths that elements stand on."""

from __future__ import annotations

import pytest

from scrapy_stemmer.learners.rules.columns import Signature, Signatures
from scrapy_stemmer.learners.rules.packed import key_of
from scrapy_stemmer.learners.rules.sample import Component, HashedNames, Paths, Placer, common_names, names_of
from tests.learners.rules.made import columns


def names(*htmls: str) -> set[str]:
    signatures: Signatures = {}
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
    ],
)
def test_the_names_of_an_element(signature: Signature, expected: list[str]) -> None:
    assert names_of(signature) == expected


def test_names_of_two_pages_count() -> None:
    assert names("<p class='a b'>x</p>", "<p id=a class=b>x</p>", "<p class=c>x</p><p class=c>y</p>") == {".b"}


def test_of_a_single_page_those_count_that_look_lasting() -> None:
    assert names("<p id=main class='story post-1234 css-1x2y3z'>x</p>") == {"#main", ".story"}


class TestNamesThatNumberElements:
    ITEMS = "".join(f"<p class='item item-{number}'>x</p>" for number in range(6))

    def test_do_not_count(self) -> None:
        assert names(self.ITEMS, self.ITEMS) == {".item"}

    def test_not_of_a_single_page_either(self) -> None:
        assert names(self.ITEMS) == {".item"}

    def test_few_do(self) -> None:
        few = "<p class=item-1>x</p><p class=item-2>x</p>"
        assert names(few, few) == {".item-1", ".item-2"}

    def test_those_of_several_elements_say_what_these_are_like(self) -> None:
        columns = "".join(f"<p class=col-{number % 6}>x</p>" for number in range(12))
        assert names(columns, columns) == {f".col-{number}" for number in range(6)}

    def test_so_do_those_that_tools_make(self) -> None:
        made = "".join(f"<p class=sc-1x2y-{number}>x</p>" for number in range(6))
        assert names(made, made) == {f".sc-1x2y-{number}" for number in range(6)}


def test_elements_stand_on_one_path_when_the_names_that_count_are_the_same() -> None:
    signatures: Signatures = {}
    page = columns("<div class='a x1'><p>1</p></div><div class='a x2'><p>2</p></div><div><p>3</p></div>", signatures)
    placer = Placer(frozenset({".a"}))
    assert placer.place(page, list(signatures)) == [0, 1, 2, 1, 2, 3, 4]
    assert placer.paths.parents == [-1, 0, 1, 0, 3]
    assert placer.paths.components[1:4] == [Component("div", (".a",)), Component("p"), Component("div")]


def test_paths_grow_from_page_to_page_and_known_ones_keep_their_numbers() -> None:
    signatures: Signatures = {}
    placer = Placer(frozenset())
    first = placer.place(columns("<p>1</p>", signatures), list(signatures))
    second = placer.place(columns("<ul><li>2</ul><p>1</p>", signatures), list(signatures))
    assert (first, second) == ([0, 1], [0, 2, 3, 1])
    assert len(placer.paths) == 4


def test_a_component_has_the_role_and_whether_it_is_hidden() -> None:
    placer = Placer(frozenset())
    assert placer.component(Signature("p", role="Main", hidden=True)) == Component("p", (), "main", hidden=True)


def test_the_order_and_number_of_class_names_do_not_matter() -> None:
    placer = Placer(frozenset({".a", ".b"}))
    assert placer.component(Signature("p", classes="b a b")) == placer.component(Signature("p", classes="a  b"))


def test_a_path_is_added_once() -> None:
    paths = Paths()
    body = paths.child(-1, Component("body"))
    assert paths.child(body, Component("p")) == paths.child(body, Component("p")) == 1
    assert paths.child(1, Component("p")) == 2
    assert len(paths) == 3


def test_names_of_which_only_the_keys_are_known() -> None:
    found = HashedNames(frozenset({key_of(".a")}))
    assert ".a" in found
    assert ".b" not in found
    assert 7 not in found
