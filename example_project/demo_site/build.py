#!/usr/bin/env python3
"""Builder of the demonstration site from its contents and themes, with equal bytes on every run.

    python demo_site/build.py              # writes pages/, gold.jsonl and content_types.json beside this file
    python demo_site/build.py --out DIR    # writes to DIR

The English edition is packed for ``scrapy stemmer demo`` as well, for use without a checkout.

``pages/<host>/`` is served to the crawl, ``content_types.json`` has the headers other than plain ``text/html``.
``gold.jsonl`` is never served: for each page its URL, layout, language, title, and the text for a reader.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from html import escape
from itertools import chain
from pathlib import Path
from string import Template
from typing import TypeVar

from content import Block, Entry, read_entries
from faults import spoil
from markup import code_html, gold_lines, inline_html, inline_text, items_html, table_html

HERE = Path(__file__).resolve().parent
PACKED = HERE.parents[1] / "scrapy_stemmer" / "commands" / "demo.jsonl.gz"
GUIDES = {"en": "guides", "ja": "tebiki"}
HOSTS = {"en": "heron.example", "ja": "ja.heron.example"}
HOME_ARTICLES, HOME_GUIDES = 8, 5
WORDS = {
    "en": {
        "home": "Home", "previous": "Previous guide", "next": "Next guide", "date": "{0.day} {0:%B} {0.year}",
        "time": "{0.day} {0:%B} {0.year}, {0.hour}.{0.minute:02}", "joint": ", ",
        "weekdays": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday"),
        "skies": ("cloudy", "light rain", "bright spells", "fog on the river"),
    },
    "ja": {
        "home": "トップ", "previous": "前の手引き", "next": "次の手引き", "date": "{0.year}年{0.month}月{0.day}日",
        "time": "{0.year}年{0.month}月{0.day}日 {0.hour}時{0.minute:02}分", "joint": "　",
        "weekdays": ("月曜日", "火曜日", "水曜日", "木曜日", "金曜日"),
        "skies": ("くもり", "小雨", "晴れ時々くもり", "川沿いは霧"),
    },
}  # fmt: skip

T = TypeVar("T")


class Chance:
    """Choices that depend only on a page's address, equal on every run."""

    def __init__(self, url: str) -> None:
        self.url = url

    def number(self, what: str, low: int, high: int) -> int:
        """A number from low to high, both included."""
        digest = hashlib.blake2b(f"{self.url} {what}".encode(), digest_size=8).digest()
        return low + int.from_bytes(digest, "big") % (high - low + 1)

    def pick(self, what: str, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.number(what, 0, len(options) - 1)]

    def sample(self, what: str, options: Sequence[T], count: int) -> list[T]:
        """Some of the options, in an order of their own."""
        order = sorted(range(len(options)), key=lambda index: self.number(f"{what} {index}", 0, 2**32))
        return [options[index] for index in order[:count]]


@dataclass(frozen=True)
class Edition:
    """A host: its sections, articles, guides and theme."""

    lang: str
    sections: tuple[Entry, ...]
    entries: tuple[Entry, ...]
    parts: dict[str, list[Template]] = field(repr=False)

    @property
    def host(self) -> str:
        """The host that the edition is served from."""
        return HOSTS[self.lang]

    def words(self, name: str) -> str:
        """A word or a date form of the edition."""
        return str(WORDS[self.lang][name])

    def layout(self, entry: Entry) -> str:
        """article, guide or index."""
        if entry.section == "site":
            return "index"
        return "guide" if entry.section == GUIDES[self.lang] else "article"

    def of_layout(self, layout: str) -> list[Entry]:
        """The entries of a layout, newest first."""
        found = [entry for entry in self.entries if self.layout(entry) == layout]
        return sorted(found, key=lambda entry: entry.head["date"], reverse=True)

    def part(self, name: str, /, **values: object) -> str:
        """A part of the theme, filled in."""
        return self.parts[name][0].substitute(values)

    def section_name(self, slug: str) -> str:
        """The name of a section in navigation and kicker."""
        return next(entry.short for entry in self.sections if entry.slug == slug)

    def teased(self, section: Entry) -> list[Entry]:
        """The entries on an index page: its section's; on the home page two articles, a guide, and so on."""
        if section.slug != "home":
            return [entry for entry in self.entries if entry.section == section.slug]
        articles, guides = self.of_layout("article")[:HOME_ARTICLES], self.of_layout("guide")[:HOME_GUIDES]
        pairs = [[*articles[2 * n : 2 * n + 2], guide] for n, guide in enumerate(guides)]
        return list(chain.from_iterable(pairs))


