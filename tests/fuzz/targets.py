"""Targets of fuzzing: each takes any bytes, and raises when a promise does not hold.

``run.py`` feeds them with atheris, ``asan.py`` with native modules under AddressSanitizer, and ``test_targets.py`` with
the corpus and with what hypothesis draws.
"""

from __future__ import annotations

import json
import pickle
import re
import sqlite3
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time
from typing import cast

from lxml import etree
from scrapy.http import HtmlResponse
from scrapy.settings import Settings

from scrapy_stemmer import Page, PatternSet, Role, Stripped, learn, strip
from scrapy_stemmer.commands.subcommands import teach
from scrapy_stemmer.crawl.files import CrawlFiles
from scrapy_stemmer.crawl.pages import ItemPage, PageRegistry, ResponsePage
from scrapy_stemmer.crawl.session import item_json
from scrapy_stemmer.crawl.session.held import HeldItems, item_line
from scrapy_stemmer.crawl.sites.table import Sites
from scrapy_stemmer.crawl.spool import left_items, opened, texts_of
from scrapy_stemmer.exceptions import PatternFileError, StemmerError
from scrapy_stemmer.learners.literature.layout import webstemmer
from scrapy_stemmer.learners.rules.learn.sample_choice import PageLook
from scrapy_stemmer.outputs import markdown_of, markdown_page
from scrapy_stemmer.page.document import OwnPage, parse, root_of
from scrapy_stemmer.page.text import UNWRITABLE
from scrapy_stemmer.patterns import codec
from scrapy_stemmer.patterns.base import Pattern, StripOptions
from scrapy_stemmer.settings import StemmerConfig
from tests.crawl.conftest import idle_crawler
from tests.engine.promises import read_and_written
from tests.refused import refuse_markup, refuse_scripts

PAGE_END = b"\n=====\n"
"""Stands between pages."""

MAX_PAGES = 6

URL = "https://fuzz.example/"

ALL_ROLES = StripOptions(text_roles=frozenset(Role))


def pages(data: bytes) -> None:
    """Pages are learned and stripped, saved and loaded, whatever they hold."""
    given = [Page(f"{URL}{number}", html) for number, html in enumerate(data.split(PAGE_END)[:MAX_PAGES])]
    for page in given:
        read_and_written(root_of(page))
    patterns = learn(given)
    loaded = PatternSet(codec.loads(codec.dumps(patterns.patterns)))
    if codec.dumps(loaded.patterns) != codec.dumps(patterns.patterns):
        raise AssertionError("what is loaded is not what was saved")
    for page in given:
        for options in (None, ALL_ROLES):
            stripped = patterns.strip(page, options)
            again = loaded.strip(page, options)
            if (stripped.text, stripped.html, stripped.title) != (again.text, again.html, again.title):
                raise AssertionError("a loaded pattern strips otherwise")
            if not 0 <= stripped.similarity <= 1 or not 0 <= (stripped.confidence or 0) <= 1:
                raise AssertionError(f"no share: {stripped.similarity}, {stripped.confidence}")
            stripped.text.encode()
            refuse_scripts(stripped.html)
            refuse_markup(stripped.markdown)
            if stripped.markdown != again.markdown or stripped.fields != again.fields:
                raise AssertionError("a loaded pattern strips otherwise")
        tell_all(strip(page))


def tell_all(stripped: Stripped) -> None:
    told = [stripped.title, stripped.sub_text, stripped.markdown, stripped.fields.as_dict()]
    json.dumps([*told, [block.text for block in stripped.blocks]], ensure_ascii=False).encode()
    pickle.dumps(stripped)
    if UNWRITABLE.search(f"{stripped.title}{stripped.text}{stripped.sub_text}"):
        raise AssertionError("a text controls terminals")
    refuse_scripts(stripped.html)
    _, front, markdown = markdown_page(URL, stripped).split("---\n", 2)
    if NOT_IN_YAML.search(front):
        raise AssertionError(f"front matter is no YAML: {front!r}")
    refuse_markup(markdown)


PLACES = (
    "{0} and so on", r"Text \({0}\) text", r"Text \[{0}\] text", "$${0}$$", r"$\alpha {0}$", "<b>[</b>{0}]: a",
    "<b>[{0}</b>]: javascript:a", "<math alttext='{0}'><mi>x</mi></math>", "<math display=block alttext='{0}'></math>",
    "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>{0}</annotation></semantics></math>",
    "<math><mtext>{0}</mtext><mi>{0}</mi></math>", r"<img src=/a.png alt='{{\displaystyle {0}}}'>",
    "<img src=/a.png alt='{0}'>", "<code>{0}</code>", "<a href='/{0}'>link</a>", "<a href=/a>{0}</a>", "<i>{0}</i>",
    "<a href='/`'>link</a> <code>{0}</code>", "<sub>{0}</sub>{0}", "<ul><li>{0}</ul>", "<ol start=2><li>{0}</ol>",
    "<pre>{0}</pre>", "<pre class='language-{0}'>x = 1\n y</pre>", "<table><tr><th>{0}<td>a<tr><td>b<td>{0}</table>",
    "<blockquote>{0}</blockquote>", "<h2>{0}</h2>", "<dl><dt>{0}<dd>{0}</dl>", "<ruby>{0}<rt>{0}</rt></ruby>",
    "Text<sup><a href=#n id=r>1</a></sup> text<p id=n><a href=#r>1</a>. {0}",
)  # fmt: skip
"""Places of a text in a page, between fixed words."""

