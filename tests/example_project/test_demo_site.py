"""The demonstration site: reproducible, complete, of the promised kinds, with gold text found in the pages."""

from __future__ import annotations

import gzip
import html
import json
import re
import subprocess
import sys
from collections import Counter, deque
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import lxml.html
import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = ROOT / "example_project" / "demo_site"
PAGES = SITE / "pages"
WRONGLY_DECLARED = {"http://heron.example/food/pier-cafe-review.html": "windows-1252"}
SAMPLE = 20  # STEMMER_SAMPLE_SIZE's default


def rows() -> list[dict[str, str]]:
    return [json.loads(line) for line in (SITE / "gold.jsonl").read_text(encoding="utf-8").splitlines()]


GOLD = {row["url"]: row for row in rows()}
CONTENT_TYPES = json.loads((SITE / "content_types.json").read_text(encoding="utf-8"))


def file_of(url: str) -> Path:
    name = url.removeprefix("http://")
    return PAGES / (f"{name}index.html" if name.endswith("/") else name)


def declared_charset(url: str) -> str:
    header = re.search("charset=(.*)", CONTENT_TYPES.get(url, ""))
    meta = re.search(rb"<meta[^>]*charset=\"?([\w-]+)", file_of(url).read_bytes())
    assert header or meta, f"{url} declares no charset at all"
    return header[1] if header else meta[1].decode()  # type: ignore[index]


def page_text(url: str) -> str:
    return file_of(url).read_bytes().decode(WRONGLY_DECLARED.get(url) or declared_charset(url))


def without_space(text: str) -> str:
    return "".join(text.split())


def links(url: str) -> list[str]:
    """Return a page's links to its own host, in order, without fragments."""
    root = lxml.html.document_fromstring(re.sub("charset=[^ >]*", "", page_text(url)))
    found = (urldefrag(urljoin(url, link.get("href"))).url for link in root.iter("a"))
    return [link for link in found if urlsplit(link).netloc == urlsplit(url).netloc]


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_build_reproduces_the_committed_site_byte_for_byte(tmp_path: Path) -> None:
    command = [sys.executable, "-B", str(SITE / "build.py"), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    assert files_below(tmp_path / "pages") == files_below(PAGES)
    for name in ("gold.jsonl", "content_types.json"):
        assert (tmp_path / name).read_bytes() == (SITE / name).read_bytes()


def test_the_command_demo_has_the_same_pages() -> None:
    with gzip.open(ROOT / "scrapy_stemmer" / "commands" / "demo.jsonl.gz", "rt", encoding="utf-8") as lines:
        packed = {row["url"]: row["html"] for row in map(json.loads, lines)}
    assert packed == {url: page_text(url) for url in GOLD if url.startswith("http://heron.example/")}


def test_the_site_is_as_large_and_as_varied_as_the_readme_says() -> None:
    assert len(GOLD) == 64
    assert Counter((row["lang"], row["layout"]) for row in GOLD.values()) == {
        ("en", "article"): 22,
        ("en", "guide"): 7,
        ("en", "index"): 7,
        ("ja", "article"): 17,
        ("ja", "guide"): 5,
        ("ja", "index"): 6,
    }


def test_gold_covers_every_page_sorted_and_is_not_served() -> None:
    assert list(GOLD) == sorted(GOLD)
    assert {file_of(url) for url in GOLD} == set(PAGES.rglob("*.html"))
    assert not list(PAGES.rglob("gold*"))


def test_every_gold_line_and_the_title_occur_in_the_page() -> None:
    for url, row in GOLD.items():
        text = without_space(html.unescape(re.sub("<[^>]+>", "", page_text(url))))
        lines = [row["title"], *row["text"].split("\n")]
        assert [line for line in lines if without_space(line) not in text] == [], url


def test_articles_have_the_length_of_articles() -> None:
    texts = {url: row["text"] for url, row in GOLD.items() if row["layout"] == "article"}
    english = [len(text.split()) for url, text in texts.items() if GOLD[url]["lang"] == "en"]
    japanese = [len(without_space(text)) for url, text in texts.items() if GOLD[url]["lang"] == "ja"]
    assert (min(english) >= 120, max(english) <= 450) == (True, True)
    assert (min(japanese) >= 200, max(japanese) <= 700) == (True, True)


def test_every_internal_link_leads_to_a_page() -> None:
    assert {url: found for url in GOLD if (found := [link for link in links(url) if link not in GOLD])} == {}


@pytest.mark.parametrize("host", ["heron.example", "ja.heron.example"])
def test_a_breadth_first_crawl_reaches_all_and_sees_every_layout_early(host: str) -> None:
    home = f"http://{host}/"
    order, queue = [home], deque([home])
    while queue:
        new = [link for link in dict.fromkeys(links(queue.popleft())) if link not in order]
        order += new
        queue += new
    assert set(order) == {url for url in GOLD if urlsplit(url).netloc == host}
    early = Counter(GOLD[url]["layout"] for url in order[:SAMPLE])
    assert min(early[layout] for layout in ("article", "guide", "index")) >= 4


def test_charsets_are_declared_in_all_the_ways_that_real_pages_know() -> None:
    in_header = {url for url in GOLD if "charset" in CONTENT_TYPES.get(url, "")}
    in_meta = {url for url in GOLD if re.search(rb"<meta[^>]*charset=", file_of(url).read_bytes())}
    assert in_header - in_meta
    assert in_meta - in_header
    assert in_header & in_meta
    assert {"shift_jis", "euc-jp", "utf-8"} <= {declared_charset(url) for url in GOLD}


def test_the_wrongly_declared_page_is_really_wrong() -> None:
    for url in WRONGLY_DECLARED:
        with pytest.raises(UnicodeDecodeError):
            file_of(url).read_bytes().decode(declared_charset(url))


def test_about_one_page_in_five_has_wrong_markup() -> None:
    heads = "\n".join(path.read_text(encoding="utf-8") for path in (SITE / "content").rglob("*.txt"))
    faults = re.findall("^fault: (.*)$", heads, flags=re.M)
    assert len(set(faults)) == 7
    assert len(GOLD) / 8 <= len(faults) + len(WRONGLY_DECLARED) <= len(GOLD) / 4


def test_what_surrounds_the_text_varies_from_page_to_page() -> None:
    def variants(pattern: str, lang: str) -> int:
        pages = [page_text(url) for url, row in GOLD.items() if row["lang"] == lang]
        return len({found for page in pages for found in re.findall(pattern, page)})

    for lang in ("en", "ja"):
        assert variants(r"ads\.example/click\?c=(\d+)", lang) == 5
        assert variants(r'class="(?:imprint|copyright)">(.*)<', lang) == 3
    assert variants(r"Published (\d+) minutes ago", "en") > 10
    assert variants(r"(\d+)分前に公開", "ja") > 10
