"""Guesses of the charset of pages without a declared charset."""

from __future__ import annotations

import re

CHARSETS_OF_NAMES = {
    **{name: name for name in ("cp1252", "gb18030", "cp932", "cp949", "big5hkscs", "cp1251", "koi8-r", "cp1250")},
    **{name: name for name in ("iso8859-2", "cp1253", "cp1254", "cp1255", "cp1256", "cp874", "cp1257")},
    "euc_jis_2004": "euc_jp",
}
"""Charsets of old pages, by their names in chardet."""

MAX_GUESSED = 50_000  # bytes of text to look at
FEW_BROKEN = 3  # broken characters with which a single right character is enough for UTF-8

_ODD_TEXT = re.compile(rb"(?:^|>)([^<>\x80-\xff]*+[\x80-\xff][^<>]*+)")


def guess_charset(body: bytes) -> str:
    """Return the likely charset of bytes without a declared charset.

    UTF-8 may have some broken bytes. Otherwise chardet chooses among the charsets of old pages, by the texts outside
    tags, and falls back on windows-1252, as browsers do. Binary data counts as UTF-8, to be recognized by its text.
    """
    try:
        body.decode()
    except UnicodeDecodeError:
        text = body.decode("utf-8", "replace")
    else:
        return "utf-8"
    broken = text.count("\ufffd")
    right = len(text) - len(text.encode("ascii", "ignore")) - broken
    if right > broken or (right and broken <= FEW_BROKEN):
        return "utf-8"
    from chardet import detect  # chardet takes 40 MB, and few pages need a guess

    shown = b"\n".join(_ODD_TEXT.findall(body))[:MAX_GUESSED] or body[:MAX_GUESSED]
    found = detect(shown, include_encodings=CHARSETS_OF_NAMES, compat_names=False)["encoding"]
    return "utf-8" if found is None else CHARSETS_OF_NAMES[found]
