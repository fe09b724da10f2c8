"""What is read of a page: its block-level elements, its texts, nothing that isn't shown."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from scrapy_stemmer.core.dom import parse
from scrapy_stemmer.core.evidence import walk as module
from scrapy_stemmer.core.evidence.outline import (
    LETTERS,
    LONG_TEXT,
    MANY_BYTES,
    Shape,
    Words,
    weight_of,
    words_of,
)
from scrapy_stemmer.core.evidence.walk import Reader, outline_of
from scrapy_stemmer.core.text import significant
from tests.core.evidence.made import outline
from tests.strategies import markup

pytestmark = pytest.mark.usefixtures("both_walks")


def texts(html: str) -> list[str]:
    return [block.text for block in outline(html).blocks]


def tags(html: str) -> list[str]:
    return [shape.tag for shape in outline(html).shapes]


def test_a_block_is_a_run_of_text_in_the_same_block_level_element() -> None:
    found = outline("<div>Rain <b>fell</b>  all\n day.<p>It stopped.</p>Then snow.</div>")
    assert [(block.node, block.text) for block in found.blocks] == [
        (1, "Rain fell all day."),
        (2, "It stopped."),
        (1, "Then snow."),
    ]


def test_elements_and_what_is_around_them() -> None:
    found = outline('<body id=b><div class="z a z" role=MAIN hidden><p id=p7>x</p></div><p>y</p></body>')
    assert list(found.shapes) == [
        Shape("body", id="b"),
        Shape("div", classes=("a", "z"), role="main", hidden=True),
        Shape("p", id="p7"),
        Shape("p"),
    ]
    assert list(found.parents) == [-1, 0, 1, 0]


def test_shapes_are_told_by_all_that_they_have() -> None:
    plain = Shape("div")
    others = [
        Shape("p"),
        Shape("div", "a"),
        Shape("div", "", ("a",)),
        Shape("div", role="main"),
        Shape("div", hidden=True),
    ]
    assert len({plain, Shape("div"), *others}) == 1 + len(others)
    assert hash(plain) == hash(Shape("div"))


def test_custom_elements_and_those_of_html_5_are_block_level_and_inline_ones_are_not() -> None:
    assert tags("<x-card>a</x-card><section>b</section><span>c</span><em>d</em>") == ["body", "x-card", "section"]


@pytest.mark.parametrize("cutter", ["<br>", "<hr>"])
def test_breaks_end_a_block(cutter: str) -> None:
    assert texts(f"<p>one{cutter}two</p>") == ["one", "two"]


@pytest.mark.parametrize("tag", ["script", "style", "noscript", "template", "button", "textarea", "select", "iframe"])
def test_what_is_no_text_is_not_read_and_what_follows_is(tag: str) -> None:
    assert texts(f"<p>one <{tag}>unread</{tag}> two</p>") == ["one two"]


@pytest.mark.parametrize(
    "attribute",
    ['style="display: none"', "style='visibility:HIDDEN'", "class=sr-only", 'class="x Visually-Hidden"'],
)
def test_inline_text_that_is_not_shown_is_not_read(attribute: str) -> None:
    assert texts(f"<p>Shown <span {attribute}>not <b>shown</b></span> too</p>") == ["Shown too"]


def test_hidden_links_are_no_open_links() -> None:
    (block,) = outline("<p><a class=sr-only>Skip</a>text</p>").blocks
    assert (block.text, block.anchor_weight) == ("text", 0)


def test_block_level_elements_that_are_hidden_are_read_and_marked() -> None:
    """Much of what a script unfolds is text."""
    found = outline("<div style='display:none'>The answer</div><div hidden>Another</div>")
    assert [shape.hidden for shape in found.shapes] == [False, True, True]
    assert [block.text for block in found.blocks] == ["The answer", "Another"]


def test_names_of_drawings_are_not_read_and_their_texts_are_blocks() -> None:
    drawing = "<svg><title>Icon</title><defs>d</defs><text>North</text><text>South</text></svg>"
    assert texts(f"<p>A map</p>{drawing}") == ["A map", "North", "South"]


def test_the_weight_in_links() -> None:
    whole, part = outline("<p><a href=/>Read <b>on</b></a></p><p>and <a href=/>on</a>.</p>").blocks
    assert (whole.weight, whole.anchor_weight) == (6, 6)
    assert (part.weight, part.anchor_weight) == (5, 2)


def test_significant_text_is_letters_and_digits() -> None:
    (block,) = outline("<p>Über 40 %, sagt sie!</p>").blocks
    assert block.weight == len("über40sagtsie")


def test_text_without_letters_is_no_block() -> None:
    assert texts("<p>—</p><p> </p><p>|</p>") == []


@pytest.mark.parametrize(
    ("text", "weight"), [("rain", 4), ("pluie", 5), ("雨", 3), ("大雨です", 12), ("비", 3), ("ฝน", 2)]
)
def test_a_character_that_stands_for_a_word_or_syllable_weighs_three(text: str, weight: int) -> None:
    assert weight_of(text) == weight


def test_pieces_lead_back_to_the_tree() -> None:
    root = parse("<p>one <b>two</b> three</p>")
    (block,) = outline_of(root).blocks
    (stretches,) = Reader().stretches(root, [block])
    assert [(element.tag, is_tail) for element, is_tail in stretches] == [("p", False), ("b", False), ("b", True)]


def test_comments_in_a_tree_of_the_users_are_passed_over() -> None:
    root = etree.HTML("<p>one <!-- unseen --> two <?pi unseen?>three</p>")
    assert [block.text for block in outline_of(root).blocks] == ["one two three"]


@pytest.mark.parametrize("html", ["<html><frameset><frame src=a></frameset></html>", "<head><title>x</title></head>"])
def test_pages_without_a_body_have_one_element_and_no_text(html: str) -> None:
    found = outline(html)
    assert (len(found.shapes), list(found.parents), list(found.blocks)) == (1, [-1], [])


def test_what_stands_in_a_frameset_for_old_browsers_is_not_read() -> None:
    assert texts("<frameset><frame src=a></frameset><noframes>Get a browser</noframes>") in ([], ["Get a browser"])


def test_20_000_nested_elements() -> None:
    """The parser cuts off at some 2,000; a tree of the user's may be deeper."""
    root = last = etree.Element("body")
    for _ in range(20_000):
        last = etree.SubElement(last, "div")
    last.text = "deep"
    found = outline_of(root)
    assert len(found.shapes) == 20_001
    assert [(block.node, block.text) for block in found.blocks] == [(20_000, "deep")]


