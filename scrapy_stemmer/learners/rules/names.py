"""What identifiers and class names hint at: the vocabulary that makers of web pages share in all languages."""

from __future__ import annotations

import re
from collections.abc import Mapping

WORDS: Mapping[str, str] = {
    "content": "content article post entry body main text story prose markdown document documentation detail details "
    "description desc product page maincontent bodytext articlebody postbody entrycontent",
    "caption": "caption credit figure photo image",
    "byline": "byline bio author dateline timestamp contributor date published time",
    "related": "related promo recirc readmore recommend recommended recommendation trending popular outbrain taboola "
    "carousel latest similar recent recently viewed compare compared upsell crosssell also",
    "item": "card teaser item list listing grid row summary excerpt archive feed result results",
    "social": "share sharing social facebook twitter addthis sharedaddy like likes",
    "subscribe": "newsletter subscribe subscription paywall signup promo donate",
    "popup": "popup modal cookie consent gdpr banner alert notice overlay",
    "ad": "ad ads advert advertisement sponsor sponsored adsense dfp",
    "legal": "disclaimer copyright license terms credits powered",
    "media": "video videos media gallery slideshow slide embed embedded player asset audio podcast",
    "button": "button btn toggle tooltip dropdown tab tabs",
    "toc": "toc contents outline index",
    "comment": "comment comments disqus reply respond",
    "review": "review reviews testimonial rating",
    "navigation": "menu nav navigation navbar navi topbar skip rail pager pagination pagenav next prev previous links "
    "breadcrumb breadcrumbs crumbs",
    "sidebar": "sidebar aside widget side secondary complementary related left right",
    "footer": "footer foot bottom",
    "header": "header masthead top head logo branding",
    "tags": "tags tag topics meta metadata category categories cat labels keywords info",
    "title": "title headline heading",
    "subtitle": "dek deck subhead subheading subheadline standfirst subtitle lede lead intro",
    "search": "search login user account cart basket form language lang",
    "code": "code highlight pre source syntax linenos linenumbers gutter",
    "price": "price sku stock shipping qty quantity buy addtocart",
    "message": "thread forum topic message answer question reply signature avatar",
}
"""Words of identifiers and class names by what they hint at; they count in a plural with -s too."""

GROUPS = tuple(WORDS)

HIDDEN_NAMES = frozenset(
    "hidden visually-hidden visuallyhidden sr-only d-none screen-reader-text screen-reader-only screenreader hide "
    "is-hidden u-hidden aok-hidden offscreen invisible noprint".split()
)
"""Class names that, as a whole, say that an element is not shown."""

MIN_STEM = 6
"""Words of this length count inside longer words too, as in ``articlebyline``."""

_BY_WORD: dict[str, int] = {}
for _number, _words in enumerate(WORDS.values()):
    for _word in _words.split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | 1 << _number
_STEMS = [(word, bits) for word, bits in _BY_WORD.items() if len(word) >= MIN_STEM]
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")
_THREE_DIGITS = re.compile(r"\d\D*\d\D*\d")
_NUMBER = re.compile(r"\d+")


def hints_of(name: str) -> int:
    """What a name hints at: bit i stands for the group of number i of :data:`WORDS`."""
    found = 0
    for part in _PARTS.findall(name):
        word = part.lower()
        found |= _BY_WORD.get(word, 0)
        if word.endswith("s"):
            found |= _BY_WORD.get(word[:-1], 0)
    lower = name.lower()
    if len(lower) >= MIN_STEM:
        for stem, bits in _STEMS:
            if stem in lower:
                found |= bits
    return found


def without_numbers(name: str) -> str:
    """A name with a zero for each number."""
    return _NUMBER.sub("0", name)


def looks_lasting(name: str) -> bool:
    """Whether a name looks as if people had chosen it, for all pages: few digits, no mixture of letters and digits."""
    if _THREE_DIGITS.search(name):
        return False
    return len(name) <= 6 or not (any(map(str.isdigit, name)) and re.search(r"\d[a-z]|[a-z]\d", name))