def path_of(entry: Entry) -> str:
    """The path of an entry's page."""
    if entry.section != "site":
        return f"/{entry.section}/{entry.slug}.html"
    return "/" if entry.slug == "home" else f"/{entry.slug}/"


def number_of(entry: Entry) -> int:
    """The number of an entry in the content management system."""
    return Chance(f"{entry.section}/{entry.slug}").number("id", 1000, 9999)


def read_edition(lang: str) -> Edition:
    """Return an edition from its content files and its theme."""
    folder = HERE / "content" / lang
    sections = read_entries(folder / "site.txt")
    names = [section.slug for section in sections if section.slug != "home"]
    entries = chain.from_iterable(read_entries(folder / f"{name}.txt") for name in names)
    return Edition(lang, tuple(sections), tuple(entries), read_theme(HERE / "theme" / f"{lang}.html"))


def read_theme(path: Path) -> dict[str, list[Template]]:
    """The parts of a theme; banners, footer links and imprints come several times."""
    parts: dict[str, list[Template]] = {}
    _, *chunks = re.split(r"^<!--@ (\w+) -->\n", path.read_text(encoding="utf-8"), flags=re.M)
    for name, text in zip(chunks[::2], chunks[1::2], strict=True):
        parts.setdefault(name, []).append(Template(text.rstrip("\n")))
    return parts


