"""Hostile pages of any size, made by code, by their main content."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from itertools import count

Maker = Callable[[int], str]


def repeated(part: Callable[[int], str], before: str = "", after: str = "") -> Maker:
    """Return pages of parts that differ by their number, or don't."""

    def made(size: int) -> str:
        parts, length = [before], 0
        for number in count():
            if length >= size:
                break
            parts.append(part(number))
            length += len(parts[-1])
        return "".join((*parts, after))

    return made


def nested(start: str, end: str, text: str = "Some text.") -> Maker:
    """Return pages of nested elements."""

    def made(size: int) -> str:
        depth = size // len(start + end)
        return start * depth + text + end * depth

    return made


def in_script(kind: str, value: Callable[[int], object]) -> Maker:
    """Pages with JSON in their head."""

    def made(size: int) -> str:
        return f"<head><script type='{kind}'>{json.dumps(value(size))}</script></head><body><p>Some text here.</p>"

    return made


def _nested_json(size: int) -> object:
    value: object = "a"
    for _ in range(min(400, size // 10)):
        value = {"a": value}
    return [value] * (size // 2000 + 1)


DEPTH = 1_900
"""Elements in each other; libxml2 reads no more than 2,048."""


def around(start: str, part: Callable[[int], str]) -> Maker:
    """Return pages of many parts in elements that are nested as deep as libxml2 goes."""

    def made(size: int) -> str:
        before = FRAME + start * min(DEPTH, size // 4 // len(start))
        return repeated(part, before)(size)

    return made


WORDS = "The river rose over the meadows in the night and the ferry stayed at the far bank until noon, they said. "

FRAME = f"<title>Title 1</title><body><h1>Title 1</h1><p>{WORDS}</p>"
"""Beginning of a page."""

MARKS = "\u0301\u0323" * 400
"""Combining marks in an order that takes quadratic time to be normalized."""

PAGES: Mapping[str, Maker] = {
    "addresses of its own": repeated(lambda n: "<link rel=canonical href=x>", "<head></head><body><p>Some text.</p>"),
    "code behind numbers": repeated(lambda n: "<i>1</i><i>2</i><pre>x = 1\n y</pre>", "<body><div>", "</div>"),
    "words of a cell of code": repeated(
        lambda n: f"<span class=copy>{n}</span>\n",
        "<table class=highlighttable><tr><td><pre>1\n2</pre></td><td>",
        "</td></tr></table>",
    ),
    "attributes": repeated(lambda n: f" a{n}", "<p", ">Some text.</p>"),
    "attributes in quotes": repeated(lambda n: f" a{n}='<>'", "<p", ">Some text.</p>"),
    "classes": repeated(lambda n: f" c{n}", "<p class='", "'>Some text.</p>"),
    "one attribute": repeated(lambda n: "x" * 64, "<p id='", "'>Some text.</p>"),
    "one text": repeated(lambda n: WORDS, "<body><p>", "</p>"),
    "one word": repeated(lambda n: "x" * 64, "<body><p>", "</p>"),
    "one line of pre": repeated(lambda n: WORDS, "<body><pre>", "</pre>"),
    "lines of pre": repeated(lambda n: f"a = {n}\n", "<body><pre>", "</pre>"),
    "numbered pre": repeated(lambda n: f"<span class=ln>{n}</span> a = {n}\n", "<body><pre>", "</pre>"),
    "spaces": repeated(lambda n: " " * 64, "<body><p>", "</p>"),
    "lines": repeated(lambda n: "a<br>", "<body><p>", "</p>"),
    "unique blocks": repeated(lambda n: f"<p>{n} {WORDS[n % 40 : 80]}</p>", "<body>"),
    "unique classes": repeated(lambda n: f"<div class='a{n:x}q'><p>{WORDS[n % 40 : 80]}</p></div>", "<body>"),
    "tiny blocks": repeated(lambda n: "<p>a", "<body>"),
    "tiny unique blocks": repeated(lambda n: f"<p>{n}", "<body>"),
    "empty elements": repeated(lambda n: "<i></i>", "<body>"),
    "inline elements": repeated(lambda n: "<b>a</b>", "<body><p>"),
    "nested div": nested("<div>", "</div>"),
    "nested b": nested("<b>", "</b>"),
    "nested tables": nested("<table><tr><td>", "</td></tr></table>"),
    "nested lists": nested("<ul><li>a", "</li></ul>"),
    "lists in lists": nested("<ul>", "</ul>", "<li>a"),
    "tables in rows": repeated(lambda n: f"<table><tr><td>a{n}<td>b</table>c\n", "<body><table><tr><td>"),
    "spans in rows": nested("<table><tr><td rowspan=2>a<td>b<tr><td>", "</table>"),
    "pre in pre": repeated(lambda n: f"<pre><font>f{n}</font>", "<body><div>", "<p>Some text.</p>"),
    "bold in bold": repeated(lambda n: f"<b>{n}</b><q>q", "<body><table><tr><td>"),
    "nested quotes": nested("<blockquote>a", "</blockquote>"),
    "nested links": repeated(lambda n: "<a href=/a>a", "<body><p>"),
    "unclosed b": repeated(lambda n: "<p><b>a", "<body>"),
    "closed only": repeated(lambda n: "</p></b>", "<body>"),
    "formatting": repeated(lambda n: "<b><i><p>a</b></i>", "<body>"),
    "nested templates": nested("<template shadowrootmode=open><slot></slot>", "</template>"),
    "links": repeated(lambda n: f"<a href='/page/{n}'>Page {n}</a> ", "<body><p>"),
    "listed links": repeated(lambda n: f"<li><a href='/page/{n}'>Page {n} of the book</a></li>", "<body><ul>"),
    "headings": repeated(lambda n: f"<h2>Heading {n}</h2>", "<body>"),
    "headings and text": repeated(lambda n: f"<h2>Heading {n}</h2><p>{WORDS}</p>", "<body>"),
    "titles": repeated(lambda n: f"<title>Title {n}</title>", "<head>", "<body><h1>Title 1</h1><p>Text."),
    "long title": repeated(lambda n: f"Title {n} - ", "<head><title>", "</title><body><h1>Title 1</h1><p>Text."),
    "long heading": repeated(lambda n: f"Title {n} - ", "<title>Title 1</title><body><h1>", f"</h1><p>{WORDS * 9}"),
    "images": repeated(lambda n: f"<img src=/{n}.png alt='a {n}'>", "<body><p>Text."),
    "srcset": repeated(lambda n: f"/{n}.png {n}w, ", f"<body><p>{WORDS * 3}<img src=/a.png srcset='", "'></p>"),
    "table": repeated(lambda n: f"<tr><td>a{n}<td>b<td>c</tr>", "<body><table>", "</table>"),
    "one row": repeated(lambda n: f"<td>a{n}</td>", "<body><table><tr>", "</table>"),
    "wide cells of a row": repeated(lambda n: "<td colspan=1000>a", f"{FRAME}<table><tr>", "<tr><td>b</table>"),
    "wide spans": repeated(lambda n: "<tr><td rowspan=1000 colspan=1000>a</tr>", "<body><table>", "</table>"),
    "definitions": repeated(lambda n: f"<dt>a{n}<dd>b", "<body><dl>"),
    "ruby": repeated(lambda n: "<ruby>a<rt>b</rt></ruby>", "<body><p>"),
    "formulas": repeated(lambda n: f"<math><mi>x</mi><mn>{n}</mn></math>", "<body><p>Text "),
    "nested formula": nested("<msup><mi>x</mi>", "</msup>", ""),
    "footnotes": repeated(lambda n: f"<a href=#f{n} id=r{n}>{n}</a><p id=f{n}>a <a href=#r{n}>b</a>", "<body><p>Text "),
    "options": repeated(lambda n: f"<option>{n}", "<body><p>Text<select>"),
    "comments": repeated(lambda n: "<!-- a -->", "<body><p>Text"),
    "open comment": repeated(lambda n: "<!--", "<body><p>Text"),
    "open brackets": repeated(lambda n: "<", "<body><p>Text"),
    "ampersands": repeated(lambda n: "&amp", "<body><p>Text"),
    "entities": repeated(lambda n: "&lt;&#1234;", "<body><p>Text"),
    "metas": repeated(lambda n: f"<meta property='article:tag' content='a {n}'>", "<head>", "<body><p>Text."),
    "authors": repeated(lambda n: f"<a rel=author href=/a/{n}>Ann B{n}</a>", "<body><h1>A</h1>", f"<p>{WORDS}"),
    "bylines": repeated(lambda n: f"<p class=byline>By Ann B{n}</p>", "<body><h1>A</h1>", f"<p>{WORDS}"),
    "dates": repeated(lambda n: f"<time datetime='2020-01-{n % 28 + 1:02}'>1 May {n}</time>", "<body><h1>A</h1>"),
    "digits": repeated(lambda n: "1-2-3/4.5,", "<body><p class=date>", "</p>"),
    "microdata": repeated(lambda n: f"<div itemscope itemtype=https://schema.org/Article><b itemprop=author>A{n}</b>"),
    "JSON-LD text": in_script("application/ld+json", lambda n: {"@type": "Article", "articleBody": WORDS * (n // 100)}),
    "JSON-LD list": in_script(
        "application/ld+json", lambda n: [{"@type": "Article", "author": {"name": f"A{i}"}} for i in range(n // 50)]
    ),
    "JSON-LD graph": in_script(
        "application/ld+json",
        lambda n: {"@graph": [{"@id": f"#{i}", "@type": "Person", "name": {"@id": "#1"}} for i in range(n // 60)]},
    ),
    "JSON-LD depth": in_script("application/ld+json", _nested_json),
    "JSON of a script": in_script("application/json", lambda n: {"a": [{"text": WORDS} for _ in range(n // 120)]}),
    "HTML in JSON": in_script("application/json", lambda n: {"text": f"<p>{WORDS}</p>" * (n // 110)}),
    "noscript": repeated(lambda n: f"<noscript>{WORDS}</noscript>", "<body>"),
    "segments": repeated(lambda n: f"<template id='B:{n:x}'></template><div hidden id='S:{n:x}'>a</div>", "<body>"),
    "breadcrumbs": repeated(lambda n: f"<nav class=breadcrumb><a href=/a{n}>a{n}</a></nav>", "<body>", f"<p>{WORDS}"),
    "custom elements": repeated(lambda n: f"<a-{n:x}>a</a-{n:x}>", "<body>"),
    "captions": repeated(lambda n: f"<figure><img src=/{n}><figcaption>{n}</figcaption></figure>", "<body><p>Text."),
    "cells": repeated(lambda n: "<td>a", "<body>"),
    "forms": repeated(lambda n: f"<form><label>a<input name=a{n}></label><button>a</button></form>", "<body><p>Text."),
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
"""Pages by their main content."""


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


def of_elements() -> Iterator[tuple[str, Maker]]:
    """Yield pages of an element: nested, side by side, not closed, and closed without a start."""
    for name in ELEMENTS:
        yield f"{name} in each other", nested(f"<{name}>a", f"</{name}>")
        yield f"{name} side by side", repeated(lambda n, name=name: f"<{name}>a{n}</{name}>\n", FRAME)  # type: ignore[misc]
        yield f"{name} open", repeated(lambda n, name=name: f"<{name}>a", FRAME)  # type: ignore[misc]
        yield f"{name} empty", repeated(lambda n, name=name: f"<{name}></{name}>", FRAME)  # type: ignore[misc]


CONSTRUCTS: Mapping[str, Maker] = {**PAGES, **dict(of_elements())}
