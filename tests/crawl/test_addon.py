"""The line in ADDONS, and changes by users."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from scrapy.settings import Settings

from scrapy_stemmer import Addon
from scrapy_stemmer.crawl.downloadermiddleware import StemmerDownloaderMiddleware
from scrapy_stemmer.crawl.feeds import FolderFeedStorage
from scrapy_stemmer.crawl.pipeline import StemmerPipeline
from scrapy_stemmer.crawl.spidermiddleware import StemmerSpiderMiddleware

MIDDLEWARE = "scrapy_stemmer.crawl.spidermiddleware.StemmerSpiderMiddleware"
WATCHING = "tests.crawl.spiders.Watching"
REPLACING = "tests.crawl.spiders.ReplacingPipeline"
PIPELINE = "scrapy_stemmer.crawl.pipeline.StemmerPipeline"


def updated(**project: Any) -> tuple[dict[Any, Any], dict[Any, Any]]:
    settings = Settings()
    settings.setdict(project, priority="project")
    Addon().update_settings(settings)
    return dict(settings["SPIDER_MIDDLEWARES"]), dict(settings["ITEM_PIPELINES"])


def test_the_components_are_put_in_their_places_and_feeds_know_markdown() -> None:
    settings = Settings()
    settings.set("FEED_EXPORTERS", {"md": "mine.Markdown", "txt": "mine.Text"}, priority="project")
    Addon().update_settings(settings)
    assert dict(settings["SPIDER_MIDDLEWARES"]) == {StemmerSpiderMiddleware: 543}
    assert dict(settings["DOWNLOADER_MIDDLEWARES"]) == {StemmerDownloaderMiddleware: 585}
    assert dict(settings["ITEM_PIPELINES"]) == {StemmerPipeline: 100}
    assert dict(settings["FEED_EXPORTERS"]) == {"md": "mine.Markdown", "txt": "mine.Text"}
    assert dict(settings["FEED_STORAGES"]) == {"folder": FolderFeedStorage}


def test_other_components_stay() -> None:
    middlewares, pipelines = updated(SPIDER_MIDDLEWARES={WATCHING: 1}, ITEM_PIPELINES={REPLACING: 2})
    assert middlewares == {WATCHING: 1, StemmerSpiderMiddleware: 543}
    assert pipelines == {REPLACING: 2, StemmerPipeline: 1}


@pytest.mark.parametrize(
    ("others", "place"),
    [([300, 101], 100), ([300, 100], 99), ([100.5], 99), ([1], 0), ([0, 50], -1), ([None], 100), ([None, 7], 6)],
)
def test_the_pipeline_comes_before_all_of_the_project(others: list[float | None], place: int) -> None:
    _, pipelines = updated(ITEM_PIPELINES=dict(zip((REPLACING, "tests.crawl.spiders.Plainer"), others, strict=False)))
    assert pipelines[StemmerPipeline] == place


@pytest.mark.parametrize("order", [None, 7])
def test_an_order_of_the_users_own_and_none_are_respected(order: int | None) -> None:
    assert updated(SPIDER_MIDDLEWARES={MIDDLEWARE: order}, ITEM_PIPELINES={PIPELINE: order}) == (
        {MIDDLEWARE: order},
        {PIPELINE: order},
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("scrapy_stemmer", ("scrapy", "twisted")),
        ("scrapy_stemmer.commands.command", ("scrapy_stemmer.settings", "scrapy_stemmer.commands.subcommands")),
        ("scrapy_stemmer.crawl.spidermiddleware", ("twisted.internet.reactor",)),
        ("scrapy_stemmer.crawl.pipeline", ("twisted.internet.reactor",)),
    ],
)
def test_what_an_import_does_not_load(module: str, unwanted: tuple[str, ...]) -> None:
    code = f"import sys, {module}; print(*set({unwanted!r}) & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("\n", "")
