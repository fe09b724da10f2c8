"""HTTP caches written by Scrapy's own storages."""

from __future__ import annotations

import gzip
import zlib
from datetime import UTC, datetime
from ipaddress import IPv4Address
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request, Spider
from scrapy.extensions.httpcache import DbmCacheStorage, FilesystemCacheStorage
from scrapy.http import HtmlResponse, Response
from scrapy.settings import Settings
from scrapy.utils.request import RequestFingerprinter

from scrapy_stemmer.commands.sources.base import (
    NO_HTML,
    NO_SUCCESS,
    UNREADABLE_REASON,
    LeftOut,
    TooLargeError,
    decoded,
)
from scrapy_stemmer.commands.sources.files import pages_of_sources

HTML = "<p>Text"
TYPE = {"Content-Type": "text/html; charset=utf-8"}


def cached(folder: Path, storage_class: type[Any], **settings: object) -> Path:
    """Return a folder with the cache of a spider that met all kinds of responses."""
    storage = storage_class(Settings({"HTTPCACHE_DIR": str(folder), **settings}))
    spider = Spider(name="news")
    spider.crawler = cast(Any, SimpleNamespace(request_fingerprinter=RequestFingerprinter()))
    storage.open_spider(spider)
    body = HTML.encode()
    responses: list[Response] = [
        HtmlResponse("http://ex.com/plain", body=body, headers=TYPE, ip_address=IPv4Address("10.0.0.1")),
        HtmlResponse("http://ex.com/gzip", body=gzip.compress(body), headers={**TYPE, "Content-Encoding": "gzip"}),
        HtmlResponse(
            "http://ex.com/deflate", body=zlib.compress(body), headers={**TYPE, "Content-Encoding": "deflate"}
        ),
        HtmlResponse("http://ex.com/unknown", body=body, headers={**TYPE, "Content-Encoding": "lzma"}),
        HtmlResponse("http://ex.com/gone", status=404, body=body, headers=TYPE),
        Response("http://ex.com/a.png", body=b"\x89PNG", headers={"Content-Type": "image/png"}),
    ]
    for response in responses:
        storage.store_response(spider, Request(response.url), response)
    storage.close_spider(spider)
    return folder


@pytest.mark.parametrize("is_compressed", [False, True])
def test_the_pages_of_a_cache(tmp_path: Path, is_compressed: bool) -> None:
    left_out = LeftOut()
    cache = cached(tmp_path, FilesystemCacheStorage, HTTPCACHE_GZIP=is_compressed)
    pages = {page.url: page for page in pages_of_sources([str(cache)], left_out)}
    assert sorted(pages) == [f"http://ex.com/{name}" for name in ("deflate", "gzip", "plain")]
    assert {(page.html, page.charset) for page in pages.values()} == {(HTML.encode(), "utf-8")}
    assert all(datetime.fromisoformat(page.fetched or "") <= datetime.now(UTC) for page in pages.values())
    assert left_out.reasons == {NO_SUCCESS: 1, NO_HTML: 1, UNREADABLE_REASON: 1}
    assert "compressed as 'lzma', which is not known" in left_out.examples[UNREADABLE_REASON]


@pytest.mark.parametrize("module", ["dbm", "dbm.dumb", "dbm.ndbm", "dbm.gnu"])
def test_a_cache_of_pickles_is_not_read(tmp_path: Path, module: str) -> None:
    pytest.importorskip(module, exc_type=ImportError)  # Debian raises ImportError for dbm.gnu without its package
    cache = cached(tmp_path, DbmCacheStorage, HTTPCACHE_DBM_MODULE=module)
    assert list(pages_of_sources([str(cache)], LeftOut())) == []


@pytest.mark.parametrize("damaged", [b"__import__('os').abort()", b"-" * 100_000 + b"1", b"(" * 100_000, b"\xff"])
def test_an_entry_that_is_damaged_is_left_out(tmp_path: Path, damaged: bytes) -> None:
    for name in ("meta", "response_headers", "response_body"):
        (tmp_path / name).write_bytes(damaged)
    left_out = LeftOut()
    assert list(pages_of_sources([str(tmp_path)], left_out)) == []
    assert left_out.reasons == {UNREADABLE_REASON: 1}


@pytest.mark.parametrize("lost", ["meta", "response_headers", "response_body"])
def test_an_entry_that_a_killed_crawl_has_not_finished_is_left_out(tmp_path: Path, lost: str) -> None:
    cached(tmp_path, FilesystemCacheStorage)
    entry = min(path.parent for path in tmp_path.glob("**/meta") if b"/plain" in path.read_bytes())
    (entry / lost).unlink()
    left_out = LeftOut()
    assert {page.url for page in pages_of_sources([str(tmp_path)], left_out)} == {
        "http://ex.com/deflate",
        "http://ex.com/gzip",
    }
    assert left_out.reasons == {NO_SUCCESS: 1, NO_HTML: 1, UNREADABLE_REASON: 2}


@pytest.mark.parametrize(
    ("encoding", "module"), [("gzip", "gzip"), ("deflate", "zlib"), ("br", "brotli"), ("zstd", "backports.zstd")]
)
def test_a_body_that_would_be_huge_is_refused(encoding: str, module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compress = pytest.importorskip(module).compress
    monkeypatch.setattr("scrapy_stemmer.commands.sources.base.MAX_BYTES", 1000)
    assert decoded(compress(HTML.encode()), encoding) == HTML.encode()
    with pytest.raises(TooLargeError):
        decoded(compress(bytes(10_000)), encoding)
    with pytest.raises(ValueError, match=f"can't be expanded as '{encoding}'"):
        decoded(b"nothing", encoding)
