"""Words for ``by`` and for authors in many languages, before and behind made names."""

from __future__ import annotations

import pytest

from scrapy_stemmer.fields.names import names_in, unlabelled
from scrapy_stemmer.fields.reading import read_fields
from scrapy_stemmer.page.document import parse
from tests.fields.pages import AUTHORS, LATEST, html, read, rules_of, site, url

BYLINES = """
he | מאת אורי שחר | אורי שחר
he | כתב: אורי שחר | אורי שחר
hi | रवि कुमार द्वारा | रवि कुमार
th | โดย สมชาย ใจดี | สมชาย ใจดี
th | ผู้เขียน: สมชาย ใจดี | สมชาย ใจดี
ko | 한지우 기자 | 한지우
ko | 글 한지우 | 한지우
zh | 记者 张伟 | 张伟
zh | 文/张伟 | 张伟
zh | 作者：张伟 | 张伟
zh | 本报记者 张伟 | 张伟
ro | de Ana Popescu | Ana Popescu
ro | Autor: Ana Popescu | Ana Popescu
el | Της Μαρίας Παππά | Μαρίας Παππά
el | Γράφει η Μαρία Παππά | Μαρία Παππά
bn | লিখেছেন রহিম উদ্দিন | রহিম উদ্দিন
bn | লেখক: রহিম উদ্দিন | রহিম উদ্দিন
ta | எழுதியவர் கண்ணன் ராஜா | கண்ணன் ராஜா
hy | Հեղինակ՝ Անի Սարգսյան | Անի Սարգսյան
am | ጸሐፊ፦ አበበ በቀለ | አበበ በቀለ
vi | Bởi Nguyễn Văn An | Nguyễn Văn An
fil | ni Juan Santos | Juan Santos
sw | Na Juma Hassan | Juma Hassan
hu | Írta: Kovács Anna | Kovács Anna
hu | Kovács Anna írta | Kovács Anna
hr | Piše: Ivan Horvat | Ivan Horvat
sr | Пише: Иван Петровић | Иван Петровић
ka | ავტორი: ნინო ბერიძე | ნინო ბერიძე
lt | Autorius: Jonas Kazlauskas | Jonas Kazlauskas
ur | تحریر: احمد علی | احمد علی
ru | Автор: Иван Петров | Иван Петров
de | Text: Anna Lee | Anna Lee
tr | Yazan: Ali Kaya | Ali Kaya
ja | 記者 山田太郎 | 山田太郎
ja | 山田太郎 記者 | 山田太郎
ar | بقلم: أحمد علي | أحمد علي
fa | نویسنده: احمد علی | احمد علی
pl | Tekst: Jan Nowak | Jan Nowak
"""
"""Language, byline, name."""


def authors_of(page: str) -> tuple[str, ...]:
    """Return the authors of a page of an unknown site."""
    return read_fields(parse(page), url(1), LATEST).authors


FORMS = [line.split(" | ") for line in BYLINES.strip().splitlines()]


@pytest.mark.parametrize(("language", "byline", "name"), FORMS)
def test_words_for_by_are_no_part_of_a_name_in_any_language(language: str, byline: str, name: str) -> None:
    assert names_in(byline) == (name,)
    for element in ("<span class=writer>{}</span>", "<p class=author>{}</p>"):
        page = html(1, f"<div>{element.format(byline)} <span>4.5.2024</span></div>")
        assert authors_of(page) == (name,)


@pytest.mark.parametrize(
    "byline",
    [
        "Foto: Ivan Horvat",
        "Фото: Иван Петров",
        "צילום: אורי שחר",
        "사진 한지우",
        "摄影：张伟",
        "Ảnh: Nguyễn Văn An",
        "Fotó: Kovács Anna",
    ],
)
def test_photographers_are_no_authors_in_any_language(byline: str) -> None:
    assert names_in(byline) == ()
    assert authors_of(html(1, f"<p class=byline>{byline}</p>")) == ()


@pytest.mark.parametrize("name", ["De Niro", "Na Hong-jin", "De Vries", "Ni Yulan"])
def test_names_may_begin_with_a_word_that_means_by_elsewhere(name: str) -> None:
    assert names_in(name) == (name,)


@pytest.mark.parametrize(
    ("text", "left"),
    [("Xyzzy: Ann Lee", "Ann Lee"), ("Ann Lee", "Ann Lee"), ("Xyzzy plugh: Ann Lee", "Ann Lee"), ("Foto: Ann Lee", "")],
)
def test_in_an_element_for_authors_a_label_is_no_part_of_a_name(text: str, left: str) -> None:
    assert unlabelled(text) == left
    page = html(1, f"<span class=writer>{text}</span>")
    assert authors_of(page) == ((left,) if left else ())


@pytest.mark.parametrize(
    "byline",
    [
        "<span class=writer>Xyzzy {author}</span> <time>{day}</time>",
        "<span class=who>Xyzzy {author}</span> <time>{day}</time>",
        "<p>Xyzzy {author}</p><p>{day}</p>",
        "<span class=who>Xyzzy <a href=/p>{author}</a></span> <time>{day}</time>",
        "<span class=writer>Xyzzy: {author}</span> <time>{day}</time>",
    ],
)
def test_a_word_that_returns_before_varying_names_is_no_part_of_them(byline: str) -> None:
    pages = site(byline)
    assert read(pages[5], rules_of(*pages[:5])).authors == (AUTHORS[5],)


def test_a_first_name_that_many_authors_of_a_site_share_is_part_of_their_names() -> None:
    pages = [
        html(number, "<span class=writer>{author}</span>").replace(AUTHORS[number], name)
        for number, name in enumerate(("Ann Lee", "Ann Ek", "Bo Orr", "Cy May", "Ann Fox", "Ann Kay"))
    ]
    assert read(pages[5], rules_of(*pages[:5])).authors == ("Ann Kay",)


@pytest.mark.parametrize(
    ("stated", "head"),
    [
        ("Example", ""),  # in the title
        ("Heron News", "<meta property=og:site_name content='Heron News'>"),
        ("a.example", ""),
        ("Heron Media", ""),  # the link to the home page
    ],
)
@pytest.mark.parametrize("byline", ["<p>By Bo Ek</p>", "<p class=author>Bo Ek</p>", "<a rel=author href=/b>Bo Ek</a>"])
def test_a_shown_byline_goes_before_the_sites_name_in_metadata(stated: str, head: str, byline: str) -> None:
    page = html(1, byline, f"<meta name=author content='{stated}'>{head}")
    page = page.replace("<div class=top>", "<div class=top><a href=/>Heron Media</a> <a href=/n>News</a> ")
    assert authors_of(page) == ("Bo Ek",)
    assert authors_of(page.replace(byline, "")) == (stated,)
