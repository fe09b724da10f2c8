"""Words that tell what a text or an element is: labels before dates and names, and the names that sites give elements.

The words of a label are those of many languages; the names of elements are mostly English everywhere.
"""

from __future__ import annotations

import re
from functools import lru_cache


class Sign:
    """What the names of an element say of it, each a bit of a number."""

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


def _word(words: str) -> str:
    """An expression for some words between spaces, hyphens and underscores."""
    return rf"(?:^|[\s_-])(?:{words})(?:$|[\s_-])"


_NAMES = {
    Sign.PUBLISHED: (
        r"publish|pub-?date|posted|post[_-]?(?:date|time|on)|entry[_-]?(?:date|time)|article[_-]?(?:date|"
        r"time)|dateline|"
        r"created|date-?(?:header|publi|post)|issued|erschienen|release"
    ),
    Sign.DATED: (
        r"(?:^|[^a-z])(?:date|time|datum|fecha|data|when|day|zeit|byline|timestamp)|(?:date|time|stamp)(?:$|[^a-z])"
    ),
    Sign.CHANGED: r"updat|modif|edited|lastmod|changed|revis",
    Sign.AUTHOR: (
        r"(?:^|\s)name(?:$|\s)|author|byline|by-line|autor|writer|contributor|creator|reporter|posted-?by|post-?by|"
        + _word(r"fn|poster|user-?name|nickname|redakt\w+|verfasser|columnist|journalist|auteurs?")
    ),
    Sign.ABOUT_AUTHOR: r"bio|descri|avatar|social|follow|twitter|email|title|role|job|date|time|count|posts",
    Sign.TAG: _word(r"tags?|keywords?|post-?tags?|tag-?links?|tag-?list|topics|schlagwort\w*|etiquetas?|labels?"),
    Sign.CATEGORY: _word(r"categor(?:y|ies)|cats?|cat-?links?|kategori\w*|rubri\w+|post-?cat\w*|section|ctg"),
    Sign.PICTURE: r"caption|credit|photo|figure|image|copyright",
    Sign.ASIDE: (
        r"comment|respond|reply|replies|sidebar|side-?bar|widget|related|recent|popular|colophon|"
        r"(?:^|\s)(?:(?:site|page|main|global)[_-]?)?foot(?:er)?(?:$|\s)|"
        + _word(
            r"nav|menu|navbar|navigation|pager|pagination|archives?|cookie\w*|banner|newsletter|most-?\w*|"
            r"tagcloud|blogroll|"
            r"modal|popup|login"
        )
    ),
    Sign.PERHAPS_ASIDE: _word(
        r"calendar|events?|countdown|clock|promo|teasers?|latest|trending|recommend\w*|more|prev\w*|next|"
        r"signature|sig|"
        r"upcoming|also|subscri\w*|search(?:-?(?:form|box|bar|results?))?|weather|ticker|carousel|slider"
    ),
}
_SIGNS = [(sign, re.compile(names)) for sign, names in _NAMES.items()]


@lru_cache(4096)
def signs_of(names: str) -> int:
    """What names of an element say: its classes, its identifier, and ``itemprop`` and ``rel``."""
    found = Sign.NOTHING
    for name in names.lower().split():
        found |= _signs_of_one(name)
    return found


@lru_cache(4096)
def _signs_of_one(name: str) -> int:
    return sum(sign for sign, names_of_sign in _SIGNS if names_of_sign.search(name))


# Labels: what stands before something, at the end of a text

_ON = r"(?:\s+(?:on|at|am|le|el|il|op|dne|em|in|date|dato|del|um|w dniu|der|den|since|by|time))*"
_LAST = r"\s*[:：于於-]?\s*(?:\w{2,12}[.,]*\s*)?$"

PUBLISHED = re.compile(
    r"(?<!\w)(?:posted|published|publish|publication|date|created|added|written|issued|submitted|uploaded|"
    r"released|reported|"
    r"opened|asked|veröffentlicht|erschienen|erstellt|geschrieben|publié|parution|créé|publicado|"
    r"publicación|fecha|enviado|"
    r"pubblicato|gepubliceerd|geplaatst|geschreven|opublikowano|opublikowany|dodano|dodał|data|datum|дата|"
    r"опубликовано|"
    r"добавлено|skrevet|publicerad|publiceret|publisert|julkaistu|postado|tanggal|tarih|投稿日|公開|作成日|"
    r"発表|掲載|发布|发表|"
    r"日期|时间|đăng|wysłany|inviato|vytvořeno|vydáno|napsal)" + _ON + _LAST,
    re.IGNORECASE,
)
"""Before a date: this is when the page was published."""

