"""Growth of computing time with the size of hostile pages: ``python -m tests.soak.growth [NAME...]`` prints the growth
of all constructs.

Each construct is made small and large, and each output of it timed, without the time that libxml2 takes to parse it.
A table of the fastest growth follows, with the constructs whose parse grows faster itself.
"""

from __future__ import annotations

import gc
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple, cast

from lxml import etree

from scrapy_stemmer import Page, learn, strip
from scrapy_stemmer.page.document import root_of
from scrapy_stemmer.patterns.base import MatchOptions
from scrapy_stemmer.patternset import PatternSet, Stripped
from scrapy_stemmer.report.documents import ReportOptions, read_samples, site_documents
from scrapy_stemmer.report.figures import SiteFigures
from tests.soak.hostile import PAGES, WORDS, Maker, nested, numbered, repeated

SMALL, LARGE = 20_000, 400_000
"""Characters of a small and a large page."""

MOST_GROWTH = 25
"""Highest ratio of the times of a large page and a small page of a twentieth of the characters."""

STEADY = 6
"""Highest ratio of the times of a large page and a quarter of it, of a construct whose growth is above the bound.

Below, time grows with the depth of elements, of which libxml2 reads 2,048, and with what the processor's memory holds.
"""

SOON = 0.02
"""Seconds below which a large page is not suspicious."""

DEPTH = 1_900
"""Elements in each other; libxml2 reads no more than 2,048."""

LIMIT = 120
"""Seconds of computing for a construct."""

LEARNED_PAGES = 3
"""Pages of a site that is learned."""

ELEMENTS = (
    "a abbr address applet area article aside audio b base basefont bdi bdo big blink blockquote br button canvas "
    "caption center cite code col colgroup command data datalist dd del details dfn dialog dir div dl dt em embed "
    "fieldset figcaption figure font footer form frame frameset h1 h3 h6 header hgroup hr i iframe img input ins "
    "isindex kbd label legend li link main map mark marquee math menu meta meter nav nobr noembed noframes noscript "
    "object ol optgroup option output p param picture plaintext portal pre progress q rb rp rt rtc ruby s samp script "
    "search section select slot small source span strike strong style sub summary sup svg table tbody td template "
    "textarea tfoot th thead time title tr track tt u ul var video wbr xmp x-y"
).split()
"""Elements of pages of a single element."""

FRAME = f"<title>Title 1</title><body><h1>Title 1</h1><p>{WORDS}</p>"
"""Beginning of a page."""


def of_elements() -> Iterator[tuple[str, Maker]]:
    """Yield pages of an element: nested, side by side, not closed, and closed without a start."""
    for name in ELEMENTS:
        yield f"{name} in each other", nested(f"<{name}>a", f"</{name}>")
        yield f"{name} side by side", repeated(lambda n, name=name: f"<{name}>a{n}</{name}>\n", FRAME)  # type: ignore[misc]
        yield f"{name} open", repeated(lambda n, name=name: f"<{name}>a", FRAME)  # type: ignore[misc]
        yield f"{name} empty", repeated(lambda n, name=name: f"<{name}></{name}>", FRAME)  # type: ignore[misc]


