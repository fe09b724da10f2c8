"""Real crawls of a site that was redesigned after learning."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.website import FOOTER, NAVIGATION, Article, Website, links_to

RULES = {"STEMMER_LEARNER": "rules", "CONCURRENT_REQUESTS": 2}
LEARN = {"STEMMER_LEARN": True, **RULES}
RELEARN = {"STEMMER_SAMPLE_SIZE": 15, **LEARN}

PAGES = 30
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


def add_redesigned(website: Website, prefix: str = "/new/", first: int = 100) -> None:
    """Serve articles of the new layout, with an index that gives no item worth reading."""
    articles = [Article(number) for number in range(first, first + PAGES)]
    for article in articles:
        website.add(f"{prefix}{article.number}.html", redesigned(article))
    links = {f"{prefix}{article.number}.html": article.headline for article in articles}
    website.add(prefix, f"<html><body>{links_to(links)}</body></html>")


@pytest.fixture(scope="module")
def served() -> Iterator[Website]:
    """Serve one website for all crawls: its patterns name the port."""
    with Website() as website:
        website.add_articles(15)
        yield website


@pytest.fixture
def website(served: Website) -> Iterator[Website]:
    """The website with both layouts, restored afterwards."""
    before = dict(served.answers)
    add_redesigned(served)
    yield served
    served.answers.clear()
    served.answers.update(before)


@pytest.fixture(scope="module")
def once_learned(served: Website, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """Return the crawl that learned the old site."""
    return Crawler(tmp_path_factory.mktemp("learned"))("plain", served.url("/article/"), **LEARN)


@pytest.fixture
def learned(once_learned: Crawl, tmp_path: Path) -> Crawl:
    """Return the crawl that learned the old site, in a folder of this test."""
    return copied(once_learned, tmp_path)


@pytest.fixture(scope="module")
def once_relearned(once_learned: Crawl, served: Website, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """Return a crawl that found the new layout and learned it."""
    folder = tmp_path_factory.mktemp("relearned")
    copied(once_learned, folder)
    add_redesigned(served)
    return Crawler(folder)("plain", served.url("/new/"), **RELEARN)


def copied(done: Crawl, folder: Path) -> Crawl:
    shutil.copytree(done.folder, folder, dirs_exist_ok=True)
    return replace(done, folder=folder)


def new_items(done: Crawl) -> list[dict[str, Any]]:
    """The last item of each article of the new layout."""
    found = {item["url"]: item for item in done.items if "/new/" in item["url"] and item["url"].endswith(".html")}
    return list(found.values())


def is_right(item: dict[str, Any]) -> bool:
    number = int(item["url"].rpartition("/")[2].removesuffix(".html"))
    article = Article(number)
    return item.get("text") in ("\n".join(article.body), "\n".join([article.headline, *article.body]))


def test_the_level_of_a_sample_is_kept_with_what_was_learned_of_it(learned: Crawl) -> None:
    (pattern,) = learned.patterns.patterns
    assert pattern.level is not None
    assert pattern.level.pages == 15 + 1
    assert pattern.level.fits >= 0.9
    assert pattern.level.path_share is not None
    assert pattern.level.path_share > 0.5


def test_a_crawl_that_does_not_learn_tells_of_a_change_once_by_log_stat_and_signal_and_writes_nothing(
    crawl: Crawler, website: Website, learned: Crawl
) -> None:
    file = crawl.folder / "patterns.jsonl"
    before = file.read_bytes(), file.stat().st_mtime_ns
    extensions = {"tests.crawl.spiders.DriftCounter": 500}
    done = crawl("plain", website.url("/new/"), EXTENSIONS=extensions, **RULES)
    assert (file.read_bytes(), file.stat().st_mtime_ns) == before
    assert done.log.count(f"{website.site} has changed: 12 of its last 12 pages") == 1
    assert done.stats[f"told/plain/{website.site}"] == [12, 12]
    assert done.log.count("This crawl does not learn: a crawl with STEMMER_LEARN = 1 learns it again") == 1
    assert done.stats[f"stemmer/drift/{website.site}"] == 1
    assert not {"stemmer/held/total", "stemmer/sites/relearned"} & set(done.stats)
    assert len(new_items(done)) == PAGES


def test_each_write_of_a_pattern_file_is_a_line_in_the_log(
    website: Website, once_learned: Crawl, once_relearned: Crawl
) -> None:
    for done in (once_learned, once_relearned):
        assert done.log.count(f"INFO: Written to {done.folder / 'patterns.jsonl'}: {website.site}") == 1
    assert once_learned.log.count("INFO: Learned ") == 1


def test_neither_further_pages_nor_answers_whose_status_is_an_error_are_a_change(
    crawl: Crawler, website: Website, learned: Crawl
) -> None:
    """Error pages look unusual."""
    website.add_articles(60)
    for number in range(100, 100 + PAGES):
        website.answers[f"/new/{number}.html"] = replace(website.answers[f"/new/{number}.html"], status=404)
    done = crawl("plain", website.url("/article/"), website.url("/new/"), HTTPERROR_ALLOW_ALL=True, **RULES)
    assert not [name for name in done.stats if name.startswith("stemmer/drift/")]
    assert len(new_items(done)) == PAGES
    assert done.stats["stemmer/reasons/error"] >= PAGES


def test_new_layouts_are_learned_beside_the_old_ones(
    crawl: Crawler, website: Website, once_learned: Crawl, once_relearned: Crawl
) -> None:
    (old,) = once_learned.patterns.patterns
    done = copied(once_relearned, crawl.folder)
    assert done.stats["stemmer/sites/relearned"] == 1
    assert done.stats[f"stemmer/drift/{website.site}"] == 1
    names = {pattern.name for pattern in done.patterns.patterns}
    assert names == {"site", "site 2"}
    assert old in done.patterns.patterns
    assert len(new_items(done)) == PAGES

    both = {f"/article/{number}.html": "old" for number in range(15)} | {
        f"/new/{n}.html": "new" for n in range(100, 130)
    }
    website.add("/both/", f"<html><body>{links_to(both)}</body></html>")
    later = crawl("plain", website.url("/both/"), **RULES)
    assert all(is_right(item) for item in new_items(later))
    last = {item["url"]: item["stemmer_pattern"] for item in later.items}
    assert {last[website.url(f"/article/{number}.html")] for number in range(15)} == {"site"}
    assert {item["stemmer_pattern"] for item in new_items(later)} == {"site 2"}
    assert not [name for name in later.stats if name.startswith("stemmer/drift/")]


def test_items_of_changed_pages_wait_and_come_out_stripped(once_relearned: Crawl) -> None:
    done = once_relearned
    assert done.stats["stemmer/held/total"] == done.stats["stemmer/held/released"] >= 3
    assert sum(is_right(item) for item in new_items(done)) >= PAGES - 15
    assert done.leftovers == []


def test_a_changed_site_of_which_too_few_pages_came_is_not_called_unlearned(
    crawl: Crawler, website: Website, learned: Crawl
) -> None:
    """The site keeps its earlier patterns."""
    done = crawl("plain", website.url("/new/"), **{**RELEARN, "STEMMER_SAMPLE_SIZE": 60, "STEMMER_MIN_SAMPLE": 50})
    assert done.stats[f"stemmer/drift/{website.site}"] == 1
    assert "stemmer/sites/relearned" not in done.stats
    assert done.stats["stemmer/sites/unlearned"] == 0
    assert "sites: 1 changed" in done.log
    assert "by the scorer alone" not in done.log


def test_pages_of_the_old_layout_neither_wait_nor_are_learned_from(
    crawl: Crawler, website: Website, learned: Crawl
) -> None:
    """Old and new pages side by side, as while a site is being changed."""
    links = {}
    for number in range(PAGES):
        website.add(f"/article/{200 + number}.html", Article(200 + number).html())
        links |= {f"/article/{200 + number}.html": "old", f"/new/{100 + number}.html": "new"}
    website.add("/both/", f"<html><body>{links_to(links)}</body></html>")
    done = crawl("plain", website.url("/both/"), **{**RELEARN, "STEMMER_SAMPLE_SIZE": 12})
    assert done.stats["stemmer/sites/relearned"] == 1
    new = next(pattern for pattern in done.patterns.patterns if pattern.name == "site 2")
    assert all("/new/" in sample.url or "/both/" in sample.url for sample in new.samples)
    assert sum(item["stemmer_pattern"] == "site" for item in done.items if "/article/2" in item["url"]) >= PAGES


PLEA = "The Heron is read by many people and paid for by only a few of them. Please help."


def with_plea(number: int) -> str:
    """The page of an article with a box behind its first paragraph."""
    article = Article(number)
    first = f"<p>{article.body[0]}</p>"
    return article.html().replace(first, f"{first}<div class='plea'>{PLEA}</div>")


def test_a_box_that_is_new_since_the_sample_is_left_out_and_written_to_the_pattern_file(
    crawl: Crawler, website: Website, learned: Crawl
) -> None:
    urls = {f"/plea/{number}.html": with_plea(number) for number in range(300, 340)}
    for url, html in urls.items():
        website.add(url, html)
    website.add("/plea/", f"<html><body>{links_to(dict.fromkeys(urls, 'An article'))}</body></html>")
    done = crawl("plain", website.url("/plea/"), **LEARN)
    having = [PLEA in item["text"] for item in done.items if "/plea/3" in item["url"]]
    assert (having[:15], having[-15:]) == ([True] * 15, [False] * 15)
    assert done.stats["stemmer/patterns/texts_found"] == 1
    assert not any(name.startswith("stemmer/drift") for name in done.stats)
    assert f'{{"returns": "{PLEA}"' in (crawl.folder / "patterns.jsonl").read_text()
    again = crawl("plain", website.url("/plea/"), **RULES)
    assert not any(PLEA in item["text"] for item in again.items[len(done.items) :])
