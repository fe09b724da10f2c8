"""What the scorer looks at: for each block of a page a row of numbers.

A feature tells of the block, of its page, or of how many other pages have its text; nothing else is needed of the
site. ``docs/development/training.md`` lists what each is, and what it is worth. The native module
:mod:`scrapy_stemmer._engine.score` makes them; ``tests/reference/features.py`` has them in Python.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrapy_stemmer.learners.rules.hints import AROUND, GROUPS, HIDDEN
from scrapy_stemmer.learners.rules.sample_pages import SamplePage
from scrapy_stemmer.page.text import CJK

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Flags = NDArray[np.bool_]

Group = tuple[str, NDArray[Any] | np.generic]
"""Names of features, separated by spaces, and for each block as many values, in whatever dimensions; or one for all."""

MENUS = [AROUND.index("nav"), AROUND.index("footer"), HIDDEN]  # elements whose text is as that of templates

SOFT = [
    len(AROUND) + GROUPS.index(group) for group in "navigation sidebar footer popup subscribe social related".split()
]
"""Elements whose text is worth less when the region of a page is looked for."""

NOISE_NEAR = 3  # levels up to an element without text of the page that are near

MAIN_HEADINGS = ("h1", "h2", "h3")

COUNTED_LENGTH = 500  # characters of a block that count at most for the region: +1 each, -1 in repeated text and menus
SOFT_VALUE = -0.25  # what a character is worth in elements of :data:`SOFT`
LINK_VALUE = 0.25  # the share of their worth that is left in links
LONG = 80  # characters of a block that is long enough to be running text
SENTENCES = 2  # ends of sentences of running text that is no teaser, at least
PROSE_LINK = 0.25  # of which less than this share is in links
NEAR = 6  # blocks before and behind a block that tell where it stands
MOST_AWAY = 50  # blocks that are farther away are as far as so many
OFTEN = 0.1  # text on this share of the other pages is repeated
ADDRESS = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?(?://[^/?#]*)?([^?#]*)")  # as RFC 3986 has it, to ask for its path
STEPS = 256  # shares are rounded down to whole parts of this, so that sums are exact, in whatever order they are made


# What is measured of texts

KINDS = (" ", ".!?\u3002\uff01\uff1f\u0964\u061f", ",;:\u3001\uff0c\uff1b\uff1a\u060c", r"\d", CJK + "\u0e00-\u0e7f")
"""Characters that are counted: spaces, ends of sentences and of their parts, digits, and those that count as several
letters; Thai has no spaces either."""

CHARACTERS = 0x20000  # none of them has a higher number
CJK_LENGTH = 3  # a CJK character says as much as three letters of an alphabet: a word of such a language has one or two

LAST_MARKS = tuple('.!?:\u2026\u3002\uff01\uff1f"\u201d)')


MEASURES = ("plain", "length", "words", "ends", "commas", "digits", "key", "last_mark", "capital")
"""What is measured of a text: its characters without white space; the same, a CJK character counting three times; its
words, of CJK text a third of its length; the ends of sentences in it; its commas, colons and semicolons; its digits;
its key; whether it ends like a sentence; whether it begins with a capital letter."""

Measures = Mapping[str, NDArray[np.uint32]]  # for each of :data:`MEASURES` the numbers of the texts of a page


@cache
def kinds() -> NDArray[np.uint8]:
    """For each character which of :data:`KINDS` it is of, as bits."""
    characters = "".join(map(chr, range(CHARACTERS)))
    found = np.zeros(CHARACTERS, np.uint8)
    for bit, kind in enumerate(KINDS):
        for run in re.finditer(f"[{kind}]+", characters):
            found[run.start() : run.end()] |= 1 << bit
    return found


# The rows of numbers


@dataclass(frozen=True)
class PageFacts:
    """What is known of one page before its blocks are scored."""

    page: SamplePage  # the page, as it was read
    paths: Sequence[int]  # for each element the number of its path
    measures: Measures  # what is measured of the texts of its blocks
    others: int  # how many other pages are known; where none is, what returns on them is not known either
    repeated: Sequence[float]  # for each block the share of these that have its text
    title_keys: frozenset[int] = frozenset()  # keys of the texts that may be its title


def url_depth(url: str) -> int:
    """The parts of the path of an address."""
    return sum(map(bool, ADDRESS.findall(url)[0].split("/")))


NAMES = tuple(
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
"""The names of all features, in the order of the columns."""
