"""What is looked at of the bytes of a page before it is parsed."""

from __future__ import annotations

import re

# Nearly all tags end as they seem to, with few attributes; that is told in one go. Of those with angle brackets in
# their names or values, or with quotes that may begin a value rather than end it, each attribute is read.
_CLOSES = rb"(?<!=)(?<!=\s)(?<!\s\s)"


_VALUE = rb"""(?:"[^"<>]*+%b"|'[^'<>]*+%b'|(?!["']))""" % (_CLOSES, _CLOSES)


_PLAIN = rb"""(?:[^<>"'=]{0,999}+(?<=\w)=\s*+%b){0,99}+[^<>"'=]{0,999}+>""" % _VALUE


_ODD_TAG = re.compile(rb"<[a-zA-Z][^\s/><]*+(?:<[^\s/>]*+|(?!%b))" % _PLAIN)


_ATTRIBUTE = re.compile(rb"""[\s/]*+[^\s/>][^\s/>=]*+(?:\s*+=\s*+(?:"[^"]*+"|'[^']*+'|[^\s"'>][^\s>]*+)?)?""")


def compared_in_python(html: bytes, most: int) -> int | None:
    """The sum of the squares of the numbers of attributes of those tags that may not end as they seem to.

    What looks like a tag may stand in a script, a comment or a value; all are read, since parsers differ in that.

    :param most: bytes of attributes that are read, of all these tags; ``None`` is returned when they have more.
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
