"""Definition of each feature, in words, for the tables of the documentation.

``%`` in a name stands for anything; ``UP`` for one of ``up1``, ``up2``, ... for the element of the block (``up0``), its
parent (``up1``), its grandparent, and so on.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

DEFINITIONS: Mapping[str, Mapping[str, str]] = {
    "text of the block": {
        "length": "its characters without white space, a CJK character counting three times",
        "link": "share of its characters that are in links",
        "words": "its words",
        "ends": "ends of sentences, at most 20",
        "ends_per_100": "ends of sentences for 100 characters",
        "commas_per_100": "commas, colons and semicolons for 100 characters",
        "digit_share": "share of digits",
        "word_length": "mean length of words",
        "last_mark": "whether it ends like a sentence",
        "capital": "whether it begins with a capital letter",
        "time": "whether a `time` element is in it",
        "is_title": "whether it is what the page's head calls the page",
    },
    "place of the block": {
        "tag_%": "whether it is in such an element (`h3` stands for `h3` to `h6`, `td` for all of a row)",
        "depth": "elements around it",
        "in_%": "levels up to the nearest such element, 99 without any",
        "noise_nearest": "levels up to the nearest element that holds no text on nearly all sites, by its tag or name",
        "noise_count": "kinds of such elements around it",
        "noise_near_count": "kinds of such elements within three levels",
        "name_%": "levels up to the nearest element with a name of this group, see `hints.py`; 99 without any",
    },
    "what returns on other pages": {
        "repeated": "share of the other pages that have its text, digits apart",
        "repeated_any": "whether any has it",
        "same_page": "how often it is on this page",
        "others": "how many other pages are known, at most 20",
    },
    "elements around": {
        "UP_link": "share of text in links there",
        "UP_repeated": "share of text there that a tenth of the other pages have",
        "UP_length": "length of the text there",
        "UP_mean_length": "mean length of the blocks there",
        "UP_own_share": "share of the page's own text that is there",
        "UP_value": "value of its text, as a share of that of the best region",
        "UP_siblings": "elements of the same path beside it, itself too",
        "UP_links": "links there",
        "UP_first_repeated": "share of the other pages that have the first block there",
        "UP_first_heading": "whether the first block there is a heading",
        "most_link_around": "highest share of text in links of all elements around",
        "most_repeated_around": "highest share of repeated text of all elements around",
    },
    "region of the page": {
        "in_best": "whether it is in the element of highest value: own text counts for, repeated and menus against",
        "in_holding": "whether it is in the deepest element with nine tenths of the own text",
        "in_half": "whether it is in the deepest element with half of the own text",
        "below_%": "levels from that element down to it, -1 outside",
        "region_link": "share of text in links in the best element",
        "region_own": "share of the own text in the best element",
    },
    "blocks on the same path of the page": {
        "path_count": "their number",
        "path_length": "mean of their lengths",
        "path_link": "share of their text in links",
        "path_repeated": "share of their text that a tenth of the other pages have",
        "path_ends": "ends of sentences for 100 characters",
        "path_own_share": "share of the page's own text",
    },
    "section of the region": {
        "section_own_share": "share of the own text in the section: the child of the best element around a block",
        "section_link": "share of its text in links",
        "section_length": "length of its text",
        "section_blocks": "its blocks",
        "section_position": "its place among the blocks of the best element",
        "section_heading": "whether its first block is a heading",
    },
    "blocks of the same depth and last four tags": {
        "shape_own_share": "share of the page's own text",
        "shape_count": "their number",
    },
    "blocks before and after": {
        "before%": "of the first or second block before it: length, links, repetition, path, region",
        "after%": "the same of the blocks after it",
        "own_before": "share of the page's own running text before it",
        "own_after": "share of the page's own running text after it",
        "prose_before": "share of the page's own text in blocks of several sentences before it",
        "prose_after": "share of that text after it",
        "from_prose": "blocks since the last one of several sentences, at most 50",
        "to_prose": "blocks up to the next one of several sentences, at most 50",
        "all_%": "of all blocks before it, or after it: mean length, share of text in links",
        "near_%": "the same of six blocks before it, or after it",
        "from_longest": "blocks since the longest own one, negative before it",
        "own_near": "own running text in five blocks on either side",
        "value_near": "value of ten blocks on either side",
        "position": "share of the page's blocks before it",
        "from_start": "blocks before it, at most 200",
        "from_end": "blocks after it, at most 200",
        "from_heading": "blocks since the last heading, at most 50",
        "heading_repeated": "share of the other pages that have that heading",
        "heading_link": "share of that heading in links",
        "from_title": "blocks since the title, negative before it",
        "up_to_%": "levels up to the element that it shares with the title, or with the longest own block",
        "down_to_%": "levels from there down to that block",
    },
    "links of the block": {
        "links": "their number",
    },
    "page": {
        "page_article": "whether its metadata call it an article",
        "page_blocks": "its blocks",
        "page_own": "its own text",
        "page_own_link": "share of what is not repeated in links",
        "page_link": "share of text in links",
        "page_repeated": "share of text that a tenth of the other pages have",
        "page_paragraphs": "share of the own text in `p`",
        "page_heading_links": "share of its own headings that are links",
        "page_url_depth": "parts of its address's path",
    },
}
"""Definitions of features by groups. Own text is what is neither in links, nor repeated, nor in menus and footers."""


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(re.escape(name).replace("%", ".+").replace("UP", r"up\d"))


_PATTERNS = [
    (_pattern(name), "%" not in name, group, text)
    for group, features in DEFINITIONS.items()
    for name, text in features.items()
]


def definition_of(feature: str) -> tuple[str, str]:
    """Return the group and the definition of a feature; full names go before names with ``%``.

    :raises KeyError: when the feature has none.
    """
    for is_full in (True, False):
        for pattern, full, group, text in _PATTERNS:
            if full == is_full and pattern.fullmatch(feature):
                return group, text
    raise KeyError(feature)
