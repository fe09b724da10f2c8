"""Crawls whose pages a real Chromium renders, by scrapy-playwright."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scrapy_stemmer.learners.literature.rendering import SCRIPT, Rendering, without_marks
from scrapy_stemmer.learners.literature.visual.learner import visual_blocks
from scrapy_stemmer.learners.literature.visual.pattern import SelectorRulePattern
from scrapy_stemmer.page.document import parse
from tests.browser import ARGUMENTS, EXECUTABLE, VIEWPORT, needs_browser
from tests.crawl.conftest import Crawl, Crawler
from tests.crawl.website import Website
from tests.rendered import teaser, texts, title

pytestmark = [needs_browser, pytest.mark.slow]

STYLE = """
  body { margin: 0; font-size: 16px; color: black }
  .story, .promo { width: 700px }
  .promo p { font-size: 12px; color: gray }
  .menu a { display: block; width: 200px }
  .gone { display: none }
"""

PAGES = 5


def article(number: int) -> str:
    """A page on which only looks and class names tell the text from the teasers."""
    story = "".join(f"<p>{text[:60]}<b>{text[60:]}</b></p>" for text in texts(number))
    promo = "".join(f"<p>{teaser(number + step)}</p>" for step in (1, 2, 3))
    return (
        f"<!DOCTYPE html><html><head><title>{title(number)}</title><style>{STYLE}</style></head><body>"
        f'<div class="menu"><a href="/">Home</a><a href="/sport">Sport</a></div>'
        f'<div class="story">{story}</div><div class="promo">{promo}</div>'
        f'<div class="gone"><p>{title(number)}</p></div><table><tr><td>Copyright</td></tr></table></body></html>'
    )


Render = Callable[..., tuple[str, Any]]


@pytest.fixture(scope="class")
def rendered() -> Iterator[Render]:
    """Return a page's HTML after the script has run in a browser, and the script's result."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=EXECUTABLE, args=ARGUMENTS)

        def render(html: str, script: str | None = SCRIPT) -> tuple[str, Any]:
            with browser.new_page(viewport={"width": VIEWPORT["width"], "height": VIEWPORT["height"]}) as page:
                page.set_content(html)
                result = page.evaluate(script) if script else None
                return page.content(), result

        yield render
        browser.close()


class TestScript:
    """Marks written by the script."""

    def test_blocks_with_their_looks(self, rendered: Render) -> None:
        html, result = rendered(article(1))
        blocks = visual_blocks(parse(html))
        looks = {block.text: block.look for block in blocks}
        home, copyright_ = looks["Home"], looks["Copyright"]
        story = next(block.look for block in blocks if "div.story > " in str(block.selector))
        promo = looks[teaser(2)]
        assert None not in (home, story, promo, copyright_)
        assert (home.width, story.width, promo.width) == (200, 700, 700)
        assert "font-size: 12px" in promo.style
        assert "color: rgb(128, 128, 128)" in promo.style
        assert "color" not in story.style, "as in the body"
        assert result == {"blocks": len(blocks), "styles": len({block.look.style for block in blocks})}

    def test_inline_elements_are_part_of_their_block(self, rendered: Render) -> None:
        html, _ = rendered(article(1))
        assert {block.selector.path.rpartition("/")[2] for block in visual_blocks(parse(html))} == {"a", "p", "td"}

    def test_hidden_text_is_none(self, rendered: Render) -> None:
        html, _ = rendered(article(1))
        assert title(1) not in {block.text for block in visual_blocks(parse(html))}

    def test_marks_can_be_taken_out_again(self, rendered: Render) -> None:
        html, _ = rendered(article(1))
        plain, _ = rendered(article(1), script=None)
        assert html != plain
        assert without_marks(html) == plain

    @pytest.mark.parametrize(
        "html",
        [
            pytest.param("", id="empty"),
            pytest.param("<frameset><frame></frameset>", id="frameset"),
            pytest.param("<svg><text>drawn</text></svg><math><mi>x</mi></math>", id="drawing and formula"),
            pytest.param("<p a<b='1'>odd attribute", id="odd markup"),
            pytest.param("<div>" * 2000 + "deep", id="deep"),
        ],
    )
    def test_any_page(self, rendered: Render, html: str) -> None:
        marked, result = rendered(html)
        assert "data-stemmer-" not in without_marks(marked)
        assert result["blocks"] >= 0
        Rendering(parse(marked))