@dataclass(frozen=True)
class PageBuilder:
    """One page of an edition."""

    edition: Edition
    entry: Entry

    @property
    def layout(self) -> str:
        return self.edition.layout(self.entry)

    @property
    def url(self) -> str:
        return f"http://{self.edition.host}{path_of(self.entry)}"

    @property
    def chance(self) -> Chance:
        return Chance(self.url)

    @property
    def section(self) -> str:
        """Return the section that the navigation marks as current."""
        return self.entry.slug if self.entry.section == "site" else self.entry.section

    @property
    def declared(self) -> str:
        """The charset that the page claims to have."""
        head = self.entry.head
        return head.get("declared", head.get("encoding", "utf-8")).replace("_jp", "-jp")

    @property
    def charset_in(self) -> str:
        """Return the places of the charset declaration: meta, header or both."""
        ways = ("meta",) if "encoding" in self.entry.head else ("meta", "header", "both")
        return self.chance.pick("charset", ways)

    @property
    def content_type(self) -> str:
        return "text/html" if self.charset_in == "meta" else f"text/html; charset={self.declared}"

    def gold(self) -> dict[str, str]:
        """The line of gold.jsonl."""
        if self.layout == "index":
            teased = self.edition.teased(self.entry)
            lines = list(chain.from_iterable((entry.short, entry.head["summary"]) for entry in teased))
        else:
            lines = list(gold_lines(self.entry.blocks))
        values = {"url": self.url, "layout": self.layout, "lang": self.edition.lang, "title": self.entry.title}
        return {**values, "text": "\n".join([self.entry.title, *lines])}

    @property
    def encoding(self) -> str:
        """Return the true charset of the page, whatever it declares."""
        return self.entry.head.get("encoding", "utf-8")

    def encoded(self) -> bytes:
        """The page as it is served."""
        page = self.frame() + "\n"
        if fault := self.entry.head.get("fault"):
            page = spoil(page, fault)
        return page.encode(self.encoding, errors="xmlcharrefreplace")

    def frame(self) -> str:
        """The whole page."""
        main = self.edition.part(self.layout, **self.common(), **self.of_layout())
        banner = self.pick_part("banner")
        numbers = {name: self.chance.number(name, 1, 9) for name in ("version", "strip", "slot", "widget")}
        return self.edition.part(
            "frame", **self.common(), **numbers, main=main, banner=banner, meta_charset=self.meta_charset(),
            metadata=self.metadata(),
            layout=self.layout, ad=self.chance.number("ad", 100000, 999999),
            degrees=self.chance.number("degrees", 3, 14),
            sky=self.chance.pick("sky", WORDS[self.edition.lang]["skies"]),
            weekday=self.chance.pick("weekday", WORDS[self.edition.lang]["weekdays"]),
            navigation=self.navigation(), most_read=self.links("most_read_item", "most read", 5),
            footer_links="\n".join(self.footer_links()), imprint=self.pick_part("imprint"),
        )  # fmt: skip

    def pick_part(self, name: str) -> str:
        """One of the variants of a part."""
        return self.chance.pick(name, self.edition.parts[name]).substitute()

    def common(self) -> dict[str, object]:
        """Return the facts of an entry for most parts of a theme."""
        head = self.entry.head
        values = {"title": self.entry.title, "short": self.entry.short, "summary": head["summary"]}
        section = {"section": self.section, "section_name": self.edition.section_name(self.section)}
        numbers = {
            "id": number_of(self.entry),
            "ago": self.chance.number("ago", 3, 58),
            "path": path_of(self.entry),
        }
        return {**{name: escape(text) for name, text in values.items()}, **section, **numbers, **self.dated()}

    def dated(self) -> dict[str, str]:
        """Byline and date of an article or guide; an index has none."""
        if self.layout == "index":
            return {}
        when = datetime.fromisoformat(self.entry.head["date"])
        form = self.edition.words("date" if self.layout == "guide" else "time")
        return {"byline": self.entry.head["byline"], "iso": when.isoformat(), "date": form.format(when)}

    def of_layout(self) -> dict[str, object]:
        """Return the additional facts for the page's layout."""
        if self.layout == "index":
            teased = [PageBuilder(self.edition, entry) for entry in self.edition.teased(self.entry)]
            return {"teasers": "\n".join(self.edition.part("teaser", **page.common()) for page in teased)}
        shared = {"body": "\n".join(self.body()), "related": self.links("related_item", "related", 4)}
        if self.layout == "guide":
            return {**shared, **self.of_guide()}
        tags = self.edition.words("joint").join(self.entry.head["tags"].split(", "))
        return {**shared, "tags": tags, "comments": self.chance.number("comments", 0, 140)}

    def of_guide(self) -> dict[str, object]:
        """Contents, votes and pager of a guide."""
        guides = [entry for entry in self.edition.entries if self.edition.layout(entry) == "guide"]
        at = guides.index(self.entry)
        near = (("previous", guides[at - 1 : at] if at else []), ("next", guides[at + 1 : at + 2]))
        pager = [f'<a href="{path_of(e)}">{self.edition.words(way)}</a>' for way, found in near for e in found]
        heads = [inline_text(block.lines[0]) for block in self.entry.blocks if block.kind == "h2"]
        prefix = "section-" if self.edition.lang == "en" else "sec"
        contents = (f'<li><a href="#{prefix}{n}">{escape(head)}</a></li>' for n, head in enumerate(heads, 1))
        minutes, votes = self.chance.number("minutes", 4, 12), self.chance.number("votes", 5, 320)
        return {"contents": "\n".join(contents), "pager": " ".join(pager), "minutes": minutes, "votes": votes}

    def body(self) -> Iterator[str]:
        """Return an entry as HTML; every third article links to a further article after its second block."""
        heads = 0
        inset = self.layout == "article" and self.chance.number("inset", 1, 3) == 1
        for position, block in enumerate(self.entry.blocks):
            heads += block.kind == "h2"
            yield self.block(block, heads)
            if inset and position == 1:
                yield self.links("inset", "inset", 1)

    def block(self, block: Block, heads: int) -> str:
        """One block as HTML."""
        text = inline_html(block.lines[0])
        if block.kind in ("ul", "ol"):
            return f"<{block.kind}>\n{items_html(block.lines)}\n</{block.kind}>"
        if block.kind == "table":
            return table_html(block.lines, "docs-table")
        if block.kind == "code":
            return code_html(block.lines)
        if block.kind == "quote":
            return self.edition.part("quote", text=text)
        if block.kind == "figure":
            return self.edition.part("figure", id=self.chance.number("figure", 1000, 9999), caption=text)
        if block.kind in ("h2", "h3") and self.layout == "guide":
            number = heads if block.kind == "h2" else f"{heads}-1"
            return self.edition.part("heading", tag=block.kind, number=number, text=text)
        return f"<{block.kind}>{text}</{block.kind}>"

    def links(self, part: str, what: str, count: int) -> str:
        """Links to some other articles and guides."""
        others = [entry for entry in self.edition.entries if entry is not self.entry]
        chosen = [PageBuilder(self.edition, entry) for entry in self.chance.sample(what, others, count)]
        return "\n".join(self.edition.part(part, **page.common()) for page in chosen)

    def navigation(self) -> str:
        """The entries of the navigation, the present section marked."""
        entries = []
        for number, section in enumerate(self.edition.sections, 21):
            part = "nav_item_active" if section.slug == self.section else "nav_item"
            name = self.edition.words("home") if section.slug == "home" else section.short
            entries.append(self.edition.part(part, id=number, path=path_of(section), name=name))
        return "\n".join(entries)

    def footer_links(self) -> list[str]:
        """The links of the footer, on some pages in another order."""
        links = [part.substitute() for part in self.edition.parts["footer_link"]]
        turn = self.chance.pick("footer", (0, 0, 2))
        return links[turn:] + links[:turn]

    def metadata(self) -> str:
        """Return the metadata for social networks: articles declare their type and their time."""
        values = {"og:title": escape(self.entry.title), "og:type": "website"}
        if self.layout == "article":
            values |= {"og:type": "article", "article:published_time": self.dated()["iso"]}
        return "\n".join(f'<meta property="{name}" content="{value}">' for name, value in values.items())

    def meta_charset(self) -> str:
        """The meta element that names the charset, or an empty line when only the header does."""
        if self.charset_in == "header":
            return ""
        if self.edition.lang == "en":
            return f'<meta charset="{self.declared}">'
        return f'<meta http-equiv="Content-Type" content="text/html; charset={self.declared}" />'


