"""Vocabulary for texts and elements: labels before dates and names, and names of elements."""

from __future__ import annotations

import re
from typing import NamedTuple

from scrapy_stemmer.page.lazily import short_cache


class Sign:
    """Meanings of an element's names, as bits."""

    NOTHING = 0
    PUBLISHED = 1
    DATED = 2
    CHANGED = 4
    AUTHOR = 8
    ABOUT_AUTHOR = 16
    TAG = 32
    CATEGORY = 64
    PICTURE = 128
    ASIDE = 256
    PERHAPS_ASIDE = 512
    NAME = 1024
    FOOTER = 2048
    COMMENT = 4096
    HEADER = 8192
    CODE = 16384
    EVENT = 32768


_PARTS = {
    Sign.PUBLISHED: "publish pubdate posted postdate posttime poston entrydate entrytime articledate articletime "
    "dateline created dateheader datepubli datepost issued erschienen release",
    Sign.DATED: "byline timestamp",
    Sign.CHANGED: "updat modif edited lastmod changed revis",
    Sign.AUTHOR: "author byline autor contributor creator reporter postedby postby redakt",
    Sign.ABOUT_AUTHOR: "bio descri avatar social follow twitter email title role job date time count posts",
    Sign.PICTURE: "caption credit photo figure image copyright",
    Sign.ASIDE: "sidebar widget related recent popular colophon tagcloud blogroll",
    Sign.ASIDE | Sign.COMMENT: "comment respond reply replies disqus kommentare comentario commenti",
}
"""Parts of names, without hyphens, with a meaning anywhere in a name."""

_WORDS = {
    Sign.DATED: "data when day",
    Sign.NAME: "name",
    Sign.AUTHOR: "fn writer writers poster username nickname verfasser columnist journalist auteur auteurs",
    Sign.TAG: "tag tags keyword keywords posttag posttags taglink taglinks taglist topics schlagwort schlagworte "
    "etiqueta etiquetas label labels",
    Sign.CATEGORY: "category categories cat cats catlink catlinks kategori kategorie kategorien rubrik rubrique "
    "rubriques section ctg",
    Sign.ASIDE: "nav menu navbar navigation pager pagination archive archives cookie cookies banner newsletter most "
    "modal popup login",
    Sign.PERHAPS_ASIDE: "calendar event events countdown clock promo teaser teasers latest trending recommended "
    "recommendations more prev previous next signature sig upcoming also subscribe subscription search searchform "
    "weather ticker carousel slider",
    Sign.ASIDE | Sign.COMMENT: "response responses",
    Sign.EVENT: "countdown deadline expiry expires birthday",
}
"""Words of names, between hyphens and underscores."""

_EVENTS = frozenset(
    "startdate enddate dtstart dtend doortime duedate birthdate deathdate expirydate expirationdate validfrom "
    "validthrough validuntil".split()
)
"""Whole names, without hyphens, for dates of other things."""

_DATED_STARTS = ("date", "datum", "fecha", "time", "zeit")
_DATED_ENDS = ("date", "time", "stamp")

_FOOTERS = frozenset("foot footer sitefooter pagefooter mainfooter globalfooter".split())
"""Whole names, without hyphens, for a page's footer; an article's footer may hold its fields."""

_HEADERS = frozenset("header siteheader pageheader mainheader globalheader masthead topbar".split())
"""Whole names, without hyphens, for a page's header, with today's date."""

_SIGNS_OF_PARTS = [(part, sign) for sign, parts in _PARTS.items() for part in parts.split()]
_PARTS_BY_START = {part[:3]: [one for one in _SIGNS_OF_PARTS if one[0][:3] == part[:3]] for part, _ in _SIGNS_OF_PARTS}
_SIGNS_OF_WORDS = {word: sign for sign, words in _WORDS.items() for word in words.split()}


@short_cache(4096)
def signs_of(names: str) -> int:
    """Return the meaning of an element's classes, identifier, ``itemprop`` or ``rel``."""
    signs = Sign.NOTHING
    for name in names.lower().split():
        signs |= _signs_of_name(name)
    return signs


@short_cache(4096)
def _signs_of_name(name: str) -> int:
    words = name.replace("_", "-").split("-")
    plain = "".join(words)
    signs = Sign.ASIDE | Sign.FOOTER if plain in _FOOTERS else Sign.HEADER if plain in _HEADERS else Sign.NOTHING
    for at in range(len(plain) - 2):
        for part, sign in _PARTS_BY_START.get(plain[at : at + 3], ()):
            if plain.startswith(part, at):
                signs |= sign
    if plain in _EVENTS:
        signs |= Sign.EVENT
    for word in words:
        signs |= _SIGNS_OF_WORDS.get(word, Sign.NOTHING)
        if word.startswith(_DATED_STARTS) or word.endswith(_DATED_ENDS):
            signs |= Sign.DATED
    return signs


