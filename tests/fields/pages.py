"""Pages of a site with known fields."""

from __future__ import annotations

from scrapy_stemmer.fields.learning import learned_rules, page_fields
from scrapy_stemmer.fields.metadata import PageTree
from scrapy_stemmer.fields.reading import Fields, read_fields
from scrapy_stemmer.fields.rules import FieldRule
from scrapy_stemmer.page.document import parse

LATEST = "2026-11-24"
AUTHORS = ("Ann Lee", "Bo Ek", "Cy Orr", "Dee May", "Eve Fox", "Flo Kay")
TOPICS = ("storm", "harbour", "election", "museum", "bridge", "winter")


def day(number: int) -> str:
    return f"2024-0{number + 1}-{number + 11}"


def html(number: int, byline: str, head: str = "", after: str = "") -> str:
    """Return a page, with ``{author}``, ``{day}`` and ``{month}``, ``{d}``, ``{m}`` filled in by its number."""
    topic, date = TOPICS[number], day(number)
    values = {"author": AUTHORS[number], "day": date, "d": int(date[8:]), "m": int(date[5:7])}
    text = "".join(f"<p>{f'The {topic} was seen by everyone in town. ' * 6}</p>" for _ in range(3))
    return (
        f"<html lang=en><head><title>A {topic} | Example</title>{head.format(**values)}</head><body>"
        f"<div class=top>Monday 2 February 2026</div><h1>A {topic}</h1>{byline.format(**values)}{text}"
        f"{after.format(**values)}</body></html>"
    )


def url(number: int) -> str:
    return f"https://a.example/{TOPICS[number]}"


def rules_of(*pages: str) -> tuple[FieldRule, ...]:
    """Return the rules learned from pages."""
    return learned_rules([page_fields(PageTree(parse(page), url(number)), LATEST) for number, page in enumerate(pages)])


def site(byline: str, head: str = "", after: str = "") -> list[str]:
    return [html(number, byline, head, after) for number in range(6)]


def read(page: str, rules: tuple[FieldRule, ...], number: int = 5) -> Fields:
    return read_fields(parse(page), url(number), LATEST, rules)


def read_page(page: str, rules: tuple[FieldRule, ...] = (), url: str = "https://a.example/") -> Fields:
    """Return all fields of a page."""
    return read_fields(parse(page), url, LATEST, rules)
