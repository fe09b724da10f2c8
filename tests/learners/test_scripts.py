"""The default learner on small sites in several scripts, without words of any language.

The texts are words drawn at random, of lengths and with marks as each script has them. Class names are those of
English makers, of makers of another language, without any meaning, or not there at all.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from scrapy_stemmer import Page, PageKind, Role, Stripped, learn
from tests.learners.rules.made import ARTICLE


@dataclass(frozen=True)
class Script:
    """The writing of a language: some words, and the marks between words, clauses and sentences."""

    words: str
    space: str = " "
    comma: str = ", "
    stop: str = ". "


SCRIPTS: Mapping[str, Script] = {
    "ja": Script("大雨 地震 選挙 祭り 住民 朝 町 静か 語った 工場 研究 市長 予算 計画 学校 図書館", "", "、", "。"),
    "zh": Script("暴雨 地震 选举 节日 居民 早晨 城市 安静 表示 工厂 研究 市长 预算 计划 学校 图书馆", "", "，", "。"),
    "th": Script("ฝนตก แผ่นดินไหว เลือกตั้ง เทศกาล ชาวบ้าน เช้า เมือง เงียบ กล่าว โรงงาน วิจัย นายก ท่าเรือ", "", " ", " "),
    "ar": Script("المطر الزلزال الانتخابات المهرجان السكان الصباح المدينة هادئة قال المصنع البحث الميناء", comma="، "),
    "ru": Script("дождь выборы праздник жители утром город тихо сказал завод мэр бюджет план школа порт корабль мост"),
    "el": Script("βροχή σεισμός εκλογές γιορτή κάτοικοι πρωί πόλη ήσυχα είπε εργοστάσιο έρευνα δήμαρχος σχέδιο λιμάνι"),
}  # fmt: skip

NAMES = {
    "Japanese": ("案内", "記事", "本文", "関連", "日付"),
    "meaningless": ("z1", "z2", "z3", "z4", "z5"),
}
"""The class names of navigation, article, its text, related links, and date line."""


class Site:
    """A site whose pages have a menu, an article with a picture, related links and a footer."""

    def __init__(self, lang: str, names: str, head: str) -> None:
        self.lang, self.names, self.head = lang, NAMES[names], head
        self.script = SCRIPTS[lang]
        self.words = self.script.words.split()

    def phrase(self, chance: random.Random, words: int) -> str:
        return self.script.space.join(chance.choice(self.words) for _ in range(words))

    def sentence(self, chance: random.Random) -> str:
        clauses = (self.phrase(chance, chance.randint(3, 6)) for _ in range(2))
        return self.script.comma.join(clauses) + self.script.stop

    def article(self, number: int) -> Article:
        chance = random.Random(f"{self.lang} {number}")
        return Article(
            title=self.phrase(chance, 5),
            text=["".join(self.sentence(chance) for _ in range(5)).strip() for _ in range(5)],
            caption=self.sentence(chance).strip(),
            links=[self.phrase(chance, 6) for _ in range(4)],
            date=f"2026-{number % 12 + 1:02}-{number % 28 + 1:02}",
        )

    def page(self, number: int) -> Page:
        found, (menu, story, text, related, date) = self.article(number), self.names
        first, *others = (f"<p>{paragraph}</p>" for paragraph in found.text)
        figure = f"<figure><img src=x><figcaption>{found.caption}</figcaption></figure>"
        sections = "".join(f"<li><a href=/{word}>{word}</a></li>" for word in self.words[:6])
        links = "".join(f"<li><a href=/{index}>{link}</a></li>" for index, link in enumerate(found.links))
        html = (
            f"<html lang={self.lang}><head><title>{found.title} | {self.words[0]}</title>{self.head}</head><body>"
            f'<div class="{menu}"><ul>{sections}</ul></div><div class="{story}"><h1>{found.title}</h1>'
            f'<div class="{date}">{found.date}</div><div class="{text}">{first}{figure}{"".join(others)}</div>'
            f'<ul class="{related}">{links}</ul></div><div>{self.sentence(random.Random(7))}</div></body></html>'
        )
        return Page(f"https://{self.lang}.example/{number}", html)

    def stripped(self, pages: int) -> Stripped:
        """Return a stripped page that was not learned."""
        return learn([self.page(number) for number in range(pages)]).strip(self.page(99))


@dataclass(frozen=True)
class Article:
    """The parts that a page was made of."""

    title: str
    text: list[str]
    caption: str
    links: list[str]
    date: str


@pytest.mark.parametrize("pages", [1, 4])
@pytest.mark.parametrize("names", ["Japanese", "meaningless"])
@pytest.mark.parametrize("lang", SCRIPTS)
def test_articles(lang: str, names: str, pages: int) -> None:
    """The scorer decides if title, caption and date belong to the text, independently of the script."""
    site = Site(lang, names, ARTICLE)
    found, made = site.stripped(pages), site.article(99)
    lines = found.text.split("\n")
    assert (found.title, found.kind) == (made.title, PageKind.CONTENT)
    assert [line for line in lines if line in made.text] == made.text
    assert not set(lines) & {*made.links, *site.words[:6]}
    roles = {block.text: block.role for block in found.blocks}
    assert roles[made.caption] in (Role.CAPTION, Role.MAIN)
    assert {roles[link] for link in made.links} <= {Role.RELATED, Role.TEMPLATE}
    assert {roles[word] for word in site.words[:6]} == {Role.TEMPLATE}
