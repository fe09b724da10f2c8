"""What is hinted at by the elements around a block, and by their identifiers and class names."""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from functools import lru_cache

from scrapy_stemmer.learners.rules.paths import Component, Paths

# The vocabulary that makers of web pages share in all languages

WORDS: Mapping[str, str] = {
    "content": "content article post entry body main text story prose markdown document documentation detail details "
    "description desc product page maincontent bodytext articlebody postbody entrycontent",
    "caption": "caption credit figure photo image",
    "byline": "byline bio author dateline timestamp contributor date published time",
    "related": "related promo recirc readmore recommend recommended recommendation trending popular outbrain taboola "
    "carousel latest similar recent recently viewed compare compared upsell crosssell also",
    "item": "card teaser item list listing grid row summary excerpt archive feed result results",
    "social": "share sharing social facebook twitter addthis sharedaddy like likes vote voting poll helpful feedback",
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
    "sidebar": "sidebar aside widget side secondary complementary related left right rightcol rightcolumn rightblock "
    "rightbar rightside rightbox rightcontent mainright contentright colright rightpanel rightmain rightcontainer "
    "blockright boxright columnright sideblock sidebox",
    "footer": "footer foot bottom",
    "header": "header masthead top head logo branding",
    "tags": "tags tag topics meta metadata category categories cat labels keywords info",
    "title": "title headline heading",
    "subtitle": "dek deck subhead subheading subheadline standfirst subtitle lede lead intro",
    "search": "search login user account cart basket form language lang",
    "code": "code highlight pre source syntax linenos linenumbers gutter",
    "price": "price sku stock shipping qty quantity buy addtocart",
    "message": "thread forum topic message answer question reply signature avatar",
    "discussion": "comments commentlist commentsection commentthread commentarea commentcontainer respond disqus "
    "livefyre",
}
"""Words of identifiers and class names by what they hint at; they count in a plural with -s too, and in two parts, as
``comment-list``. A section of comments is told from one comment, which is the text of a page more often."""

ROLLS: Mapping[str, str] = {
    "en": "newsroll newsroller newsitem newslist newswire newsfeed newsticker newsline newsblock lastnews latestnews "
    "othernews hotnews topnews topstories morenews morestories relnews popnews breakingnews seealso readalso alsoread "
    "readnext seemore mostread mostviewed mostpopular mostcommented mostshared toplist hotlist hottopic hottopics "
    "morelink morelinks morelist toppicks editorspick editorspicks bestof feedlist",
    "ru": "lenta anons anonses anonsy anonce novostey poslednie pohozhie populyarnoe chitaemoe chitayte svezhie",
    "pl": "ostatnie najnowsze polecane polecamy podobne powiazane zobacz czytaj wiecej najczesciej najczytniejsze "
    "popularne zajawka zajawki",
    "de": "verwandte aehnliche weitere weiterlesen neueste neuste meistgelesen empfehlung empfehlungen empfohlen "
    "lesetipps",
    "fr": "liees similaires derniers dernieres connexes alire lireaussi voiraussi",
    "es": "relacionado relacionada ultimas ultimos masleidas masleidos masvisto destacados recomendados",
    "pt": "leiamais leiatambem vejamais vejatambem maislidas destaques ultimasnoticias",
    "it": "correlati correlate leggianche ultimenotizie piuletti consigliati potrebbeinteressarti",
    "nl": "gerelateerd gerelateerde leesook leesmeer laatstenieuws meestgelezen",
    "sv": "relaterade relaterat senaste lasmer mestlasta",
    "tr": "ilgili ilgilihaberler digerhaberler sondakika cokokunan cokokunanlar benzer",
    "cs": "souvisejici nejnovejsi nejctenejsi dalsiclanky",
    "el": "sxetika schetika sxetikes teleutaia perissotera roieidiseon",
    "zh": "xiangguan tuijian remen zuixin paihang redian",
    "ja": "kanren osusume shinchaku",
    "hu": "kapcsolodo legfrissebb hasonlo ajanlo",
    "ro": "similare recomandate ultimele",
}
"""By languages, words of news rolls and lists of other pages, the latest, the most read, the related ones. They hint at
``related``; ``python -m training.names`` says how much text stands in elements with such names."""

