"""Guesses of the charset of pages that declare none."""

from __future__ import annotations

import codecs
import re

LIKELY = (
    *("cp1252", "gb18030", "cp932", "euc_jp", "cp949", "big5hkscs", "cp1251", "koi8-r", "cp1250", "iso8859-2"),
    *("cp1253", "cp1254", "cp1255", "cp1256", "cp874", "cp1257"),
)
"""Charsets of old pages, in order of preference where a text is equally plausible in several."""

MAX_GUESSED = 10_000  # bytes of text to look at
MAX_CHAOS = 0.4  # share of odd characters of a text in a charset, as charset-normalizer counts them
SAME_CHAOS = 0.0025  # difference in the share of odd characters that tells nothing
MAX_BROKEN = 0.1  # share of a text's characters that are no UTF-8 above which it may be binary data

_ODD_TEXT = re.compile(rb"(?:^|>)([^<>\x80-\xff]*+[\x80-\xff][^<>]*+)")


def guess_charset(body: bytes) -> str:
    """Return the likely charset of bytes that declare none.

    UTF-8 may have some broken bytes. Otherwise charset-normalizer compares the charsets of old pages, by the texts
    outside tags. Where it finds none, the charset is that of browsers, windows-1252, or UTF-8 for binary data.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    else:
        return "utf-8"
    broken = text.count("\ufffd")
    right = len(text) - len(text.encode("ascii", "ignore")) - broken
    if right > broken:
        return "utf-8"
    found = _most_plausible(b"\n".join(_ODD_TEXT.findall(body))[:MAX_GUESSED] or body[:MAX_GUESSED])
    return found or ("utf-8" if broken > MAX_BROKEN * len(text) else LIKELY[0])


def _most_plausible(text: bytes) -> str | None:
    from charset_normalizer import from_bytes  # few pages need it

    matches = list(from_bytes(text, cp_isolation=list(LIKELY), threshold=MAX_CHAOS))
    least = min((match.chaos for match in matches), default=0.0)
    likely = [match for match in matches if match.chaos <= least + SAME_CHAOS]
    able = {codecs.lookup(name).name for match in likely for name in match.could_be_from_charset}
    return next((name for name in LIKELY if name in able), None)