# Labels at the end of a text before a date or name

_ON = r"(?:\s+(?:on|at|am|le|el|il|op|dne|em|in|date|dato|del|um|w dniu|der|den|since|by|time))*"
_LAST = r"\s*[:：于於-]?\s*(?:\w{2,12}[.,]*\s*)?$"

_PUBLISHED = (
    r"(?<!\w)(?:posted|published|publish|publication|date|created|added|written|issued|submitted|uploaded|released|"
    r"reported|opened|asked|veröffentlicht|erschienen|erstellt|geschrieben|publié|parution|créé|publicado|publicación|"
    r"fecha|enviado|pubblicato|gepubliceerd|geplaatst|geschreven|opublikowano|opublikowany|dodano|dodał|data|datum|"
    r"дата|опубликовано|добавлено|skrevet|publicerad|publiceret|publisert|julkaistu|postado|tanggal|tarih|投稿日|公開|"
    r"作成日|発表|掲載|发布|发表|日期|时间|đăng|wysłany|inviato|vytvořeno|vydáno|napsal)"
)
_OF_PUBLISHED = re.compile(_PUBLISHED + _ON + _LAST, re.IGNORECASE)

_CHANGED = (
    r"(?:(?<!\w)(?:updated|update|modified|edited|changed|last (?:change|checked|verified)|revised|revision|reviewed|"
    r"aktualisiert|aktualisierung|letzte änderung|geändert|stand|bearbeitet|mis à jour|mise à jour|modifié|actualizado|"
    r"actualización|modificado|aggiornato|aggiornamento|modifica|atualizado|bijgewerkt|zaktualizowano|aktualizacja|"
    r"обновлено|изменено|编辑|cập nhật|بروز\s?رسانی|به\s?روز\s?رسانی|آخر تحديث|تحديث|uppdaterad|"
    r"oppdatert|opdateret|päivitetty|aktualizováno|upraveno|güncelleme|diperbarui)|"
    r"(?:更新|編集|修改)(?:日時?|日期|时间|時間)?)"
)
_BY_SOMEBODY = (
    rf"(?:\s+(?:by|von|par|por|da|di|door)(?:\s+(?!{_PUBLISHED})[^\s\d:|•·]+){{1,6}}\s+(?:on|am|le|el|il|op|em)\s)?"
)
_OF_CHANGED = re.compile(_CHANGED + _BY_SOMEBODY + _ON + _LAST, re.IGNORECASE)

_CHANGE = re.compile(_CHANGED, re.IGNORECASE)
_BEFORE_NUMBER = 50  # characters


def says_change(text: str) -> bool:
    """Return True if a longer text has a word for a change followed by a number."""
    befores = _NUMBER.split(text)[:-1]
    return any(_CHANGE.search(before[-_BEFORE_NUMBER:]) for before in befores if len(before) > 1)


_NUMBER = re.compile(r"\d+")

_OF_OTHER = re.compile(
    r"(?<!\w)(?:joined|join date|member since|since|registered|born|birthday|birth|until|till|through|deadline|"
    r"expires|copyright|effective|generated(?: on| at)?|today(?:['’]s)?|edition|apply|available from|\(c\)|currently|"
    r"is now|last (?:visit\w*|seen|reply|active|activity|login|post)|comments?\b|next|taken|retrieved|accessed|"
    r"abgerufen|dabei seit|geboren|termin|frist|\w+schluss|beginn|jusqu['’]au|consulté|hasta|vence|registriert|"
    r"inscrit|registrado|beigetreten|starts?|ends?|when|wann|from|between|bis|event|died|"
    r"version(?:\s*[\d.]+)?)\W*(?:\w{2,12}\W*)?$|©\W*$",
    re.IGNORECASE,
)
_OF_OTHER_KIND = re.compile(
    r"(?<!\w)(?:(?:event|due|closing|expiry|expiration|start|end|opening|renewal|delivery|departure|arrival|birth|"
    r"death|court|exam|sale|travel) dates?|dates? of (?:birth|death|the event|departure|arrival))\W*$|(?:^|\s)by\W*$|"
    r"(?<![\d:.,/])\d{1,2}\.?\s?[-–]\s?$",
    re.IGNORECASE,
)
"""Labels with priority over others: ``Due date:``, ``Apply by``, or the first day of an event."""