CHANGED = re.compile(
    r"(?<!\w)(?:updated|update|modified|edited|changed|revised|revision|aktualisiert|aktualisierung|"
    r"geändert|stand|bearbeitet|"
    r"mis à jour|mise à jour|modifié|actualizado|actualización|modificado|aggiornato|aggiornamento|modifica|"
    r"atualizado|"
    r"bijgewerkt|zaktualizowano|aktualizacja|обновлено|изменено|更新|編集|编辑|修改|cập nhật|بروز\s?رسانی|"
    r"به\s?روز\s?رسانی|"
    r"آخر تحديث|تحديث|uppdaterad|oppdatert|opdateret|päivitetty|aktualizováno|upraveno|güncelleme|diperbarui)"
    + _ON
    + _LAST,
    re.IGNORECASE,
)
"""Before a date: this is when it was changed."""

OTHER_DATE = re.compile(
    r"(?<!\w)(?:joined|join date|member since|since|registered|born|birthday|birth|until|till|through|"
    r"deadline|expires|copyright|"
    r"\(c\)|currently|is now|last visit\w*|comments?|next|taken|retrieved|accessed|abgerufen|last post|dabei seit|"
    r"registriert|inscrit|registrado|beigetreten|starts?|ends?|when|wann|from|between|bis|event|died|version)"
    r"\W*(?:\w{2,12}\W*)?$|©\W*$",
    re.IGNORECASE,
)
"""Before a date: it is that of something else."""

TAGS = re.compile(
    r"(?:tags?|tagged(?: with| as)?|keywords?|schlagw\w+|etiquetas?|labels?|mots?-clés?|标签|タグ|теги|"
    r"метки|themen|topics?|"
    r"trefwoorden|słowa kluczowe|etiketter)\s*[:：]?\s*$",
    re.IGNORECASE,
)
CATEGORIES = re.compile(
    r"(?:categor(?:y|ies|ía|ías|ia|ie|ias)|filed under|posted in|kategorien?|rubrik|ressort|catégories?|"
    r"分类|カテゴリー?|рубрик\w*|"
    r"категори\w*|in|kategoria|categorie|abgelegt unter|veröffentlicht in|publicado en)\s*[:：]\s*$",
    re.IGNORECASE,
)
"""Before links: they are those of tags, or of categories."""

PICTURE = re.compile(
    r"(?:photos?|fotos?|bild(?:er|quelle)?|image|picture|illustration|grafik|graphic|credits?|©|quelle|"
    r"source|video|copyright)"
    r"\W*(?:by|von|de|courtesy|:)?\W*$|"
    r"^\W*(?:photos?|fotos?|bild(?:er|quelle)?|image|picture|illustration|grafik|graphic|credits?|©|quelle|"
    r"copyright)\b",
    re.IGNORECASE,
)
"""Before a name, or at its start: who made a picture."""

# Addresses of links

AUTHOR_LINK = re.compile(
    r"/(?:authors?|autor(?:en|es)?|auteurs?|autore|autori|profiles?|people|staff|columnists?|contributors?|"
    r"journalists?|"
    r"writers?|by|redaktion|redakteure|users?|members?|u)/[^/?#]|[?&]author=|(?:memberlist|"
    r"profile)\.php.*viewprofile|member\.php\?",
    re.IGNORECASE,
)
TAG_LINK = re.compile(
    r"(?:^|/)(?:tags?|topics?|schlagwort\w*|etiquetas?|keywords?|stichwort\w*|themen?|temas?|thema|labels?|"
    r"search/label|"
    r"issues|mot-cle|dossiers?)/[^?#]|[?&]tag=",
    re.IGNORECASE,
)
CATEGORY_LINK = re.compile(
    r"(?:^|/)(?:categor(?:y|ies|ia|ias|ie)|kategori\w*|rubri\w+|cat|sections?|ressorts?|sekcja)/[^?#]|"
    r"[?&]cat(?:egory)?=",
    re.IGNORECASE,
)
