"""Features of blocks, the input of the scorer: a row of numbers for each block.

Features describe a block, its page, and the share of other pages with its text. ``training/definitions.py`` says
defines each feature. :mod:`scrapy_stemmer._engine.score` computes the features.
"""

from __future__ import annotations

import re
import sys
from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from scrapy_stemmer.learners.rules.site.hints import CONTAINERS, GROUPS, HIDDEN
from scrapy_stemmer.learners.rules.site.reading import SamplePage
from scrapy_stemmer.page.text import CJK

if TYPE_CHECKING:
    import numpy as np  # for types alone: numpy loads more slowly than this package
    from numpy.typing import NDArray

MENUS = [CONTAINERS.index("nav"), CONTAINERS.index("footer"), HIDDEN]  # elements whose text resembles templates

SOFT = [
    len(CONTAINERS) + GROUPS.index(group)
    for group in "navigation sidebar footer popup subscribe social related".split()
]
"""Elements whose text counts less in the search for the main region."""

NOISE_NEAR = 3  # levels up to the nearest noise

MAIN_HEADINGS = ("h1", "h2", "h3")

COUNTED_LENGTH = 500  # characters of a block that count for the region: +1 each, -1 in menus and repeated text
SOFT_VALUE = -0.25  # weight of a character in :data:`SOFT` elements
LINK_VALUE = 0.25  # weight factor of links
LONG = 80  # characters of running text
SENTENCES = 2  # sentence ends of prose
PROSE_LINK = 0.25  # share of prose in links
NEAR = 6  # blocks of the neighbourhood before and after
MOST_AWAY = 50  # cap of distances, in blocks
OFTEN = 0.1  # share of other pages with repeated text
ADDRESS = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)")  # prefix of the path (RFC 3986)
STEPS = 256  # shares are rounded to 1/256, so that sums are exact in any order


# Measures of texts

KINDS = (" ", ".!?\u3002\uff01\uff1f\u0964\u061f", ",;:\u3001\uff0c\uff1b\uff1a\u060c", r"\d", CJK + "\u0e00-\u0e7f")
"""Counted characters: spaces, sentence ends, clause ends, digits, letters of CJK, and Thai, which has no spaces."""

CHARACTERS = 0x20000  # table size, above all of them
CJK_LENGTH = 3  # letters that a CJK character counts for, since words have one or two

LAST_MARKS = '.!?:\u2026\u3002\uff01\uff1f"\u201d)'

MEASURES = ("plain", "length", "words", "ends", "commas", "digits", "key", "last_mark", "capital")
"""Measures of a text: length without spaces; length with weighted CJK; words, a third of the length for CJK; sentence
ends; clause ends; digits; key; whether it ends like a sentence; whether a capital begins it."""

Measures = Mapping[str, "NDArray[np.uint32]"]  # values of a page's texts, by measure


@cache
def kinds() -> bytes:
    """Return a table of bits by character, a bit for each of the :data:`KINDS` with the character, then for marks."""
    characters = array("I", range(CHARACTERS)).tobytes().decode(f"utf-32-{sys.byteorder[0]}e", "surrogatepass")
    found = bytearray(CHARACTERS)
    for bit, kind in enumerate((*KINDS, LAST_MARKS)):
        with_bit = bytes(each | 1 << bit for each in range(256))
        for run in re.finditer(f"[{kind}]+", characters):
            found[run.start() : run.end()] = found[run.start() : run.end()].translate(with_bit)
    return bytes(found)


# Rows


@dataclass(frozen=True)
class PageFacts:
    """The scorer's input for one page."""

    page: SamplePage
    paths: Sequence[int]  # path of each element
    measures: Measures  # measures of the blocks' texts
    others: int  # number of other pages; 0 if repetition is unknown
    repeated: Sequence[float]  # share of other pages with the text of each block
    title_keys: frozenset[int] = frozenset()  # keys of possible titles


def url_depth(url: str) -> int:
    return sum(map(bool, ADDRESS.findall(url)[0].split("/")))


FEATURE_NAMES = tuple(
    """
    length link words ends ends_per_100 commas_per_100 digit_share word_length last_mark capital time tag_p tag_li
    tag_h1 tag_h2 tag_h3 tag_td tag_dd tag_dt tag_pre tag_div tag_section tag_article tag_blockquote depth in_main
    in_article in_nav in_aside in_footer in_header in_form in_figure in_table in_ul in_dl in_blockquote in_pre
    in_section in_details name_content name_caption name_byline name_related name_item name_social name_subscribe
    name_popup name_ad name_legal name_media name_button name_toc name_comment name_review name_navigation
    name_sidebar name_footer name_header name_tags name_title name_subtitle name_search name_code name_price
    name_message name_discussion name_hidden noise_nearest noise_count noise_near_count repeated repeated_any
    same_page others up1_link up1_repeated up1_length up1_mean_length up2_link up2_repeated up2_length
    up2_mean_length up3_link up3_repeated up3_length up3_mean_length up1_own_share up2_own_share up3_own_share
    up4_own_share most_link_around most_repeated_around in_best below_best in_holding below_holding in_half
    below_half section_own_share section_link section_length section_blocks section_position section_heading
    up1_value up2_value up3_value region_link region_own path_count path_length path_link path_repeated path_ends
    path_own_share shape_own_share shape_count up0_siblings up1_siblings up2_siblings up3_siblings before2_length
    before2_link before2_repeated before1_length before1_link before1_repeated before1_same_path before1_best
    after1_length after1_link after1_repeated after1_same_path after1_best after2_length after2_link after2_repeated
    own_before own_after own_near value_near position from_start from_end prose_before prose_after from_prose to_prose
    all_before_length all_before_link all_after_length all_after_link near_before_length near_before_link
    near_after_length near_after_link from_longest is_title from_title from_heading
    heading_repeated heading_link up1_first_repeated up1_first_heading up2_first_repeated up2_first_heading
    up3_first_repeated up3_first_heading page_heading_links up_to_title down_to_title up_to_longest down_to_longest
    links up1_links up2_links up3_links page_article page_blocks page_own page_own_link page_link page_repeated
    page_paragraphs page_url_depth
    """.split()
)
"""Names of all features, by column."""