class Label(NamedTuple):
    """Meaning of the words before a date."""

    kind: int  # ``Sign.PUBLISHED``, ``Sign.CHANGED``, ``Sign.EVENT`` for other things; else nothing
    word: str  # the first word for publication or change


@short_cache(4096)
def label_in(text: str) -> Label:
    published, changed = _OF_PUBLISHED.search(text), _OF_CHANGED.search(text)
    match = changed or published
    word = match.group().split()[0].strip(":：").casefold() if match else ""
    if _OF_OTHER_KIND.search(text) or (published is None and _OF_OTHER.search(text)):
        return Label(Sign.EVENT, word)
    return Label(Sign.CHANGED if changed else Sign.PUBLISHED if published else Sign.NOTHING, word)


RANGE = re.compile(r"\s*(?:[-–—]|to|until|bis|au|al|hasta)\s*", re.IGNORECASE)  # text between the two dates of a period

BEHIND_DATELINE = re.compile(r"\s*(?:[-–—|]|:\s)")  # between a dateline and its first sentence

_TAGS = re.compile(
    r"(?:tags?|tagged(?: with| as)?|keywords?|schlagw\w{1,20}+|etiquetas?|labels?|mots?-clés?|标签|タグ|теги|метки|"
    r"themen|topics?|trefwoorden|słowa kluczowe|etiketter)(?:\s*+[:：])?\s*+$",
    re.IGNORECASE,
)
_CATEGORIES = re.compile(
    r"(?:categor(?:y|ies|ía|ías|ia|ie|ias)|filed under|posted in|kategorien?|rubrik|ressort|catégories?|分类|"
    r"カテゴリー?|рубрик\w{0,20}+|категори\w{0,20}+|in|kategoria|categorie|abgelegt unter|veröffentlicht in|"
    r"publicado en)\s*+[:：]\s*+$",
    re.IGNORECASE,
)
_LONGEST_BEFORE = 30  # characters


@short_cache(4096)
def announced_by(before: str) -> str:
    end = before[-_LONGEST_BEFORE:]
    return "tags" if _TAGS.search(end) else "categories" if _CATEGORIES.search(end) else ""


# Addresses of links

_AUTHOR_PATH = re.compile(
    r"/(?:authors?|autor(?:en|es)?|auteurs?|autore|autori|profiles?|people|staff|columnists?|contributors?|"
    r"journalists?|writers?|by|redaktion|redakteure|users?|members?|u)/[^/?#]",
    re.IGNORECASE,
)
_AUTHOR_QUERY = re.compile(
    r"[?&]author=|(?:memberlist|profile)\.php(?:(?!(?:memberlist|profile)\.php).)*?viewprofile|member\.php\?",
    re.IGNORECASE,
)
HANDLE_LINK = re.compile(r"/@[\w.-]+(?:$|[?#])")  # addresses of people, but also of subjects of a text

_ACCOUNT = re.compile(r"log-?_?(?:in|out)|sign-?_?(?:up|in|out)|register|join|password|settings", re.IGNORECASE)

_TAG_PATH = re.compile(
    r"/(?:tags?|topics?|schlagwort\w*|etiquetas?|keywords?|stichwort\w*|themen?|temas?|thema|labels?|search/label|"
    r"issues|mot-cle|dossiers?)/[^?#]",
    re.IGNORECASE,
)
_TAG_QUERY = re.compile(r"[?&]tag=", re.IGNORECASE)
_CATEGORY_PATH = re.compile(
    r"/(?:categor(?:y|ies|ia|ias|ie)|kategori\w*|rubri\w+|cat|sections?|ressorts?|sekcja)/[^?#]", re.IGNORECASE
)
_CATEGORY_QUERY = re.compile(r"[?&]cat(?:egory)?=", re.IGNORECASE)
# Paths and queries are matched apart: expressions that begin with a slash are ten times as fast.


def is_of_author(href: str) -> bool:
    has_query = "=" in href or "php" in href
    return _AUTHOR_PATH.search(href) is not None or (has_query and _AUTHOR_QUERY.search(href) is not None)


def is_of_tag(href: str) -> bool:
    return _TAG_PATH.search(f"/{href}") is not None or ("=" in href and _TAG_QUERY.search(href) is not None)


def is_of_category(href: str) -> bool:
    return _CATEGORY_PATH.search(f"/{href}") is not None or ("=" in href and _CATEGORY_QUERY.search(href) is not None)


def is_of_account(href: str) -> bool:
    return _ACCOUNT.search(href) is not None