def file_of(url: str) -> str:
    """The file below ``pages/`` that holds a URL."""
    name = url.removeprefix("http://")
    return f"{name}index.html" if name.endswith("/") else name


def all_pages() -> list[PageBuilder]:
    """Every page of both editions, by URL."""
    editions = [read_edition(lang) for lang in HOSTS]
    pages = [PageBuilder(e, entry) for e in editions for entry in (*e.sections, *e.entries)]
    return sorted(pages, key=lambda page: page.url)


def write_lines(path: Path, rows: Sequence[dict[str, str]]) -> None:
    """JSON Lines."""
    path.write_bytes("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def build(out: Path) -> int:
    """Writes everything below ``out``; the number of pages."""
    shutil.rmtree(out / "pages", ignore_errors=True)
    pages = all_pages()
    for page in pages:
        path = out / "pages" / file_of(page.url)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(page.encoded())
    for host in HOSTS.values():
        (out / "pages" / host / "robots.txt").write_bytes(b"User-agent: *\nDisallow: /account/\n")
    write_lines(out / "gold.jsonl", [page.gold() for page in pages])
    types = {page.url: page.content_type for page in pages if page.content_type != "text/html"}
    (out / "content_types.json").write_bytes(json.dumps(types, indent=0, sort_keys=True).encode() + b"\n")
    return len(pages)


def pack(pages: Sequence[PageBuilder], path: Path) -> None:
    """Write pages as a compressed feed, with right text for pages of a wrong charset."""
    rows = ({"url": page.url, "html": page.encoded().decode(page.encoding)} for page in pages)
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_bytes(gzip.compress(lines.encode(), mtime=0))


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description="Builds the demonstration site.")
    parser.add_argument("--out", type=Path, default=HERE, help="folder to write to (default: beside this file)")
    options = parser.parse_args()
    print(f"{build(options.out)} pages written to {options.out / 'pages'}")
    if options.out == HERE:
        pack([page for page in all_pages() if page.url.startswith(f"http://{HOSTS['en']}/")], PACKED)


if __name__ == "__main__":
    main()