WORDS = (
    "The river rose over the meadows in the night and the ferry stayed at the far bank until noon, they said to us. "
)


def markdown(data: bytes) -> None:
    """Check that text at any place of a page never becomes HTML in Markdown. The first bytes choose two places."""
    text = escape(data[2:].decode("utf-8", "replace"))
    places = [PLACES[byte % len(PLACES)].replace("{0}", text) for byte in data[:2]]
    body = "".join(f"<p>{WORDS}</p><div>{place}</div>" for place in places)
    page = Page(URL, f"<title>{text}</title><body><article><h1>{text}</h1>{body}<p>{WORDS * 5}</p></article>")
    stripped = strip(page)
    tell_all(stripped)
    for html in (body, stripped.html):
        refuse_markup(markdown_of(html, URL))


SIZES = 4_000, 40_000
"""Characters of pages whose times are compared."""

MOST_GROWTH = 30
"""Highest ratio of these times: thrice that of the sizes, as one is soon longer by chance."""

MOST_REPEATED = 60
"""Bytes of what is repeated."""

SLOW = 0.3
"""Seconds below which a time says nothing."""

TIMINGS = 3
"""Times that a growth is found before it is told."""

REPEATED = (
    "<title>A</title><body><p>Text {0} text", "<body>{0}<p>Text", "<title>{0}</title><body><h1>{0}</h1><p>Text",
    '<script type=application/ld+json>{"@type":{0}x}</script><body><p>Text', "<style>a{b:{0}}</style><body><p>Text",
    "<body><p>Text <a href='/x?{0}'>Ann Bee</a> and <a href='{0}'>more</a>", "<body><pre>{0}</pre><p>Text",
    "<meta name=author content='{0}'><body><p class=byline>By {0}", "<body><p class='{0}' style='{0}'>Text",
    "<body><p>Text <code>{0}</code> <img src=a alt='{0}'> <math alttext='{0}'><mi>x</mi></math>",
    "<body><time datetime='{0}'>{0}</time><p class=date>{0}<p>Text", "<script>var a = {0}</script><body><p>Text",
)  # fmt: skip
"""Where a part stands so often that the page has a size."""

CHANGES: Sequence[Callable[[etree._Element], object]] = (
    lambda each: cast("etree._Element", each.getparent()).remove(each),
    lambda each: each.set("class", "changed"),
    lambda each: setattr(each, "text", "changed" if isinstance(each.tag, str) else " changed "),
    lambda each: setattr(each, "tail", None if each.tail else "changed"),
    lambda each: etree.strip_tags(each, "*"),
    lambda each: each.insert(0, etree.Element("p")),
    lambda each: each.clear(),
)
"""Changes by a spider to an element."""


