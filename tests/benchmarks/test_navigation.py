"""The made sites, crawled without a network: which pages the order of ``scrapy stemmer crawl`` brings first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import islice

import pytest
from scrapy.http import HtmlResponse

from benchmarks.navigation import FIRST, SITES, MadeSite, share_of_articles
from scrapy_stemmer.commands.known_pages import CONTENT, LIST, KnownPages, looks_like_content
from scrapy_stemmer.commands.site_spider import links_of

HOST = "a.example"
LEARNED_FROM = 20
"""Pages after which kinds are known."""


def links(site: MadeSite, path: str) -> dict[str, str]:
    response = HtmlResponse(f"http://{HOST}{path}", body=site.pages.get(path, ""), encoding="utf-8")
    return dict(links_of(response, [HOST]))


def breadth_first(site: MadeSite) -> Iterator[str]:
    found, waiting = {"/"}, deque(["/"])
    while waiting:
        yield (path := waiting.popleft())
        new = [url.removeprefix(f"http://{HOST}") for url in links(site, path)]
        waiting.extend(each for each in dict.fromkeys(new) if each not in found)
        found.update(new)


def as_crawl_asks(site: MadeSite) -> Iterator[str]:
    pages, read = KnownPages(None), list[tuple[bytes, str]]()
    pages.put(b"/", f"http://{HOST}/", HOST, role="start", depth=0)
    while (asked := pages.ask(HOST)) is not None:
        yield (path := asked.url.removeprefix(f"http://{HOST}"))
        linked = links(site, path)
        new = {url: text for url, text in linked.items() if pages.is_new(url.encode())}
        for url, text in new.items():
            is_likely = looks_like_content(url, text)
            pages.put(url.encode(), url, HOST, role="page", depth=asked.depth + 1, is_likely=is_likely)
        pages.note_links(asked.url.encode(), HOST, len(new), [url.encode() for url in linked if url not in new])
        read.append(
            (asked.url.encode(), CONTENT if path in site.articles or "pager" not in site.pages.get(path, "") else LIST)
        )
        for key, kind in read if len(read) == LEARNED_FROM else read[-1:] if len(read) > LEARNED_FROM else ():
            pages.done(key, kind)


@pytest.mark.parametrize("name", SITES)
def test_articles_come_first(name: str) -> None:
    site = SITES[name]()
    ours, plain = (
        share_of_articles(site, list(islice(asked(site), FIRST))) for asked in (as_crawl_asks, breadth_first)
    )
    assert ours > 0.6
    assert ours >= plain * (1.3 if name == "queries" else 1.5)  # there .58 of the nearest pages are articles