LEARN = {"STEMMER_LEARN": 1, "STEMMER_VISUAL": 1}


def crawled(crawl: Crawler, urls: list[str], *, render: bool = True, **settings: Any) -> Crawl:
    """Crawl pages with a browser, or without."""
    arguments = {"start": ",".join(urls), "render": str(int(render))}
    return crawl("tests.crawl.visual_spider.Rendered", arguments=arguments, **settings)


def pattern_of(done: Crawl) -> SelectorRulePattern:
    """Return the learned pattern."""
    (pattern,) = done.patterns.patterns
    assert isinstance(pattern, SelectorRulePattern)
    return pattern


def add_pages(website: Website) -> list[str]:
    for number in range(PAGES + 1):
        website.add(f"/{number}.html", article(number))
    return [website.url(f"/{number}.html") for number in range(PAGES)]


@pytest.fixture(scope="module")
def site() -> Iterator[Website]:
    with Website() as site:
        yield site


def cached(folder: Path) -> dict[str, Any]:
    """Settings with which pages are taken from a crawl's cache, or put there."""
    return {"HTTPCACHE_ENABLED": True, "HTTPCACHE_DIR": str(folder / "cache")}


@pytest.fixture(scope="module")
def learned(site: Website, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """Return the learning crawl; the pages are in Scrapy's cache."""
    crawl = Crawler(tmp_path_factory.mktemp("learned"))
    return crawled(crawl, add_pages(site), **LEARN, **cached(crawl.folder))


def test_rules_of_looks_need_no_browser(learned: Crawl, site: Website, crawl: Crawler) -> None:
    assert len(learned.items) == PAGES
    assert pattern_of(learned).rendered
    assert str(pattern_of(learned).rules[0].selector) == "body > div.story > p"
    patterns = {"STEMMER_PATTERNS": str(learned.folder / "patterns.jsonl")}
    later = crawled(crawl, [site.url(f"/{PAGES}.html")], render=False, **patterns)
    (item,) = later.items
    assert item["stemmer_matched"]
    assert all(text in item["text"] for text in texts(PAGES))
    assert "Copyright" not in item["text"]
    assert later.stats["playwright/page_count"] == 0


def test_users_see_no_mark(learned: Crawl) -> None:
    """Neither in the response nor in the item nor in the request's meta."""
    for item in learned.items:
        assert "<p>" in item["body"]
        assert "data-stemmer" not in json.dumps(item)
        assert item["methods"] is None


def test_pages_from_scrapys_cache_keep_their_looks(learned: Crawl, site: Website, crawl: Crawler) -> None:
    done = crawled(crawl, add_pages(site), **LEARN, **cached(learned.folder))
    assert done.stats["httpcache/hit"] == len(done.items) == PAGES
    assert pattern_of(done).rules == pattern_of(learned).rules
    assert pattern_of(done).rendered
    assert "data-stemmer" not in json.dumps(done.items)


def test_a_browser_that_fails_to_mark_does_not_lose_the_page(crawl: Crawler, website: Website) -> None:
    """The page breaks an assumption of the script."""
    sabotage = "<script>document.createTreeWalker = () => { throw new Error('broken') }</script>"
    for number in range(PAGES):
        website.add(f"/{number}.html", article(number).replace("<body>", f"<body>{sabotage}"))
    done = crawled(crawl, [website.url(f"/{number}.html") for number in range(PAGES)], **LEARN)
    assert len(done.items) == done.stats["stemmer/pages/unmarked"] == PAGES
    assert not pattern_of(done).rendered