GROUPS = tuple(WORDS)

HIDDEN_NAMES = frozenset(
    "hidden visually-hidden visuallyhidden sr-only d-none screen-reader-text screen-reader-only screenreader hide "
    "is-hidden u-hidden aok-hidden offscreen invisible noprint".split()
)
"""Class names that, as a whole, say that an element is not shown."""

MIN_STEM = 6  # words of this length count inside longer words too, as in ``articlebyline``

_BY_WORD: dict[str, int] = {}
for _number, _group in enumerate(GROUPS):
    for _word in " ".join([WORDS[_group], *(ROLLS.values() if _group == "related" else ())]).split():
        _BY_WORD[_word] = _BY_WORD.get(_word, 0) | 1 << _number
_STEMS: dict[str, list[tuple[str, int]]] = {}  # by their first letters, so that few are tried
for _word, _bits in _BY_WORD.items():
    if len(_word) >= MIN_STEM:
        _STEMS.setdefault(_word[:MIN_STEM], []).append((_word, _bits))
_RUNS = re.compile(r"[a-z]+")
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[^\W\d_]+")


_NO_HINT = re.compile(
    r"^__next$|^(?:full|short)comment(?:top)?$|"
    r"(?:text|border|margin|padding|align|float|pull|push|offset)(?:-(?:xs|sm|md|lg|xl))?[-_]"
    r"(?:left|right|top|bottom)(?![a-z])",
    re.IGNORECASE,
)
"""What has words of :data:`WORDS` in another sense: the root of a page made by Next.js, which is no link to the next
page; what Scaladoc calls its descriptions; and styles such as ``text-left`` and ``border-bottom``, which are neither
sidebars nor footers."""


@lru_cache(maxsize=8192)
def hints_of(name: str) -> int:
    """What a name hints at: bit i stands for the group of number i of :data:`WORDS`."""
    name = _NO_HINT.sub("", name)
    hints, lower, before = 0, name.lower(), ""
    runs = _RUNS.findall(lower)
    for word in runs if lower == name and name.isascii() else map(str.lower, _PARTS.findall(name)):
        hints |= _BY_WORD.get(word, 0) | _BY_WORD.get(before + word, 0)
        if word.endswith("s"):
            hints |= _BY_WORD.get(word[:-1], 0)
        before = word
    for run in runs:
        for at in range(len(run) - MIN_STEM + 1):
            for stem, bits in _STEMS.get(run[at : at + MIN_STEM], ()):
                if run.startswith(stem, at):
                    hints |= bits
    return hints


# The elements around the paths of a site, and what their names hint at

FAR = 99  # levels up to an element that does not exist

TAGS = ("p", "li", "h1", "h2", "h3", "td", "dd", "dt", "pre", "div", "section", "article", "blockquote")
"""Elements that a block may be; see :data:`SAME_TAG`."""

SAME_TAG = {"h4": "h3", "h5": "h3", "h6": "h3", "th": "td", "tr": "td"}  # elements that count as others of :data:`TAGS`

AROUND = "main article nav aside footer header form figure table ul dl blockquote pre section details".split()
"""Elements that a block may stand in."""

SAME_AROUND = {"ol": "ul", "menu": "ul", "figcaption": "figure", "caption": "figure", "tbody": "table", "td": "table"}
"""Elements that count as others of :data:`AROUND`."""

ROLES = {
    "navigation": "nav",
    "complementary": "aside",
    "contentinfo": "footer",
    "banner": "header",
    "main": "main",
    "search": "form",
    "article": "article",
}
"""ARIA roles that count as elements of :data:`AROUND`."""

HIDDEN = len(AROUND) + len(GROUPS)  # the number of hidden elements, behind those of :data:`AROUND` and the groups
WIDTH = HIDDEN + 1  # levels up that are known of a path

_WITHOUT_TEXT = "byline related social subscribe popup ad legal button comment review navigation footer search"