def around(start: str, part: Callable[[int], str]) -> Maker:
    """Return pages of many parts in elements that are nested as deep as libxml2 goes."""

    def made(size: int) -> str:
        before = FRAME + start * min(DEPTH, size // 4 // len(start))
        return repeated(part, before)(size)

    return made


MARKS = "\u0301\u0323" * 400
"""Combining marks in an order that takes quadratic time to be normalized."""

MORE: Mapping[str, Maker] = {
    "formulas around blocks": around("<math>", lambda n: f"<p>a{n}</p>"),
    "formulas in spans": around("<span>", lambda n: "<math><mi>x</mi></math>"),
    "code around paragraphs": around("<pre>", lambda n: f"<p>a{n}</p>"),
    "code in elements": around("<div>", lambda n: f"<pre>{n}</pre>"),
    "pictures around images": around("<picture>", lambda n: f"<img src=/{n}.png>"),
    "lazy images of a picture": repeated(
        lambda n: f"<source data-srcset='/{n}.png 1x'><img class=lazy src=/{n}.png>", f"{FRAME}<p>a<picture>",
    ),
    "buttons around text": around("<button aria-expanded=true class=faq>", lambda n: f"{n}\n"),
    "buttons around images": around("<button aria-expanded=true class=faq>", lambda n: f"<img src=/{n}.png>"),
    "buttons before parts": around(
        "<div><button aria-expanded=true class=faq>Is it so?</button><div>", lambda n: f"<img src=/{n}.png>"
    ),
    "times in elements": around("<div>", lambda n: f"<time>1 May {n % 90 + 1930}</time>"),
    "bylines in elements": around("<div>", lambda n: f"<i class='byline author'>By Ann Bee{n}</i>"),
    "microdata in elements": around("<div>", lambda n: f"<i itemprop=author>Ann B{n}</i>"),
    "rows of links": repeated(lambda n: f"<tr><td><a href=/{n}>a {n}</a>", f"{FRAME}<table>"),
    "cells with breaks": repeated(lambda n: f"<tr><td>a<br>{n}<br>|<td>b", f"{FRAME}<table>"),
    "tables of two cells": repeated(lambda n: f"<table><tr><td>a<td>{n}</table>", FRAME),
    "tables": repeated(lambda n: f"<table><tr><th>a<td>{n}</table>", FRAME),
    "rows across": repeated(lambda n: f"<tr><td rowspan={n % 90}>a{n}<td colspan={n % 9}>b", f"{FRAME}<table>"),
    "footers with a date": repeated(lambda n: f"<footer>Updated 1 May {n}</footer>", FRAME),
    "links of tags": repeated(lambda n: f"<a rel=tag href=/tag/{n}>tag {n}</a>, ", f"{FRAME}<p>"),
    "links of authors in bold": repeated(lambda n: f"<a rel=author href=/author/{n}>Ann <b>Lee{n}</b></a> ", FRAME),
    "marks of Markdown": repeated(lambda n: "*_`[]()#+-!\\|~^$<>&", f"{FRAME}<p>"),
    "backticks": repeated(lambda n: "`" * (n % 50) + " ", f"{FRAME}<p>"),
    "code with backticks": repeated(lambda n: f"<code>{'`' * (n % 30)}</code>", f"{FRAME}<p>"),
    "open brackets of Markdown": repeated(lambda n: "[", f"{FRAME}<p>"),
    "images in links": repeated(lambda n: f"<a href=/{n}>[<img src=/{n} alt=']a{n}['>](</a>", f"{FRAME}<p>"),
    "dollars": repeated(lambda n: "$a$$b", f"{FRAME}<p>"),
    "open formulas": repeated(lambda n: "\\(\\[$$", f"{FRAME}<p>"),
    "formulas in text": repeated(lambda n: f"\\(x_{n}\\) $$y^{n}$$ ", f"{FRAME}<p>"),
    "alternatives of formulas": repeated(lambda n: f"<img src=a alt='{{\\displaystyle x{n}}}'>", f"{FRAME}<p>"),
    "labels of footnotes": repeated(lambda n: f"[^{n}] <sup><a href=#n{n} id=r{n}>[{n}]</a></sup>", f"{FRAME}<p>"),
    "notes": repeated(lambda n: f"<li id=n{n}><a href=#r{n}>^</a> Note {n}", f"{FRAME}<ol>"),
    "footnotes that share a note": repeated(lambda n: f"<a href=#n id=r{n}>{n}</a>", f"{FRAME}<p id=n>"),
    "hidden": repeated(lambda n: "<p hidden>a<p style='display:none'>b<i aria-hidden=true>c</i>", FRAME),
    "styles": repeated(lambda n: f"<p style='a:{n};display: block'>a{n}", FRAME),
    "style": repeated(lambda n: f".a{n}{{background:url(/{n}.png)}} ", "<head><style>", f"</style>{FRAME}"),
    "open addresses of style": repeated(lambda n: "url(", "<head><style>", f"</style>{FRAME}"),
    "spaces in style": repeated(lambda n: " " * 64, "<head><style>url(", f"</style>{FRAME}"),
    "comments of style": repeated(lambda n: "/*", "<head><style>", f"</style>{FRAME}"),
    "spaces in JSON-LD": repeated(
        lambda n: " " * 64, '<script type=application/ld+json>{"@type":', f"x}}</script>{FRAME}",
    ),
    "open JSON-LD": repeated(lambda n: '{"@type":["', "<script type=application/ld+json>", f"</script>{FRAME}"),
    "scripts of JSON-LD": repeated(
        lambda n: '<script type=application/ld+json>{"@type":"Article"}</script>', after=FRAME,
    ),
    "brackets in a script": repeated(lambda n: "[{", "<script>var a = ", f"</script>{FRAME}"),
    "quotes in a script": repeated(lambda n: "\\\"'", "<script>var a = '", f"</script>{FRAME}"),
    "one address": repeated(lambda n: "profile.php", f"{FRAME}<p><a href='/x?", "'>Ann Bee</a>"),
    "marks in a title": repeated(lambda n: "\u0301\u0323", "<title>e", f" - Title 1</title>{FRAME}"),
    "marks in a heading": repeated(lambda n: "\u0301\u0323", f"<title>e\u0301 | a</title>{FRAME}<h1>e", "</h1>"),
    "marks in a link home": repeated(lambda n: "\u0301\u0323", f"{FRAME}<a href='/'>e", "</a>"),
    "marks in a date": repeated(lambda n: "\u0301\u0323", f"{FRAME}<span class='date published'>e", "</span>"),
    "marks in an address": repeated(lambda n: "\u0301\u0323", f"{FRAME}<p>a <a href='https://e", "/'>Ann Bee</a>"),
    "addresses with marks": repeated(
        lambda n: f"<a href='https://e{n}{MARKS}/'>Ann Bee {n}</a>", f"{FRAME}<p>a "
    ),
    "steps of an address": repeated(lambda n: "../a/", f"{FRAME}<p><a href='", "'>Ann Bee</a>"),
    "parameters of an address": repeated(lambda n: f"a{n}=b&amp;", f"{FRAME}<p><a href='/x?", "'>Ann Bee</a>"),
    "addresses that can't be": repeated(lambda n: f"<a href='http://[{n}'>a</a>", f"{FRAME}<p>"),
    "numbers": repeated(lambda n: "1", f"{FRAME}<p>"),
    "dates in text": repeated(lambda n: f"{n % 28 + 1} May {1990 + n % 30}, ", f"{FRAME}<p>"),
    "names": repeated(lambda n: "By Ann Lee and ", f"{FRAME}<p class=author>"),
    "words of one letter": repeated(lambda n: "a ", f"{FRAME}<p>"),
    "ideographs": repeated(lambda n: "水果很好。", f"{FRAME}<p>"),
    "marks that join": repeated(lambda n: "\u0301", f"{FRAME}<p>e"),
    "invisible characters": repeated(lambda n: "\u200b\u00ad", f"{FRAME}<p>a"),
    "no-break spaces": repeated(lambda n: "\u00a0 ", f"{FRAME}<p>a", "b"),
    "line separators": repeated(lambda n: "\u2028\u0085\v", f"{FRAME}<p>a", "b"),
    "control characters": repeated(lambda n: "\x1b[2J\x07", f"{FRAME}<p>a", "b"),
    "emoji": repeated(lambda n: "👩‍👩‍👧", f"{FRAME}<p>"),
    "quotes and breaks": repeated(lambda n: "<blockquote>a<br>b", FRAME),
    "lists with breaks": repeated(lambda n: "<ul><li>a<br>b", FRAME),
    "code in lists": repeated(lambda n: f"<ul><li><pre>a\n {n}</pre>", FRAME),
    "boxes of an item": repeated(lambda n: "<input type=checkbox checked>&nbsp;", f"{FRAME}<ul><li>"),
    "breaks": repeated(lambda n: "<br>", FRAME),
    "breaks and spaces": repeated(lambda n: "<br> &nbsp; ", f"{FRAME}<p>a"),
    "lines of pre with marks": repeated(lambda n: "~~~\n```\n    a\n", f"{FRAME}<pre>", "</pre>"),
    "numbers of lines": repeated(
        lambda n: f"{n}\n", f"{FRAME}<table><tr><td><pre>", "</pre><td><pre>a\nb</pre></table>",
    ),
    "headings of levels": repeated(lambda n: f"<h{n % 6 + 1}>a {n}</h{n % 6 + 1}>b", FRAME),
    "the title again": repeated(lambda n: "<p>Title 1</p>", FRAME),
    "the title in parts": repeated(lambda n: "Title 1 | ", "<title>", f"</title><body><h1>Title 1</h1><p>{WORDS}"),
    "names of a site": repeated(
        lambda n: f"<meta property=og:site_name content='Title {n}'>", f"<head>{FRAME[:22]}", FRAME[22:],
    ),
    "comments of readers": repeated(
        lambda n: f"<div class=comment id=c{n}><a class=author>Ann</a><p>{WORDS}</div>", FRAME,
    ),
    "teasers": repeated(
        lambda n: f"<article><h2><a href=/{n}>Head {n}</a></h2><time>1 May 2020</time>a</article>", FRAME,
    ),
    "segments in each other": repeated(
        lambda n: f"<div hidden id=S:{n:x}><template id=B:{n + 1:x}></template></div>", FRAME,
    ),
    "slots": repeated(
        lambda n: f"<x-a><template shadowrootmode=open><slot name=a{n}></slot></template><i slot=a{n}>a</i></x-a>",
        FRAME,
    ),
    "images without source": repeated(lambda n: "<img><picture><source srcset='a 1x, b 2x'><img></picture>", FRAME),
    "lazy images": repeated(
        lambda n: f"<img data-src=/{n}.jpg src=data:,><noscript><img src=/{n}.jpg></noscript>", FRAME,
    ),
    "frames": repeated(lambda n: f"<iframe src=https://www.youtube.com/embed/{n}></iframe>", FRAME),
    "ids": repeated(lambda n: f"<p id=a{n}>a", FRAME),
    "one id": repeated(lambda n: "<p id=a>a<a href=#a>b</a>", FRAME),
    "languages": repeated(lambda n: f"<p lang=l{n} dir=rtl>a", FRAME),
    "namespaces": repeated(lambda n: f"<svg:a{n} xmlns:svg=a{n}>a", FRAME),
    "instructions": repeated(lambda n: "<?a b?><![CDATA[a]]><!a>", FRAME),
    "roles": repeated(lambda n: "<div role=navigation>a<div role=main>b</div></div>", FRAME),
    "code within lines in each other": repeated(lambda n: "<span><code>t ", f"{FRAME}<details><summary>"),
    "short texts beside links": repeated(lambda n: f"<p>text {n}</p><a href=#x>{n}</a>", FRAME),
    "a hundred classes each": repeated(
        lambda n: f"<p class='{' '.join(f'c{n * at % 997}' for at in range(100))}'>a {n}</p>", FRAME,
    ),
    "long words": repeated(lambda n: f"<p>{'x' * 2000}{n}", FRAME),
    "long lines": repeated(lambda n: f"<p>{WORDS * 20}{n}", FRAME),
}  # fmt: skip
"""Pages by their constructs, besides the soak's."""

SLOWER = {
    "segments": "2,000 segments are moved at most: 0.1 s",
    "buttons around text": "1,900 buttons in each other, as deep as libxml2 reads: 0.06 s",
}
"""Constructs whose time grows faster up to a bound, and the bound."""

CONSTRUCTS: Mapping[str, Maker] = {**PAGES, **dict(of_elements()), **MORE}


# Timing


class Seconds:
    """Seconds of computing of each output of a page, in this thread."""

    def __init__(self) -> None:
        self.of: dict[str, float] = {}

    def time(self, name: str, task: Callable[[], object]) -> object:
        """Time a task, and keep the least time of its name."""
        gc.disable()  # collections take their time from whoever allocates next
        try:
            started = time.thread_time()
            found = task()
            taken = time.thread_time() - started
        finally:
            gc.enable()
        self.of[name] = min(taken, self.of.get(name, taken))
        return found


REPORT = ReportOptions("p.jsonl", Path(), MatchOptions(), "utf-8", is_online=True, key="")

PARSES = {
    **dict.fromkeys(("parse", "text", "sub_text", "blocks", "html", "markdown", "fields"), 0),
    **dict.fromkeys(("read", "strip", "report"), 1),
    "learn": LEARNED_PAGES,
}
"""Timed outputs, with the parses in each; ``parse`` is one of libxml2 alone, ``read`` one as browsers show the page."""

OUTPUTS = tuple(PARSES)

OF_SITES = frozenset({"learn", "report"})
"""Outputs of several pages, which take ten times as long as the others."""

UNLEARNED = " open", " empty"
"""Ends of names of constructs whose sites are not learned: twins of others, but for a few levels of elements."""


def parsed(html: str) -> etree._Element:
    """Return the tree that libxml2 makes of a page."""
    parser: etree.HTMLParser[etree._Element] = etree.HTMLParser(encoding="utf-8", huge_tree=True, collect_ids=False)
    return etree.fromstring(html.encode(), parser)


def time_page(html: str, seconds: Seconds, *, is_learned: bool = True) -> None:
    """Time each output of a page, and learning and reporting on a site of similar pages."""
    page = Page("https://hostile.example/a", html)
    seconds.time("parse", lambda: parsed(html))
    seconds.time("read", lambda: root_of(page))
    found = seconds.time("strip", lambda: strip(page))
    for name in ("text", "sub_text", "html", "markdown", "fields"):
        seconds.time(name, lambda: getattr(found, name))  # noqa: B023
    seconds.time("blocks", lambda: list(cast(Stripped, found).blocks))
    if is_learned:
        time_site([Page(f"https://hostile.example/{n}", numbered(html, n)) for n in range(LEARNED_PAGES)], seconds)


def time_site(pages: Sequence[Page], seconds: Seconds) -> None:
    """Time learning a site and a report on a page."""
    patterns = seconds.time("learn", lambda: learn(pages))
    assert isinstance(patterns, PatternSet)
    seconds.time("report", lambda: reported(patterns, pages[0]))


def reported(patterns: PatternSet, page: Page) -> list[tuple[str, str]]:
    """Return the documents of a report on a page."""
    samples = read_samples(patterns.patterns, [page], REPORT, [])
    names = tuple(pattern.name for pattern in patterns.patterns)
    site = SiteFigures(tuple(sample.figures for sample in samples), None, page.site, (*names, None))
    return list(site_documents(site, patterns.patterns, samples, REPORT))


class Growth(NamedTuple):
    """Growth of an output of a construct."""

    name: str
    output: str
    small: float  # seconds of computing
    large: float

    @property
    def ratio(self) -> float:
        """Return the ratio of the seconds of a large page and a small page."""
        return self.large / self.small

    @property
    def is_bad(self) -> bool:
        """Return True above the bound, except for short times, which say nothing, and for the parser's own growth."""
        return self.output != "parse" and self.large > SOON and self.ratio > MOST_GROWTH

    def __str__(self) -> str:
        return f"{self.name:32} {self.output:9} {1e3 * self.small:8.1f} ms {1e3 * self.large:9.1f} ms {self.ratio:6.1f}"


def growth(
    name: str, sizes: tuple[int, int] = (SMALL, LARGE), times: int = 1, *, is_learned: bool = True
) -> list[Growth]:
    """Return the growth of each output of a construct, each timed so often; small pages twice as often."""
    taken = []
    for size, often in zip(sizes, (2 * times, times), strict=True):
        html, seconds = CONSTRUCTS[name](size), Seconds()
        for _ in range(often):
            time_page(html, seconds, is_learned=is_learned)
        taken.append(seconds.of)
    small, large = map(without_parses, taken)
    return [Growth(name, output, small[output], large[output]) for output in OUTPUTS if output in small]


def without_parses(seconds: Mapping[str, float]) -> dict[str, float]:
    """Return seconds of outputs without the parses in each; what is too short to be bad in a large page is no less."""
    less = {output: taken - PARSES[output] * seconds["parse"] for output, taken in seconds.items()}
    return {output: max(taken, SOON / MOST_GROWTH) for output, taken in less.items()}


@contextmanager
def limited(seconds: int) -> Iterator[None]:
    """Raise TimeoutError in what computes for longer."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def grown(name: str, sizes: tuple[int, int] = (SMALL, LARGE), *, is_learned: bool = True) -> list[Growth]:
    """Return the growths of a construct above the bound, timed again twice if there are any."""
    return again([each for each in growth(name, sizes, is_learned=is_learned) if each.is_bad], sizes)


def again(found: list[Growth], sizes: tuple[int, int] = (SMALL, LARGE)) -> list[Growth]:
    """Return those growths that are above the bound each time; what learns is timed only if its growth is."""
    for times in (2, 4):
        if found:
            outputs = {each.output for each in found}
            timed = growth(found[0].name, sizes, times, is_learned=not outputs.isdisjoint(OF_SITES))
            found = [each for each in timed if each.is_bad and each.output in outputs]
    return found


def unsteady(found: list[Growth]) -> list[Growth]:
    """Print the growths of a construct above the bound, and return those that go on up to large pages."""
    above = again(found)
    if not above:
        return []
    name, is_learned = above[0].name, any(each.output in OF_SITES for each in above)
    later = {each.output: each for each in growth(name, (LARGE // 4, LARGE), 2, is_learned=is_learned)}
    for each in above:
        print(each, f"  {later[each.output].ratio:.1f} from {LARGE // 4:,}", flush=True)
    return [each for each in above if later[each.output].ratio > STEADY and name not in SLOWER]


def main(*names: str) -> int:
    """Print the largest growth of each construct, and those above the bound; 1 if there are any of the latter."""
    everything: list[Growth] = []
    bad: list[Growth] = []
    late: list[str] = []
    for name in names or CONSTRUCTS:
        try:
            with limited(LIMIT):
                found = growth(name, is_learned=not name.endswith(UNLEARNED))
                everything += found
                print(max(found, key=lambda each: each.ratio if each.large > SOON else 0), "at most", flush=True)
                bad += unsteady([each for each in found if each.is_bad])
        except TimeoutError:
            late.append(name)
            print(f"{name}: more than {LIMIT} s", flush=True)
    by_ratio = sorted((each for each in everything if each.large > SOON), key=lambda each: -each.ratio)
    told = f"{len(names or CONSTRUCTS)} constructs; above {MOST_GROWTH}-fold: {len(bad)}, late: {len(late)}"
    print(f"\n{told}. The largest:")
    print(*[each for each in by_ratio if each.output != "parse"][:30], sep="\n")
    print("The slowest:", *sorted(everything, key=lambda each: -each.large)[:30], sep="\n")
    print("Of libxml2 alone:", *[each for each in by_ratio if each.output == "parse"][:10], sep="\n")
    return int(bool(bad or late))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