def changed(data: bytes) -> None:
    """Check a page's results after a spider has changed the tree of the response.

    The first bytes choose changes and elements.
    """
    choices, html = data[:4], data[4:] or b"<p>a"
    response = HtmlResponse(URL, body=html, encoding="utf-8")
    wanted, page = _told(ResponsePage(response, None)), ResponsePage(response, None)
    _ = page.root  # read before the callback
    for choice in choices:
        elements = [each for each in response.selector.root.iterdescendants() if isinstance(each.tag, str)]
        if elements:
            CHANGES[choice % len(CHANGES)](elements[choice // len(CHANGES) % len(elements)])
    if _told(page) != wanted:
        raise AssertionError("what a spider does to a tree makes a difference")


def _told(page: ResponsePage) -> tuple[object, ...]:
    stripped = page.stripped((), ALL_ROLES)
    return stripped.text, stripped.title, stripped.fields


def growing(data: bytes) -> None:
    """No part of a page takes time that grows faster than the page, however often it stands there.

    The first byte chooses a place, the rest is what is repeated.
    """
    place = REPEATED[(data[:1] or b"a")[0] % len(REPEATED)]
    part = data[1 : 1 + MOST_REPEATED].decode("utf-8", "replace") or "a"
    for _ in range(TIMINGS):  # another process may slow down one of them
        small, large = (_seconds(place.replace("{0}", part * (size // len(part)))) for size in SIZES)
        if large < SLOW or large < MOST_GROWTH * small:
            return
    raise AssertionError(f"{place!r} of {part!r} takes {large:.2f} s, and {small:.3f} s for a tenth of it")


def _seconds(html: str) -> float:
    """Return the seconds of computing of all results of a page, without those of the parser."""
    root = parse(html)
    started = thread_time()
    found = strip(OwnPage(URL, root))
    _ = found.text, found.html, found.markdown, found.fields
    return thread_time() - started


def pattern_file(data: bytes) -> None:
    """Check that a pattern file is refused with a :class:`PatternFileError`, or read, written and used."""
    try:
        patterns = codec.loads(data.decode("utf-8", "surrogateescape"))
    except PatternFileError:
        return
    if not writable(patterns):
        return
    text = codec.dumps(patterns)
    if codec.dumps(codec.loads(text)) != text:
        raise AssertionError("what is written is read otherwise")
    found = PatternSet(patterns)
    for site in found.sites:
        stripped = found.strip(Page(f"http://{site}/", "<title>a</title><body><div class=a><p>Some text.</p></div>"))
        refuse_scripts(stripped.html)


def webstemmer_file(data: bytes) -> None:
    """Check that a file of Webstemmer is refused, or imported and saved."""
    try:
        patterns = webstemmer.loads(data.decode("utf-8", "replace"), "fuzz.example")
    except PatternFileError:
        return
    if codec.dumps(codec.loads(codec.dumps(patterns))) != codec.dumps(patterns):
        raise AssertionError("an imported pattern is read otherwise")
    webstemmer.loads(webstemmer.dumps(patterns), "fuzz.example")
    PatternSet(patterns).strip(Page(URL, "<title>a</title><body><div><p>Some text.</p></div>"))


SITE = [Page(f"{URL}{number}", f"<body><div class=menu>Menu</div><p>{'Word ' * 30}{number}") for number in range(6)]


@cache
def _site() -> PatternSet:
    return learn(SITE)


def corrections(data: bytes) -> None:
    """A file of corrections is put into a pattern file, or refused with a :class:`StemmerError`."""
    with TemporaryDirectory() as folder:
        patterns, given = Path(folder, "p.jsonl"), Path(folder, "c.jsonl")
        _site().save(str(patterns))
        given.write_bytes(data)
        before = patterns.read_bytes()
        try:
            list(teach(Namespace(patterns=str(patterns), corrections=str(given), example=None), Settings()))
        except StemmerError:
            if patterns.read_bytes() != before:
                raise AssertionError("a part of the corrections was taken") from None
            return
        taught = PatternSet.load(str(patterns))
        stripped = taught.strip(SITE[0])
        tell_all(stripped)
        if learn(SITE, corrections=taught).sites != taught.sites:
            raise AssertionError("a site is gone that was learned again")


def spool(data: bytes) -> None:
    """Check that a damaged spool gives all readable items, or is put aside, and still takes new items."""
    with TemporaryDirectory() as folder:
        crawler = idle_crawler(STEMMER_STATE_DIR=folder, JOBDIR=folder)
        files = CrawlFiles(crawler, StemmerConfig.from_settings(crawler.settings, "fuzz"))
        files.spool().parent.mkdir()
        files.spool().write_bytes(data)
        with suppress(StemmerError):
            for left in left_items(files.spool()) or ():
                json.dumps(item_line(left, "html"))
        found, sites = opened(files.spool()), Sites(full=5, least=3, is_known=lambda _: False)
        for site in found.sampled():
            with suppress(ValueError, sqlite3.Error):
                learn(texts_of(found.rows(site)))
        held = HeldItems(crawler, found, sites, crawler.stats, files, PageRegistry())
        held.hold({"text": "new"}, ItemPage(URL, "<p>New"))
        for site in sites.waiting:
            held.release(site)
        last = None
        for last in held.released():
            held.done(last.number)
        if last is None or last.item != {"text": "new"}:
            raise AssertionError("a new item does not come out")
        is_all = held.write_remaining(is_paused=False)
        found.close(remove=is_all)


def waiting(data: bytes) -> None:
    """Check that a paused crawl's item, request and look are read, or refused with a :class:`ValueError`."""
    text = data.decode("utf-8", "replace")
    for read in (item_json.loads, PageLook.read):
        try:
            read(text)
        except ValueError:
            continue
    try:
        item = item_json.loads(text)
        written = item_json.dumps(item)
    except ValueError:
        return
    if item_json.dumps(item_json.loads(written)) != written:
        raise AssertionError("what is written is read otherwise")


def writable(patterns: Sequence[Pattern]) -> bool:
    """Return True if a file can hold the texts of patterns, as decoded bytes can."""
    try:
        codec.dumps(patterns).encode()
    except (PatternFileError, UnicodeEncodeError):
        return False
    return True


NOT_IN_YAML = re.compile("[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
"""Characters that YAML refuses, or takes for a new line."""

Target = Callable[[bytes], None]

TARGETS: Mapping[str, Target] = {
    "pages": pages,
    "changed": changed,
    "patterns": pattern_file,
    "webstemmer": webstemmer_file,
    "corrections": corrections,
    "waiting": waiting,
    "markdown": markdown,
    "growing": growing,
    "spool": spool,
}
"""The targets by the name of their folder in ``corpus/``."""
