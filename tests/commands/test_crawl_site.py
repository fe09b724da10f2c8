"""``scrapy stemmer crawl``: from an address to a table, lines or a folder of Markdown, without a project."""

from __future__ import annotations

import csv
import gzip
import json
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from http.server import ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from scrapy.settings import Settings

from scrapy_stemmer import PatternSet, StemmerError
from scrapy_stemmer.commands.crawl_site import POLITE, left_out
from scrapy_stemmer.commands.demo import bundled_pages, handler_of
from scrapy_stemmer.commands.page_forms import file_path_of
from tests import processes
from tests.commands.subcommand import run

pytestmark = pytest.mark.slow

Crawl = Callable[..., subprocess.CompletedProcess[str]]

BRIDGE = "/town/weir-bridge-closes.html"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler_of(bundled_pages())) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture
def crawl(port: int, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Crawl:
    """Crawl the newspaper of the demo without delay."""
    scratch = tmp_path_factory.mktemp("printed")

    def crawled(*arguments: object, path: str = "/") -> subprocess.CompletedProcess[str]:
        words = ("stemmer", "crawl", f"http://localhost:{port}{path}", "-s", "DOWNLOAD_DELAY=0", *arguments)
        return processes.scrapy(*words, folder=tmp_path, scratch=scratch)

    return crawled


def test_a_table_of_all_articles(crawl: Crawl, port: int, tmp_path: Path) -> None:
    done = crawl("-o", "articles.csv")
    assert done.returncode == 0, done.stderr
    with (tmp_path / "articles.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["url", "title", "authors", "published", "text", "kind", "confidence", "reason"]
    assert len({row["url"] for row in rows}) == len(rows) > 25
    assert {row["kind"] for row in rows} == {"content"}
    (bridge,) = [row for row in rows if row["url"].endswith(BRIDGE)]
    assert bridge["title"] == "Old Weir Bridge to close for eleven weeks from Easter Monday"
    assert (bridge["authors"], bridge["published"][:10]) == ("Marta Quill", "2025-03-04")
    assert "Subscribe" not in bridge["text"]
    assert done.stdout == f"{len(rows)} pages now in articles.csv\n"
    assert "of kinds that STEMMER_KINDS leaves out, such as lists" in done.stderr
    told = "Ctrl-C ends it: articles.csv then has the pages so far."
    assert f"Crawling localhost:{port}. {told}\n" in done.stderr
    (patterns,) = (tmp_path / "patterns").glob("localhost*.jsonl")
    assert PatternSet.load(str(patterns)).sites == (f"localhost:{port}",)


def test_lines_with_all_fields_also_of_lists(crawl: Crawl, tmp_path: Path) -> None:
    done = crawl("-o", "pages.jsonl.gz", "--fields", "-s", "STEMMER_KINDS=")
    assert done.returncode == 0, done.stderr
    pages = [json.loads(line) for line in gzip.decompress((tmp_path / "pages.jsonl.gz").read_bytes()).splitlines()]
    assert {page["kind"] for page in pages} >= {"content", "list"}
    (bridge,) = [page for page in pages if page["url"].endswith(BRIDGE)]
    assert (bridge["authors"], bridge["language"]) == (["Marta Quill"], "en")
    assert bridge["html"].startswith("<")


def test_a_folder_of_markdown(crawl: Crawl, port: int, tmp_path: Path) -> None:
    done = crawl("-o", "texts")
    assert done.returncode == 0, done.stderr
    text = next((tmp_path / "texts").rglob("weir-bridge-closes.md")).read_text(encoding="utf-8")
    assert 'title: "Old Weir Bridge to close' in text
    assert 'authors: ["Marta Quill"]' in text
    assert "\n## A long way round\n" in text


def test_a_crawl_stops_after_max_pages(crawl: Crawl, tmp_path: Path) -> None:
    done = crawl("-o", "articles.md", "--max-pages", 10)
    assert done.returncode == 0, done.stderr
    assert 0 < (tmp_path / "articles.md").read_text(encoding="utf-8").count("\nurl: ") <= 10


def test_ctrl_c_ends_it_and_what_was_found_is_written(port: int, tmp_path: Path) -> None:
    words = ["stemmer", "crawl", f"http://localhost:{port}/", "-s", "DOWNLOAD_DELAY=0.2", "-o", "articles.csv"]
    out, err = tmp_path / "out.txt", tmp_path / "err.txt"
    started = processes.start(processes._scrapy, words, out=out, err=err, folder=tmp_path)
    until = time.monotonic() + 60
    while "items released" not in err.read_text(encoding="utf-8") and time.monotonic() < until:
        time.sleep(0.1)
    started.send_signal(signal.SIGINT)
    assert started.wait() == 130
    pages = (tmp_path / "articles.csv").read_text(encoding="utf-8").count("http://localhost")
    assert out.read_text(encoding="utf-8") == f"{pages} pages now in articles.csv\n"
    assert err.read_text(encoding="utf-8").endswith("scrapy stemmer crawl: interrupted\n")


def test_a_crawl_without_a_page_leaves_the_file_that_is_there(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "articles.csv").write_text("mine")
    done = crawl("-o", "articles.csv", path="/nothing")
    assert done.returncode == 1
    assert "left out: 1 page with the HTTP status 404" in done.stderr
    assert "No page of localhost" in done.stderr
    assert (tmp_path / "articles.csv").read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_disk_that_becomes_full_ends_the_crawl_with_an_error(crawl: Crawl, port: int, tmp_path: Path) -> None:
    full = tmp_path / "texts" / f"{file_path_of(f'http://localhost:{port}{BRIDGE}')}.md"
    full.parent.mkdir(parents=True)
    full.symlink_to("/dev/full")
    done = crawl("-o", "texts")
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("STEMMER_KINDS=articles", "STEMMER_KINDS = 'articles': must be"),
        ("DEPTH_LIMIT=abc", "The crawl can't begin (ValueError: invalid literal"),
    ],
)
def test_a_setting_that_cannot_be_used_ends_it(crawl: Crawl, setting: str, message: str) -> None:
    done = crawl("-o", "articles.csv", "-s", setting)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("example.com", "-o", "a.csv"), "example.com: addresses begin with http:// or https://: http://example.com"),
        (("http://", "-o", "a.csv"), "addresses begin with"),
        (("http://[", "-o", "a.csv"), "http://[: Invalid IPv6 URL."),
        (("http://a.example/", "-o", "/dev/null/x/"), "/dev/null/x: must be a directory that can be written into"),
        (("http://a.example/", "-o", "a.txt"), "A crawl is written as JSON Lines"),
        (
            ("http://a.example/", "-o", "a.json"),
            "its name tells no format. Let it end in .jsonl, .jl, .ndjson, .csv, .md (",
        ),
        (("http://a.example/", "-o", "-"), "A crawl is written as JSON Lines"),
    ],
)
def test_what_can_not_be_done_is_told_before_the_crawl(arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises(StemmerError) as raised:
        run("crawl", *arguments)
    assert told in str(raised.value)


def test_the_command_crawl_refuses_a_jobdir() -> None:
    with pytest.raises(StemmerError, match="can't be paused"):
        run("crawl", "http://a.example/", "-o", "a.csv", JOBDIR="job")


def test_the_command_crawl_is_as_polite_as_a_new_project() -> None:
    import scrapy

    template = Path(scrapy.__file__).parent / "templates" / "project" / "module" / "settings.py.tmpl"
    names: dict[str, object] = {}
    exec(template.read_text(encoding="utf-8").replace("$project_name", "x"), names)
    for name in ("ROBOTSTXT_OBEY", "DOWNLOAD_DELAY", "CONCURRENT_REQUESTS_PER_DOMAIN"):
        assert POLITE[name] == names.get(name, POLITE[name])
        assert name in Settings()


def test_what_is_left_out_is_told() -> None:
    stats = {
        "robotstxt/forbidden": 2,
        "httperror/response_ignored_status_count/404": 1,
        "downloader/exception_type_count/twisted.internet.error.DNSLookupError": 3,
        "downloader/request_count": 9,
    }
    assert list(left_out(stats)) == [
        "left out: 2 pages that robots.txt forbids",
        "failed: 3 requests: DNSLookupError",
        "left out: 1 page with the HTTP status 404",
    ]
