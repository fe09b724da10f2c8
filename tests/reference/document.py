"""Checks of a page's bytes before parsing."""

from __future__ import annotations

import re

# Nearly all tags end at their first bracket and have few attributes; a single match finds out. Tags with brackets in
# names or values, or with quotes that may begin a value rather than end it, are read attribute by attribute.
_CLOSES = rb"(?<!=)(?<!=\s)(?<!\s\s)"


_VALUE = rb"""(?:"[^"<>]*+%b"|'[^'<>]*+%b'|(?!["']))""" % (_CLOSES, _CLOSES)


_PLAIN = rb"""(?:[^<>"'=]{0,999}+(?<=\w)=\s*+%b){0,99}+[^<>"'=]{0,999}+>""" % _VALUE


_ODD_TAG = re.compile(rb"<[a-zA-Z][^\s/><]*+(?:<[^\s/>]*+|(?!%b))" % _PLAIN)


_ATTRIBUTE = re.compile(rb"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)?""")


def compared_in_python(html: bytes, most: int) -> int | None:
    """Return the sum of squared numbers of attributes, over tags with an ambiguous end.

    Apparent tags in scripts, comments and values count too, since parsers differ there.
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
            if read > most:
                return None
        compared += count * count
    return compared


def weigh_in_python(html: bytes, most: int) -> tuple[int, int | None]:
    return html.count(b"<"), compared_in_python(html, most)