@given(markup())
def test_all_that_is_seen_is_read_in_order(drawn: tuple[str, str]) -> None:
    html, seen = drawn
    read = "".join("".join(texts(f"<body>{html}</body>")).split())
    assert [char for char in read if char.isalnum()] == [char for char in seen if char.isalnum()]


@given(markup())
def test_the_tree_is_not_changed_and_each_parent_comes_first(drawn: tuple[str, str]) -> None:
    root = parse(f"<body>{drawn[0]}</body>")
    before = etree.tostring(root)
    found = outline_of(root)
    assert etree.tostring(root) == before
    assert all(parent < index for index, parent in enumerate(found.parents))
    assert len(found.parents) == len(found.shapes)
    assert all(0 <= block.anchor_weight <= block.weight and block.weight > 0 for block in found.blocks)


class TestWords:
    """What is measured of a text, and which texts are one."""

    def same(self, first: str, second: str) -> bool:
        one, two = words_of(first), words_of(second)
        assert one is not None
        assert two is not None
        return one.hash == two.hash

    def test_white_space_is_collapsed(self) -> None:
        found = words_of(" Rain\n  fell. ")
        assert found is not None
        assert (found.text, found.weight) == ("Rain fell.", 8)

    @pytest.mark.parametrize("raw", ["", " \n", "—", "… | »", "-" * 2 * LONG_TEXT, "— " * LONG_TEXT])
    def test_without_letters_and_digits_there_are_none(self, raw: str) -> None:
        assert words_of(raw) is None

    @pytest.mark.parametrize(
        ("first", "second", "same"),
        [
            ("Rain fell", "rain\u00a0 FELL", True),
            ("Rain, fell!", "Rain fell", True),
            ("Rain fell", "Rain felt", False),
            ("5 minutes ago", "17 minutes ago", True),
            ("minutes ago", "seconds ago", False),
            ("5 minutes ago", "minutes ago", False),
            ("1834", "1835", False),
            ("12 kg", "15 kg", False),
            ("12 kgs", "15 kgs", False),
            ("12 kilo", "15 kilo", True),
            ("Rain on 5 May", "Rain on 17 May", True),
            ("大雨 12", "大雨 15", False),
        ],
    )
    def test_short_texts_are_one_whatever_their_case_punctuation_and_numbers(
        self, first: str, second: str, same: bool
    ) -> None:
        assert self.same(first, second) is same

    @pytest.mark.parametrize(
        ("first", "second", "same"),
        [
            ("", "", True),
            ("Rain fell", "Rain \n\t\u2003 fell\u00a0", True),
            ("Rain fell", "Rainfell", False),
            ("Rain", "RAIN", False),
            ("Rain.", "Rain!", False),
            ("It's", "It\u2019s", False),
            ("7", "8", False),
        ],
    )
    def test_long_texts_are_one_where_they_are_the_same_but_for_their_white_space(
        self, first: str, second: str, same: bool
    ) -> None:
        for long in (
            "The rain fell on all of the town, " * 4,
            "Es fiel über Nacht im Süden, " * 5,
            "雨が降った。" * 20,
        ):
            assert self.same(long + first, long + second) is same
            assert self.same(f"{first} {long}", f"{second} {long}") is same
        assert not self.same(long, long.replace("雨", "雪"))

    def test_a_text_that_gets_long_by_its_lower_case_is_a_short_one(self) -> None:
        """Of ``İ`` the lower case is two characters."""
        dotted = "İ" * (LONG_TEXT - 2)
        assert self.same(dotted + ".", dotted + "!")
        assert not self.same(dotted + "a.b", dotted + "a!b")

    def test_the_length_that_counts_is_that_without_white_space(self) -> None:
        """Of two texts that differ in one mark, those of a hundred characters are two."""
        for count, same in ((LONG_TEXT - 2, True), (LONG_TEXT - 1, False)):
            letters = "a b" + "c" * (count - 2)
            assert self.same(letters + ".", letters + "!") is same

    @pytest.mark.parametrize(
        "text",
        [
            "The storm, as we were told by the people of the town, was over by noon; nobody had been hurt. " * 3,
            "Der Sturm war, so hieß es in der Stadt, schon gegen Mittag vorüber; niemand wurde über Nacht verletzt. "
            * 3,
            "Буря, как рассказали нам жители города, к полудню уже кончилась; никто не пострадал этой ночью. " * 3,
            "a" * 10 * LONG_TEXT,
        ],
    )
    def test_the_weight_of_a_long_text_is_its_letters_to_three_in_a_hundred(self, text: str) -> None:
        found = words_of(text)
        assert found is not None
        assert found.weight == pytest.approx(len(significant(text)), rel=0.031)

    def test_a_long_text_weighs_a_share_of_its_characters(self) -> None:
        for count in (LONG_TEXT, 1000):
            assert weight_of("a" * count) == int(LETTERS * count)
        assert weight_of("a" * (LONG_TEXT - 1)) == LONG_TEXT - 1

    def test_a_long_text_weighs_hardly_less_than_a_shorter_one(self) -> None:
        weights = [weight_of("a" * count) for count in range(1, 300)]
        assert all(after >= before - 0.03 * LONG_TEXT for before, after in pairwise(weights))

    def test_characters_of_scripts_without_spaces_weigh_three_in_long_texts_too(self) -> None:
        assert weight_of("雨" * LONG_TEXT) == int(LETTERS * 3 * LONG_TEXT)
        assert weight_of("б" * LONG_TEXT) == int(LETTERS * LONG_TEXT)

    def test_few_of_them_in_a_text_of_few_bytes_weigh_one(self) -> None:
        """Each is two bytes more: with one in ten the text is looked through, with one in twenty-one it is not."""
        few = "雨" + "a" * 20
        many = "雨" + "a" * 8
        assert len(few.encode()) < MANY_BYTES * len(few)
        assert weight_of(few) == len(few)
        assert weight_of(many) == len(many) + 2

    def test_characters_that_no_encoding_has_are_no_error(self) -> None:
        for text in ("\ud800 rain", "\ud800" + "rain" * LONG_TEXT):
            assert words_of(text) is not None

    @given(st.text(max_size=300))
    def test_any_text(self, text: str) -> None:
        found = words_of(text)
        assert (found is None) == (not significant("".join(text.split())))
        if found is not None:
            assert found.text == " ".join(text.split())
            assert 0 < found.weight <= 3 * len(text)
            assert words_of(f" {text}\n") == found


