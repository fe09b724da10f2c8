"""Promises of the native modules that need no second implementation, for any tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from lxml import etree

from scrapy_stemmer._engine import prune
from scrapy_stemmer._engine import read as native
from scrapy_stemmer.learners.rules.site.columns import (
    Signature,
    Signatures,
    body_of,
    hides,
    short_names,
    unfolds,
)
from scrapy_stemmer.page.elements import keeps_space
from scrapy_stemmer.writing.markdown import markdown_of_pieces
from tests.refused import refuse_markup, refuse_scripts

if TYPE_CHECKING:
    from scrapy_stemmer._engine.page import ReadPage

Pieces = Sequence[tuple[etree._Element, bool]]
"""Places of text: elements, and True for the text behind one."""


def read_right(
    body: etree._Element, known: Sequence[Signature] = (), marked: dict[int, bool] | None = None
) -> ReadPage:
    """Return the columns of a tree, once they are what they say.

    :param known: signatures met before.
    :param marked: inline elements by number, True for those read as blocks.
    """
    before, signatures = etree.tostring(body), Signatures(known)
    columns: ReadPage = native.read_page(body, signatures, marked)
    by_number = list(signatures)
    assert by_number[: len(known)] == list(known)
    assert told(columns) == told(native.read_page(body, signatures, marked))
    assert len(signatures) == len(by_number)
    assert etree.tostring(body) == before
    elements = list(body.iter())
    found = native.elements_at(body, {0, 10_000, *(piece >> 1 for piece in columns.pieces)})
    assert found == {number: elements[number] for number in found}
    assert found.keys() >= {piece >> 1 for piece in columns.pieces}
    _check_elements(columns, by_number, elements)
    _check_blocks(columns, elements, has_marks=bool(marked))
    _check_none_is_lost(columns, elements)
    return columns


def told(page: ReadPage) -> tuple[object, ...]:
    """Return what a page says of its elements, blocks, links and signs."""
    blocks = page.elements, page.texts, page.lengths, page.linked, page.times, page.spaced, page.pieces
    return page.parents, page.signatures, list(page.numbers), *blocks, page.links, page.signs


def _check_elements(columns: ReadPage, by_number: Sequence[Signature], elements: Sequence[etree._Element]) -> None:
    assert all(first < second for first, second in pairwise(columns.numbers))
    places = {elements[number]: place for place, number in enumerate(columns.numbers)}
    top = columns.numbers[0]
    assert (top, columns.parents[0]) == (0, -1)
    for place, number in enumerate(columns.numbers):
        element, signature = elements[number], by_number[columns.signatures[place]]
        assert all(type(value) is kind for value, kind in zip(signature, (str, str, str, str, bool), strict=True))
        assert signature.tag == (local_name(element) if place else "body")
        assert signature[1:4] == tuple(short_names(element.get(name) or "") for name in ("id", "class", "role"))
        is_hidden = element.get("hidden") is not None or hides(element.get("style") or "")
        unfolding = (signature.role, element.get("hidden") or "", element.get("aria-labelledby") is not None)
        assert signature.hidden == (is_hidden and not unfolds(*unfolding))
        if place:
            assert columns.parents[place] == _place_around(element.getparent(), places)


def local_name(element: etree._Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _place_around(element: etree._Element | None, places: Mapping[etree._Element, int]) -> int:
    """Return the place of the innermost block-level element around, or of the element itself."""
    while element is not None and element not in places:
        element = element.getparent()
    assert element is not None
    return places[element]


def _check_blocks(columns: ReadPage, elements: Sequence[etree._Element], *, has_marks: bool) -> None:
    places = {elements[number]: place for place, number in enumerate(columns.numbers)}
    runs = [columns.pieces[start:end] for start, end in pairwise(columns.ends)]
    for block, pieces in enumerate(runs):
        text = columns.texts[block]
        assert any(map(str.isalnum, text))
        assert columns.lengths[block] == len(text.replace(" ", ""))
        own = _check_run(pieces, text, columns.elements[block], columns.spaced[block], elements, places)
        linked = sum(len("".join(each.split())) for holder, each in own if _is_in_link(holder, elements[0]))
        assert has_marks or columns.linked[block] == linked, text
    for before, element, pieces, text, is_spaced in columns.signs:
        assert not any(map(str.isalnum, text))
        assert 0 <= before <= len(runs)
        _check_run(pieces, text, element, is_spaced, elements, places)
    every = sorted([run[0] for run in runs] + [run[2][0] for run in columns.signs])
    assert len(set(every)) == len(runs) + len(columns.signs)
    assert all(0 <= block <= len(runs) and href for block, href in columns.links)
    assert sorted(columns.links, key=lambda link: link[0]) == columns.links


def _check_none_is_lost(columns: ReadPage, elements: Sequence[etree._Element]) -> None:
    """Check that all text right in a block-level element is read."""
    read = {*columns.pieces, *(piece for run in columns.signs for piece in run[2])}
    places = {element: number for number, element in enumerate(elements)}
    for number in columns.numbers:
        assert 2 * number in read or not (elements[number].text or "").strip()
        for child in elements[number]:
            assert 2 * places[child] + 1 in read or not (child.tail or "").strip()


def _check_run(
    pieces: Sequence[int],
    text: str,
    element: int,
    is_spaced: bool,
    elements: Sequence[etree._Element],
    places: Mapping[etree._Element, int],
) -> list[tuple[etree._Element, str]]:
    """Return the texts of a run of pieces, each with the element that holds it."""
    own = []
    for piece in pieces:
        each = elements[piece >> 1]
        holder = each.getparent() if piece & 1 else each
        assert holder is not None
        assert _place_around(holder, places) == element
        own.append((holder, (each.tail if piece & 1 else each.text) or ""))
    assert " ".join("".join(each for _, each in own).split()) == text
    assert is_spaced == any(keeps_space(style) for style in _styles_around(own[0][0], elements[0]))
    return own


def _around(element: etree._Element, top: etree._Element) -> list[etree._Element]:
    """Return an element and those around it, up to another."""
    found = [element]
    while found[-1] is not top and (outer := found[-1].getparent()) is not None:
        found.append(outer)
    return found


def _styles_around(element: etree._Element, top: etree._Element) -> list[str]:
    return [style for each in _around(element, top) if (style := each.get("style")) is not None]


def _is_in_link(element: etree._Element, top: etree._Element) -> bool:
    links = (each for each in _around(element, top) if local_name(each) == "a" and "href" in each.attrib)
    return any(each is not top for each in links)


def pruned_right(root: etree._Element, pieces: Pieces, url: str = "") -> str:
    """Return the HTML of some pieces of a tree, once it is the same however the pieces are given."""
    before = etree.tostring(root)
    html: str = prune.pruned_html(root, pieces, url)
    assert html == prune.pruned_html(root, list(pieces)[::-1], url)
    places = {element: number for number, element in enumerate(root.iter())}
    kept = [(element, is_tail) for element, is_tail in pieces if element in places]
    numbers = [2 * places[element] + is_tail for element, is_tail in kept]
    with_icons = prune.pruned_html(root, numbers, url, root)
    plain = [piece for piece in kept if not is_icon(piece[0].tail if piece[1] else piece[0].text)]
    assert with_icons == (html if len(plain) == len(pieces) else prune.pruned_html(root, plain, url))
    assert etree.tostring(root) == before
    return html


def is_icon(text: str | None) -> bool:
    """Return True for a single character of an icon font."""
    return text is not None and len(text) == 1 and "\ue000" <= text <= "\uf8ff"


def markdown_right(root: etree._Element, pieces: Pieces, url: str = "") -> str:
    """Return the Markdown of some pieces of a tree, once nothing in it becomes markup."""
    found = markdown_of_pieces(root, pieces, url, True, True)
    refuse_markup(found)
    refuse_markup(markdown_of_pieces(root, pieces, url, False, False))
    return found


def read_and_written(root: etree._Element) -> None:
    """Check reader and writers of a page, without the scorer."""
    body = body_of(root)
    columns = read_right(body)
    found = native.elements_at(body, {piece >> 1 for piece in columns.pieces})
    for step in (1, 2):
        pieces = [(found[piece >> 1], bool(piece & 1)) for piece in columns.pieces[::step]]
        refuse_scripts(pruned_right(root, pieces))
        markdown_right(root, pieces)
