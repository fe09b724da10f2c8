"""Sub-command ``demo``: learns, shows and serves a small bundled newspaper."""

from __future__ import annotations

import re
import sys
import time
from argparse import Namespace
from collections.abc import Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import as_file, files
from itertools import islice
from textwrap import shorten
from urllib.parse import urlsplit

from scrapy.settings import BaseSettings

from scrapy_stemmer.commands.sources.base import LeftOut
from scrapy_stemmer.commands.sources.files import pages_of_sources
from scrapy_stemmer.commands.subcommands import rule_lines
from scrapy_stemmer.exceptions import StemmerError
from scrapy_stemmer.learners.rules.pattern import RulesPattern
from scrapy_stemmer.learning import learn
from scrapy_stemmer.page.document import Page
from scrapy_stemmer.page.text import counted

HOST = "heron.example"  # host in the links of the pages
DEMO_PAGE = f"http://{HOST}/town/weir-bridge-closes.html"  # page shown before and after
DEMO_SAMPLE, DEMO_LINES, DEMO_WIDTH = 20, 14, 100  # pages to learn, lines shown of each text, and their width

STYLE, SITEMAP = "/style.css", "/sitemap.xml"

_STYLES = re.compile(r"(?<=\")https://static\.press\.example/[^\"]+\.css[^\"]*")
"""Addresses of style sheets in pages, all replaced by the address ``STYLE``."""

_HOST_AND_PORT = re.compile(r"[\w.-]+(?::\d+)?")


def demo(options: Namespace, _settings: BaseSettings) -> Iterator[str]:
    """Show the result of learning the newspaper, then serve it until Ctrl-C."""
    pages = bundled_pages()
    try:
        server = ThreadingHTTPServer(("127.0.0.1", options.port), handler_of(pages))
    except OSError as error:
        raise StemmerError(f"Port {options.port} can't be used ({error}); name another: --port 8034") from error
    with server:
        yield from demonstration(pages)
        yield f"\nThe site is served at http://localhost:{server.server_port}/ until you press Ctrl-C."
        yield "The tutorial crawls it. In another terminal, a page of it by itself:"
        yield f"  scrapy stemmer strip --alone http://localhost:{server.server_port}{urlsplit(DEMO_PAGE).path}"
        sys.stdout.flush()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            yield ""


def bundled_pages() -> dict[str, Page]:
    with as_file(files("scrapy_stemmer.commands").joinpath("demo.jsonl.gz")) as archive:
        return {page.url: page for page in pages_of_sources([str(archive)], LeftOut())}


def demonstration(pages: Mapping[str, Page]) -> Iterator[str]:
    started = time.monotonic()
    patterns = learn(list(islice(pages.values(), DEMO_SAMPLE)))
    took = time.monotonic() - started
    stripped = patterns.strip(pages[DEMO_PAGE])
    before = [block.text for block in stripped.blocks]
    after = [f"title: {stripped.title}", *stripped.text.removeprefix(f"{stripped.title}\n").splitlines()]
    learned = f"{DEMO_SAMPLE} of {counted(len(pages), 'page')} of {HOST} were learned"
    yield f"{learned} in {took:.1f} s, with the time to load the learner. One of the others:"
    yield DEMO_PAGE
    for name, lines in (("before", before), ("after", after)):
        yield f"\n{name}: {sum(map(len, lines)):,} characters"
        yield from (f"  {shorten(text, DEMO_WIDTH, placeholder=' …')}" for text in lines[:DEMO_LINES])
        yield from ["  …"] * (len(lines) > DEMO_LINES)
    yield f"\nrules of {HOST}: of keep and drop how sure each is, of a title the share of pages that it is right for"
    rules = [rule for pattern in patterns.patterns if isinstance(pattern, RulesPattern) for rule in pattern.all_rules]
    yield from (f"  {line}" for line in rule_lines(rules))


def handler_of(pages: Mapping[str, Page]) -> type[BaseHTTPRequestHandler]:
    style = files("scrapy_stemmer.commands").joinpath("demo.css").read_bytes()
    sitemap = f"<urlset>{''.join(f'<url><loc>{url}</loc></url>' for url in pages)}</urlset>"

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            page = pages.get(f"http://{HOST}{path}")
            asked = self.headers.get("Host", "")
            host = asked if _HOST_AND_PORT.fullmatch(asked) else HOST
            html = str(page.html if page else "There is no such page.").replace(f"//{HOST}", f"//{host}")
            body, kind = _STYLES.sub(STYLE, html).encode(), "html"
            if path == STYLE:
                body, kind = style, "css"
            elif path == SITEMAP:
                body, kind = sitemap.replace(f"//{HOST}", f"//{host}").encode(), "xml"
            self.send_response(200 if page or path in (STYLE, SITEMAP) else 404)
            for name, value in {
                "Content-Type": f"text/{kind}; charset=utf-8",
                "Content-Length": str(len(body)),
            }.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name in the base class
            """No line for each request."""

    return Handler
