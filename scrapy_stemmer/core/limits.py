"""Limits of a page: what is looked at in its HTML before it is parsed, so that none takes too long."""

from __future__ import annotations

import re

from lxml import etree

MAX_TAGS = 100_000
"""A page of more tags is neither learned from nor stripped. Of 5,158 real pages the largest has 31,799."""

MAX_COMPARED = 200_000_000
"""Attributes that are compared with each other: libxml2 compares each with all before it in its tag, in 2 ns. What
looks like a tag in a script of a real page has 6,700; those of elements are 144 at most."""

SMALL = 20_000
"""Characters of a page that is too small to exceed the limits."""

LARGE, LARGE_TAGS = 150_000, 1_500
"""A page of more characters, or tags, takes longer to be stripped than an event loop may be held up."""

MANY_READINGS = 8
"""Tags may be read in several ways, since quotes may begin before them. Pages have been read so many times over, at
most, when hostile; of others next to nothing has to be read twice."""

# Nearly all tags end as they seem to, with few attributes; that is told in one go. Of those with angle brackets in
# their values, or with quotes that may begin a value rather than end it, each attribute is read.
_CLOSES = r"(?<!=)(?<!=\s)(?<!\s\s)"
_VALUE = rf"""(?:"[^"<>]*+{_CLOSES}"|'[^'<>]*+{_CLOSES}'|(?!["']))"""
_PLAIN = rf"""(?:[^<>"'=]{{0,999}}+(?<=\w)=\s*+{_VALUE}){{0,99}}+[^<>"'=]{{0,999}}+>"""
_ODD_TAG = re.compile(rf"<[a-zA-Z][^\s/>]*+(?!{_PLAIN})")
_count = etree.XPath("count(//*)")
_ATTRIBUTE = re.compile(r"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)?""")


def is_too_complex(html: str) -> bool:
    """Whether a page would take too long to be parsed and stripped, from a look that takes a fraction of that."""
    if len(html) < SMALL:
        return False
    return html.count("<") > MAX_TAGS or compared_attributes(html) > MAX_COMPARED


def is_large(html: str | bytes) -> bool:
    """Whether a page may take longer than some milliseconds to be parsed and stripped."""
    tags = html.count("<") if isinstance(html, str) else html.count(b"<")
    return len(html) > LARGE or tags > LARGE_TAGS


def work_of(html: str | bytes | etree._Element) -> float:
    """What a page takes, in tags; a hundred characters count as one, where they are more."""
    if isinstance(html, etree._Element):
        return 2 * float(str(_count(html)))
    return max(html.count("<") if isinstance(html, str) else html.count(b"<"), len(html) / 100)


def compared_attributes(html: str) -> int:
    """The sum of the squares of the numbers of attributes of all tags that have many.

    What looks like a tag may stand in a script, a comment or a value; all are read, since parsers differ in that.
    """
    compared = read = 0
    seen: set[int] = set()  # where readings meet
    for tag in _ODD_TAG.finditer(html):
        at, count = tag.end(), 0
        while at not in seen and (attribute := _ATTRIBUTE.match(html, at)):
            seen.add(at)
            count += 1
            read += attribute.end() - at
            at = attribute.end()
            if read > MANY_READINGS * len(html):
                return MAX_COMPARED + 1
        compared += count * count
    return compared
