"""Real crawls of a site that was redesigned after learning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from scrapy_stemmer import Page, PatternSet, learn
from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.website import FOOTER, NAVIGATION, Article, Website, links_to

RULES = {"STEMMER_LEARNER": "rules", "CONCURRENT_REQUESTS": 2}
LEARN = {"STEMMER_LEARN": True, **RULES}

PLEA = "The Heron is read by many people and paid for by only a few of them. Please help."

PAGES = 40
"""Pages of each layout: more than needed to notice a change and to learn it."""


def redesigned(article: Article) -> str:
    """The page of an article after the redesign."""
    bar = "".join(f"<a class='tile' href='/{word}'>{word}</a>" for word in NAVIGATION.split())
    text = "".join(f"<p class='par'>{paragraph}</p>" for paragraph in article.body)
    return (
        f"<!DOCTYPE html><html><head><title>{article.headline} - Example</title></head><body><div id='shell'>"
        f"<header id='top'><nav class='tiles'>{bar}</nav></header><main id='main'><section class='piece'>"
        f"<h1 class='name'>{article.headline}</h1><div class='prose'>{text}</div></section></main>"
        f"<footer id='end'><p class='legal'>{FOOTER}</p></footer></div></body></html>"
    )


def page_of(url: str, number: int) -> str:
    """The page at a URL: an old one, one of the new layout, or one with a box behind its first paragraph."""
    article = Article(number)
    first = f"<p>{article.body[0]}</p>"
    with_box = article.html().replace(first, f"{first}<div class='plea'>{PLEA}</div>")
    return {"new": redesigned(article), "plea": with_box}.get(url.split("/")[1], article.html())


@pytest.fixture
def index(crawl: Crawler, website: Website) -> Callable[..., str]:
    """Write the pattern file of the old site; the fixture adds pages of some kinds in turn, and returns their index."""
    learn([Page(website.url(f"/article/{n}.html"), Article(n).html()) for n in range(15)]).save(
        str(crawl.folder / "patterns.jsonl")
    )

    def index(*kinds: str) -> str:
        urls = {f"/{kind}/{number}.html": number for number in range(100, 100 + PAGES) for kind in kinds}
        for url, number in urls.items():
            website.add(url, page_of(url, number))
        website.add("/index/", f"<html><body>{links_to(dict.fromkeys(urls, 'An article'))}</body></html>")
        return website.url("/index/")

    return index


def items(done: Crawl, kind: str) -> list[dict[str, Any]]:
    return [item for item in done.items if f"/{kind}/" in item["url"]]


def is_right(item: dict[str, Any]) -> bool:
    article = Article(int(item["url"].rpartition("/")[2].removesuffix(".html")))
    return item.get("text") in ("\n".join(article.body), "\n".join(article.text))


def test_without_learning_a_change_is_told_once(crawl: Crawler, website: Website, index: Callable[..., str]) -> None:
    file = crawl.folder / "patterns.jsonl"
    before = file.read_bytes(), file.stat().st_mtime_ns
    done = crawl("plain", index("new"), EXTENSIONS={"tests.crawl.spiders.DriftCounter": 500}, **RULES)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert done.log.count(f"{website.site} has changed: 12 of its last 12 pages") == 1
    assert done.stats[f"told/plain/{website.site}"] == [12, 12]
    assert done.log.count("This crawl does not learn: a crawl with STEMMER_LEARN = 1 learns it again") == 1
    assert done.stats[f"stemmer/drift/{website.site}"] == 1
    assert not {"stemmer/held/total", "stemmer/sites/relearned"} & set(done.stats)
    assert len(items(done, "new")) == PAGES


def test_a_new_layout_is_learned_beside_the_old(crawl: Crawler, website: Website, index: Callable[..., str]) -> None:
    """Old and new pages side by side, as while a site is being changed."""
    start = index("article", "new")
    (old,) = PatternSet.load(str(crawl.folder / "patterns.jsonl")).patterns
    done = crawl("plain", start, STEMMER_SAMPLE_SIZE=25, **LEARN)
    assert done.log.count(f"INFO: Written to {done.folder / 'patterns.jsonl'}: {website.site}") == 1
    assert (done.stats["stemmer/sites/relearned"], done.stats[f"stemmer/drift/{website.site}"]) == (1, 1)
    assert old in done.patterns.patterns
    (new,) = [pattern for pattern in done.patterns.patterns if pattern != old]
    assert (old.name, new.name) == ("site", "site 2")
    assert all("/new/" in sample.url or "/index/" in sample.url for sample in new.samples)
    assert [item["stemmer_pattern"] for item in items(done, "article")] == ["site"] * PAGES
    assert done.stats["stemmer/held/total"] == done.stats["stemmer/held/released"] >= 3
    assert sum(map(is_right, items(done, "new"))) >= PAGES - 30
    assert done.leftovers == []


def test_a_box_that_is_new_is_left_out(crawl: Crawler, website: Website, index: Callable[..., str]) -> None:
    done = crawl("plain", index("plea"), **LEARN)
    having = [PLEA in item["text"] for item in items(done, "plea")]
    assert (having[:15], having[-10:]) == ([True] * 15, [False] * 10)
    assert done.stats["stemmer/patterns/texts_found"] == 1
    assert not any(name.startswith("stemmer/drift") for name in done.stats)
    assert f'{{"returns": "{PLEA}"' in (crawl.folder / "patterns.jsonl").read_text()