NOISE = [
    *map(AROUND.index, "nav aside footer header form".split()),
    *(len(AROUND) + GROUPS.index(group) for group in _WITHOUT_TEXT.split()),
    HIDDEN,
]
"""Elements that hold no text of the page, on nearly all sites. Most names are too rare to be learned one by one."""

_TAG = {**{tag: number for number, tag in enumerate(TAGS)}, **{tag: TAGS.index(as_) for tag, as_ in SAME_TAG.items()}}
_AROUND = {tag: number for number, tag in enumerate(AROUND)}
_AROUND_BY_TAG = {**_AROUND, **{tag: _AROUND[as_] for tag, as_ in SAME_AROUND.items()}}
_AROUND_BY_ROLE = {role: _AROUND[tag] for role, tag in ROLES.items()}
_NOWHERE = bytes([FAR]) * WIDTH
_NEXT = bytes(min(level + 1, FAR) for level in range(256))


SHAPE_TAGS = 4  # elements of a path whose tags are part of its shape
Shape = tuple[int, tuple[str, ...]]  # elements on a path, and the tags of its last ones, the innermost first


class PathFeatures:
    """What the paths of a site tell, a row of bytes for each. It grows with the paths, and the body counts for none."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths
        self.tags = bytearray()  # for each path the number of its last element's tag in :data:`TAGS`, or their count
        # for each path :data:`WIDTH` levels up: to the nearest element of each kind of :data:`AROUND`, to the nearest
        # with a name of each group, and to the nearest hidden one
        self.levels = bytearray()
        # for each path a number for how deep it is and its last tags: sites whose names are generated have nothing else
        # that tells their paragraphs from their cards
        self.shapes = array("i")
        self._shapes: dict[Shape, int] = {}
        self._by_number: list[Shape] = []
        self._steps: dict[tuple[int, str], int] = {}
        self.update()

    def update(self) -> None:
        """Add the paths that are new."""
        paths, shapes, levels, steps = self._paths, self.shapes, self.levels, self._steps
        new = slice(len(self.tags), None)
        for component, parent in zip(paths.components[new], paths.parents[new], strict=True):
            tag = component.tag
            self.tags.append(_TAG.get(tag, len(TAGS)))
            step = shapes[parent] if parent >= 0 else -1, tag
            shape = steps.get(step)
            if shape is None:
                shape = steps[step] = self._shape(*step)
            shapes.append(shape)
            if parent < 0:
                levels += _NOWHERE
                continue
            row = levels[parent * WIDTH : (parent + 1) * WIDTH].translate(_NEXT)
            for number in numbers_of(component):
                row[number] = 0
            levels += row

    def _shape(self, above: int, tag: str) -> int:
        """The number of the shape of an element in one of another shape."""
        depth, tags = self._by_number[above] if above >= 0 else (0, ())
        shape = depth + 1, (tag, *tags[: SHAPE_TAGS - 1])
        number = self._shapes.setdefault(shape, len(self._shapes))
        if number == len(self._by_number):
            self._by_number.append(shape)
        return number


@lru_cache(maxsize=1024)
def numbers_of(component: Component) -> tuple[int, ...]:
    """The numbers of what an element is and of what its names hint at, maybe several times: the elements of
    :data:`AROUND` come first, then the groups of names, then :data:`HIDDEN`."""
    tag, names, role, is_hidden = component
    found = [_AROUND_BY_TAG[tag]] if tag in _AROUND_BY_TAG else []
    if role in _AROUND_BY_ROLE:
        found.append(_AROUND_BY_ROLE[role])
    for name in names:
        found += _numbers_of_name(name)
    if is_hidden:
        found.append(HIDDEN)
    return tuple(found)


@lru_cache(maxsize=8192)
def _numbers_of_name(name: str) -> tuple[int, ...]:
    """What a name of an element, with its mark, hints at."""
    hints = hints_of(name[1:])
    groups = [len(AROUND) + number for number in range(len(GROUPS)) if hints >> number & 1]
    return (*groups, HIDDEN) if name[1:].lower() in HIDDEN_NAMES else tuple(groups)