class TestReader:
    """What is remembered from page to page does not change what is read."""

    PAGES = tuple(
        f"<div class='a x{n}'><p>Rain {'abc'[n % 3]} fell</p><span class=y{n}>x</span></div>" for n in range(12)
    )

    @pytest.mark.parametrize("remember_texts", [False, True])
    def test_a_reader_forgets_when_there_is_no_end_of_shapes_and_texts(
        self, monkeypatch: pytest.MonkeyPatch, remember_texts: bool
    ) -> None:
        monkeypatch.setattr(module, "MAX_KNOWN", 3)
        reader = Reader(remember_texts=remember_texts)
        for html in self.PAGES:
            assert reader.outline(parse(html)) == outline_of(parse(html))
            for known in (reader._shapes, reader._unseen, reader._texts or {}):
                assert len(known) <= 3

    def test_texts_that_are_remembered_are_measured_once(self, monkeypatch: pytest.MonkeyPatch) -> None:
        asked: list[str] = []

        def noted(raw: str) -> Words | None:
            asked.append(raw)
            return words_of(raw)

        monkeypatch.setattr(module, "words_of", noted)
        monkeypatch.setattr(module, "_walk", None)
        reader = Reader(remember_texts=True)
        for _ in range(3):
            reader.outline(parse("<p>Rain</p><p>—</p><p>Rain</p>"))
        assert asked == ["Rain", "—"]
        Reader().outline(parse("<p>Rain</p><p>Rain</p>"))
        assert len(asked) == 4

    def test_without_texts_only_main_headings_have_theirs(self) -> None:
        html = "<h1>Rain <b>fell</b></h1><h2>More</h2><p>It <a href=/>stopped</a>.</p><h1><div>In</div>Snow</h1>"
        kept, dropped = (Reader(keep_texts=keep).outline(parse(html)) for keep in (True, False))
        assert [block.text for block in dropped.blocks] == ["Rain fell", "", "", "", "Snow"]
        assert [replace(block, text="") for block in dropped.blocks] == [replace(b, text="") for b in kept.blocks]
        assert (dropped.shapes, dropped.parents, dropped.head) == (kept.shapes, kept.parents, kept.head)
